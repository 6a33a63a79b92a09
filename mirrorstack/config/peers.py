"""The peers of a stack, read from their stack files.

Stacks that are deployed one after the other can break each other, by a cycle across them or by one
worker group for both. So each names the other, and they are checked together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mirrorstack.config.settings import StackSettings, check
from mirrorstack.config.stack_file import read_file
from mirrorstack.findings import Finding, KeyPath, UserError


def read_peers(settings: StackSettings, own: Path) -> dict[str, StackSettings]:
    """The stack's peers, their peers, and so on, by file name. `own` is the stack's own file."""
    peers: dict[str, StackSettings] = {}
    findings: list[Finding] = []
    read = {own.name}
    waiting = [(own, settings)]
    while waiting:
        file, stack = waiting.pop(0)
        for index, name in enumerate(stack.peers):
            if name in read:
                continue
            read.add(name)
            try:
                values = _read(name, file, ("peers", index))
            except UserError as error:
                findings += error.findings
                continue
            peer, wrong = check(values)
            findings += (replace(each, file=str(own.parent / name)) for each in wrong)
            if peer is not None:
                peers[name] = peer
                waiting.append((own.parent / name, peer))
    if findings:
        raise UserError.of(findings)
    return peers


def _read(name: str, named_in: Path, path: KeyPath) -> Mapping[str, Any]:
    try:
        return read_file(named_in.parent / name).values
    except UserError as error:
        raise UserError.of(
            Finding.at(path, each.text, each.fix, file=str(named_in)) for each in error.findings
        ) from None
