"""Topics, ACLs and worker groups, derived from the settings and from what the clusters hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mirrorstack.config.clusters import check_factor
from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.settings import StackSettings
from mirrorstack.findings import UserError
from mirrorstack.kafka.acls import Acl
from mirrorstack.kafka.inventory import Inventory
from mirrorstack.kafka.permissions import EffectivePermission
from mirrorstack.mm2.effective_permissions import effective_permissions
from mirrorstack.mm2.replication_policy import HEARTBEATS
from mirrorstack.mm2.required_acls import required_acls
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.target_topics import TargetTopic, compacted, target_topics
from mirrorstack.mm2.worker_group import WorkerGroup
from mirrorstack.planning.flow_resolution import HEARTBEATS_TOPIC, resolve_flow


@dataclass(frozen=True)
class Plan:
    flows: tuple[ResolvedFlow[FlowSettings], ...]
    workers: Mapping[str, WorkerGroup]
    """By target."""
    target_topics: Mapping[str, tuple[TargetTopic, ...]]
    """By flow, in the order of the flow's source topics."""
    internal_topics: Mapping[str, tuple[TargetTopic, ...]]
    """Topics of MM2 and Connect, by cluster."""
    acls: tuple[Acl, ...]
    permissions: Mapping[str, tuple[EffectivePermission, ...]]
    """By cluster: what the ACLs allow on each topic and group by its name."""
    replication_factors: Mapping[str, int]
    """By cluster."""

    def flows_to(self, target: str) -> list[ResolvedFlow[FlowSettings]]:
        return [flow for flow in self.flows if flow.settings.target == target]


def plan(settings: StackSettings, clusters: Mapping[str, Inventory]) -> Plan:
    """Raises a UserError where the settings do not fit what the clusters hold."""
    targets = dict.fromkeys(flow.target for flow in settings.flows)
    workers = {target: settings.worker_group(target) for target in targets}
    flows = tuple(resolve_flow(flow, settings, clusters, workers) for flow in settings.flows)
    factors = {alias: _factor(alias, settings, held) for alias, held in clusters.items()}
    replicated = {
        flow.settings.name: _target_topics(flow, clusters, factors[flow.settings.target])
        for flow in flows
    }
    internal = {
        alias: tuple(_internal_topics(alias, settings.flows, workers, factors[alias]))
        for alias in clusters
    }
    acls = tuple(required_acls(flows, workers.values()))
    return Plan(
        flows=flows,
        workers=workers,
        target_topics=replicated,
        internal_topics=internal,
        acls=acls,
        permissions={
            alias: tuple(effective_permissions(alias, acls, flows, internal[alias]))
            for alias in clusters
        },
        replication_factors=factors,
    )


def _factor(alias: str, settings: StackSettings, held: Inventory) -> int:
    cluster = settings.clusters[alias]
    factor, brokers = cluster.factor(held.brokers), cluster.brokers or held.brokers
    if findings := list(check_factor(alias, factor, brokers)):
        raise UserError.of(findings)
    return factor


def _target_topics(
    flow: ResolvedFlow[FlowSettings], clusters: Mapping[str, Inventory], factor: int
) -> tuple[TargetTopic, ...]:
    source = clusters[flow.settings.source].topics
    return tuple(
        target_topics(
            flow.settings.policy,
            [source.get(topic, HEARTBEATS_TOPIC) for topic in flow.topics],
            factor,
            discovered=flow.discovered,
            synced=flow.settings.sync_configs,
            held=clusters[flow.settings.target].topics,
        )
    )


def _internal_topics(
    alias: str, flows: Iterable[FlowSettings], workers: Mapping[str, WorkerGroup], factor: int
) -> list[TargetTopic]:
    """Compacted, with one partition each, except where Connect uses more."""
    partitions: dict[str, int] = {}
    if alias in workers:
        partitions |= workers[alias].internal_topics
    for flow in flows:
        if alias == (flow.source if flow.offset_syncs == "source" else flow.target):
            partitions[flow.policy.offset_syncs_topic(flow.offset_syncs)] = 1
        if alias == flow.target and flow.groups:
            partitions[flow.policy.checkpoints_topic] = 1
        if alias == flow.target and flow.heartbeats:
            partitions[HEARTBEATS] = 1
    return [compacted(name, count, factor) for name, count in partitions.items()]
