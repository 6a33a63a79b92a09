"""What rules check. The policy pack makes these from resources, the linter from files.

Configs may be lazy: in the policy pack a value that is not known yet raises when it is read. So a
subject holds a config, and never reads it by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from mirrorstack.kafka.acls import Acl
from mirrorstack.mm2.catalogue import connector_section
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.rules.topology import Route, routes

if TYPE_CHECKING:  # pydantic takes a while to import, and the engine waits for the policy pack
    from mirrorstack.config.settings import StackSettings

Config = Mapping[str, str]


@dataclass(frozen=True)
class Declaration:
    """A stack file and the files of its peers."""

    settings: StackSettings
    peers: Mapping[str, StackSettings]


@dataclass(frozen=True)
class Flows:
    """Flows that are checked together, wherever they are declared."""

    routes: Sequence[Route]

    @classmethod
    def of(cls, declaration: Declaration) -> Flows:
        return cls(routes(declaration.settings, declaration.peers))


@dataclass(frozen=True)
class DeployedFlows:
    """The same by the configs of connectors; the peers' by their stack files."""

    routes: Sequence[Route]


def kind_of(config: Config) -> ConnectorKind | None:
    section = connector_section(config.get("connector.class", "").strip())
    return ConnectorKind(section) if section else None


@dataclass(frozen=True)
class NamedConnector:
    """One of MirrorMaker's connectors."""

    name: str
    config: Config
    is_partial: bool = False
    """Whether the worker or another file may set what is absent: then only what is written
    is checked, and the defaults that undo it."""

    @cached_property
    def kind(self) -> ConnectorKind | None:
        """None for connectors that are not MirrorMaker's."""
        return kind_of(self.config)


@dataclass(frozen=True)
class FlowConnectors:
    """The connectors of one flow."""

    connectors: Mapping[ConnectorKind, NamedConnector]


@dataclass(frozen=True)
class FlowGroups:
    """The groups that a flow declares, and the connectors that it has."""

    flow: str
    groups: Sequence[str]
    kinds: Collection[ConnectorKind]


@dataclass(frozen=True)
class TopicConfigSync:
    """A source connector, and the topics on its target that the stack configures."""

    connector: NamedConnector
    topics: Mapping[str, Collection[str]]
    """By topic, the keys that the stack sets."""
    synced: Collection[str] = ()
    """Keys that the flow's `sync-configs` leaves to MirrorMaker."""


@dataclass(frozen=True)
class ReadOnlySource:
    """A connector that reads from a cluster that is `read-only: true`."""

    connector: NamedConnector
    cluster: str


@dataclass(frozen=True)
class NamedWorker:
    name: str
    config: Config


@dataclass(frozen=True)
class NamedWorkers:
    """Workers that are checked together."""

    workers: Sequence[NamedWorker]


@dataclass(frozen=True)
class ConnectorOnWorker:
    connector: NamedConnector
    worker: NamedWorker


@dataclass(frozen=True)
class TopicConfig:
    """A topic that the stack creates."""

    name: str
    replication_factor: int | None
    """None: the cluster's default."""
    config: Config


@dataclass(frozen=True)
class TopicOnCluster:
    topic: TopicConfig
    cluster: str
    brokers: int | None
    """How many the stack file declares."""
    read_only: bool


@dataclass(frozen=True)
class InternalTopics:
    """A connector or worker that creates internal topics on a cluster."""

    name: str
    config: Config
    factors: Mapping[str, int]
    """The keys of their replication factors, with the defaults."""
    cluster: str
    brokers: int


@dataclass(frozen=True)
class DeclaredAcl:
    """An ACL that allows something on a cluster, in Kafka's words."""

    cluster: str
    principal: str
    operation: str
    type: str
    name: str
    pattern: str
    read_only: bool = False
    """Whether its cluster is `read-only: true`."""


@dataclass(frozen=True)
class MirrorAcl:
    """An ACL of a principal that replicates, and the ACLs that the flows require."""

    acl: DeclaredAcl
    required: Sequence[Acl]


@dataclass(frozen=True)
class ProductionAcls:
    """How the ACLs of a cluster are managed, in a stack that is `production: true`."""

    cluster: str
    mode: str
    """In effect: `none` where the brokers have no authorizer."""
    declared: str
    """By the stack file, or its default."""


@dataclass(frozen=True)
class ProductionClient:
    """A connector or a worker of a stack that is `production: true`."""

    name: str
    config: Config


@dataclass(frozen=True)
class ProductionWorker:
    name: str
    config: Config
    is_isolated: bool = False
    """Whether the platform lets nobody but itself and the workers reach the REST API."""


@dataclass(frozen=True)
class ProductionProvider:
    """How Pulumi itself reaches a cluster."""

    name: str
    tls: bool
    verifies: bool
    """Whether certificates and host names are verified."""


@dataclass(frozen=True)
class ProviderPasswords:
    """The passwords and keys of a kafka provider, as the state stores them."""


@dataclass(frozen=True)
class WorkerPasswords:
    """What the state stores of the passwords of a local worker: a fingerprint."""
