"""The configs of a flow's three connectors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from mirrorstack.kafka.java_client import ClientAccess, prefixed
from mirrorstack.mm2.replication_policy import (
    DEFAULT_TOPICS_EXCLUDE,
    HEARTBEATS,
    MIRROR_PACKAGE,
    SEPARATOR,
)
from mirrorstack.mm2.target_topics import BROKER_SPECIFIC_CONFIGS

BYTE_ARRAY_CONVERTER = "org.apache.kafka.connect.converters.ByteArrayConverter"
# The connector's own default names the brokers' keys, which match no topic's: these do.
NOT_SYNCED = (
    *sorted(BROKER_SPECIFIC_CONFIGS),
    "message.timestamp.type",
    "message.timestamp.before.max.ms",
    "message.timestamp.after.max.ms",
)

if TYPE_CHECKING:
    from mirrorstack.config.flows import FlowSettings
# Larger batches and fetches, for long lines and much data. Not measured in this project yet.
THROUGHPUT = {
    "producer.override.batch.size": "524288",
    "producer.override.linger.ms": "20",
    "producer.override.buffer.memory": "134217728",
    "consumer.max.poll.records": "5000",
    "consumer.fetch.min.bytes": "262144",
    "consumer.max.partition.fetch.bytes": "4194304",
    "consumer.receive.buffer.bytes": "-1",
}
# In order even when five requests are under way; without it, Connect's producer waits for each.
PIPELINED_PRODUCER = {
    "producer.override.enable.idempotence": "true",
    "producer.override.max.in.flight.requests.per.connection": "5",
}


class ConnectorKind(StrEnum):
    """The three connectors that make one flow."""

    SOURCE = "source"
    """Moves records, and notes which offset is which."""
    CHECKPOINT = "checkpoint"
    """Says where each consumer group would go on at the target."""
    HEARTBEAT = "heartbeat"
    """Proves that the workers can write to the target."""

    @property
    def java_class(self) -> str:
        return f"{MIRROR_PACKAGE}.Mirror{self.value.capitalize()}Connector"


@dataclass(frozen=True)
class ConnectorConfig:
    name: str
    kind: ConnectorKind
    config: dict[str, str]


@dataclass(frozen=True)
class TopicSelection:
    """Which topics the connectors of a flow are told to mirror."""

    topics: str
    excluded: str
    heartbeats: bool
    """Whether the source's heartbeats, where there are any, go with them."""

    @classmethod
    def by_name(cls, topics: Sequence[str]) -> TopicSelection:
        """Those that exist, as a preview has shown them; none that is created later."""
        excluded = ",".join(DEFAULT_TOPICS_EXCLUDE)
        return cls(names_as_patterns(topics), excluded, HEARTBEATS in topics)

    @classmethod
    def by_pattern(cls, flow: FlowSettings) -> TopicSelection:
        """As the stack file has them, for MirrorMaker to find what there is."""
        excluded = ",".join((*DEFAULT_TOPICS_EXCLUDE, *flow.exclude))
        return cls(",".join(flow.topics), excluded, heartbeats=True)


def connector_configs(
    flow: FlowSettings,
    source: ClientAccess,
    target: ClientAccess,
    topics: Sequence[str],
    replication_factor: int,
) -> list[ConnectorConfig]:
    """The flow's connectors. `topics` are the names on the source that the flow mirrors."""
    kinds = [ConnectorKind.SOURCE]
    if flow.groups:
        kinds.append(ConnectorKind.CHECKPOINT)
    if flow.heartbeats:
        kinds.append(ConnectorKind.HEARTBEAT)
    own = own_keys(flow, TopicSelection.by_name(topics), replication_factor)
    shared = _shared(flow, source, target)
    return [
        ConnectorConfig(
            name=f"{flow.name}-{kind}",
            kind=kind,
            config={
                "name": f"{flow.name}-{kind}",
                "connector.class": kind.java_class,
                **shared,
                **own[kind],
            },
        )
        for kind in kinds
    ]


def own_keys(
    flow: FlowSettings, chosen: TopicSelection, factor: int
) -> dict[ConnectorKind, dict[str, str]]:
    """What each connector does, without where: the flow's overrides included."""
    keys = {
        ConnectorKind.SOURCE: _source(flow, chosen, factor),
        ConnectorKind.CHECKPOINT: _checkpoint(flow, chosen, factor),
        ConnectorKind.HEARTBEAT: {"heartbeats.topic.replication.factor": str(factor)},
    }
    return {kind: {**keys[kind], **getattr(flow.override, kind.value)} for kind in ConnectorKind}


def naming_keys(flow: FlowSettings) -> dict[str, str]:
    """How topics are called on the target."""
    return {
        "replication.policy.class": flow.policy.java_class,
        "replication.policy.separator": SEPARATOR,
    }


def _shared(flow: FlowSettings, source: ClientAccess, target: ClientAccess) -> dict[str, str]:
    """What all three must agree on, or translation breaks without a word."""
    return {
        "source.cluster.alias": flow.source,
        "target.cluster.alias": flow.target,
        **prefixed("source.cluster.", source.client_properties()),
        **prefixed("target.cluster.", target.client_properties()),
        **naming_keys(flow),
        "key.converter": BYTE_ARRAY_CONVERTER,
        "value.converter": BYTE_ARRAY_CONVERTER,
        # Connect's default would turn binary headers into base64 text.
        "header.converter": BYTE_ARRAY_CONVERTER,
    }


def _source(flow: FlowSettings, chosen: TopicSelection, factor: int) -> dict[str, str]:
    return {
        "tasks.max": str(flow.tasks),
        "topics": chosen.topics,
        "topics.exclude": chosen.excluded,
        "config.properties.exclude": _all_configs_but(flow.sync_configs),
        # Pulumi owns topics, their configs and the grants; MirrorMaker moves records and offsets,
        # and keeps those configs in step that the flow leaves to it.
        "sync.topic.configs.enabled": str(bool(flow.sync_configs)).lower(),
        "sync.topic.acls.enabled": "false",
        "heartbeats.replication.enabled": str(chosen.heartbeats).lower(),
        "replication.factor": str(factor),
        "offset-syncs.topic.replication.factor": str(factor),
        "offset-syncs.topic.location": flow.offset_syncs,
        "offset.lag.max": str(flow.offset_lag),
        "consumer.isolation.level": "read_committed",
        "exactly.once.support": "required" if flow.exactly_once else "requested",
        **(THROUGHPUT if flow.profile == "throughput" else {}),
        **({} if flow.exactly_once else PIPELINED_PRODUCER),
    }


def _checkpoint(flow: FlowSettings, chosen: TopicSelection, factor: int) -> dict[str, str]:
    seconds = str(flow.checkpoint_seconds)
    return {
        "tasks.max": str(flow.tasks),
        "groups": ",".join(flow.groups),
        # MirrorMaker's default leaves out `connect-.*`, that is, every sink connector's group.
        "groups.exclude": ",".join(flow.exclude_groups),
        # Not among its declared keys, yet its topic filter reads them.
        "topics": chosen.topics,
        "topics.exclude": chosen.excluded,
        "checkpoints.topic.replication.factor": str(factor),
        "offset-syncs.topic.location": flow.offset_syncs,
        "emit.checkpoints.interval.seconds": seconds,
        "refresh.groups.interval.seconds": seconds,
        "sync.group.offsets.enabled": str(flow.sync_group_offsets).lower(),
        "sync.group.offsets.interval.seconds": seconds,
    }


def _all_configs_but(synced: Sequence[str]) -> str:
    """A filter that lets through what MirrorMaker owns; it would delete our other overrides."""
    if not synced:
        return ",".join(map(re.escape, NOT_SYNCED))
    return f"(?!(?:{'|'.join(map(re.escape, synced))})$).*"


def names_as_patterns(names: Sequence[str]) -> str:
    """MirrorMaker reads names as patterns: `a.b` would match `a-b` too."""
    return ",".join(re.escape(name).replace(r"\-", "-") for name in names)
