"""Checks, before connectors are created, that those with offsets of an earlier deployment resume
without a gap."""

from __future__ import annotations

from collections.abc import Callable

from mirrorstack.changes.resume_check import InspectedCluster, check_resume
from mirrorstack.mm2.flow import Flow
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.plan import Plan


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
        offsets = plan.workers[flow.target].offsets_of(flow)
        if offsets.topic not in target.topics or is_deployed(flow):
            continue
        pairs = zip(resolved.topics, plan.target_topics[flow.name], strict=True)
        kept = {
            topic
            for topic, made in pairs
            if not made.is_new(target.topics, delete_topics=delete_topics)
        }
        check_resume(flow, offsets, kept, source, target)
