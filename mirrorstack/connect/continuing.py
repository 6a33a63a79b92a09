"""Before a connector is made of which Connect may still have offsets: whether its copies are those
that it wrote."""

from __future__ import annotations

from pathlib import Path

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient, Patience
from mirrorstack.kafka.stack import StackClusters
from mirrorstack.model.clusters import Role
from mirrorstack.model.connectors import Kind
from mirrorstack.model.continuing import check_copies
from mirrorstack.model.grants import ResolvedFlow
from mirrorstack.model.plan import Plan
from mirrorstack.problem import Problem

ASKING_SECONDS = 5.0


def check_continuing(plan: Plan, clusters: StackClusters, *, deletes: bool) -> None:
    """Raises a Problem where it would leave a gap; `deletes` as the stack file's delete-topics."""
    for flow in plan.flows:
        settings = flow.settings
        there = clusters.topics(settings.target)
        if plan.workers[settings.target].offsets_topic not in there or _is_made(flow, clusters):
            continue
        at = settings.source if settings.offset_syncs == "source" else settings.target
        syncs = settings.policy.offset_syncs_topic(settings.offset_syncs)
        if syncs not in clusters.topics(at):
            continue
        kept = {
            copy.name: there[copy.name].partitions
            for copy in plan.mirrored[settings.name]
            if not copy.is_new(there, deletes=deletes)
        }
        # A stack administers its targets, and any cluster that it keeps offset-syncs on.
        ends = clusters.cluster(settings.target, Role.ADMIN).ends(kept)
        check_copies(flow, clusters.cluster(at, Role.ADMIN).noted_offsets(syncs), ends)


def _is_made(flow: ResolvedFlow, clusters: StackClusters) -> bool:
    """Where Connect has it, it is a matter of changes, which its resource looks at."""
    where = clusters.connect_at(flow.settings.target)
    file = Path(where["credentials_file"])
    if not file.is_file():
        return False
    client = ConnectClient(
        where["rest_url"],
        credentials.load(file),
        timeout=ASKING_SECONDS,
        patience=Patience(seconds=0),
    )
    try:
        return client.config(f"{flow.settings.name}-{Kind.SOURCE}") is not None
    except Problem:
        return False
