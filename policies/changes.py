"""Rules about what a deployment takes away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_policy import EnforcementLevel, Severity

from mirrorstack.changes.deployment_changes import (
    CHANGE_KEYS,
    DeploymentChanges,
    check_connectors,
    check_intents,
    check_topics,
    report_restarts,
)
from mirrorstack.changes.intents import Intents
from mirrorstack.findings import Finding
from policies.rules import ResourceRule, Rule
from policies.view import LEDGER, plain

Props = Mapping[str, Any]


def _changes(props: Props) -> DeploymentChanges:
    return DeploymentChanges.from_state({key: plain(props.get(key) or []) for key in CHANGE_KEYS})


def _intents(props: Props) -> Intents:
    return Intents(plain(props.get("intent") or {}), plain(props.get("used_intents") or ()))


def _connectors(props: Props) -> Iterator[Finding]:
    yield from check_connectors(_changes(props), _intents(props))


def _topics(props: Props) -> Iterator[Finding]:
    yield from check_topics(_changes(props), _intents(props))


def _restarts(props: Props) -> Iterator[Finding]:
    yield from report_restarts(_changes(props), _intents(props))


def _unneeded_intents(props: Props) -> Iterator[Finding]:
    yield from check_intents(_changes(props), _intents(props), list(_names(props)))


def _names(props: Props) -> Iterator[str]:
    """The connectors and topics of the next deployment."""
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
        judge=_connectors,
    ),
    ResourceRule(
        id="copies-are-deleted-on-purpose",
        title="A mirrored topic must not be deleted or made anew unless the stack file says so.",
        why="Its records are gone; they are mirrored again at best, as far as the source has them.",
        severity=Severity.CRITICAL,
        type=LEDGER,
        judge=_topics,
    ),
    ResourceRule(
        id="what-is-sent-again-is-told",
        title="Who lets a connector or a copy begin anew should know how many records that are.",
        why="They are sent once more, and what the source has let go is skipped.",
        level=EnforcementLevel.ADVISORY,
        severity=Severity.LOW,
        type=LEDGER,
        judge=_restarts,
    ),
    ResourceRule(
        id="intents-are-taken-off",
        title="An intent should be about something that leaves with this deployment.",
        why="It is good for one deployment; left there, it says what is not going to happen.",
        level=EnforcementLevel.ADVISORY,
        severity=Severity.LOW,
        type=LEDGER,
        judge=_unneeded_intents,
    ),
]
