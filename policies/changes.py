"""Rules about what a deployment takes away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_policy import EnforcementLevel, Severity

from mirrorstack.model.intents import Intents, left_over
from mirrorstack.model.leaving import (
    Deleted,
    Leaving,
    Untranslated,
    deleted,
    unmeant,
    untranslated,
)
from mirrorstack.problem import Problem
from policies.rules import ResourceRule, Rule
from policies.view import LEDGER, plain

Props = Mapping[str, Any]


def _each(props: Props, key: str) -> list[dict[str, Any]]:
    """What the ledger has under a key; the engine hands every number over as a float."""
    return [
        {name: int(value) if isinstance(value, float) else value for name, value in each.items()}
        for each in plain(props.get(key) or [])
    ]


def _intents(props: Props) -> Intents:
    return Intents(plain(props.get("intent") or {}), plain(props.get("spent") or ()))


def _leaving(props: Props) -> dict[str, Leaving]:
    return {each["name"]: Leaving(**each) for each in _each(props, "leaving")}


def _unmeant(props: Props) -> Iterator[Problem]:
    for left in _leaving(props).values():
        yield from unmeant(left, _intents(props))
    for each in _each(props, "untranslated"):
        yield from untranslated(Untranslated(**each), _intents(props))


def _deleted(props: Props) -> Iterator[Problem]:
    for each in _each(props, "deleted"):
        yield from deleted(Deleted(**each), _leaving(props), _intents(props))


def _left_over(props: Props) -> Iterator[Problem]:
    kinds = ("leaving", "untranslated", "deleted")
    yield from left_over(
        _intents(props), {each["name"] for kind in kinds for each in _each(props, kind)}
    )


CHANGE_RULES: list[Rule] = [
    ResourceRule(
        id="connectors-leave-on-purpose",
        title="A connector must not go away or lose its offsets unless the stack file says so.",
        why="Records are skipped, or all of them are mirrored again.",
        severity=Severity.CRITICAL,
        type=LEDGER,
        judge=_unmeant,
    ),
    ResourceRule(
        id="copies-are-deleted-on-purpose",
        title="A mirrored topic must not be deleted or made anew unless the stack file says so.",
        why="Its records are gone; they are mirrored again at best, as far as the source has them.",
        severity=Severity.CRITICAL,
        type=LEDGER,
        judge=_deleted,
    ),
    ResourceRule(
        id="intents-are-taken-off",
        title="An intent should be about something that leaves with this deployment.",
        why="It is good for one deployment; left there, it says what is not going to happen.",
        level=EnforcementLevel.ADVISORY,
        severity=Severity.LOW,
        type=LEDGER,
        judge=_left_over,
    ),
]
