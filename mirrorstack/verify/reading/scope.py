"""Which topics of a flow are compared, and how.

The only place that maps source topics to target topics for verification.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from mirrorstack.config.flows import FlowSettings
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.mm2.resolved_flow import ResolvedFlow

COMPACT = "compact"
APPEND_TIME = "LogAppendTime"


@dataclass(frozen=True)
class TopicPair:
    """A source topic and its target topic."""

    topic: str
    target_topic: str
    partitions: int
    compacted: bool = False
    """Whether either side may drop all but the last record of a key at any time."""
    timestamps: bool = True
    """Whether timestamps are compared; not when the target's brokers set them
    (`message.timestamp.type=LogAppendTime`)."""


@dataclass(frozen=True)
class TopicIdentity:
    """What must be unchanged for the proofs of a previous run to hold."""

    source: str
    target: str
    """The topic ids: a recreated topic has another one."""
    timestamps: bool
    """Whether timestamps were compared."""


@dataclass(frozen=True)
class Scope:
    """A flow and the topics of it that are compared."""

    flow: FlowSettings
    topics: tuple[TopicPair, ...]
    groups: tuple[str, ...] = ()

    @cached_property
    def logs(self) -> Scope:
        """Only the topics in which every record counts."""
        return self.only(lambda pair: not pair.compacted)

    @cached_property
    def compacted(self) -> Scope:
        """Only the topics in which the last record of each key counts."""
        return self.only(lambda pair: pair.compacted)

    def only(self, wanted: Callable[[TopicPair], bool]) -> Scope:
        return replace(self, topics=tuple(pair for pair in self.topics if wanted(pair)))

    @cached_property
    def by_topic(self) -> dict[str, TopicPair]:
        """By name on the source."""
        return {pair.topic: pair for pair in self.topics}

    @cached_property
    def by_target_topic(self) -> dict[str, TopicPair]:
        return {pair.target_topic: pair for pair in self.topics}

    @cached_property
    def partitions(self) -> tuple[TopicPartition, ...]:
        """All partitions of the source."""
        return tuple(
            TopicPartition(pair.topic, number)
            for pair in self.topics
            for number in range(pair.partitions)
        )

    def on_target(self, partition: TopicPartition) -> TopicPartition:
        """The target's partition for one of the source."""
        return TopicPartition(self.by_topic[partition.topic].target_topic, partition.partition)

    def on_source(self, partition: TopicPartition) -> TopicPartition:
        """The source's partition for one of the target."""
        return TopicPartition(self.by_target_topic[partition.topic].topic, partition.partition)

    def all_on_target(self, partitions: Iterable[TopicPartition]) -> set[TopicPartition]:
        return {self.on_target(partition) for partition in partitions}


def build_scope(
    flow: ResolvedFlow[FlowSettings],
    partitions: Mapping[str, int],
    source: Mapping[str, Mapping[str, str]],
    target: Mapping[str, Mapping[str, str]],
) -> Scope:
    """From a resolved flow, the partition counts of the source topics, and the effective topic
    configs of both sides."""
    policy = flow.settings.policy
    pairs = [
        _pair(topic, target_topic, partitions[topic], source, target)
        for topic, target_topic in flow.target_topics.items()
        # Heartbeats are written all the time; their age is reported as freshness instead.
        if not policy.is_heartbeats(topic)
    ]
    return Scope(flow.settings, tuple(pairs), flow.groups)


def _pair(
    topic: str,
    target_topic: str,
    partitions: int,
    source: Mapping[str, Mapping[str, str]],
    target: Mapping[str, Mapping[str, str]],
) -> TopicPair:
    configs = source.get(topic, {}), target.get(target_topic, {})
    return TopicPair(
        topic=topic,
        target_topic=target_topic,
        partitions=partitions,
        compacted=any(COMPACT in config.get("cleanup.policy", "") for config in configs),
        timestamps=configs[1].get("message.timestamp.type") != APPEND_TIME,
    )
