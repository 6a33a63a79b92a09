"""Rules about what a deployment takes away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_policy import EnforcementLevel, Severity

from mirrorstack.changes.intents import Intents, left_over
from mirrorstack.changes.removals import (
    Deleted,
    Leaving,
    Untranslated,
    deleted,
    unmeant,
    untranslated,
)
from mirrorstack.changes.replay_estimate import Amount
from mirrorstack.changes.restarts import Renamed, begins_anew_on_purpose, renamed
from mirrorstack.changes.retained_topics import Because
from mirrorstack.findings import Finding
from policies.rules import ResourceRule, Rule
from policies.view import LEDGER, plain

Props = Mapping[str, Any]


def _each(props: Props, key: str) -> list[dict[str, Any]]:
    """What the ledger has under a key; the engine hands every number over as a float."""
    return [
        {name: int(value) if isinstance(value, float) else value for name, value in each.items()}
        for each in plain(props.get(key) or [])
    ]


def _amounted(props: Props, key: str) -> list[dict[str, Any]]:
    """The same for what has mirrored records."""
    return [
        {"amount": Amount(each.pop("mirrored", None), each.pop("held", None)), **each}
        for each in _each(props, key)
    ]


def _intents(props: Props) -> Intents:
    return Intents(plain(props.get("intent") or {}), plain(props.get("spent") or ()))


def _leaving(props: Props) -> dict[str, Leaving]:
    return {each["name"]: Leaving(**each) for each in _amounted(props, "leaving")}


def _copies(props: Props) -> list[Deleted]:
    return [Deleted(**each) for each in _amounted(props, "deleted")]


def _renames(props: Props) -> list[Renamed]:
    return [Renamed(**each) for each in _amounted(props, "renamed")]


def _unmeant(props: Props) -> Iterator[Finding]:
    left = _leaving(props)
    for one in left.values():
        yield from unmeant(one, _intents(props))
    for each in _each(props, "untranslated"):
        yield from untranslated(Untranslated(**each), _intents(props))
    for other in _renames(props):
        if other.name not in left:  # then all is said
            yield from renamed(other, _intents(props))


def _deleted(props: Props) -> Iterator[Finding]:
    for copy in _copies(props):
        yield from deleted(copy, _leaving(props), _intents(props))


def _anew(props: Props) -> Iterator[Finding]:
    yield from begins_anew_on_purpose(
        _leaving(props).values(), _renames(props), _copies(props), _intents(props)
    )


def _left_over(props: Props) -> Iterator[Finding]:
    kinds = ("leaving", "untranslated", "deleted", "renamed")
    yield from left_over(
        _intents(props),
        [each["name"] for kind in kinds for each in _each(props, kind)],
        {each["name"]: Because(each["because"]).why for each in _each(props, "wordless")},
        list(_staying(props)),
    )


def _staying(props: Props) -> Iterator[str]:
    connectors = props.get("connectors") or {}
    for name in connectors:
        yield name
        if checkpoint := connectors[name].get("checkpoint"):
            yield checkpoint
    yield from props.get("topics") or {}


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
        id="what-is-sent-again-is-told",
        title="Who lets a connector or a copy begin anew should know how many records that are.",
        why="They are sent once more, and what the source has let go is skipped.",
        level=EnforcementLevel.ADVISORY,
        severity=Severity.LOW,
        type=LEDGER,
        judge=_anew,
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
