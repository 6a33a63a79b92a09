"""Rules about replication factors: what the brokers can hold, and what producers can write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mirrorstack.findings import Finding
from mirrorstack.mm2.target_topics import unwritable_reason
from mirrorstack.rules.rule import rule
from mirrorstack.rules.subjects import Config, InternalTopics, TopicConfig, TopicOnCluster

# Keys of the replication factors of topics that MirrorMaker or Connect create, and their defaults.
CONNECTOR_FACTORS = {
    "MirrorSourceConnector": {"replication.factor": 2, "offset-syncs.topic.replication.factor": 3},
    "MirrorCheckpointConnector": {"checkpoints.topic.replication.factor": 3},
    "MirrorHeartbeatConnector": {"heartbeats.topic.replication.factor": 3},
}
WORKER_FACTORS = {
    "config.storage.replication.factor": 3,
    "offset.storage.replication.factor": 3,
    "status.storage.replication.factor": 3,
}


def connector_factors(config: Config) -> Mapping[str, int]:
    return CONNECTOR_FACTORS.get(config.get("connector.class", "").rpartition(".")[2], {})


@rule(
    TopicConfig,
    id="writable-topics",
    title="min.insync.replicas must not exceed the replication factor.",
    reason="There are never enough replicas in sync, so every write with acks=all is refused.",
)
def writable_topics(topic: TopicConfig) -> Iterator[Finding]:
    # Without a factor the cluster's default applies, which the engine does not know.
    if topic.replication_factor is None:
        return
    reason = unwritable_reason(topic.replication_factor, topic.config)
    if reason:
        yield Finding(
            f"Topic {topic.name}: {reason}",
            "lower min.insync.replicas, or raise the replication factor above it",
            topic=topic.name,
            path=("config", "min.insync.replicas"),
        )


@rule(
    TopicOnCluster,
    id="topic-replication-factor",
    title="A topic's replication factor must not exceed the number of brokers.",
    reason="Kafka keeps at most one replica on each broker, so the topic cannot be created.",
)
def topic_replication_factor(placed: TopicOnCluster) -> Iterator[Finding]:
    factor = placed.topic.replication_factor
    if factor is not None and placed.brokers and factor > placed.brokers:
        what = f"Topic {placed.topic.name}: the replication factor is {factor}"
        yield _too_high(what, placed.cluster, placed.brokers)


@rule(
    InternalTopics,
    id="internal-topic-replication-factor",
    title="The replication factors of internal topics must not exceed the number of brokers.",
    reason="MirrorMaker and Connect cannot create them; their default is 3.",
)
def internal_topic_replication_factor(topics: InternalTopics) -> Iterator[Finding]:
    """A factor of -1 leaves it to the brokers."""
    for key, default in topics.factors.items():
        given = topics.config.get(key)
        if int(given or default) > topics.brokers:
            value = given or f"absent, which means {default}"
            yield _too_high(f"{topics.name}: {key} is {value}", topics.cluster, topics.brokers)


def _too_high(what: str, cluster: str, brokers: int) -> Finding:
    return Finding(
        f"{what}, and {cluster} has {brokers} brokers: Kafka keeps at most one replica on each, so "
        "the topic cannot be created",
        f"set it to {brokers} or less, or correct clusters.{cluster}.brokers",
        cluster=cluster,
    )


RULES = (writable_topics, topic_replication_factor, internal_topic_replication_factor)
