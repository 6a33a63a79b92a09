"""Checks, before connectors are created, that those with offsets of an earlier deployment resume
without a gap."""

from __future__ import annotations

from pathlib import Path

from mirrorstack.changes.resume_check import InspectedCluster, check_resume
from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient, Patience
from mirrorstack.findings import UserError
from mirrorstack.mm2.connector_configs import ConnectorKind, connector_name
from mirrorstack.mm2.flow import Flow
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.plan import Plan

CONNECT_TIMEOUT_SECONDS = 5.0


def check_resumes(plan: Plan, clusters: StackClusters, *, delete_topics: bool) -> None:
    """Raises a UserError for a flow that would resume with a gap."""
    for resolved in plan.flows:
        flow = resolved.settings
        source, target = (
            InspectedCluster(clusters.seen(alias), clusters.topics(alias))
            for alias in (flow.source, flow.target)
        )
        offsets_topic = plan.workers[flow.target].offsets_topic
        if offsets_topic not in target.topics or _is_running(flow, clusters):
            continue
        pairs = zip(resolved.topics, plan.mirrored[flow.name], strict=True)
        kept = {
            topic
            for topic, made in pairs
            if not made.is_new(target.topics, delete_topics=delete_topics)
        }
        check_resume(flow, offsets_topic, kept, source, target)


def _is_running(flow: Flow, clusters: StackClusters) -> bool:
    """Whether Connect has the connector: its changes are then checked by its resource."""
    where = clusters.connect_at(flow.target)
    file = Path(where["credentials_file"])
    if not file.is_file():
        return False
    client = ConnectClient(
        where["rest_url"],
        credentials.load(file),
        timeout=CONNECT_TIMEOUT_SECONDS,
        patience=Patience(seconds=0),
    )
    try:
        return client.config(connector_name(flow, ConnectorKind.SOURCE)) is not None
    except UserError:
        return False
