"""The parts of a `Deployment`, assembled from the plan, the clusters and the runtimes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from mirrorstack.changes.diff import record_stack
from mirrorstack.config.clusters import AclMode, Role
from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.settings import StackSettings
from mirrorstack.kafka.acls import Operation
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.kafka.permissions import EffectivePermission
from mirrorstack.mm2.connector_configs import (
    ConnectorConfig,
    ConnectorKind,
    connector_configs,
    connector_name,
)
from mirrorstack.mm2.dedicated.config import dedicated_config, expanded_connectors
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.worker_configs import worker_config
from mirrorstack.mm2.worker_group import ConnectorNaming, WorkerGroup
from mirrorstack.planning.cluster_acls import ClusterAcls
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.connections import fingerprint, password_reference
from mirrorstack.planning.deployment import (
    ClusterDeployment,
    FlowDeployment,
    RecordContent,
    WorkerDeployment,
)
from mirrorstack.planning.plan import Plan
from mirrorstack.planning.policy_jars import policy_jars
from mirrorstack.planning.previous_acls import acl_record
from mirrorstack.runtimes.base import Runtime, WorkerPlacement
from mirrorstack.strimzi.strimzi_cluster import StrimziCluster


class DeploymentParts:
    """Reads what the clusters hold; it checks nothing."""

    def __init__(
        self,
        settings: StackSettings,
        clusters: StackClusters,
        plan: Plan,
        acls: Mapping[str, ClusterAcls],
        runtimes: Mapping[str, Runtime],
        placements: Mapping[str, WorkerPlacement],
        strimzi: Mapping[str, StrimziCluster],
    ) -> None:
        """`acls` and `strimzi` by cluster, `runtimes` and `placements` by target."""
        self._settings = settings
        self._clusters = clusters
        self._plan = plan
        self._acls = acls
        self._runtimes = runtimes
        self._placements = placements
        self._strimzi = strimzi

    def cluster(self, alias: str) -> ClusterDeployment:
        administer = self._settings.clusters[alias].administer
        mirror = self._clusters.cluster(alias, Role.MIRROR)
        ca_path = mirror.connection.ca_path
        workers = self._plan.workers.get(alias)
        return ClusterDeployment(
            mirror=mirror,
            mirror_password=password_reference(self._settings, alias, Role.MIRROR),
            admin=self._clusters.cluster(alias, Role.ADMIN) if administer else None,
            admin_password=password_reference(self._settings, alias, Role.ADMIN),
            ca_certificates=ca_path.read_text() if ca_path else None,
            acls=self._acls[alias],
            permissions=self._permissions(alias),
            internal_topics=self._plan.internal_topics[alias],
            connect_topics=frozenset(workers.internal_topics if workers else ()),
            existing_topics={
                name: each.partitions for name, each in self._clusters.topics(alias).items()
            },
            strimzi=self._strimzi.get(alias),
        )

    def _permissions(self, alias: str) -> tuple[EffectivePermission, ...]:
        """Where the owner creates the ACLs, a deployment works without Alter; see
        `preview_warnings.missing_alter`."""
        required = self._plan.permissions[alias]
        if self._acls[alias].mode is not AclMode.EXPORTED:
            return required
        return tuple(each for each in required if each.operation is not Operation.ALTER)

    def worker(self, group: WorkerGroup) -> WorkerDeployment:
        target = group.target
        settings, placement = self._settings.workers_at(target), self._placements[target]
        # No more passwords than the flows of these workers need.
        aliases = self._settings.reached_from(target)
        return WorkerDeployment(
            group=group,
            settings=settings,
            placement=placement,
            configs=self._configs(group),
            heap_mb=self._settings.heap_mb(target),
            quick_start=self._settings.is_sandboxed,
            jars=policy_jars(self._settings.flows, target),
            clusters={alias: self._access(alias, at=target) for alias in aliases},
            passwords={
                alias: password_reference(self._settings, alias, Role.MIRROR) for alias in aliases
            },
            password_fingerprint=fingerprint(
                {alias: self._clusters.connection(alias, Role.MIRROR).password for alias in aliases}
            ),
            flows=()
            if group.has_rest_api
            else tuple(self.flow(flow) for flow in self._plan.flows_to(target)),
        )

    def _configs(self, group: WorkerGroup) -> tuple[dict[str, str], ...]:
        """The properties of each worker of the stack."""
        target, factors = group.target, self._plan.replication_factors
        if not group.is_managed:
            return ()
        of_runtime = [
            self._runtimes[target].worker_properties(url)
            for url in self._placements[target].rest_urls
        ]
        accesses = {
            alias: self._access(alias, at=target) for alias in self._settings.reached_from(target)
        }
        if group.naming is ConnectorNaming.DEDICATED:
            flows = self._plan.flows_to(target)
            return tuple(
                dedicated_config(group, flows, accesses, factors, each) for each in of_runtime
            )
        return tuple(
            worker_config(group, accesses[target], factors[target], each) for each in of_runtime
        )

    def _access(self, alias: str, *, at: str) -> ClientAccess:
        """How the workers next to `at` reach a cluster: the password is a reference."""
        runtime = self._runtimes[at]
        return self._clusters.connection(alias, Role.MIRROR).access(
            alias, runtime.secret_reference(at, alias), portable=not runtime.reads_local_files
        )

    def flow(self, resolved: ResolvedFlow[FlowSettings]) -> FlowDeployment:
        flow = resolved.settings
        existing, replicated = self._clusters.topics(flow.target), self._plan.target_topics
        new = {
            topic: target_topic
            for topic, target_topic in zip(resolved.topics, replicated[flow.name], strict=True)
            if target_topic.is_new(existing, delete_topics=self._settings.delete_topics)
        }
        return FlowDeployment(
            name=flow.name,
            source=flow.source,
            target=flow.target,
            state=flow.state,
            connectors=tuple(self._connectors(resolved)),
            offsets=self._plan.workers[flow.target].offsets_of(flow),
            tasks=flow.tasks,
            target_topics=tuple(each for each in replicated[flow.name] if not each.discovered),
            is_live=bool(resolved.live_patterns),
            discovered_topics={
                each.name: each.partitions for each in replicated[flow.name] if each.discovered
            },
            names=flow.own_policy.name if flow.own_policy else None,
            synced_configs=tuple(flow.sync_configs),
            partitions=self._clusters.partitions(flow.source, resolved.topics),
            shared_topics=self._shared_heartbeats(resolved),
            recreated_topics=frozenset(each.name for each in new.values() if each.name in existing),
            new_topics=tuple(new),
            with_records=self._clusters.with_records(flow.source, resolved.topics),
        )

    def _connectors(self, resolved: ResolvedFlow[FlowSettings]) -> Iterator[ConnectorConfig]:
        flow = resolved.settings
        group = self._plan.workers[flow.target]
        if group.naming is ConnectorNaming.DEDICATED:
            config, *_ = self._configs(group)
            yield from expanded_connectors(config, flow)
            return
        for connector in connector_configs(
            resolved,
            self._access(flow.source, at=flow.target),
            self._access(flow.target, at=flow.target),
            self._plan.replication_factors[flow.target],
        ):
            yield replace(connector, name=group.naming.connector_name(flow, connector.kind))

    def _shared_heartbeats(self, resolved: ResolvedFlow[FlowSettings]) -> frozenset[str]:
        flow = resolved.settings
        if self._acls[flow.target].mode is not AclMode.SHARED:
            return frozenset()
        return frozenset(
            name
            for topic, name in resolved.target_topics.items()
            if flow.policy.is_heartbeats(topic)
        )

    def record(self) -> RecordContent:
        recorded = record_stack(
            self._plan.flows,
            self._plan.target_topics,
            self._plan.workers,
            delete_topics=self._settings.delete_topics,
        )
        flows = {
            connector_name(flow.settings, ConnectorKind.SOURCE): flow for flow in self._plan.flows
        }
        return RecordContent(
            connectors={
                name: {**record, **self._connect_of(flows[name].settings.target)}
                for name, record in recorded.connectors.items()
            },
            topics=recorded.topics,
            intent=self._settings.intent,
            offset_ranges={
                name: self._clusters.offset_ranges(flow.settings.source, flow.topics)
                for name, flow in flows.items()
            },
            acls={
                alias: acl_record(acls.mode, acls.principal, acls.declared)
                for alias, acls in self._acls.items()
            },
        )

    def _connect_of(self, target: str) -> dict[str, str]:
        placement = self._placements[target]
        if not self._plan.workers[target].has_rest_api:
            return {"target": target}
        return {"rest_url": placement.rest_url, **placement.login.as_props()}
