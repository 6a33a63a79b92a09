"""Our own stack files: everything that is wrong at once, with lines, and without Pulumi."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from mirrorstack.config.passwords import SUFFIX, check_passwords
from mirrorstack.config.peers import read_peers
from mirrorstack.config.schema import PROJECT
from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.config.validation import explain_all
from mirrorstack.findings import Finding, UserError
from mirrorstack.lint.document import DocumentNode
from mirrorstack.rules.declarations import JUDGEMENTS, Declared
from mirrorstack.rules.declared_flows import flow_rules
from mirrorstack.rules.keys.overrides import override_findings
from mirrorstack.rules.registry import Rule

PREFIX = f"{PROJECT}:"
SECURE = "secure"
HERE = "here"


def is_stack(document: DocumentNode) -> bool:
    config = document.get("config")
    return config is not None and any(key.startswith(PREFIX) for key in config.members)


def check_stack(document: DocumentNode, file: Path) -> list[Finding]:
    """`file` is where it was read: its peers are beside it."""
    config = document.members["config"]
    ours = {
        key.removeprefix(PREFIX): value
        for key, value in config.members.items()
        if key.startswith(PREFIX)
    }
    values = {key: value.to_python() for key, value in ours.items() if not key.endswith(SUFFIX)}
    try:
        StackSettings.model_validate(values)
    except ValidationError as error:
        return [
            replace(one, rule=Rule.STACK_FILE, line=_line(config, one.path))
            for one in explain_all(error, StackSettings)
        ]
    found = [
        replace(one, line=_line(config, one.path)) for one in override_findings(values["flows"])
    ]
    try:
        settings = parse(values, HERE)
    except UserError as problem:
        return [_placed(config, ours, problem), *found]
    return [*_passwords(config, ours, settings), *found, *_judged(config, settings, file)]


def _line(config: DocumentNode, path: tuple[str | int, ...]) -> int:
    return config.line_of((f"{PREFIX}{path[0]}", *path[1:])) if path else config.line


def _finding(path: tuple[str | int, ...], what: str, fix: str) -> Finding:
    return Finding(what, fix, rule=Rule.STACK_FILE, path=path)


def _passwords(
    config: DocumentNode, ours: Mapping[str, DocumentNode], settings: StackSettings
) -> Iterator[Finding]:
    passwords = {key: "given" for key in ours if key.endswith(SUFFIX)}
    secret = [key for key in passwords if ours[key].get(SECURE)]
    try:
        check_passwords(settings, passwords, secret, HERE)
    except UserError as problem:
        yield _placed(config, ours, problem)


def _placed(config: DocumentNode, ours: Mapping[str, DocumentNode], problem: UserError) -> Finding:
    """A rule about several keys, the same as at `pulumi preview`."""
    what = problem.message.removeprefix(f"{HERE}: ")
    path = _path(what, ours)
    return replace(_finding(path, what, problem.fix), line=_line(config, path))


def _path(what: str, ours: Mapping[str, DocumentNode]) -> tuple[str | int, ...]:
    """What a message is about, as it begins: `clusters.east.security is ...`."""
    first = what.removeprefix(PREFIX).split()[0].rstrip(":.")
    path = tuple(first.split("."))
    return path if path[0] in ours else ("clusters",)


def _judged(config: DocumentNode, settings: StackSettings, file: Path) -> Iterator[Finding]:
    """What the policy pack says about a stack file, before anything is made of it."""
    peers: Mapping[str, StackSettings] = {}
    try:
        peers = read_peers(settings, file)
    except UserError as problem:
        at = ("peers",)
        yield replace(_finding(at, problem.message, problem.fix), line=_line(config, at))
    for number, flow in enumerate(settings.flows):
        for finding in flow_rules(flow, ("flows", number)):
            yield replace(finding, line=_line(config, finding.path))
    for one in JUDGEMENTS:
        for wrong in one.judge(Declared(settings, peers)):
            where = _about(wrong.message, settings)
            yield replace(
                wrong, rule=one.rule, path=where, severity=one.severity, line=_line(config, where)
            )


def _about(what: str, settings: StackSettings) -> tuple[str | int, ...]:
    """The flow or the cluster that a message names first."""
    names: dict[str, tuple[str | int, ...]] = {
        **{flow.name: ("flows", number) for number, flow in enumerate(settings.flows)},
        **{
            f"clusters.{alias}.security.protocol": ("clusters", alias, "security", "protocol")
            for alias in settings.clusters
        },
        **{f"the workers at {alias}": ("clusters", alias) for alias in settings.clusters},
    }
    found = [
        (hit.start(), path)
        for name, path in names.items()
        if (hit := re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", what))
    ]
    return min(found)[1] if found else ("flows",)
