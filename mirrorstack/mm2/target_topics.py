"""Target topics, derived from the source's: what IaC owns there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from mirrorstack.kafka.inventory import TopicDescription
from mirrorstack.mm2.replication_policy import ReplicationPolicy

# These belong to the brokers of one cluster and mean nothing, or harm, on another.
BROKER_SPECIFIC_CONFIGS = frozenset(
    {
        "follower.replication.throttled.replicas",
        "leader.replication.throttled.replicas",
        "min.insync.replicas",
        "unclean.leader.election.enable",
    }
)


@dataclass(frozen=True)
class TargetTopic:
    name: str
    partitions: int
    replication_factor: int
    config: Mapping[str, str]

    def is_new(self, held: Mapping[str, TopicDescription], *, delete_topics: bool) -> bool:
        """Whether the deployment creates it on a target with the topics `held`.

        With `delete_topics`, a topic with too many partitions is deleted and recreated.
        """
        existing = held.get(self.name)
        return existing is None or (delete_topics and existing.partitions > self.partitions)


def target_topics(
    policy: ReplicationPolicy,
    topics: Iterable[TopicDescription],
    factor: int,
    *,
    synced: Collection[str] = (),
    held: Mapping[str, TopicDescription] | None = None,
) -> list[TargetTopic]:
    """As many partitions as on the source, so that records keep their partition.

    `synced` are the configs that MirrorMaker changes after a topic was made. Of a topic that the
    target holds already they are declared as they are there, so that nobody changes them back.
    """
    result = []
    for topic in topics:
        name = policy.target_topic(topic.name)
        there = (held or {}).get(name)
        config = {
            key: value
            for key, value in topic.overrides.items()
            if key not in BROKER_SPECIFIC_CONFIGS and not (there and key in synced)
        }
        if there:
            config |= {key: there.overrides[key] for key in synced if key in there.overrides}
        result.append(TargetTopic(name, topic.partitions, factor, dict(sorted(config.items()))))
    return result


def compacted(name: str, partitions: int, factor: int) -> TargetTopic:
    """A topic that keeps the last value of each key: how MirrorMaker and Connect keep state."""
    return TargetTopic(name, partitions, factor, {"cleanup.policy": "compact"})


def unwritable_reason(replication_factor: int, config: Mapping[str, str]) -> str | None:
    """Why no producer with acks=all, MirrorMaker's among them, can write to such a topic."""
    needed = config.get("min.insync.replicas", "1")
    if not needed.isdigit() or int(needed) <= replication_factor:
        return None
    return (
        f"min.insync.replicas is {needed} and the replication factor is {replication_factor}: "
        "there are never enough replicas in sync, so every write with acks=all is refused"
    )
