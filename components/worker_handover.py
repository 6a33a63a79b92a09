"""The change of a stack's workers from one runtime to another, or to dedicated mode.

The old workers have to leave their Connect group before the new ones run connectors: a task that is
assigned to an old worker would look for its secrets where only new workers have them, and two that
know a connector by different names would both replicate. Pulumi deletes what is no longer declared
at the end, so the old workers are stopped here, first. Where the new ones know connectors by other
names, their offsets are moved, and the connectors of the old names are deleted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pulumi
from pulumi.dynamic import (
    CheckFailure,
    CheckResult,
    CreateResult,
    DiffResult,
    Resource,
    UpdateResult,
)

from components.cluster_props import PasswordProvider, cluster_props
from components.progress import reporter
from mirrorstack.connect.config_topic import delete_from_config_topic
from mirrorstack.connect.offset_transfer import ConnectorMove, move_offsets
from mirrorstack.connect.storage import OffsetsLocation
from mirrorstack.findings import Finding
from mirrorstack.mm2.worker_group import ConnectorNaming
from mirrorstack.planning.deployment import ClusterDeployment, FlowDeployment, WorkerDeployment
from mirrorstack.runtimes.registry import stop_workers

COMPARED = ("runtime", "options", "naming", "flows")


class WorkerHandoverProvider(PasswordProvider):
    """Records where the workers run and how they name connectors; when that changes, it stops the
    old ones, and moves offsets."""

    def check(self, olds: dict[str, Any], news: dict[str, Any]) -> CheckResult:
        failures = []
        if olds and "naming" not in olds and news["naming"] != ConnectorNaming.STACK:
            finding = Finding(
                f"the state does not say where the offsets of the workers at {news['target']} are: "
                "an earlier release of Mirrorstack wrote it",
                "run `pulumi up` once without this change, then again with it",
            )
            failures.append(CheckFailure("", str(finding)))
        return CheckResult(news, failures)

    def create(self, props: dict[str, Any]) -> CreateResult:
        return CreateResult(f"{props['target']}-workers", props)

    def diff(self, _id: str, olds: dict[str, Any], news: dict[str, Any]) -> DiffResult:
        return DiffResult(changes=any(olds.get(key) != news.get(key) for key in COMPARED))

    def update(self, _id: str, olds: dict[str, Any], news: dict[str, Any]) -> UpdateResult:
        renamed = "naming" in olds and olds["naming"] != news["naming"]
        if olds["runtime"] != news["runtime"] or renamed:
            stop_workers(olds["runtime"], olds["options"])
        if renamed:
            report = reporter(f"moving offsets of the flows to {news['target']}")
            cluster = self.cluster(news["cluster"])
            move_offsets(cluster, _moves(olds, news), report)
            # Workers of the same group would run them beside those of the new names.
            for flow in olds["flows"].values():
                for connector in flow.get("connectors", ()):
                    delete_from_config_topic(cluster, flow["configs"], connector)
        return UpdateResult(news)


def _moves(olds: Mapping[str, Any], news: Mapping[str, Any]) -> list[ConnectorMove]:
    """Of the flows that were deployed before."""
    return [
        ConnectorMove(
            group=old["group"],
            old=OffsetsLocation(*old["offsets"]),
            new=OffsetsLocation(*new["offsets"]),
            tasks=int(old["tasks"]),
            exactly_once=old["exactly_once"],
            restarted=frozenset(news["new_topics"].get(name, ())),
        )
        for name, new in news["flows"].items()
        if (old := olds["flows"].get(name))
    ]


class WorkerHandover(Resource, module="mirrorstack", name="WorkerHandover"):
    """Before the workers of a target."""

    def __init__(
        self,
        name: str,
        workers: WorkerDeployment,
        flows: Sequence[FlowDeployment],
        target: ClusterDeployment | None,
        opts: pulumi.ResourceOptions,
    ) -> None:
        group = workers.group
        props = {
            "target": group.target,
            "runtime": workers.runtime,
            "options": dict(workers.placement.options),
            "naming": group.naming.value,
            "flows": {
                flow.name: {
                    "group": group.storage_of(flow.source).group,
                    "offsets": [flow.offsets.topic, flow.offsets.connector],
                    "tasks": flow.tasks,
                    "exactly_once": group.exactly_once,
                    "configs": group.storage_of(flow.source).configs_topic,
                    "connectors": [connector.name for connector in flow.connectors],
                }
                for flow in flows
            },
            "new_topics": {flow.name: sorted(flow.new_topics) for flow in flows},
            "cluster": cluster_props(target.mirror, target.mirror_password) if target else None,
        }
        super().__init__(WorkerHandoverProvider(), name, props, opts)
