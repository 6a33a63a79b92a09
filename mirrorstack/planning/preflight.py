"""Everything that is checked and read before anything is declared.

Preflight talks to the clusters and raises one UserError where the deployment must not go on. It
writes nothing, so a preview leaves no trace on the machine or the clusters.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mirrorstack.changes.diff import record_stack
from mirrorstack.config.clusters import Role
from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.settings import StackSettings
from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient, RetryPolicy
from mirrorstack.findings import Finding, UserError
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.local.polling import poll_until
from mirrorstack.mm2.connector_configs import ConnectorKind, connector_configs, connector_name
from mirrorstack.mm2.flow import Flow
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.worker_configs import WorkerGroup, worker_config
from mirrorstack.planning import preview_warnings
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.connections import fingerprint, password_reference
from mirrorstack.planning.deployment import (
    ClusterDeployment,
    Deployment,
    FlowDeployment,
    RecordContent,
    WorkerDeployment,
)
from mirrorstack.planning.plan import Plan, plan
from mirrorstack.planning.previous_state import PreviousState
from mirrorstack.planning.resume import check_resumes
from mirrorstack.runtimes.base import Runtime, WorkerPlacement
from mirrorstack.runtimes.registry import create_runtime

# The brokers wait ten seconds for a Connect worker that left without saying so.
LEAVING_SECONDS = 15.0
CONNECT_SECONDS = 5.0
NOTHING = PreviousState()


def preflight(
    settings: StackSettings,
    clusters: StackClusters,
    *,
    stack: str,
    home: Path,
    previous: PreviousState = NOTHING,
    peers: Mapping[str, StackSettings] = MappingProxyType({}),
) -> Deployment:
    """What the stack declares; raises a UserError if it must not be deployed.

    `home` is the directory for the files that Mirrorstack keeps on this machine.
    """
    return _Preflight(settings, clusters, stack, home, previous, peers).deployment()


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
    ) -> None:
        self._settings = settings
        self._clusters = clusters
        self._stack = stack
        self._home = home
        self._previous = previous
        self._peers = peers
        self._inventories = clusters.inventories()
        self._plan: Plan = plan(settings, self._inventories)
        names = {target: settings.workers_at(target).runtime for target in self._plan.workers}
        created = {name: create_runtime(name, stack, home) for name in sorted(set(names.values()))}
        self._runtimes: dict[str, Runtime] = {target: created[names[target]] for target in names}
        self._placements: dict[str, WorkerPlacement] = {
            target: runtime.place_workers(
                target, settings.workers_at(target), previous.workers.get(target)
            )
            for target, runtime in self._runtimes.items()
        }

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
            clusters={alias: self._cluster(alias) for alias in self._settings.clusters},
            workers={target: self._worker(group) for target, group in self._plan.workers.items()},
            flows=tuple(self._flow(flow) for flow in self._plan.flows),
            record=self._record(),
            report_directory=str(self._home / "verify" / self._stack),
            warnings=warnings,
        )

    def _check(self) -> None:
        for group in self._plan.workers.values():
            self._check_group_is_unused(group)
        check_resumes(
            self._plan,
            self._clusters,
            delete_topics=self._settings.delete_topics,
            is_deployed=self._is_deployed,
        )

    def _warnings(self) -> Iterator[Finding]:
        yield from preview_warnings.cycles_between_flows(self._settings, self._peers)
        yield from preview_warnings.unmatched_groups(self._settings, self._inventories)
        yield from preview_warnings.missing_brokers(self._settings, self._inventories)
        yield from preview_warnings.target_topics_with_records(
            self._plan, self._inventories, self._clusters.with_records
        )
        if not any(self._has_workers(group) for group in self._plan.workers.values()):
            # The stack was not deployed yet, so ACLs that exist are somebody else's.
            for alias, cluster in self._settings.clusters.items():
                if cluster.administer:
                    existing = self._clusters.existing_acls(alias, self._acls(alias))
                    yield from preview_warnings.existing_acls(alias, existing)

    def _has_workers(self, group: WorkerGroup) -> bool:
        deployed = self._previous.workers_of(group.target, group.group)
        return self._runtimes[group.target].is_deployed(deployed)

    def _check_group_is_unused(self, group: WorkerGroup) -> None:
        """Workers of another stack in the same Connect group would take over its connectors."""
        if self._has_workers(group):
            return
        # Workers that have just ended, as after a destroy, are members for a moment longer.
        poll_until(
            lambda: not self._clusters.has_members(group.target, group.group),
            deadline=time.monotonic() + LEAVING_SECONDS,
            on_timeout=lambda: UserError(
                f"The Connect group {group.group} on {group.target} has members that are not "
                f"workers of the stack {self._stack}: they would share connectors and offsets.",
                f"set another `group` under `mirrorstack:workers.{group.target}`, and make sure "
                "that the two do not replicate the same topics",
                cluster=group.target,
                path=("workers", group.target, "group"),
            ),
        )

    def _is_deployed(self, flow: Flow) -> bool:
        """Whether the flow's source connector runs already: then a change of it is checked by its
        resource. By the stack's state, unless Connect answers that it does not exist."""
        name = connector_name(flow, ConnectorKind.SOURCE)
        if name not in self._previous.connectors:
            return False
        placement = self._placements[flow.target]
        file = placement.credentials_file
        if file is not None and not file.is_file():
            return True
        client = ConnectClient(
            placement.rest_url,
            credentials.load(file) if file else None,
            timeout=CONNECT_SECONDS,
            retries=RetryPolicy(seconds=0),
        )
        try:
            return client.config(name) is not None
        except UserError:  # it cannot be asked now
            return True

    def _acls(self, alias: str) -> tuple[Any, ...]:
        return tuple(acl for acl in self._plan.acls if acl.cluster == alias)

    def _cluster(self, alias: str) -> ClusterDeployment:
        administer = self._settings.clusters[alias].administer
        mirror = self._clusters.cluster(alias, Role.MIRROR)
        ca_path = mirror.connection.ca_path
        return ClusterDeployment(
            mirror=mirror,
            mirror_password=password_reference(self._settings, alias, Role.MIRROR),
            admin=self._clusters.cluster(alias, Role.ADMIN) if administer else None,
            ca_certificates=ca_path.read_text() if ca_path else None,
            acls=self._acls(alias),
            permissions=self._plan.permissions[alias],
            internal_topics=self._plan.internal_topics[alias],
            existing_topics=frozenset(self._clusters.topics(alias)),
        )

    def _worker(self, group: WorkerGroup) -> WorkerDeployment:
        target = group.target
        settings, placement = self._settings.workers_at(target), self._placements[target]
        factor = self._plan.replication_factors[target]
        access = self._access(target, at=target)
        sources = [flow.source for flow in self._settings.flows if flow.target == target]
        # No more passwords than the flows of these workers need.
        aliases = list(dict.fromkeys([target, *sources]))
        return WorkerDeployment(
            group=group,
            runtime=settings.runtime,
            placement=placement,
            configs=tuple(worker_config(group, access, url, factor) for url in placement.rest_urls),
            heap_mb=settings.heap_mb,
            quick_start=self._settings.is_sandboxed,
            passwords={
                alias: password_reference(self._settings, alias, Role.MIRROR) for alias in aliases
            },
            password_fingerprint=fingerprint(
                {alias: self._clusters.connection(alias, Role.MIRROR).password for alias in aliases}
            ),
        )

    def _access(self, alias: str, *, at: str) -> ClientAccess:
        """How the workers next to `at` reach a cluster: the password is a reference."""
        reference = self._runtimes[at].secret_reference(at, alias)
        return self._clusters.connection(alias, Role.MIRROR).access(alias, reference)

    def _flow(self, resolved: ResolvedFlow[FlowSettings]) -> FlowDeployment:
        flow = resolved.settings
        existing, created = self._clusters.topics(flow.target), self._plan.target_topics[flow.name]
        deletes = self._settings.delete_topics
        return FlowDeployment(
            name=flow.name,
            source=flow.source,
            target=flow.target,
            state=flow.state,
            connectors=tuple(
                connector_configs(
                    flow,
                    self._access(flow.source, at=flow.target),
                    self._access(flow.target, at=flow.target),
                    resolved.topics,
                    self._plan.replication_factors[flow.target],
                )
            ),
            target_topics=created,
            synced_configs=tuple(flow.sync_configs),
            partitions=self._clusters.partitions(flow.source, resolved.topics),
            fresh=tuple(
                topic
                for topic, target_topic in zip(resolved.topics, created, strict=True)
                if target_topic.is_new(existing, delete_topics=deletes)
            ),
            with_records=self._clusters.with_records(flow.source, resolved.topics),
        )

    def _record(self) -> RecordContent:
        offsets = {target: group.offsets_topic for target, group in self._plan.workers.items()}
        recorded = record_stack(
            self._plan.flows,
            self._plan.target_topics,
            offsets,
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
            spans={
                name: self._clusters.spans(flow.settings.source, flow.topics)
                for name, flow in flows.items()
            },
        )

    def _connect_of(self, target: str) -> dict[str, str]:
        placement = self._placements[target]
        file = placement.credentials_file
        return {
            "rest_url": placement.rest_url,
            **({"credentials_file": str(file)} if file else {}),
        }
