"""A whole stack: topics, grants, workers and flows, in the order in which one needs the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pulumi

from components.acls import Acls, AclsArgs
from components.deployment_record import DeploymentRecord, DeploymentRecordArgs
from components.flow import MirrorFlow, MirrorFlowArgs
from components.kafka_provider import kafka_provider
from components.permissions import EffectivePermissions
from components.smoke_test import SmokeTest
from components.topics import Topics, TopicsArgs
from components.workers import ConnectWorkers, ConnectWorkersArgs
from mirrorstack.config.clusters import Role
from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.settings import StackSettings
from mirrorstack.mm2.connector_configs import connector_configs
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.plan import Plan, plan
from mirrorstack.planning.preview_warnings import (
    copies_that_would_be_doubled,
    doubts,
    rings,
    shared_grants,
)
from mirrorstack.planning.resume import check_resumes
from mirrorstack.verify.request import VerifyRequest, report_directory


@dataclass(frozen=True, kw_only=True)
class MirrorStackArgs:
    settings: StackSettings
    """What a stack file declares: `config.settings.parse` makes it from a dictionary."""
    passwords: Mapping[str, str] = field(default_factory=dict, repr=False)
    """By key, `<alias>-<role>-password`, for clusters outside of sandboxes."""
    peers: Mapping[str, StackSettings] = field(default_factory=dict)
    """By file, the stacks that `settings.peers` names; policies look at all of them together."""


class MirrorStack(pulumi.ComponentResource):
    """Everything that replication needs, derived from settings and from what the clusters hold.

    Name it once per program: the names of topics and connectors on the clusters follow from the
    settings, and two stacks must not share them.
    """

    flows: pulumi.Output[dict[str, Any]]
    """By flow: the topics on the target, the connectors, and the topics' configs that MirrorMaker
    owns; all others are the stack's."""
    grants: pulumi.Output[dict[str, Any]]
    """By cluster: what the mirroring principal is granted, or what its owner must grant."""
    internal_topics: pulumi.Output[dict[str, list[str]]]
    """By cluster: what MirrorMaker and Connect keep their state in."""
    connect: pulumi.Output[dict[str, str]]
    """By target: Connect's REST address."""

    def __init__(
        self, name: str, args: MirrorStackArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        # Policies read the settings here: they hold no secret.
        declared = {
            "settings": args.settings.declared(),
            "peers": {file: peer.declared() for file, peer in args.peers.items()},
        }
        super().__init__("mirrorstack:index:MirrorStack", name, declared, opts)
        self._prefix = name
        self._settings = args.settings
        self._clusters = StackClusters(args.settings, pulumi.get_stack(), args.passwords)
        held = self._clusters.inventories()
        self._plan: Plan = plan(args.settings, held)
        doubled = copies_that_would_be_doubled(self._plan, held, self._clusters.with_records)
        shared = shared_grants(self._clusters.granted_before(self._plan.grants))
        turning = rings(args.settings, args.peers)
        for doubt in (*turning, *doubts(args.settings, held), *doubled, *shared):
            pulumi.log.warn(doubt, self)
        self._clusters.check_groups(self._plan.workers)
        check_resumes(self._plan, self._clusters, delete_topics=args.settings.delete_topics)
        self._administered = {
            alias: self._options(providers=[self._kafka(alias)])
            for alias, cluster in args.settings.clusters.items()
            if cluster.administer
        }
        # Before anything is changed: whether what leaves is meant to.
        noted = DeploymentRecordArgs.of(self._plan, args.settings, self._clusters)
        DeploymentRecord(f"{name}-deployment-record", noted, self._options())
        # Topics and rights first: a connector that starts without them is RUNNING and silent.
        granted = self._make_grants()
        internal = self._make_internal()
        mirrored = self._make_mirrored()
        ready = self._see_rights([*granted, *internal, *mirrored.values()])
        workers = self._make_workers(ready)
        flows = self._make_flows(workers)
        self._verify(args, flows)
        self.flows = pulumi.Output.from_input(
            {
                each.name: {
                    "topics": mirrored[each.name].names,
                    "connectors": flows[each.name].connector_names,
                    "configs-of-mirrormaker": list(each.sync_configs),
                }
                for each in args.settings.flows
            }
        )
        self.grants = pulumi.Output.from_input(
            {
                alias: self._clusters.granted(alias, self._plan.grants)
                for alias in args.settings.clusters
            }
        )
        self.internal_topics = pulumi.Output.from_input(
            {alias: [topic.name for topic in held] for alias, held in self._plan.internal.items()}
        )
        self.connect = pulumi.Output.all(
            **{target: group.rest_url for target, group in workers.items()}
        )
        self.register_outputs(
            {
                **declared,
                "flows": self.flows,
                "grants": self.grants,
                "internal_topics": self.internal_topics,
                "connect": self.connect,
            }
        )

    def _verify(self, args: MirrorStackArgs, flows: Mapping[str, MirrorFlow]) -> None:
        """Last of all, and only where the stack file asks for it."""
        if args.settings.smoke_test is None:
            return
        stack = pulumi.get_stack()
        SmokeTest(
            f"{self._prefix}-smoke-test",
            VerifyRequest(
                stack=stack,
                settings=args.settings.declared(),
                passwords=args.passwords,
                directory=str(report_directory(stack)),
            ),
            {flow.settings.name: list(flow.topics) for flow in self._plan.flows},
            self._options(depends_on=list(flows.values())),
        )

    def _options(self, **options: Any) -> pulumi.ResourceOptions:
        return pulumi.ResourceOptions(parent=self, **options)

    def _kafka(self, alias: str) -> pulumi.ProviderResource:
        connection = self._clusters.connection(alias, Role.ADMIN)
        return kafka_provider(f"{self._prefix}-kafka-{alias}", connection, self._options())

    def _make_grants(self) -> list[pulumi.Resource]:
        return [
            Acls(
                f"{self._prefix}-{alias}-grants",
                AclsArgs(
                    principal=self._clusters.connection(alias, Role.MIRROR).username,
                    grants=[grant for grant in self._plan.grants if grant.cluster == alias],
                ),
                options,
            )
            for alias, options in self._administered.items()
        ]

    def _make_internal(self) -> list[pulumi.Resource]:
        return [
            Topics(
                f"{self._prefix}-{alias}-internal",
                TopicsArgs(
                    topics=self._plan.internal[alias],
                    existing=self._clusters.topics(alias),
                    keep=not self._settings.delete_topics,
                ),
                options,
            )
            for alias, options in self._administered.items()
        ]

    def _make_mirrored(self) -> dict[str, Topics]:
        return {
            flow.settings.name: Topics(
                f"{self._prefix}-{flow.settings.name}",
                TopicsArgs(
                    topics=self._plan.mirrored[flow.settings.name],
                    existing=self._clusters.topics(flow.settings.target),
                    keep=not self._settings.delete_topics,
                ),
                self._administered[flow.settings.target],
            )
            for flow in self._plan.flows
        }

    def _see_rights(self, made: list[pulumi.Resource]) -> list[pulumi.Resource]:
        return [
            EffectivePermissions(
                f"{self._prefix}-{alias}-rights",
                self._clusters.cluster(alias, Role.MIRROR),
                rights,
                self._options(depends_on=made),
            )
            for alias, rights in self._plan.rights.items()
        ]

    def _make_workers(self, ready: list[pulumi.Resource]) -> dict[str, ConnectWorkers]:
        return {
            target: ConnectWorkers(
                f"{self._prefix}-{target}-workers",
                ConnectWorkersArgs(
                    group=group,
                    settings=self._settings.workers_at(target),
                    target=self._clusters.mirror(target, at=target),
                    replication_factor=self._plan.factors[target],
                    rest_port=self._clusters.rest_port(target),
                    directory=self._clusters.worker_directory(target),
                    passwords=self._clusters.passwords_at(target),
                    up_soon=self._settings.is_sandboxed,
                ),
                self._options(depends_on=ready),
            )
            for target, group in self._plan.workers.items()
        }

    def _make_flows(self, workers: Mapping[str, ConnectWorkers]) -> dict[str, MirrorFlow]:
        result: dict[str, MirrorFlow] = {}
        for flow in self._plan.flows:
            source, target, name = flow.settings.source, flow.settings.target, flow.settings.name
            result[name] = MirrorFlow(
                f"{self._prefix}-{name}",
                MirrorFlowArgs(
                    connectors=connector_configs(
                        flow.settings,
                        self._clusters.mirror(source, at=target),
                        self._clusters.mirror(target, at=target),
                        flow.topics,
                        self._plan.factors[target],
                    ),
                    state=flow.settings.state,
                    source=self._clusters.cluster(source, Role.MIRROR),
                    rest_url=workers[target].rest_url,
                    credentials_file=workers[target].credentials_file,
                    partitions=self._clusters.partitions(source, flow.topics),
                    fresh=self._fresh(flow),
                    with_records=self._clusters.with_records(source, flow.topics),
                ),
                self._options(depends_on=[workers[target]]),
            )
        return result

    def _fresh(self, flow: ResolvedFlow[FlowSettings]) -> list[str]:
        """Topics whose copies are about to be made, or made anew with fewer partitions."""
        there, deletes = self._clusters.topics(flow.settings.target), self._settings.delete_topics
        copies = zip(flow.topics, self._plan.mirrored[flow.settings.name], strict=True)
        return [topic for topic, copy in copies if copy.is_new(there, delete_topics=deletes)]
