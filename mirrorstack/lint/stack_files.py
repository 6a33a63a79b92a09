"""Our own stack files: everything that is wrong at once, with lines, and without Pulumi."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import ValidationError

from mirrorstack.config.passwords import SUFFIX, check_passwords
from mirrorstack.config.peers import read_peers
from mirrorstack.config.schema import PROJECT
from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.config.validation import explain_all
from mirrorstack.findings import Finding, UserError
from mirrorstack.lint.document import Located
from mirrorstack.lint.entries import Placed
from mirrorstack.rules.declarations import JUDGEMENTS, Declared
from mirrorstack.rules.declared_flows import flow_rules
from mirrorstack.rules.keys.overrides import override_findings
from mirrorstack.rules.registry import Rule

PREFIX = f"{PROJECT}:"
SECURE = "secure"
HERE = "here"


def is_stack(document: Located) -> bool:
    config = document.get("config")
    return config is not None and any(key.startswith(PREFIX) for key in config.keys)


def judge_stack(document: Located, file: Path) -> list[Placed]:
    """`file` is where it was read: its peers are beside it."""
    config = document.keys["config"]
    ours = {
        key.removeprefix(PREFIX): value
        for key, value in config.keys.items()
        if key.startswith(PREFIX)
    }
    values = {key: value.plain() for key, value in ours.items() if not key.endswith(SUFFIX)}
    try:
        StackSettings.model_validate(values)
    except ValidationError as error:
        return [
            Placed(_line(config, one.path), _finding(one.path, one.message, one.fix))
            for one in explain_all(error, StackSettings)
        ]
    found = [Placed(_line(config, one.path), one) for one in override_findings(values["flows"])]
    try:
        settings = parse(values, HERE)
    except UserError as problem:
        return [_placed(config, ours, problem), *found]
    return [*_passwords(config, ours, settings), *found, *_judged(config, settings, file)]


def _line(config: Located, path: tuple[str | int, ...]) -> int:
    return config.at((f"{PREFIX}{path[0]}", *path[1:])) if path else config.line


def _finding(path: tuple[str | int, ...], what: str, fix: str) -> Finding:
    return Finding(what, fix, rule=Rule.STACK_FILE, path=(".".join(map(str, path)),))


def _passwords(
    config: Located, ours: Mapping[str, Located], settings: StackSettings
) -> Iterator[Placed]:
    passwords = {key: "given" for key in ours if key.endswith(SUFFIX)}
    secret = [key for key in passwords if ours[key].get(SECURE)]
    try:
        check_passwords(settings, passwords, secret, HERE)
    except UserError as problem:
        yield _placed(config, ours, problem)


def _placed(config: Located, ours: Mapping[str, Located], problem: UserError) -> Placed:
    """A rule about several keys, the same as at `pulumi preview`."""
    what = problem.message.removeprefix(f"{HERE}: ")
    path = _path(what, ours)
    return Placed(_line(config, path), _finding(path, what, problem.fix))


def _path(what: str, ours: Mapping[str, Located]) -> tuple[str | int, ...]:
    """What a message is about, as it begins: `clusters.east.security is ...`."""
    first = what.removeprefix(PREFIX).split()[0].rstrip(":.")
    path = tuple(first.split("."))
    return path if path[0] in ours else ("clusters",)


def _judged(config: Located, settings: StackSettings, file: Path) -> Iterator[Placed]:
    """What the policy pack says about a stack file, before anything is made of it."""
    peers: Mapping[str, StackSettings] = {}
    try:
        peers = read_peers(settings, file)
    except UserError as problem:
        at = ("peers",)
        yield Placed(_line(config, at), _finding(at, problem.message, problem.fix))
    for number, flow in enumerate(settings.flows):
        for finding in flow_rules(flow, ("flows", number)):
            yield Placed(_line(config, finding.path), finding)
    for one in JUDGEMENTS:
        for wrong in one.judge(Declared(settings, peers)):
            where = _about(wrong.message, settings)
            key, what = ".".join(map(str, where)), wrong.message.removesuffix(".")
            found = Finding(what, wrong.fix, rule=one.rule, path=(key,), severity=one.severity)
            yield Placed(_line(config, where), found)


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
