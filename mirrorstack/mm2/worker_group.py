"""The workers next to a target cluster: their Connect groups, and the names of connectors there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from mirrorstack.connect.storage import ConnectStorage, OffsetsLocation
from mirrorstack.mm2.connector_configs import ConnectorKind, connector_name
from mirrorstack.mm2.flow import Flow


class ConnectorNaming(StrEnum):
    """Who names connectors. Connect keeps their offsets under these names."""

    STACK = "stack"
    """The stack creates them, through Connect's REST API: `east-to-west-source`."""
    DEDICATED = "dedicated"
    """MirrorMaker itself, in dedicated mode: `MirrorSourceConnector`, for each source in a Connect
    group of its own."""
    STRIMZI = "strimzi"
    """Strimzi's operator: `east->west.MirrorSourceConnector`."""

    def connector_name(self, flow: Flow, kind: ConnectorKind) -> str:
        if self is ConnectorNaming.STACK:
            return connector_name(flow, kind)
        if self is ConnectorNaming.STRIMZI:
            return f"{flow.source}->{flow.target}.{kind.class_name}"
        return kind.class_name


@dataclass(frozen=True)
class WorkerGroup:
    """The workers of one target cluster. They form one Connect group; in dedicated mode, one for
    each source."""

    target: str
    group: str
    exactly_once: bool
    is_managed: bool = True
    """Whether the stack runs the workers; otherwise their internal topics and ACLs are not its
    own."""
    naming: ConnectorNaming = ConnectorNaming.STACK
    sources: tuple[str, ...] = ()
    separate_heartbeats: bool = False
    """Whether the heartbeat connectors run on workers of their own; see `heartbeats`."""

    @classmethod
    def of(
        cls,
        target: str,
        flows: Iterable[Flow],
        group: str | None = None,
        *,
        is_managed: bool = True,
        naming: ConnectorNaming = ConnectorNaming.STACK,
        separate_heartbeats: bool = False,
    ) -> WorkerGroup:
        """The workers of the flows to a target; `group` is their `group.id` if it is set.
        `separate_heartbeats`: whether heartbeat connectors, if any, cannot run on them."""
        own = [flow for flow in flows if flow.target == target]
        return cls(
            target=target,
            group=group or f"mirrorstack-{target}",
            exactly_once=any(flow.exactly_once for flow in own),
            is_managed=is_managed,
            naming=naming,
            sources=tuple(dict.fromkeys(flow.source for flow in own)),
            separate_heartbeats=separate_heartbeats and any(flow.heartbeats for flow in own),
        )

    @property
    def has_rest_api(self) -> bool:
        """Whether the stack manages connectors through Connect's REST API; otherwise the workers
        get them from their own configuration."""
        return self.naming is ConnectorNaming.STACK

    @property
    def storages(self) -> tuple[ConnectStorage, ...]:
        """One for each Connect group."""
        if self.naming is ConnectorNaming.DEDICATED:
            return tuple(self.storage_of(source) for source in self.sources)
        own = ConnectStorage.named_after(self.group)
        return (own, self.heartbeats) if self.heartbeats else (own,)

    @property
    def heartbeats(self) -> ConnectStorage | None:
        """Of the workers that run only heartbeat connectors, if there are any."""
        name = f"{self.group}-heartbeats"
        return ConnectStorage.named_after(name) if self.separate_heartbeats else None

    def storage_of(self, source: str) -> ConnectStorage:
        """Of the connectors that replicate from a source."""
        if self.naming is not ConnectorNaming.DEDICATED:
            return ConnectStorage.named_after(self.group)
        # The names that MirrorMaker uses by default.
        return ConnectStorage(
            f"{source}-mm2",
            *(f"mm2-{kind}.{source}.internal" for kind in ("configs", "offsets", "status")),
        )

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of the Connect groups."""
        return tuple(storage.group for storage in self.storages)

    def offsets_of(self, flow: Flow) -> OffsetsLocation:
        """Where Connect keeps the offsets of the flow's source connector."""
        name = self.naming.connector_name(flow, ConnectorKind.SOURCE)
        return OffsetsLocation(self.storage_of(flow.source).offsets_topic, name)

    @property
    def internal_topics(self) -> dict[str, int]:
        """Name and partitions of the compacted topics in which Connect keeps its state, if they are
        the stack's."""
        if not self.is_managed:
            return {}
        return {
            topic: count for storage in self.storages for topic, count in storage.partitions.items()
        }
