"""The configs of a flow's three connectors: source, checkpoint and heartbeat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from mirrorstack.kafka.java_client import ClientAccess, prefixed
from mirrorstack.mm2.discovery import quoted
from mirrorstack.mm2.flow import Flow
from mirrorstack.mm2.profiles import PROFILES
from mirrorstack.mm2.replication_policy import (
    DEFAULT_TOPICS_EXCLUDE,
    HEARTBEATS,
    MIRROR_PACKAGE,
)
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.target_topics import BROKER_SPECIFIC_CONFIGS

BYTE_ARRAY_CONVERTER = "org.apache.kafka.connect.converters.ByteArrayConverter"
# Topic configs that are never synced. The default of `config.properties.exclude` names the broker's
# keys (`log.message.timestamp.type`), which match no topic config; these do.
UNSYNCED_CONFIGS = (
    *sorted(BROKER_SPECIFIC_CONFIGS),
    "message.timestamp.type",
    "message.timestamp.before.max.ms",
    "message.timestamp.after.max.ms",
)


class ConnectorKind(StrEnum):
    """The three connectors of a flow."""

    SOURCE = "source"
    """Replicates records and emits offset syncs."""
    CHECKPOINT = "checkpoint"
    """Translates the committed offsets of consumer groups."""
    HEARTBEAT = "heartbeat"
    """Shows that the workers can write to the target."""

    @property
    def java_class(self) -> str:
        return f"{MIRROR_PACKAGE}.{self.class_name}"

    @property
    def class_name(self) -> str:
        """`MirrorSourceConnector`."""
        return f"Mirror{self.value.capitalize()}Connector"


def flow_name(source: str, target: str) -> str:
    """`east-to-west`, from the aliases of two clusters."""
    return f"{source}-to-{target}"


def connector_name(flow: Flow, kind: ConnectorKind) -> str:
    """`east-to-west-source`: Connect keeps offsets under this name."""
    return f"{flow.name}-{kind}"


def connector_names(flow: Flow) -> dict[ConnectorKind, str]:
    """The connectors that a flow has: heartbeats and checkpoints only where they are used."""
    kinds = [ConnectorKind.SOURCE]
    if flow.groups:
        kinds.append(ConnectorKind.CHECKPOINT)
    if flow.heartbeats:
        kinds.append(ConnectorKind.HEARTBEAT)
    return {kind: connector_name(flow, kind) for kind in kinds}


@dataclass(frozen=True)
class ConnectorConfig:
    name: str
    kind: ConnectorKind
    config: dict[str, str]


@dataclass(frozen=True)
class TopicSelection:
    """The topics that a flow's connectors replicate, as their configs state them."""

    topics: str
    excluded: str
    heartbeats: bool
    """Whether heartbeats topics of the source are replicated as well."""

    @classmethod
    def of(cls, resolved: ResolvedFlow[Flow]) -> TopicSelection:
        """The patterns themselves where the flow's discovery is live, else the topics that they
        match now."""
        live = resolved.live_patterns
        names = [topic for topic in resolved.topics if topic not in resolved.discovered]
        excluded = (*resolved.settings.exclude, *map(quoted, resolved.worker_topics))
        return cls(
            topics=",".join((*live, *map(quoted, names))),
            excluded=",".join((*_always_excluded(resolved.settings), *(excluded if live else ()))),
            heartbeats=HEARTBEATS in resolved.topics,
        )

    @classmethod
    def by_pattern(cls, flow: Flow) -> TopicSelection:
        """The patterns of the flow, which MirrorMaker resolves itself."""
        excluded = (*_always_excluded(flow), *flow.exclude)
        heartbeats = flow.policy.replicates_heartbeats
        return cls(",".join(flow.topics), ",".join(excluded), heartbeats)


def _always_excluded(flow: Flow) -> tuple[str, ...]:
    """A list replaces MirrorMaker's default, so it repeats that."""
    heartbeats = () if flow.policy.replicates_heartbeats else (HEARTBEATS,)
    return (*DEFAULT_TOPICS_EXCLUDE, *heartbeats)


def connector_configs(
    resolved: ResolvedFlow[Flow],
    source: ClientAccess,
    target: ClientAccess,
    replication_factor: int,
) -> list[ConnectorConfig]:
    """The flow's connectors."""
    flow = resolved.settings
    own = own_keys(flow, TopicSelection.of(resolved), replication_factor)
    shared = _shared(flow, source, target)
    return [
        ConnectorConfig(
            name=name,
            kind=kind,
            config={"name": name, "connector.class": kind.java_class, **shared, **own[kind]},
        )
        for kind, name in connector_names(flow).items()
    ]


def own_keys(
    flow: Flow, selection: TopicSelection, factor: int
) -> dict[ConnectorKind, dict[str, str]]:
    """The keys of each connector without those that reach the clusters; with the overrides."""
    keys = {
        ConnectorKind.SOURCE: _source(flow, selection, factor),
        ConnectorKind.CHECKPOINT: _checkpoint(flow, selection, factor),
        ConnectorKind.HEARTBEAT: {"heartbeats.topic.replication.factor": str(factor)},
    }
    overrides = {
        ConnectorKind.SOURCE: flow.override.source,
        ConnectorKind.CHECKPOINT: flow.override.checkpoint,
        ConnectorKind.HEARTBEAT: flow.override.heartbeat,
    }
    return {kind: {**keys[kind], **overrides[kind]} for kind in ConnectorKind}


def naming_keys(flow: Flow) -> dict[str, str]:
    """The keys that decide the names of target topics."""
    return {
        "replication.policy.class": flow.policy.java_class,
        "replication.policy.separator": flow.policy.separator,
    }


def _shared(flow: Flow, source: ClientAccess, target: ClientAccess) -> dict[str, str]:
    """What the three connectors must agree on: otherwise offset translation breaks silently."""
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


def _source(flow: Flow, selection: TopicSelection, factor: int) -> dict[str, str]:
    return {
        "tasks.max": str(flow.tasks),
        "topics": selection.topics,
        "topics.exclude": selection.excluded,
        "refresh.topics.interval.seconds": str(flow.discovery_seconds),
        "config.properties.exclude": _all_configs_but(flow.sync_configs),
        # Pulumi owns the topics that a flow names, their configs, and all ACLs. MirrorMaker
        # replicates records and offsets, adds partitions, creates the topics that a live pattern
        # matches, and syncs only the configs that the flow lists in `sync-configs`.
        "sync.topic.configs.enabled": str(bool(flow.sync_configs)).lower(),
        "sync.topic.acls.enabled": "false",
        "heartbeats.replication.enabled": str(selection.heartbeats).lower(),
        "replication.factor": str(factor),
        "offset-syncs.topic.replication.factor": str(factor),
        "offset-syncs.topic.location": flow.offset_syncs,
        "offset.lag.max": str(flow.offset_lag),
        "consumer.isolation.level": "read_committed",
        "exactly.once.support": "required" if flow.exactly_once else "requested",
        **PROFILES[flow.profile].as_keys(groups=bool(flow.groups)),
    }


def _checkpoint(flow: Flow, selection: TopicSelection, factor: int) -> dict[str, str]:
    seconds = str(flow.checkpoint_seconds)
    return {
        "tasks.max": str(flow.tasks),
        "groups": ",".join(flow.groups),
        # MirrorMaker's default excludes `connect-.*`, that is, the group of every sink connector.
        "groups.exclude": ",".join(flow.exclude_groups),
        # The checkpoint connector does not declare these keys, but its topic filter reads them.
        "topics": selection.topics,
        "topics.exclude": selection.excluded,
        "checkpoints.topic.replication.factor": str(factor),
        "offset-syncs.topic.location": flow.offset_syncs,
        "emit.checkpoints.interval.seconds": seconds,
        "refresh.groups.interval.seconds": seconds,
        "sync.group.offsets.enabled": str(flow.sync_group_offsets).lower(),
        "sync.group.offsets.interval.seconds": seconds,
    }


def _all_configs_but(synced: Sequence[str]) -> str:
    """A filter that passes only the synced configs: MirrorMaker would delete other overrides."""
    if not synced:
        return ",".join(map(re.escape, UNSYNCED_CONFIGS))
    return f"(?!(?:{'|'.join(map(re.escape, synced))})$).*"
