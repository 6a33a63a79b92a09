"""What the engine is about to make, in the words of the core."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pulumi_policy import PolicyResource

from mirrorstack.connect.config import text
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.key_values import list_items
from mirrorstack.rules import declarations as judgements
from mirrorstack.rules.connector_config import kind_of

MIRROR_STACK = "mirrorstack:index:MirrorStack"
MIRROR_FLOW = "mirrorstack:index:MirrorFlow"
CONNECTOR = "pulumi-python:dynamic/kafkaconnect:Connector"
WORKER = "pulumi-python:dynamic/mirrorstack:LocalWorker"
LEDGER = "pulumi-python:dynamic/mirrorstack:DeploymentRecord"
TOPIC = "kafka:index/topic:Topic"
ACL = "kafka:index/acl:Acl"
KAFKA_PROVIDER = "pulumi:providers:kafka"


class Config(Mapping[str, str]):
    """Properties as Kafka reads them. A value that is not known yet raises when it is asked for."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def __getitem__(self, key: str) -> str:
        value = self._values[key]
        if value is None:
            raise KeyError(key)
        return text(value)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


class Declared(judgements.Declared):
    """What a stack file and the files of its peers say, as the stack's component has it."""

    @classmethod
    def of(cls, props: Mapping[str, Any]) -> Declared | None:
        """None where the component is somebody else's, or has no outputs yet."""
        if props.get("settings") is None:
            return None
        from mirrorstack.config.settings import parse  # see `policies.pack.serve`

        peers = plain(props.get("peers") or {})
        return cls(
            parse(plain(props["settings"]), "the stack"),
            {file: parse(peer, file) for file, peer in peers.items()},
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
class Made:
    """All resources of a stack, as they are going to be."""

    resources: list[PolicyResource]

    @classmethod
    def each(cls, resources: Iterable[PolicyResource]) -> list[Made]:
        """One for each MirrorStack of a program, with what is below it and what is below none."""
        everything = list(resources)
        stacks = [one for one in everything if one.resource_type == MIRROR_STACK]
        if len(stacks) < 2:
            return [cls(everything)]
        owned = [(one, _owner(one)) for one in everything]
        return [cls([one for one, owner in owned if owner in (None, own.urn)]) for own in stacks]

    def typed(self, kind: str) -> list[PolicyResource]:
        return [each for each in self.resources if each.resource_type == kind]

    @cached_property
    def declared(self) -> Declared | None:
        found = (Declared.of(each.props) for each in self.typed(MIRROR_STACK))
        return next((each for each in found if each), None)

    @property
    def production(self) -> bool:
        return bool(self.declared and self.declared.settings.production)

    @cached_property
    def connectors(self) -> list[Connector]:
        return [Connector.of(each) for each in self.typed(CONNECTOR)]

    @cached_property
    def workers(self) -> list[Worker]:
        return [Worker.of(each) for each in self.typed(WORKER)]

    @property
    def placed(self) -> list[tuple[Connector, Worker]]:
        """Each connector with one of the workers that run it."""
        by_url = {worker.rest_url: worker for worker in reversed(self.workers)}
        return [(c, by_url[c.rest_url]) for c in self.connectors if c.rest_url in by_url]

    @cached_property
    def clusters(self) -> dict[str, frozenset[str]]:
        """The addresses of declared clusters: by the stack file, or by the connectors' configs."""
        if self.declared is None:
            return {}
        found = {
            alias: frozenset(map(str.lower, cluster.bootstrap_servers or ()))
            for alias, cluster in self.declared.settings.clusters.items()
        }
        for connector in self.connectors:
            for end, alias in zip(("source", "target"), connector.ends, strict=True):
                if alias in found:
                    found[alias] |= connector.addresses(end)
        return found

    def located(self, kind: str) -> Iterator[tuple[str, PolicyResource]]:
        """Resources of a type on declared clusters, with the cluster's alias."""
        for each in self.typed(kind):
            at = addresses(each.provider.props) if each.provider else frozenset()
            for alias, known in self.clusters.items():
                if at & known:
                    yield alias, each

    @cached_property
    def flows(self) -> list[dict[ConnectorKind, Connector]]:
        """Connectors that belong together: under one flow, or with the same two aliases."""
        found: dict[str, dict[ConnectorKind, Connector]] = {}
        for connector in self.connectors:
            if connector.kind:
                found.setdefault(connector.flow, {})[connector.kind] = connector
        return list(found.values())


@dataclass(frozen=True)
class Connector:
    name: str
    config: Config
    rest_url: str
    flow: str

    @classmethod
    def of(cls, resource: PolicyResource) -> Connector:
        config = Config(resource.props.get("config") or {})
        parent = resource.parent
        together = parent.urn if parent and parent.resource_type == MIRROR_FLOW else None
        aliases = (config.get(f"{end}.cluster.alias", "") for end in ("source", "target"))
        return cls(
            name=str(resource.props.get("name", resource.name)),
            config=config,
            rest_url=str(resource.props.get("rest_url", "")),
            flow=together or " to ".join(aliases),
        )

    @property
    def kind(self) -> ConnectorKind | None:
        return kind_of(self.config)

    @property
    def ends(self) -> tuple[str, str]:
        """The aliases of source and target."""
        return (
            self.config.get("source.cluster.alias", ""),
            self.config.get("target.cluster.alias", ""),
        )

    def addresses(self, end: str) -> frozenset[str]:
        return frozenset(
            list_items(self.config.get(f"{end}.cluster.bootstrap.servers", "").lower())
        )


@dataclass(frozen=True)
class Worker:
    name: str
    config: Config
    rest_url: str

    @classmethod
    def of(cls, resource: PolicyResource) -> Worker:
        return cls(
            name=resource.name,
            config=Config(resource.props.get("config") or {}),
            rest_url=str(resource.props.get("rest_url", "")),
        )

    @property
    def addresses(self) -> frozenset[str]:
        return frozenset(list_items(self.config.get("bootstrap.servers", "").lower()))


def addresses(provider: Mapping[str, Any]) -> frozenset[str]:
    """A kafka provider's bootstrap servers; the engine hands lists of providers over as JSON."""
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
