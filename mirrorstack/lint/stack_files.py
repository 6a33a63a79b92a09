"""Our own stack files: everything that is wrong at once, with lines, and without Pulumi."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from mirrorstack.lint.entries import Entries, Placed
from mirrorstack.lint.located import Located
from mirrorstack.model.connector_findings import findings_of
from mirrorstack.model.connectors import Kind
from mirrorstack.model.explain import explain_all
from mirrorstack.model.key_rules import KeyFinding, Rule
from mirrorstack.model.passwords import SUFFIX, check_passwords
from mirrorstack.model.schema import PROJECT
from mirrorstack.model.settings import StackSettings, parse
from mirrorstack.problem import Problem

PREFIX = f"{PROJECT}:"
SECURE = "secure"


def is_stack(document: Located) -> bool:
    config = document.get("config")
    return config is not None and any(key.startswith(PREFIX) for key in config.keys)


def judge_stack(document: Located) -> list[Placed]:
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
            Placed(_line(config, one.path), _finding(one.path, one.what, one.way_out))
            for one in explain_all(error, StackSettings)
        ]
    return [*_as_a_whole(config, ours, values), *_overrides(config, values)]


def _line(config: Located, path: tuple[str | int, ...]) -> int:
    return config.at((f"{PREFIX}{path[0]}", *path[1:])) if path else config.line


def _finding(path: tuple[str | int, ...], what: str, way_out: str) -> KeyFinding:
    return KeyFinding(".".join(map(str, path)), Rule.STACK_FILE, what, way_out)


def _as_a_whole(
    config: Located, ours: Mapping[str, Located], values: Mapping[str, Any]
) -> Iterator[Placed]:
    """The rules that are about several keys, the same as at `pulumi preview`."""
    where = "here"
    passwords = {key: "given" for key in ours if key.endswith(SUFFIX)}
    secret = [key for key in passwords if ours[key].get(SECURE)]
    try:
        check_passwords(parse(values, where), passwords, secret, where)
    except Problem as problem:
        what = problem.what.removeprefix(f"{where}: ")
        path = _path(what, ours)
        yield Placed(_line(config, path), _finding(path, what, problem.way_out))


def _path(what: str, ours: Mapping[str, Located]) -> tuple[str | int, ...]:
    """What a message is about, as it begins: `clusters.east.security is ...`."""
    first = what.removeprefix(PREFIX).split()[0].rstrip(":.")
    path = tuple(first.split("."))
    return path if path[0] in ours else ("clusters",)


def _overrides(config: Located, values: Mapping[str, Any]) -> Iterator[Placed]:
    """Keys of MirrorMaker that the file sets itself."""
    for number, flow in enumerate(values["flows"]):
        for kind in Kind:
            given = (flow.get("override") or {}).get(kind.value) or {}
            path = ("flows", number, "override", kind.value)
            entries = Entries(
                {"connector.class": kind.java_class, **given},
                {key: _line(config, (*path, key)) for key in given},
            )
            yield from entries.placed(findings_of(entries.values, complete=False))
