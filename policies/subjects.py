"""From resources to the subjects of rules: one reader for each kind of subject.

What is not known before the deployment raises when it is read. The engine then reports that the
policy could not run, and runs it again during the deployment, when everything is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pulumi_policy import PolicyResource

from mirrorstack.changes.rules import RecordedChanges
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.rules.replication_factor import WORKER_FACTORS, connector_factors
from mirrorstack.rules.subjects import (
    ConnectorOnWorker,
    Declaration,
    DeclaredAcl,
    DeployedFlows,
    FlowConnectors,
    FlowGroups,
    Flows,
    InternalTopics,
    MirrorAcl,
    NamedConnector,
    NamedWorker,
    NamedWorkers,
    ProductionAcls,
    ProductionClient,
    ProductionProvider,
    ProductionWorker,
    ProviderPasswords,
    ReadOnlySource,
    TopicConfig,
    TopicConfigSync,
    TopicOnCluster,
    WorkerPasswords,
)
from mirrorstack.rules.topology import peer_routes, route_of
from policies.acls import OnCluster, acls, mirror_acls, production_acls, read_acl
from policies.resources import (
    CONNECT_WORKERS,
    CONNECTOR,
    DEPLOYMENT_RECORD,
    FLOW_HEALTH,
    KAFKA_PROVIDER,
    LOCAL_WORKER,
    MIRROR_STACK,
    TOPIC,
    TOPICS,
    Config,
    DeployedConnector,
    DeployedWorker,
    StackResources,
    addresses,
    plain,
    read_declaration,
)
from policies.strimzi import KAFKA_TOPICS, topic_props

Props = Mapping[str, Any]


@dataclass(frozen=True)
class ResourceReader:
    """For rules that need one resource: they are checked before it is created."""

    types: tuple[str, ...]
    """Of the resources."""
    read: Callable[[str, Props], Iterable[Any]]
    """From its name and its inputs."""


@dataclass(frozen=True)
class StackReader:
    """For rules that need several resources: they are checked when all are known."""

    units: Callable[[StackResources], Iterable[Any]]
    read: Callable[[Any], Iterable[Any]] = lambda unit: (unit,)
    """From one unit, so that an unknown value in one does not hide the findings of another."""


def _declaration(_name: str, props: Props) -> Iterator[Declaration]:
    if declaration := read_declaration(props):
        yield declaration


def _flows(_name: str, props: Props) -> Iterator[Flows]:
    if declaration := read_declaration(props):
        yield Flows.of(declaration)


def _connectors(_name: str, props: Props) -> Iterator[NamedConnector]:
    """One, or those that the workers of a flow get from their own configuration."""
    if "connectors" in props:
        yield from DeployedConnector.each(props)
    else:
        yield NamedConnector(str(props.get("name")), Config(props.get("config") or {}))


def _named_workers(name: str, props: Props) -> Iterator[NamedWorker]:
    yield from DeployedWorker.each(name, props)


def _topic(name: str, props: Props) -> Iterator[TopicConfig]:
    props = _as_topic(props)
    factor = props.get("replicationFactor")
    yield TopicConfig(
        str(props.get("name", name)),
        None if factor is None else int(factor),
        Config(props.get("config") or {}),
    )


def _as_topic(props: Props) -> Props:
    return topic_props(props) if "spec" in props else props


def _changes(_name: str, props: Props) -> Iterator[RecordedChanges]:
    yield RecordedChanges(props, plain)


def _deployed_flows(stack: StackResources) -> Iterator[DeployedFlows]:
    """The connectors' routes, and those of the peers, whose connectors are not in this stack."""
    declaration = stack.declaration
    own = [
        route_of(connector.config, connector.name, declaration.settings if declaration else None)
        for connector in stack.connectors
        if connector.kind is ConnectorKind.SOURCE
    ]
    yield DeployedFlows(own + peer_routes(declaration.peers if declaration else {}))


def _flow_connectors(stack: StackResources) -> Iterator[FlowConnectors]:
    yield from map(FlowConnectors, stack.flows)


def _flow_groups(stack: StackResources) -> Iterator[FlowGroups]:
    for flow in stack.declaration.settings.flows if stack.declaration else ():
        kinds = [
            connector.kind
            for connector in stack.connectors
            if connector.kind and connector.aliases == (flow.source, flow.target)
        ]
        yield FlowGroups(flow.name, flow.groups, kinds)


def _topic_config_syncs(stack: StackResources) -> Iterator[TopicConfigSync]:
    flows = stack.declaration.settings.flows if stack.declaration else ()
    synced = {(flow.source, flow.target): flow.sync_configs for flow in flows}
    for connector in stack.connectors:
        if connector.kind is ConnectorKind.SOURCE:
            target = connector.aliases[1]
            on_target = [
                topic
                for topic in stack.typed(TOPIC)
                if topic.provider
                and addresses(topic.provider.props) & connector.addresses("target")
            ]
            on_target += [topic for at, topic in stack.on_clusters(*KAFKA_TOPICS) if at == target]
            owned = {
                config.name: list(config.config)
                for topic in on_target
                for config in _topic(topic.name, topic.props)
            }
            yield TopicConfigSync(connector, owned, synced.get(connector.aliases, ()))


def _read_only_sources(stack: StackResources) -> Iterator[ReadOnlySource]:
    clusters = stack.declaration.settings.clusters if stack.declaration else {}
    for connector in stack.connectors:
        source = clusters.get(connector.aliases[0])
        if source and source.read_only:
            yield ReadOnlySource(connector, connector.aliases[0])


def _on_workers(stack: StackResources) -> Iterator[ConnectorOnWorker]:
    """Each of MirrorMaker's connectors with one of the workers that run it."""
    by_url = {worker.rest_url: worker for worker in reversed(stack.workers)}
    for connector in stack.connectors:
        if connector.kind and connector.rest_url in by_url:
            yield ConnectorOnWorker(connector, by_url[connector.rest_url])


def _workers(stack: StackResources) -> Iterator[NamedWorkers]:
    yield NamedWorkers(stack.workers)


def _topics_on_clusters(stack: StackResources) -> Iterator[OnCluster]:
    for alias, topic in stack.on_clusters(*TOPICS):
        yield stack, alias, topic


def _topic_on_cluster(unit: OnCluster) -> Iterator[TopicOnCluster]:
    stack, alias, resource = unit
    if stack.declaration:
        cluster = stack.declaration.settings.clusters[alias]
        for topic in _topic(resource.name, resource.props):
            yield TopicOnCluster(topic, alias, cluster.brokers, cluster.read_only)


def _internal_topics(stack: StackResources) -> Iterator[InternalTopics]:
    clusters = stack.declaration.settings.clusters if stack.declaration else {}
    brokers = {alias: each.brokers for alias, each in clusters.items() if each.brokers}
    for connector in stack.connectors:
        alias = connector.aliases[1]
        if alias in brokers:
            factors = connector_factors(connector.config)
            name = f"Connector {connector.name}"
            yield InternalTopics(name, connector.config, factors, alias, brokers[alias])
    for worker in stack.workers:
        for alias, known in stack.clusters.items():
            if alias in brokers and known & worker.addresses:
                name = f"Worker {worker.name}"
                yield InternalTopics(name, worker.config, WORKER_FACTORS, alias, brokers[alias])


def _production_clients(stack: StackResources) -> Iterator[ProductionClient]:
    if stack.production:
        for connector in stack.connectors:
            yield ProductionClient(f"Connector {connector.name}", connector.config)
        for worker in stack.workers:
            yield ProductionClient(f"Worker {worker.name}", worker.config)


def _production_workers(stack: StackResources) -> Iterator[ProductionWorker]:
    for worker in stack.workers if stack.production else ():
        yield ProductionWorker(f"Worker {worker.name}", worker.config, worker.is_isolated)


def _production_providers(stack: StackResources) -> list[PolicyResource]:
    return stack.typed(KAFKA_PROVIDER) if stack.production else []


def _production_provider(provider: PolicyResource) -> Iterator[ProductionProvider]:
    # The plugin's defaults: TLS, with verification. Providers' inputs are strings.
    tls = str(provider.props.get("tlsEnabled", "true")).lower() != "false"
    verifies = str(provider.props.get("skipTlsVerify", "false")).lower() != "true"
    yield ProductionProvider(provider.name, tls, verifies)


def _nothing(_name: str, _props: Props) -> tuple[()]:
    return ()


READERS: Mapping[type, ResourceReader | StackReader] = {
    Declaration: ResourceReader((MIRROR_STACK,), _declaration),
    Flows: ResourceReader((MIRROR_STACK,), _flows),
    ProductionAcls: ResourceReader((MIRROR_STACK,), production_acls),
    NamedConnector: ResourceReader((CONNECTOR, FLOW_HEALTH), _connectors),
    NamedWorker: ResourceReader((CONNECT_WORKERS,), _named_workers),
    TopicConfig: ResourceReader(TOPICS, _topic),
    RecordedChanges: ResourceReader((DEPLOYMENT_RECORD,), _changes),
    ProviderPasswords: ResourceReader((KAFKA_PROVIDER,), _nothing),
    WorkerPasswords: ResourceReader((LOCAL_WORKER,), _nothing),
    DeployedFlows: StackReader(_deployed_flows),
    FlowConnectors: StackReader(_flow_connectors),
    FlowGroups: StackReader(_flow_groups),
    TopicConfigSync: StackReader(_topic_config_syncs),
    ReadOnlySource: StackReader(_read_only_sources),
    ConnectorOnWorker: StackReader(_on_workers),
    NamedWorkers: StackReader(_workers),
    TopicOnCluster: StackReader(_topics_on_clusters, _topic_on_cluster),
    InternalTopics: StackReader(_internal_topics),
    DeclaredAcl: StackReader(acls, read_acl),
    MirrorAcl: StackReader(mirror_acls),
    ProductionClient: StackReader(_production_clients),
    ProductionWorker: StackReader(_production_workers),
    ProductionProvider: StackReader(_production_providers, _production_provider),
}
