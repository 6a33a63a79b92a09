"""Everything that is checked and read before anything is declared.

Preflight talks to the clusters and raises one UserError where the deployment must not go on. It
writes nothing, so a preview leaves no trace on the machine or the clusters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from mirrorstack.config.clusters import AclMode, Role
from mirrorstack.config.settings import StackSettings
from mirrorstack.connect.client import RetryPolicy
from mirrorstack.connect.rest_login import Secrets
from mirrorstack.findings import Finding, Severity, UserError
from mirrorstack.kafka.acl_bindings import PrincipalAcls
from mirrorstack.kafka.acls import Operation
from mirrorstack.mm2.connector_configs import ConnectorKind, connector_name, connector_names
from mirrorstack.mm2.flow import Flow
from mirrorstack.mm2.worker_group import WorkerGroup
from mirrorstack.planning import preview_warnings
from mirrorstack.planning.checks.discovery_check import check_discovery
from mirrorstack.planning.checks.groups_in_use import groups_in_use
from mirrorstack.planning.checks.operated_clusters import operated_cluster_findings
from mirrorstack.planning.checks.policy_classes import policy_class_findings
from mirrorstack.planning.checks.resume import check_resumes
from mirrorstack.planning.checks.self_configured import self_configured_findings
from mirrorstack.planning.checks.topic_collisions import topic_collisions
from mirrorstack.planning.cluster_acls import ClusterAclCheck
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.deployment import Deployment
from mirrorstack.planning.deployment_parts import DeploymentParts
from mirrorstack.planning.plan import Plan, plan
from mirrorstack.planning.previous_state import PreviousState
from mirrorstack.rules.keys.overrides import require_valid_overrides
from mirrorstack.runtimes.base import Runtime, TargetCluster, WorkerPlacement
from mirrorstack.runtimes.registry import create_runtime
from mirrorstack.strimzi.strimzi_cluster import StrimziCluster

CONNECT_SECONDS = 5.0
NOTHING = PreviousState()


def no_secret(_key: str) -> str:
    return ""


def preflight(
    settings: StackSettings,
    clusters: StackClusters,
    *,
    stack: str,
    home: Path,
    previous: PreviousState = NOTHING,
    peers: Mapping[str, StackSettings] = MappingProxyType({}),
    report_directory: Path | None = None,
    secret: Secrets = no_secret,
) -> Deployment:
    """What the stack declares; raises a UserError if it must not be deployed.

    `home` is the directory for the files that Mirrorstack keeps on this machine;
    `report_directory` is the one for the reports of the smoke test. `secret` returns what a login
    to a REST API refers to.
    """
    require_valid_overrides(settings)
    checks = _Preflight(settings, clusters, stack, home, previous, peers, secret)
    deployment = checks.deployment()
    return replace(deployment, report_directory=str(report_directory or ""))


class _Preflight:
    """The values that the steps share."""

    def __init__(
        self,
        settings: StackSettings,
        clusters: StackClusters,
        stack: str,
        home: Path,
        previous: PreviousState,
        peers: Mapping[str, StackSettings],
        secret: Secrets,
    ) -> None:
        self._settings = settings
        self._secret = secret
        self._clusters = clusters
        self._stack = stack
        self._previous = previous
        self._peers = peers
        self._deployed: dict[str, bool] = {}
        self._inventories = clusters.inventories()
        self._plan = self._make_plan()
        names = {target: settings.workers_at(target).runtime for target in self._plan.workers}
        created = {name: create_runtime(name, stack, home) for name in sorted(set(names.values()))}
        self._runtimes: dict[str, Runtime] = {target: created[names[target]] for target in names}
        self._placements: dict[str, WorkerPlacement] = {
            target: runtime.place_workers(
                target, settings.workers_at(target), previous.workers_on(target, names[target])
            )
            for target, runtime in self._runtimes.items()
        }
        self._acl_checks = [self._acl_check(alias) for alias in settings.clusters]
        acls = {check.alias: check.acls for check in self._acl_checks}
        self._strimzi = {
            alias: StrimziCluster.of(cluster.strimzi, stack)
            for alias, cluster in settings.clusters.items()
            if cluster.strimzi
        }
        self._parts = DeploymentParts(
            settings, clusters, self._plan, acls, self._runtimes, self._placements, self._strimzi
        )

    def _make_plan(self) -> Plan:
        try:
            return plan(self._settings, self._inventories)
        except UserError as error:
            # Creating a missing topic, as the error advises, may close a cycle.
            cycles = preview_warnings.cycles_between_flows(self._settings, self._peers)
            raise UserError.of([*error.findings, *cycles]) from error

    def _acl_check(self, alias: str) -> ClusterAclCheck:
        cluster = self._settings.clusters[alias]
        mirror = self._clusters.connection(alias, Role.MIRROR)
        return ClusterAclCheck(
            alias=alias,
            settings=cluster,
            principal=mirror.username,
            required=tuple(acl for acl in self._plan.acls if acl.cluster == alias),
            existing=(
                PrincipalAcls()
                if cluster.acl_mode is AclMode.NONE
                else self._clusters.principal_acls(alias)
            ),
            previous=self._previous.acls,
            bootstrap_servers=mirror.bootstrap_servers,
            has_members=lambda group: self._clusters.has_members(alias, group),
        )

    def deployment(self) -> Deployment:
        warnings = tuple(self._warnings())
        try:
            self._check()
        except UserError as error:
            # The warnings may explain the error.
            raise UserError.of([*error.findings, *warnings]) from error
        return Deployment(
            stack=self._stack,
            settings=self._settings,
            peers=self._peers,
            clusters={alias: self._parts.cluster(alias) for alias in self._settings.clusters},
            workers={
                target: self._parts.worker(group) for target, group in self._plan.workers.items()
            },
            flows=tuple(self._parts.flow(flow) for flow in self._plan.flows),
            record=self._parts.record(),
            warnings=warnings,
        )

    @cached_property
    def _policy_findings(self) -> list[Finding]:
        return list(
            policy_class_findings(self._settings, self._plan, self._inventories, self._peers)
        )

    def _check(self) -> None:
        check_discovery(self._plan, self._previous)
        findings = [one for one in self._policy_findings if one.severity is Severity.ERROR]
        findings += topic_collisions(self._plan, self._inventories)
        for group in self._plan.workers.values():
            alias = group.target
            reached = self._settings.reached_from(alias)
            findings += self._runtimes[alias].check_host(self._placements[alias], alias, reached)
            findings += self._check_workers(group)
            findings += groups_in_use(
                group, self._stack, self._clusters.has_members, self._has_workers
            )
        for check in self._acl_checks:
            findings += check.errors()
            findings += operated_cluster_findings(
                self._strimzi.get(check.alias),
                check.acls,
                self._previous,
                check.alias,
                delete_topics=self._settings.delete_topics,
            )
        findings += self_configured_findings(
            self._plan,
            self._clusters,
            self._previous,
            delete_topics=self._settings.delete_topics,
        )
        if findings:
            raise UserError.of(findings)
        check_resumes(
            self._plan,
            self._clusters,
            delete_topics=self._settings.delete_topics,
            is_deployed=self._is_deployed,
        )

    def _warnings(self) -> Iterator[Finding]:
        yield from preview_warnings.cycles_between_flows(self._settings, self._peers)
        yield from (one for one in self._policy_findings if one.severity is Severity.WARNING)
        yield from preview_warnings.unmatched_groups(self._settings, self._inventories)
        yield from preview_warnings.unmatched_patterns(self._plan, self._inventories)
        yield from preview_warnings.wide_acls(self._plan)
        yield from preview_warnings.missing_brokers(self._settings, self._inventories)
        yield from preview_warnings.plain_rest_logins(self._placements)
        yield from preview_warnings.separate_heartbeats(self._plan)
        yield from preview_warnings.target_topics_with_records(
            self._plan, self._inventories, self._clusters.with_records, self._resumes
        )
        for check in self._acl_checks:
            yield from check.warnings()
            if check.acls.mode is AclMode.EXPORTED:
                yield from self._missing_alter(check)

    def _missing_alter(self, check: ClusterAclCheck) -> Iterator[Finding]:
        """Everything else works without it, so its owner may withhold it."""
        alias = check.alias
        existing = self._clusters.topics(alias)
        required = [
            each
            for each in self._plan.permissions[alias]
            if each.operation is Operation.ALTER and each.name in existing
        ]
        missing = self._clusters.missing_permissions(alias, required)
        commands = [
            acl.command(check.principal, check.bootstrap_servers)
            for acl in check.required
            if acl.operation is Operation.ALTER
        ]
        yield from preview_warnings.missing_alter(alias, missing, commands)

    def _check_workers(self, group: WorkerGroup) -> Iterable[Finding]:
        if group.is_managed:
            return ()
        alias = group.target
        target = TargetCluster(
            alias,
            self._inventories[alias].cluster_id,
            group.group,
            self._clusters.has_members(alias, group.group),
            new_connectors=frozenset(
                name
                for flow in self._settings.flows
                if flow.target == alias
                for name in connector_names(flow).values()
            )
            - self._previous.connectors,
            aliases=tuple(self._settings.reached_from(alias)),
        )
        return self._runtimes[alias].check_workers(self._placements[alias], target, self._secret)

    def _has_workers(self, target: str, group: str) -> bool:
        deployed = self._previous.workers_of(target, group)
        return self._runtimes[target].is_deployed(deployed)

    def _resumes(self, flow: Flow) -> bool:
        """Whether the flow's source connector runs already, or has offsets."""
        offsets = self._plan.workers[flow.target].offsets_of(flow)
        return self._is_deployed(flow) or bool(self._clusters.connect_offsets(flow.target, offsets))

    def _is_deployed(self, flow: Flow) -> bool:
        if flow.name not in self._deployed:
            self._deployed[flow.name] = self._has_connector(flow)
        return self._deployed[flow.name]

    def _has_connector(self, flow: Flow) -> bool:
        """Whether the flow's source connector runs already: then a change of it is checked by its
        resource. By the stack's state, unless Connect answers that it does not exist."""
        name = connector_name(flow, ConnectorKind.SOURCE)
        if name not in self._previous.connectors:
            return False
        group, placement = self._plan.workers[flow.target], self._placements[flow.target]
        if not group.has_rest_api or not self._previous.names_connectors_as(group):
            return True  # where the offsets are taken over, they are of no other deployment
        if not placement.login.files_exist:
            return True
        try:
            client = placement.login.client(
                placement.rest_url,
                self._secret,
                timeout=CONNECT_SECONDS,
                retries=RetryPolicy(seconds=0),
            )
            return client.config(name) is not None
        except UserError:  # it cannot be asked now
            return True
