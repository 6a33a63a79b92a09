"""What is compared: the topics of a flow, and how records of each are told apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mirrorstack.config.flows import FlowSettings
from mirrorstack.mm2.resolved_flow import ResolvedFlow

COMPACT = "compact"
APPEND_TIME = "LogAppendTime"


@dataclass(frozen=True)
class TopicPair:
    """A topic on the source, and what it is called on the target."""

    topic: str
    target_topic: str
    partitions: int
    compacted: bool = False
    """Either side may drop all but a key's last record at any moment."""
    timestamps: bool = True
    """Whether the target keeps the source's; not when its broker stamps what it appends."""


@dataclass(frozen=True)
class TopicIdentity:
    """What must be as it was for earlier proofs to hold."""

    source: str
    target: str
    """The topics' ids: another one when a topic was made again."""
    timestamps: bool
    """Whether they were compared."""


@dataclass(frozen=True)
class Scope:
    """One flow, and what is compared of it."""

    flow: FlowSettings
    topics: tuple[TopicPair, ...]
    groups: tuple[str, ...] = ()

    @property
    def logs(self) -> tuple[TopicPair, ...]:
        """The topics in which every record counts."""
        return tuple(pair for pair in self.topics if not pair.compacted)

    @property
    def tables(self) -> tuple[TopicPair, ...]:
        """The topics in which only the last record of a key counts."""
        return tuple(pair for pair in self.topics if pair.compacted)


def scope(
    flow: ResolvedFlow[FlowSettings],
    partitions: Mapping[str, int],
    source: Mapping[str, Mapping[str, str]],
    target: Mapping[str, Mapping[str, str]],
) -> Scope:
    """Of a flow that was resolved; by topic, its partitions on the source and the configs that
    are in effect on either side."""
    policy = flow.settings.policy
    pairs = [
        _pair(topic, policy.target_topic(topic), partitions[topic], source, target)
        for topic in flow.topics
        # Heartbeats say how the mirror is; they are written all the time, and looked at elsewhere.
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
    here, there = source.get(topic, {}), target.get(target_topic, {})
    return TopicPair(
        topic=topic,
        target_topic=target_topic,
        partitions=partitions,
        compacted=any(COMPACT in config.get("cleanup.policy", "") for config in (here, there)),
        timestamps=there.get("message.timestamp.type") != APPEND_TIME,
    )
