"""Reads the resources that the engine is about to create."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from pulumi_policy import PolicyResource

from mirrorstack.connect.config import value_text
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.dedicated.config import without_worker_keys
from mirrorstack.mm2.key_values import list_items
from mirrorstack.rules.subjects import Declaration, NamedConnector, NamedWorker
from policies import strimzi

if TYPE_CHECKING:
    from mirrorstack.config.strimzi_clusters import StrimziClusterSettings

MIRROR_STACK = "mirrorstack:index:MirrorStack"
MIRROR_FLOW = "mirrorstack:index:MirrorFlow"
CONNECTOR = "pulumi-python:dynamic/kafkaconnect:Connector"
FLOW_HEALTH = "pulumi-python:dynamic/mirrorstack:FlowHealth"
CONNECT_WORKERS = "mirrorstack:index:ConnectWorkers"
LOCAL_WORKER = "pulumi-python:dynamic/mirrorstack:LocalWorker"
DEPLOYMENT_RECORD = "pulumi-python:dynamic/mirrorstack:DeploymentRecord"
TOPIC = "kafka:index/topic:Topic"
ACL = "kafka:index/acl:Acl"
TOPICS = (TOPIC, *strimzi.KAFKA_TOPICS)
ACLS = (ACL, *strimzi.KAFKA_USERS)
OF_STRIMZI = (*strimzi.KAFKA_TOPICS, *strimzi.KAFKA_USERS)
KAFKA_PROVIDER = "pulumi:providers:kafka"
ENDS = ("source", "target")


class Config(Mapping[str, str]):
    """Properties as Kafka reads them. A value that is not known yet raises when it is read."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def __getitem__(self, key: str) -> str:
        value = self._values[key]
        if value is None:
            raise KeyError(key)
        return value_text(value)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def read_declaration(props: Mapping[str, Any]) -> Declaration | None:
    """None where the component has no settings: another program's, or no outputs yet."""
    if props.get("settings") is None:
        return None
    return _parse(json.dumps([plain(props["settings"]), plain(props.get("peers") or {})]))


@lru_cache(maxsize=8)  # many rules read the same settings
def _parse(declared: str) -> Declaration:
    from mirrorstack.config.settings import parse  # see `policies.pack.serve`

    settings, peers = json.loads(declared)
    return Declaration(
        parse(settings, "the stack"), {file: parse(peer, file) for file, peer in peers.items()}
    )


def _owner(resource: PolicyResource) -> str | None:
    """The MirrorStack that a resource is part of."""
    one: PolicyResource | None = resource
    while one is not None:
        if one.resource_type == MIRROR_STACK:
            return str(one.urn)
        one = one.parent
    return None


@dataclass(frozen=True)
class DeployedConnector(NamedConnector):
    rest_url: str = ""
    flow: str = ""
    """Connectors with the same value belong together: under one flow, or with the same aliases."""

    @classmethod
    def each(cls, props: Mapping[str, Any]) -> Iterator[DeployedConnector]:
        """Those of a FlowHealth: a flow's workers get them from their own configuration."""
        flow = str(props.get("flow", ""))
        for connector in props.get("connectors") or ():
            yield cls(
                name=f"{flow}-{connector.get('kind')}",
                config=Config(without_worker_keys(connector.get("config") or {})),
                rest_url=str(props.get("rest_url", "")),
                flow=flow,
            )

    @classmethod
    def of(cls, resource: PolicyResource) -> DeployedConnector:
        config = Config(resource.props.get("config") or {})
        parent = resource.parent
        flow = parent.urn if parent and parent.resource_type == MIRROR_FLOW else None
        aliases = (config.get(f"{end}.cluster.alias", "") for end in ENDS)
        return cls(
            name=str(resource.props.get("name", resource.name)),
            config=config,
            rest_url=str(resource.props.get("rest_url", "")),
            flow=flow or " to ".join(aliases),
        )

    @property
    def aliases(self) -> tuple[str, str]:
        """Of source and target."""
        source, target = (self.config.get(f"{end}.cluster.alias", "") for end in ENDS)
        return source, target

    def addresses(self, end: str) -> frozenset[str]:
        servers = self.config.get(f"{end}.cluster.bootstrap.servers", "")
        return frozenset(list_items(servers.lower()))


@dataclass(frozen=True)
class DeployedWorker(NamedWorker):
    rest_url: str = ""
    is_isolated: bool = False
    """Whether the platform lets nobody but itself and the workers reach the REST API."""

    @classmethod
    def each(cls, name: str, props: Mapping[str, Any]) -> Iterator[DeployedWorker]:
        """The workers of a ConnectWorkers component, whatever the runtime."""
        for number, worker in enumerate(props.get("workers") or (), start=1):
            yield cls(
                name=f"{name}-{number}",
                config=Config(worker.get("config") or {}),
                rest_url=str(worker.get("rest_url", "")),
                is_isolated=worker.get("isolated") is True,
            )

    @property
    def addresses(self) -> frozenset[str]:
        return frozenset(list_items(self.config.get("bootstrap.servers", "").lower()))


@dataclass(frozen=True)
class StackResources:
    """All resources of a stack, as they will be."""

    resources: list[PolicyResource]

    @classmethod
    def each(cls, resources: Iterable[PolicyResource]) -> list[StackResources]:
        """One for each MirrorStack of a program, with its own resources and those of none."""
        everything = list(resources)
        stacks = [one for one in everything if one.resource_type == MIRROR_STACK]
        if len(stacks) < 2:
            return [cls(everything)]
        owned = [(one, _owner(one)) for one in everything]
        return [cls([one for one, owner in owned if owner in (None, own.urn)]) for own in stacks]

    def typed(self, *kinds: str) -> list[PolicyResource]:
        return [each for each in self.resources if each.resource_type in kinds]

    @cached_property
    def declaration(self) -> Declaration | None:
        found = (read_declaration(each.props) for each in self.typed(MIRROR_STACK))
        return next((each for each in found if each), None)

    @property
    def production(self) -> bool:
        return bool(self.declaration and self.declaration.settings.production)

    @cached_property
    def connectors(self) -> list[DeployedConnector]:
        created = [DeployedConnector.of(each) for each in self.typed(CONNECTOR)]
        of_workers = [
            connector
            for each in self.typed(FLOW_HEALTH)
            for connector in DeployedConnector.each(each.props)
        ]
        return created + of_workers

    @cached_property
    def workers(self) -> list[DeployedWorker]:
        return [
            worker
            for each in self.typed(CONNECT_WORKERS)
            for worker in DeployedWorker.each(each.name, each.props)
        ]

    @cached_property
    def clusters(self) -> dict[str, frozenset[str]]:
        """The addresses of declared clusters: by the stack file, or by the connectors' configs."""
        if self.declaration is None:
            return {}
        found = {
            alias: frozenset(map(str.lower, cluster.bootstrap_servers or ()))
            for alias, cluster in self.declaration.settings.clusters.items()
        }
        for connector in self.connectors:
            for end, alias in zip(ENDS, connector.aliases, strict=True):
                if alias in found:
                    found[alias] |= connector.addresses(end)
        return found

    def on_clusters(self, *kinds: str) -> Iterator[tuple[str, PolicyResource]]:
        """Resources of some types on declared clusters, with the cluster's alias."""
        for each in self.typed(*kinds):
            if each.resource_type in OF_STRIMZI:
                for alias, settings in self.strimzi_clusters.items():
                    if strimzi.is_in(each, settings):
                        yield alias, each
                continue
            at = addresses(each.provider.props) if each.provider else frozenset()
            for alias, known in self.clusters.items():
                if at & known:
                    yield alias, each

    @property
    def strimzi_clusters(self) -> dict[str, StrimziClusterSettings]:
        declared = self.declaration.settings.clusters if self.declaration else {}
        return {alias: each.strimzi for alias, each in declared.items() if each.strimzi}

    @cached_property
    def flows(self) -> list[dict[ConnectorKind, NamedConnector]]:
        """MirrorMaker's connectors, those of a flow together."""
        found: dict[str, dict[ConnectorKind, NamedConnector]] = {}
        for connector in self.connectors:
            if connector.kind:
                found.setdefault(connector.flow, {})[connector.kind] = connector
        return list(found.values())


def addresses(provider: Mapping[str, Any]) -> frozenset[str]:
    """A kafka provider's bootstrap servers; the engine passes lists of providers as JSON."""
    given = provider.get("bootstrapServers") or []
    servers = json.loads(given) if isinstance(given, str) else plain(given)
    return frozenset(str(address).lower() for address in servers)


def plain(value: Any) -> Any:
    """Without the SDK's proxies; raises where something in it is not known yet."""
    if isinstance(value, Mapping):
        return {key: plain(value[key]) for key in value}
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        return value
    return [plain(item) for item in value]
