"""Checks for workers that get their connectors from their own configuration: MirrorMaker in
dedicated mode, and Strimzi's.

Nothing can stop one of their connectors, and change its offsets meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mirrorstack.config.flows import FlowSettings
from mirrorstack.findings import Finding
from mirrorstack.mm2.connector_configs import TopicSelection
from mirrorstack.mm2.dedicated.config import flow_keys
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.worker_group import ConnectorNaming
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.plan import Plan
from mirrorstack.planning.previous_state import PreviousState
from mirrorstack.text import and_more


def self_configured_findings(
    plan: Plan, clusters: StackClusters, previous: PreviousState, *, delete_topics: bool
) -> Iterator[Finding]:
    for target, group in plan.workers.items():
        for flow in plan.flows_to(target):
            if group.naming is ConnectorNaming.DEDICATED:
                yield from conflicting_overrides(flow, plan.replication_factors)
            # What other workers had moves along with their offsets, without these topics.
            if not group.has_rest_api and previous.names_connectors_as(group):
                yield from stale_offsets(flow, plan, clusters, delete_topics=delete_topics)


def conflicting_overrides(
    resolved: ResolvedFlow[FlowSettings], factors: Mapping[str, int]
) -> Iterator[Finding]:
    """Keys of dedicated mode that two connectors of a flow would need with different values."""
    flow = resolved.settings
    _keys, conflicts = flow_keys(flow, TopicSelection.of(resolved), factors)
    for each in conflicts:
        yield Finding(
            f"Flow {flow.name}: {each.key} is {each.value} for the {each.kind} connector and "
            f"{each.used} for the {each.used_by} connector. In dedicated mode all three connectors "
            "get one value.",
            f"set it to the same value under `override.{each.kind}` and "
            f"`override.{each.used_by}`; or use `mode: connect` under "
            f"`mirrorstack:workers.{flow.target}`",
            flow=flow.name,
        )


def stale_offsets(
    resolved: ResolvedFlow[FlowSettings],
    plan: Plan,
    clusters: StackClusters,
    *,
    delete_topics: bool,
) -> Iterator[Finding]:
    """Topics whose target topics are about to be created, and that have offsets all the same: the
    connector would resume there, and leave a gap."""
    flow = resolved.settings
    existing, offsets = clusters.topics(flow.target), plan.workers[flow.target].offsets_of(flow)
    new = {
        topic
        for topic, target in zip(resolved.topics, plan.target_topics[flow.name], strict=True)
        if target.is_new(existing, delete_topics=delete_topics)
    }
    held = clusters.connect_offsets(flow.target, offsets)
    if stale := sorted(new & {partition.topic for partition in held}):
        yield Finding(
            f"Flow {flow.name}: the target topics of {and_more(stale)} would be created, but "
            f"{offsets.connector} has offsets of an earlier one: it would resume there and leave a "
            "gap. Without Connect's REST API nothing can reset them.",
            f"deploy once with Connect workers, which reset them: set `mode: connect` under "
            f"`mirrorstack:workers.{flow.target}` (and no `runtime: strimzi`), and run "
            "`pulumi up --refresh --run-program`",
            flow=flow.name,
            topic=stale[0],
        )
