"""Everything that a deployment changes in connectors and target topics, and the checks of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeVar

from mirrorstack.changes.intents import ExemptChange, ExemptReason, Intents, unneeded_intents
from mirrorstack.changes.removals import (
    DeletedTopic,
    RemovedCheckpointConnector,
    RemovedConnector,
    check_deleted_topic,
    check_removed_checkpoint_connector,
    check_removed_connector,
)
from mirrorstack.changes.replay_estimate import ReplayEstimate
from mirrorstack.changes.restarts import (
    MovedConnector,
    RenamedTopics,
    check_moved_connector,
    check_renamed_topics,
    intended_restarts,
)
from mirrorstack.findings import Finding

Change = TypeVar("Change")


@dataclass(frozen=True)
class DeploymentChanges:
    """The field names are also those of the Pulumi state; see `to_state`."""

    removed_connectors: tuple[RemovedConnector, ...] = ()
    moved_connectors: tuple[MovedConnector, ...] = ()
    removed_checkpoints: tuple[RemovedCheckpointConnector, ...] = ()
    deleted_topics: tuple[DeletedTopic, ...] = ()
    renamed_topics: tuple[RenamedTopics, ...] = ()
    exempt: tuple[ExemptChange, ...] = ()

    @property
    def names(self) -> list[str]:
        """The connectors and topics that an intent may be declared for."""
        return [
            *(connector.name for connector in self.removed_connectors),
            *(connector.name for connector in self.moved_connectors),
            *(connector.name for connector in self.removed_checkpoints),
            *(topic.name for topic in self.deleted_topics),
            *(renamed.connector for renamed in self.renamed_topics),
        ]

    def to_state(self) -> dict[str, list[dict[str, Any]]]:
        """As plain values, without those that are not known."""
        return {
            each.name: [_known(asdict(change)) for change in getattr(self, each.name)]
            for each in fields(self)
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> DeploymentChanges:
        """Keys that are absent have no changes. Pulumi returns every number as a float."""

        def read(change: type[Change], key: str) -> tuple[Change, ...]:
            return tuple(change(**_change_fields(each)) for each in state.get(key) or ())

        return cls(
            removed_connectors=read(RemovedConnector, "removed_connectors"),
            moved_connectors=read(MovedConnector, "moved_connectors"),
            removed_checkpoints=read(RemovedCheckpointConnector, "removed_checkpoints"),
            deleted_topics=read(DeletedTopic, "deleted_topics"),
            renamed_topics=read(RenamedTopics, "renamed_topics"),
            exempt=read(ExemptChange, "exempt"),
        )


CHANGE_KEYS = tuple(each.name for each in fields(DeploymentChanges))


def check_connectors(changes: DeploymentChanges, intents: Intents) -> Iterator[Finding]:
    """Connectors that are removed, or restart from earliest, without an intent."""
    for removed in changes.removed_connectors:
        yield from check_removed_connector(removed, intents)
    for moved in changes.moved_connectors:
        yield from check_moved_connector(moved, intents)
    for checkpoint in changes.removed_checkpoints:
        yield from check_removed_checkpoint_connector(checkpoint, intents)
    reported = {removed.name for removed in changes.removed_connectors}
    reported |= {moved.name for moved in changes.moved_connectors}
    for renamed in changes.renamed_topics:
        if renamed.connector not in reported:
            yield from check_renamed_topics(renamed, intents)


def check_topics(changes: DeploymentChanges, intents: Intents) -> Iterator[Finding]:
    """Target topics that are deleted or recreated without an intent."""
    removed = {connector.name: connector for connector in changes.removed_connectors}
    for topic in changes.deleted_topics:
        yield from check_deleted_topic(topic, removed, intents)


def report_restarts(changes: DeploymentChanges, intents: Intents) -> Iterator[Finding]:
    """How many records are replicated again because an intent says so."""
    yield from intended_restarts(
        changes.moved_connectors, changes.renamed_topics, changes.deleted_topics, intents
    )


def check_intents(
    changes: DeploymentChanges, intents: Intents, unchanged: Collection[str]
) -> Iterator[Finding]:
    """Intents that acknowledge no change; `unchanged` are the names of the next deployment."""
    exempt = {each.name: ExemptReason(each.reason).text for each in changes.exempt}
    yield from unneeded_intents(intents, changes.names, exempt, unchanged)


def _known(values: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is None, and without an estimate that says nothing."""
    known = {
        key: _known(value) if isinstance(value, dict) else value
        for key, value in values.items()
        if value is not None
    }
    return {key: value for key, value in known.items() if value != {}}


def _change_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    result = {key: _as_int(value) for key, value in values.items()}
    if "estimate" in result:
        counts = {key: _as_int(count) for key, count in result["estimate"].items()}
        result["estimate"] = ReplayEstimate(**counts)
    if "topics" in result:
        result["topics"] = tuple(result["topics"])
    return result


def _as_int(value: Any) -> Any:
    return int(value) if isinstance(value, float) else value
