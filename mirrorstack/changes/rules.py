"""Rules about what a deployment removes, recreates or replicates again.

A policy sees the resources that will be, never those that are removed. The deployment record
compares both, and has the differences among its inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

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
from mirrorstack.rules.rule import Level, Risk, rule


@dataclass(frozen=True)
class RecordedChanges:
    """The inputs of the deployment record. They are read when a rule needs them, because a value
    that is not known yet raises."""

    inputs: Mapping[str, Any]
    plain: Callable[[Any], Any]
    """Makes plain lists and dictionaries of a value."""

    @cached_property
    def changes(self) -> DeploymentChanges:
        values = {key: self.plain(self.inputs.get(key) or []) for key in CHANGE_KEYS}
        return DeploymentChanges.from_state(values)

    @cached_property
    def intents(self) -> Intents:
        declared = self.plain(self.inputs.get("intent") or {})
        return Intents(declared, self.plain(self.inputs.get("used_intents") or ()))

    def names(self) -> Iterator[str]:
        """The connectors and topics of the next deployment."""
        connectors = self.inputs.get("connectors") or {}
        for name in connectors:
            yield name
            if checkpoint := connectors[name].get("checkpoint"):
                yield checkpoint
        yield from self.inputs.get("topics") or {}


@rule(
    RecordedChanges,
    id="intended-connector-removal",
    title="A connector must not be removed or lose its offsets without a declared intent.",
    reason="Records are skipped, or all of them are replicated again.",
    risk=Risk.CRITICAL,
)
def intended_connector_removal(record: RecordedChanges) -> Iterator[Finding]:
    yield from check_connectors(record.changes, record.intents)


@rule(
    RecordedChanges,
    id="intended-topic-deletion",
    title="A target topic must not be deleted or recreated without a declared intent.",
    reason="Its records are lost; they are replicated again only as far as the source has them.",
    risk=Risk.CRITICAL,
)
def intended_topic_deletion(record: RecordedChanges) -> Iterator[Finding]:
    yield from check_topics(record.changes, record.intents)


@rule(
    RecordedChanges,
    id="replay-is-announced",
    title="A restart from earliest should be announced with the number of records.",
    reason="They are replicated once more, and what the source no longer has is skipped.",
    risk=Risk.LOW,
    level=Level.ADVISORY,
)
def replay_is_announced(record: RecordedChanges) -> Iterator[Finding]:
    yield from report_restarts(record.changes, record.intents)


@rule(
    RecordedChanges,
    id="no-unused-intents",
    title="An intent should be about something that this deployment removes or recreates.",
    reason="An intent is used up by one deployment; left in the file, it misleads its readers.",
    risk=Risk.LOW,
    level=Level.ADVISORY,
)
def no_unused_intents(record: RecordedChanges) -> Iterator[Finding]:
    yield from check_intents(record.changes, record.intents, list(record.names()))


RULES = (
    intended_connector_removal,
    intended_topic_deletion,
    replay_is_announced,
    no_unused_intents,
)
