"""Connectors and target topics that a deployment would remove, and the intents that allow it.

Connect keeps a connector's offsets under its name in the offsets topic of its workers. A connector
with another name restarts from earliest and replicates everything again; a deleted target topic
loses its records. Each of these changes needs an intent in the stack file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mirrorstack.changes.intents import Intents
from mirrorstack.changes.replay_estimate import UNKNOWN, ReplayEstimate
from mirrorstack.config.intents import Intent
from mirrorstack.findings import Finding
from mirrorstack.text import and_more


@dataclass(frozen=True)
class RemovedConnector:
    """A source connector that is removed from the stack."""

    name: str
    offsets_topic: str
    """The topic that holds its offsets."""
    deletes_offsets: bool = False
    """Whether that topic is deleted as well."""
    deleted_topics: int = 0
    """How many target topics that it wrote are deleted."""
    estimate: ReplayEstimate = UNKNOWN
    """Of the records that it has replicated."""


@dataclass(frozen=True)
class RemovedCheckpointConnector:
    """A checkpoint connector that is removed while its flow keeps replicating records."""

    name: str


@dataclass(frozen=True)
class DeletedTopic:
    """A target topic that is deleted with its records, for good or to be recreated."""

    name: str
    """As `west/east.orders`."""
    connector: str
    """The source connector that wrote it."""
    new_partitions: int | None = None
    """Its partitions if it is recreated; None if it is not."""
    new_name: str | None = None
    """Its name from now on, if the naming of its flow changes."""
    estimate: ReplayEstimate = UNKNOWN
    """Of the records that it received."""


@dataclass(frozen=True)
class RetainedTopic:
    """A target topic that leaves the stack in the deployment that first sets `delete-topics`.

    Pulumi deletes according to its state, and the state of a topic says whether it is retained. So
    `delete-topics` applies to topics that are removed in a later deployment, not in the same one.
    """

    name: str
    connector: str


def check_removed_connector(removed: RemovedConnector, intents: Intents) -> Iterator[Finding]:
    intent = intents.of(removed.name)
    if intent == Intent.DISCARD or (intent == Intent.RESUME and not removed.deletes_offsets):
        return
    problem = f"its intent `{intent}` is not possible" if intent else "no intent is declared for it"
    deleted = ""
    if removed.deleted_topics:
        plural = "s" if removed.deleted_topics > 1 else ""
        deleted = f" {removed.deleted_topics} target topic{plural} would be deleted with it."
    if removed.deletes_offsets:
        fix = (
            f"{intents.declare(removed.name, Intent.DISCARD)} if it is no longer needed; `resume` "
            f"is not possible, because `delete-topics` deletes its offsets in "
            f"{removed.offsets_topic}"
        )
    else:
        fix = (
            f"{intents.declare(removed.name, Intent.RESUME)} if it returns under this name (its "
            f"offsets stay in {removed.offsets_topic}), or `discard` if it is no longer needed"
        )
    yield Finding(
        f"Connector {removed.name} would be removed, and {problem}. It has replicated "
        f"{removed.estimate.replicated_records}.{deleted} Records written during the interruption "
        "are skipped if the source does not retain them long enough, and a connector with another "
        "name replicates everything again.",
        fix,
        connector=removed.name,
    )


def check_removed_checkpoint_connector(
    removed: RemovedCheckpointConnector, intents: Intents
) -> Iterator[Finding]:
    if intents.of(removed.name) not in (Intent.RESUME, Intent.DISCARD):
        yield Finding(
            f"Connector {removed.name} would be removed, and no intent is declared for it. No "
            "record is replicated again or skipped, but the groups' offsets are no longer "
            "translated: after a failover each group reads again all that it has read from now on.",
            f"keep the flow's `groups`; or {intents.declare(removed.name, Intent.DISCARD)}",
            connector=removed.name,
        )


def check_deleted_topic(
    topic: DeletedTopic, removed: Mapping[str, RemovedConnector], intents: Intents
) -> Iterator[Finding]:
    """`removed` are the removed connectors by name."""
    if topic.connector in removed and intents.of(topic.connector) != Intent.RESUME:
        return  # the intent of its connector covers it, or is missing and reported there
    intent, estimate = intents.of(topic.name), topic.estimate
    if topic.new_partitions is not None and intent != Intent.RESTART:
        plural = "s" if topic.new_partitions != 1 else ""
        yield Finding(
            f"Topic {topic.name} would be deleted and recreated with {topic.new_partitions} "
            f"partition{plural}, fewer than it has, and {topic.connector} would replicate again "
            f"{estimate.replayed_records}. {estimate.skipped_records}, and groups start at their "
            "auto.offset.reset.",
            "keep the number of partitions of the source topic; or "
            f"{intents.declare(topic.name, Intent.RESTART)}",
            topic=topic.name,
        )
    elif topic.new_partitions is None and intent != Intent.DISCARD:
        yield Finding(
            f"Topic {topic.name} would be deleted, because `delete-topics` is true and "
            f"{_reason(topic)}",
            "remove `delete-topics` in an earlier deployment to keep the topic; or "
            f"{intents.declare(topic.name, Intent.DISCARD)}",
            topic=topic.name,
        )


def _reason(topic: DeletedTopic) -> str:
    estimate = topic.estimate
    if topic.new_name:
        return (
            f"`naming` of its flow changes its name to {topic.new_name}. This deletes "
            f"{estimate.replicated_records}; {topic.connector} would replicate again "
            f"{estimate.replayed_records}. {estimate.skipped_records}."
        )
    return (
        f"no flow replicates it any more. This deletes {estimate.replicated_records}; if a flow "
        f"includes it again, {topic.connector} replicates them again, except those that the source "
        "no longer retains."
    )


def check_retained_topics(topics: Iterable[RetainedTopic]) -> Iterator[Finding]:
    """One finding for each connector."""
    by_connector: dict[str, list[str]] = {}
    for topic in topics:
        by_connector.setdefault(topic.connector, []).append(topic.name)
    for connector, names in by_connector.items():
        yield Finding(
            f"{and_more(names)} of {connector} stay on the target with their records, although "
            "`delete-topics` is true: it is not deployed yet, so the deployed state still protects "
            "them. Once they have left the stack, no deployment deletes them.",
            "to delete them, put them back, deploy `delete-topics: true`, and remove them in a "
            "later deployment; or delete them by hand",
            connector=connector,
        )
