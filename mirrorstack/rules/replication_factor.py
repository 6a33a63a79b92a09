"""How often records are kept, against how many brokers there are to keep them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mirrorstack.findings import Finding

# The keys that say how often a topic is kept which MirrorMaker or Connect make, and their defaults.
FACTORS = {
    "MirrorSourceConnector": {"replication.factor": 2, "offset-syncs.topic.replication.factor": 3},
    "MirrorCheckpointConnector": {"checkpoints.topic.replication.factor": 3},
    "MirrorHeartbeatConnector": {"heartbeats.topic.replication.factor": 3},
}
WORKER_FACTORS = {
    "config.storage.replication.factor": 3,
    "offset.storage.replication.factor": 3,
    "status.storage.replication.factor": 3,
}


def connector_factors(config: Mapping[str, str]) -> Mapping[str, int]:
    return FACTORS.get(config.get("connector.class", "").rpartition(".")[2], {})


def too_many(
    name: str, config: Mapping[str, str], defaults: Mapping[str, int], alias: str, brokers: int
) -> Iterator[Finding]:
    """Of a connector or worker; -1 leaves it to the brokers."""
    for key, default in defaults.items():
        given = config.get(key)
        if int(given or default) > brokers:
            said = given or f"absent, which means {default}"
            yield _problem(f"{name}: {key} is {said}", alias, brokers)


def too_many_replicas(topic: str, factor: int, alias: str, brokers: int) -> Iterator[Finding]:
    if factor > brokers:
        yield _problem(f"Topic {topic}: the replication factor is {factor}", alias, brokers)


def _problem(what: str, alias: str, brokers: int) -> Finding:
    return Finding(
        f"{what}, and {alias} has {brokers} brokers: Kafka keeps at most one replica on each, so "
        "the topic cannot be made.",
        f"make it {brokers} or less, or correct clusters.{alias}.brokers",
        cluster=alias,
    )
