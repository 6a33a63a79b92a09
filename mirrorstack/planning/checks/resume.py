"""Checks, before connectors are created, that those with offsets of an earlier deployment resume
without a gap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mirrorstack.changes.resume_check import InspectedCluster, check_resume
from mirrorstack.findings import UserError
from mirrorstack.mm2.flow import Flow
from mirrorstack.mm2.worker_group import ConnectorNaming, WorkerGroup
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.plan import Plan

HOW = {
    ConnectorNaming.STACK: "with Connect workers (`mode: connect`)",
    ConnectorNaming.DEDICATED: "in dedicated mode (`mode: dedicated`)",
    ConnectorNaming.STRIMZI: "with `runtime: strimzi`",
}


def check_resumes(
    plan: Plan,
    clusters: StackClusters,
    *,
    delete_topics: bool,
    is_deployed: Callable[[Flow], bool],
) -> None:
    """Raises a UserError for a flow that would resume with a gap.

    `is_deployed`: whether a flow's source connector exists; its resource checks changes of it.
    """
    for resolved in plan.flows:
        flow = resolved.settings
        source, target = (
            InspectedCluster(clusters.seen(alias), clusters.topics(alias))
            for alias in (flow.source, flow.target)
        )
        if is_deployed(flow):
            continue
        pairs = zip(resolved.topics, plan.target_topics[flow.name], strict=True)
        kept = {
            topic
            for topic, made in pairs
            if not made.is_new(target.topics, delete_topics=delete_topics)
        }
        group = plan.workers[flow.target]
        if last := clusters.connect_offsets(flow.target, group.offsets_of(flow)):
            check_resume(flow, last, kept, source, target)
        elif kept:
            _check_other_names(flow, group, clusters)


def _check_other_names(flow: Flow, group: WorkerGroup, clusters: StackClusters) -> None:
    """Offsets of an earlier deployment, whose workers knew the connector by another name."""
    for naming in ConnectorNaming:
        other = replace(group, naming=naming).offsets_of(flow)
        if naming is not group.naming and clusters.connect_offsets(flow.target, other):
            raise UserError(
                f"Flow {flow.name} was deployed {HOW[naming]} before, and then destroyed: its "
                f"offsets are in {other.topic} on {flow.target}, under {other.connector}. The "
                "connector would not find them there, and replicate all records again.",
                f"deploy it {HOW[naming]} once, and then change it, which moves the offsets; or "
                f"delete its target topics on {flow.target}, to replicate from earliest",
                flow=flow.name,
                cluster=flow.target,
            )
