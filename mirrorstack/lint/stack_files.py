"""Our own stack files: everything that is wrong at once, with lines, and without Pulumi."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from mirrorstack.config.passwords import SUFFIX, check_passwords
from mirrorstack.config.peers import read_peers
from mirrorstack.config.settings import StackSettings, check
from mirrorstack.config.stack_file import namespace_of
from mirrorstack.findings import Finding, UserError
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
    """`file` is where it was read: its peers are beside it."""
    config = document.members["config"]
    prefix = f"{namespace_of(config.members)}:"
    ours = {
        key.removeprefix(prefix): value
        for key, value in config.members.items()
        if key.startswith(prefix)
    }
    values = {key: value.to_python() for key, value in ours.items() if not key.endswith(SUFFIX)}
    settings, invalid = check(values)
    passwords = {key: "given" for key in ours if key.endswith(SUFFIX)}
    secret = [key for key in passwords if ours[key].get(SECURE)]
    found = [
        replace(one, rule=KeyRule.STACK_FILE, line=_line(config, one.path))
        for one in (*invalid, *check_passwords(settings, passwords, secret))
    ]
    if settings is None:
        return found
    found += [
        replace(one, line=_line(config, one.path)) for one in override_findings(values["flows"])
    ]
    if not invalid:
        found += _judged(config, settings, file)
    return found


def _line(config: DocumentNode, path: tuple[str | int, ...]) -> int:
    key = f"{namespace_of(config.members)}:{path[0]}" if path else ""
    return config.line_of((key, *path[1:])) if path else config.line


def _judged(config: DocumentNode, settings: StackSettings, file: Path) -> Iterator[Finding]:
    """What the policy pack says about a stack file, before anything is made of it."""
    peers: Mapping[str, StackSettings] = {}
    try:
        peers = read_peers(settings, file)
    except UserError as problem:
        for each in problem.findings:
            own = each.file == str(file)
            path, message = (each.path, each.message) if own else (("peers",), each.text)
            finding = Finding(message, each.fix, path=path, rule=KeyRule.STACK_FILE)
            yield replace(finding, line=_line(config, path))
    for number, flow in enumerate(settings.flows):
        for finding in flow_findings(flow, ("flows", number)):
            yield replace(finding, line=_line(config, finding.path))
    for finding in declaration_findings(Declaration(settings, peers)):
        yield replace(finding, line=_line(config, finding.path))
