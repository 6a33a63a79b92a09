"""Target topics, derived from the source topics."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from mirrorstack.kafka.inventory import TopicDescription
from mirrorstack.mm2.replication_policy import ReplicationPolicy

# These configs concern the brokers of one cluster: on another they have no meaning, or do harm.
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
    discovered: bool = False
    """Whether MirrorMaker creates it, because a live pattern matches; otherwise the stack does."""

    def is_new(self, held: Mapping[str, TopicDescription], *, delete_topics: bool) -> bool:
        """Whether the deployment creates it on a target with the topics `held`.

        With `delete_topics`, a topic with too many partitions is deleted and recreated.
        """
        existing = held.get(self.name)
        recreated = delete_topics and not self.discovered
        return existing is None or (recreated and existing.partitions > self.partitions)


def target_topics(
    policy: ReplicationPolicy,
    topics: Iterable[TopicDescription],
    factor: int,
    *,
    discovered: Collection[str] = (),
    synced: Collection[str] = (),
    held: Mapping[str, TopicDescription] | None = None,
) -> list[TargetTopic]:
    """With the partitions of the source topics, so that records keep their partition.

    `discovered` are the source topics that only live patterns select. `synced` are the configs that
    MirrorMaker keeps changing: for a topic that exists on the target (`held`) they are declared as
    they are there, so that a deployment does not change them back.
    """
    result = []
    for topic in topics:
        name = policy.target_topic(topic.name)
        existing = (held or {}).get(name)
        config = {
            key: value
            for key, value in topic.overrides.items()
            if key not in BROKER_SPECIFIC_CONFIGS and not (existing and key in synced)
        }
        if existing:
            config |= {key: existing.overrides[key] for key in synced if key in existing.overrides}
        result.append(
            TargetTopic(
                name,
                topic.partitions,
                factor,
                dict(sorted(config.items())),
                discovered=topic.name in discovered,
            )
        )
    return result


def compacted(name: str, partitions: int, factor: int) -> TargetTopic:
    """A compacted topic, in which MirrorMaker or Connect keeps its state."""
    return TargetTopic(name, partitions, factor, {"cleanup.policy": "compact"})


def unwritable_reason(replication_factor: int, config: Mapping[str, str]) -> str | None:
    """Why no producer with acks=all, such as MirrorMaker's, can write to the topic."""
    needed = config.get("min.insync.replicas", "1")
    if not needed.isdigit() or int(needed) <= replication_factor:
        return None
    return (
        f"min.insync.replicas is {needed} and the replication factor is {replication_factor}: "
        "there are never enough in-sync replicas, so every write with acks=all is rejected"
    )
