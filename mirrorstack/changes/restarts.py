"""Connectors that would restart from earliest: with other offsets or under other topic names.

A target topic with a new name is empty, so its connector drops its offsets and replicates
everything again. That needs an intent, and the number of records is reported even where the intent
is declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mirrorstack.changes.intents import Intents
from mirrorstack.changes.removals import DeletedTopic
from mirrorstack.changes.replay_estimate import UNKNOWN, ReplayEstimate
from mirrorstack.config.intents import Intent
from mirrorstack.findings import Finding


@dataclass(frozen=True)
class MovedConnector:
    """A source connector whose workers get another offsets topic."""

    name: str
    offsets_topic: str
    """The topic that holds its offsets."""
    new_offsets_topic: str
    """The topic from which it would read them."""
    estimate: ReplayEstimate = UNKNOWN
    """Of the records that it has replicated."""


@dataclass(frozen=True)
class RenamedTopics:
    """The target topics of a source connector whose flow names topics otherwise."""

    connector: str
    topics: tuple[str, ...]
    """Names on the source."""
    old_name: str
    """The first of the target topics, as `west/east.orders`."""
    new_name: str
    """The name of that topic from now on."""
    estimate: ReplayEstimate = UNKNOWN
    """Of the records that they received."""

    @property
    def effect(self) -> str:
        count = f"{len(self.topics)} topic{'s' if len(self.topics) != 1 else ''}"
        return (
            f"It restarts from earliest for {count} and replicates again "
            f"{self.estimate.replayed_records}. {self.estimate.skipped_records}."
        )


def check_moved_connector(moved: MovedConnector, intents: Intents) -> Iterator[Finding]:
    intent = intents.of(moved.name)
    if intent != Intent.RESTART:
        refused = f" `{intent}` is not possible: offsets are not moved along." if intent else ""
        yield Finding(
            f"Connector {moved.name} would read its offsets from {moved.new_offsets_topic}, but "
            f"they are in {moved.offsets_topic}. It would restart from earliest and replicate "
            f"again {moved.estimate.replayed_records}.{refused}",
            f"keep the workers' `group`; or {intents.declare(moved.name, Intent.RESTART)}",
            connector=moved.name,
        )


def check_renamed_topics(renamed: RenamedTopics, intents: Intents) -> Iterator[Finding]:
    intent = intents.of(renamed.connector)
    if intent != Intent.RESTART:
        refused = f" `{intent}` is not possible: the new topics are empty." if intent else ""
        yield Finding(
            f"Connector {renamed.connector} would write to {renamed.new_name} instead of "
            f"{renamed.old_name}, because its flow names topics otherwise. "
            f"{renamed.effect}{refused}",
            "keep the flow's `naming`, `separator` and `policy`; or "
            f"{intents.declare(renamed.connector, Intent.RESTART)}",
            connector=renamed.connector,
        )


def intended_restarts(
    moved: Iterable[MovedConnector],
    renamed: Iterable[RenamedTopics],
    deleted: Iterable[DeletedTopic],
    intents: Intents,
) -> Iterator[Finding]:
    """Restarts that the stack file declares, with the number of records they replicate again."""
    messages = {
        each.name: f"Connector {each.name} restarts from earliest, as its intent declares, and "
        f"replicates again {each.estimate.replayed_records}."
        for each in moved
    }
    for each in renamed:
        messages.setdefault(
            each.connector,
            f"Connector {each.connector} writes to {each.new_name} instead of {each.old_name}, as "
            f"its intent declares. {each.effect}",
        )
    for topic in deleted:
        if topic.new_partitions is not None:
            messages[topic.name] = (
                f"Topic {topic.name} is deleted and recreated, as its intent declares, and "
                f"{topic.connector} replicates again {topic.estimate.replayed_records}. "
                f"{topic.estimate.skipped_records}."
            )
    for name, message in messages.items():
        if intents.of(name) == Intent.RESTART:
            yield Finding(message, f"none if this is intended; otherwise remove intent {name}")
