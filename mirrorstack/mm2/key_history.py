"""Keys that Kafka added, removed or never had: what its present classes do not declare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mirrorstack.mm2.replication_policy import DEFAULT_GROUPS_EXCLUDE, DEFAULT_TOPICS_EXCLUDE


@dataclass(frozen=True)
class RemovedKey:
    """A key that is still found in configs, and that Kafka does not read."""

    effect: str
    """What happens with it now."""
    fix: str
    removed_in: str | None
    """The release that removed it; None where no release ever had it."""


IGNORED = "Connect ignores it silently"

CONNECTORS: Mapping[str, RemovedKey] = {
    "topics.blacklist": RemovedKey(
        f"{IGNORED}, so the topics that it excluded are replicated",
        "write `topics.exclude`; it replaces MirrorMaker's default, so repeat that: "
        f"{', '.join(DEFAULT_TOPICS_EXCLUDE)}",
        "4.0",
    ),
    "groups.blacklist": RemovedKey(
        f"{IGNORED}, so the offsets of the groups that it excluded are translated",
        "write `groups.exclude`; it replaces MirrorMaker's default, so repeat what you need of "
        f"that: {', '.join(DEFAULT_GROUPS_EXCLUDE)}",
        "4.0",
    ),
    "config.properties.blacklist": RemovedKey(
        f"{IGNORED}, so the topic configs that it excluded are synced to the target",
        "write `config.properties.exclude`; it replaces MirrorMaker's default",
        "4.0",
    ),
    "use.incremental.alter.configs": RemovedKey(
        f"{IGNORED}: MirrorMaker always alters incrementally, and needs a target of Kafka 2.3 or "
        "newer",
        "remove it",
        "4.0",
    ),
    "add.source.alias.to.metrics": RemovedKey(
        f"{IGNORED}: the metrics always have the tag `source`", "remove it", "4.0"
    ),
    "sync.topic.configs.exclude": RemovedKey(
        f"{IGNORED}, so the topic configs that it names are synced to the target",
        "write `config.properties.exclude`",
        None,
    ),
    "topics.whitelist": RemovedKey(
        f"{IGNORED}, so every topic is replicated", "write `topics`", None
    ),
    "groups.whitelist": RemovedKey(
        f"{IGNORED}, so the offsets of every group are translated", "write `groups`", None
    ),
    "rename.topics": RemovedKey(
        f"{IGNORED}: it was proposed and never built",
        "write `replication.policy.class`; IdentityReplicationPolicy keeps the names",
        None,
    ),
    "readahead.queue.capacity": RemovedKey(
        f"{IGNORED}: it was proposed and never built",
        "tune the consumer: `consumer.max.poll.records`, `consumer.fetch.max.bytes`",
        None,
    ),
    "replication.internal.topic.replication.factor": RemovedKey(
        IGNORED,
        "there is one key per topic: `offset-syncs.topic.replication.factor`, "
        "`checkpoints.topic.replication.factor`, `heartbeats.topic.replication.factor`",
        None,
    ),
    **{
        f"{topic}.topic.retention.ms": RemovedKey(
            f"{IGNORED}: it was proposed and never built; MirrorMaker's own topics are compacted",
            "remove it",
            None,
        )
        for topic in ("heartbeats", "checkpoints", "offset.syncs", "offset-syncs")
    },
}
CLIENTS: Mapping[str, RemovedKey] = {
    "auto.include.jmx.reporter": RemovedKey(
        f"{IGNORED}: the JMX reporter is in the default of metric.reporters",
        "write `metric.reporters`; an empty list removes it",
        "4.0",
    ),
    "metrics.jmx.whitelist": RemovedKey(
        f"{IGNORED}, so JMX shows every metric", "write `metrics.jmx.include`", "4.0"
    ),
    "metrics.jmx.blacklist": RemovedKey(
        f"{IGNORED}, so JMX shows the metrics that it excluded",
        "write `metrics.jmx.exclude`",
        "4.0",
    ),
}
WORKERS: Mapping[str, RemovedKey] = {
    **{
        key: RemovedKey(
            f"{IGNORED}, so REST listens where `listeners` says", "write `listeners`", "3.0"
        )
        for key in ("rest.host.name", "rest.port")
    },
    **{
        f"internal.{part}.converter": RemovedKey(
            f"{IGNORED}: Connect's own topics always hold JSON", "remove it", "3.0"
        )
        for part in ("key", "value")
    },
}

CONFIG_PARTITIONS = RemovedKey(
    f"{IGNORED}: the topic has one partition, as Connect requires", "remove it", None
)

# Section and key -> the release that added it. Workers of an older release ignore it.
SINCE: Mapping[tuple[str, str], str] = {
    ("source", "heartbeats.replication.enabled"): "4.0",
    ("source", "metric.names.formats"): "4.3",
    ("checkpoint", "metric.names.formats"): "4.3",
    ("source", "config.providers"): "4.2",
    ("checkpoint", "config.providers"): "4.2",
    ("heartbeat", "config.providers"): "4.2",
    ("worker", "connector.client.config.override.allowlist"): "4.2",
}
# Keys of releases newer than the catalogue.
LATER: Mapping[str, str] = {"internal.topics.automatic.creation.enable": "4.4"}
