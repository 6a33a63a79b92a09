"""Stack files: all mistakes at once, with lines and without Pulumi."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mirrorstack.config.passwords import SUFFIXES, check_passwords
from mirrorstack.config.peers import read_peers
from mirrorstack.config.settings import StackSettings, check
from mirrorstack.config.stack_file import namespace_of
from mirrorstack.findings import Finding, KeyPath, UserError
from mirrorstack.lint.document import DocumentNode
from mirrorstack.rules.flow_connectors import flow_findings
from mirrorstack.rules.keys.overrides import override_findings
from mirrorstack.rules.keys.rules import KeyRule
from mirrorstack.rules.registry import declaration_findings
from mirrorstack.rules.subjects import Declaration

SECURE = "secure"


def is_stack(document: DocumentNode) -> bool:
    config = document.get("config")
    return config is not None and namespace_of(config.members) is not None


def check_stack(document: DocumentNode, file: Path) -> list[Finding]:
    """`file` is the path of the stack file; its peers are in the same directory."""
    config = document.members["config"]
    prefix = f"{namespace_of(config.members)}:"
    keys = {
        key.removeprefix(prefix): node
        for key, node in config.members.items()
        if key.startswith(prefix)
    }
    values = {key: node.to_python() for key, node in keys.items() if not key.endswith(SUFFIXES)}
    settings, invalid = check(values)
    passwords = {key: "given" for key in keys if key.endswith(SUFFIXES)}
    secret = [key for key in passwords if keys[key].get(SECURE)]
    findings = [
        replace(one, rule=KeyRule.STACK_FILE)
        for one in (*invalid, *check_passwords(settings, passwords, secret))
    ]
    findings += override_findings(_overrides(keys.get("flows")))
    if settings is not None and not invalid:
        findings += _apply_rules(settings, file)
    return [replace(one, line=_line(config, prefix, one.path)) for one in findings]


def _line(config: DocumentNode, prefix: str, path: KeyPath) -> int:
    return config.line_of((f"{prefix}{path[0]}", *path[1:])) if path else config.line


def _overrides(flows: DocumentNode | None) -> list[dict[str, Any]]:
    """The overrides of each flow as Connect reads them; invalid ones are reported by `check`."""
    return [
        {
            "from": flow.text("from"),
            "to": flow.text("to"),
            "override": {
                kind: {key: text for key in own.members if (text := own.text(key)) is not None}
                for kind, own in override.members.items()
            },
        }
        if (override := flow.get("override"))
        else {}
        for flow in (flows.items if flows else ())
    ]


def _apply_rules(settings: StackSettings, file: Path) -> Iterator[Finding]:
    """The rules of the policy pack that need nothing but stack files."""
    peers: Mapping[str, StackSettings] = {}
    try:
        peers = read_peers(settings, file)
    except UserError as error:
        for one in error.findings:
            is_own = one.file == str(file)
            path, message = (one.path, one.message) if is_own else (("peers",), one.text)
            yield Finding(message, one.fix, path=path, rule=KeyRule.STACK_FILE)
    for index, flow in enumerate(settings.flows):
        yield from flow_findings(flow, ("flows", index))
    yield from declaration_findings(Declaration(settings, peers))
