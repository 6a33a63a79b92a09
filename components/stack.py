"""A whole stack: topics, ACLs, workers and flows, in the order in which they need each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi

from components.acls import Acls, AclsArgs
from components.cluster_providers import administered_clusters
from components.connector import ConnectorSource, ConnectorTarget
from components.deployment_record import DeploymentRecord, DeploymentRecordArgs
from components.discovered_topics import DiscoveredTopics, DiscoveredTopicsArgs, TopicCleanup
from components.flow import MirrorFlow, MirrorFlowArgs
from components.permissions import EffectivePermissions, EffectivePermissionsArgs
from components.platforms.strimzi_cluster import OperatedCluster, OperatedClusterArgs
from components.smoke_test import SmokeTest, SmokeTestArgs
from components.topics import Topics, TopicsArgs
from components.workers import ConnectWorkers, ConnectWorkersArgs
from mirrorstack.planning.deployment import Deployment, FlowDeployment


@dataclass(frozen=True, kw_only=True)
class MirrorStackArgs:
    deployment: Deployment
    """From `components.program.prepare`, or from `mirrorstack.planning.preflight`."""


class MirrorStack(pulumi.ComponentResource):
    """Everything that replication needs.

    Use it once in a program: the names of topics and connectors on the clusters follow from the
    settings, and two stacks must not share them.
    """

    flows: pulumi.Output[dict[str, Any]]
    """By flow: the target topics, the connectors, and the topic configs that MM2 owns; all other
    configs are the stack's."""
    acls: pulumi.Output[dict[str, Any]]
    """By cluster: the ACLs of the mirroring principal, or those that its owner must create."""
    internal_topics: pulumi.Output[dict[str, list[str]]]
    """By cluster: the topics that MM2 and Connect keep their state in."""
    connect: pulumi.Output[dict[str, str]]
    """By target: the address of Connect's REST API."""

    def __init__(
        self, name: str, args: MirrorStackArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        deployment = args.deployment
        # Policies read the settings here, and what preflight found: they hold no secret.
        declared = {
            "settings": deployment.settings.declared(),
            "peers": {file: peer.declared() for file, peer in deployment.peers.items()},
            "acl_modes": {
                alias: cluster.acls.mode.value for alias, cluster in deployment.clusters.items()
            },
        }
        super().__init__("mirrorstack:index:MirrorStack", name, declared, opts)
        self._prefix = name
        self._deployment = deployment
        for warning in deployment.warnings:
            pulumi.log.warn(str(warning), self)
        self._administered = administered_clusters(name, deployment.clusters, self)
        record = self._declare_record()
        # Topics and ACLs first: a connector that starts without them is RUNNING and silent.
        acls = self._declare_acls(record)
        internal = self._declare_internal_topics()
        topics = self._declare_target_topics()
        replicated = [(flow.target, topics[flow.name]) for flow in deployment.flows]
        operated = self._declare_operated_clusters(record, [*internal.items(), *replicated])
        discovered = self._declare_discovered_topics()
        created = [*internal.values(), *topics.values(), *operated, *discovered.values()]
        permissions = self._declare_permissions([*acls, *created])
        workers = self._declare_workers(permissions)
        flows = self._declare_flows(workers)
        self._declare_topic_cleanup(flows)
        self._declare_smoke_test(list(flows.values()))
        self.flows = pulumi.Output.from_input(
            {
                flow.name: {
                    "topics": _with_discovered(topics[flow.name].names, flow),
                    "discovered-topics": list(flow.discovered_topics),
                    "connectors": flows[flow.name].connector_names,
                    "synced-configs": list(flow.synced_configs),
                }
                for flow in deployment.flows
            }
        )
        self.acls = pulumi.Output.from_input(
            {alias: cluster.acl_outputs for alias, cluster in deployment.clusters.items()}
        )
        self.internal_topics = pulumi.Output.from_input(
            {
                alias: [topic.name for topic in cluster.internal_topics]
                for alias, cluster in deployment.clusters.items()
            }
        )
        has_url = [each for each in workers if deployment.workers[each].group.has_rest_api]
        urls: dict[str, Any] = {target: workers[target].rest_url for target in has_url}
        self.connect = pulumi.Output.from_input(urls)
        self.register_outputs(
            {
                **declared,
                "flows": self.flows,
                "acls": self.acls,
                "internal_topics": self.internal_topics,
                "connect": self.connect,
            }
        )

    def _options(self, **options: Any) -> pulumi.ResourceOptions:
        return pulumi.ResourceOptions(parent=self, **options)

    def _declare_record(self) -> DeploymentRecord:
        """First: whether removals are intended is checked before anything is changed."""
        args = DeploymentRecordArgs.of(self._deployment)
        return DeploymentRecord(f"{self._prefix}-deployment-record", args, self._options())

    def _declare_acls(self, record: DeploymentRecord) -> list[pulumi.Resource]:
        """After the record, which says whose they are if this deployment is killed."""
        after = pulumi.ResourceOptions(depends_on=[record])
        acls = {alias: self._deployment.clusters[alias].acls for alias in self._administered}
        return [
            Acls(
                f"{self._prefix}-{alias}-acls",
                AclsArgs(
                    cluster=alias,
                    principal=each.principal,
                    acls=each.declared,
                    retained=each.retained,
                ),
                pulumi.ResourceOptions.merge(self._administered[alias], after),
            )
            for alias, each in acls.items()
            if each.declared
        ]

    def _declare_internal_topics(self) -> dict[str, Topics]:
        clusters = self._deployment.clusters
        return {
            alias: Topics(
                f"{self._prefix}-{alias}-internal",
                TopicsArgs(
                    topics=clusters[alias].internal_topics,
                    existing=clusters[alias].existing_topics,
                    keep=not self._deployment.settings.delete_topics,
                    always_kept=clusters[alias].shared_topics,
                    strimzi=clusters[alias].strimzi,
                ),
                options,
            )
            for alias, options in self._administered.items()
        }

    def _declare_target_topics(self) -> dict[str, Topics]:
        return {
            flow.name: Topics(
                f"{self._prefix}-{flow.name}",
                TopicsArgs(
                    topics=flow.target_topics,
                    existing=self._deployment.clusters[flow.target].existing_topics,
                    recreated=flow.recreated_topics,
                    always_kept=flow.shared_topics,
                    keep=not self._deployment.settings.delete_topics,
                    strimzi=self._deployment.clusters[flow.target].strimzi,
                ),
                self._administered[flow.target],
            )
            for flow in self._deployment.flows
        }

    def _declare_operated_clusters(
        self, record: DeploymentRecord, topics: list[tuple[str, Topics]]
    ) -> list[pulumi.Resource]:
        """Where operators create the topics and ACLs. `topics` by cluster."""
        after = pulumi.ResourceOptions(depends_on=[record])
        return [
            OperatedCluster(
                f"{self._prefix}-{alias}-operators",
                OperatedClusterArgs(
                    alias=alias,
                    cluster=cluster.strimzi,
                    acls=cluster.acls,
                    topics=[each for on, each in topics if on == alias],
                ),
                pulumi.ResourceOptions.merge(self._administered[alias], after),
            )
            for alias, cluster in self._deployment.clusters.items()
            if cluster.strimzi
        ]

    def _declare_discovered_topics(self) -> dict[str, DiscoveredTopics]:
        return {
            name: DiscoveredTopics(
                f"{self._prefix}-{name}-discovered-topics", args, self._options()
            )
            for name, args in self._discovered.items()
        }

    def _declare_topic_cleanup(self, flows: Mapping[str, MirrorFlow]) -> None:
        """After the connectors: one that still had the old patterns would recreate the topics."""
        for name, args in self._discovered.items():
            if args.delete_topics:
                options = self._options(depends_on=[flows[name]])
                TopicCleanup(f"{self._prefix}-{name}-topic-cleanup", args, options)

    @property
    def _discovered(self) -> dict[str, DiscoveredTopicsArgs]:
        """By flow with live patterns."""
        clusters = self._deployment.clusters
        return {
            flow.name: DiscoveredTopicsArgs(
                cluster=admin,
                password=clusters[flow.target].admin_password,
                topics=flow.discovered_topics,
                delete_topics=self._deployment.settings.delete_topics,
            )
            for flow in self._deployment.flows
            if flow.is_live and (admin := clusters[flow.target].admin)
        }

    def _declare_permissions(self, after: list[pulumi.Resource]) -> list[pulumi.Resource]:
        return [
            EffectivePermissions(
                f"{self._prefix}-{alias}-permissions",
                EffectivePermissionsArgs(
                    cluster=cluster.mirror,
                    password=cluster.mirror_password,
                    permissions=cluster.permissions,
                ),
                self._options(depends_on=after),
            )
            for alias, cluster in self._deployment.clusters.items()
        ]

    def _declare_workers(self, after: list[pulumi.Resource]) -> dict[str, ConnectWorkers]:
        return {
            target: ConnectWorkers(
                f"{self._prefix}-{target}-workers",
                ConnectWorkersArgs(
                    workers=workers,
                    flows=[flow for flow in self._deployment.flows if flow.target == target],
                    target=self._deployment.clusters[target],
                ),
                self._options(depends_on=after),
            )
            for target, workers in self._deployment.workers.items()
        }

    def _declare_flows(self, workers: Mapping[str, ConnectWorkers]) -> dict[str, MirrorFlow]:
        result: dict[str, MirrorFlow] = {}
        for flow in self._deployment.flows:
            clusters = self._deployment.clusters
            source, target = clusters[flow.source], clusters[flow.target]
            group = self._deployment.workers[flow.target].group
            storage = group.storage_of(flow.source)
            result[flow.name] = MirrorFlow(
                f"{self._prefix}-{flow.name}",
                MirrorFlowArgs(
                    flow=flow,
                    source=ConnectorSource(cluster=source.mirror, password=source.mirror_password),
                    target=ConnectorTarget(
                        cluster=target.mirror,
                        password=target.mirror_password,
                        group=storage.group,
                        configs_topic=storage.configs_topic if group.is_managed else None,
                    ),
                    rest_url=workers[flow.target].rest_url,
                    login=self._deployment.workers[flow.target].placement.login,
                    workers=self._deployment.workers[flow.target],
                ),
                self._options(depends_on=[workers[flow.target]]),
            )
        return result

    def _declare_smoke_test(self, after: list[MirrorFlow]) -> None:
        """Last, and only where the stack file has `smoke-test`."""
        deployment = self._deployment
        if deployment.settings.smoke_test is None:
            return
        SmokeTest(
            f"{self._prefix}-smoke-test",
            SmokeTestArgs(
                stack=deployment.stack,
                settings=deployment.settings,
                directory=deployment.report_directory,
                triggers={flow.name: sorted(flow.partitions) for flow in deployment.flows},
            ),
            self._options(depends_on=after),
        )


def _with_discovered(
    names: pulumi.Output[list[str]], flow: FlowDeployment
) -> pulumi.Output[list[str]]:
    return names.apply(lambda declared: [*declared, *flow.discovered_topics])
