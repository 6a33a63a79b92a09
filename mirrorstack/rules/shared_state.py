"""Worker groups and internal topics must belong to one stack alone.

Two Connect clusters with one group become one, and each runs the other's connectors; two that keep
their state in one topic overwrite each other's offsets. The offset-syncs and checkpoints topics of
flows are keyed by topic, so stacks may declare that they share these (`acls: shared`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from mirrorstack.findings import Finding, KeyPath
from mirrorstack.rules.rule import Risk, rule
from mirrorstack.rules.subjects import Declaration
from mirrorstack.rules.topology import ClusterKeys, cluster_keys

if TYPE_CHECKING:  # see `subjects`
    from mirrorstack.config.settings import StackSettings


@dataclass(frozen=True)
class Holding:
    """A group or topic on a cluster that must have one holder."""

    holder: str
    cluster: ClusterKeys
    alias: str
    what: str
    flow: str | None
    """The flow that holds it; None for workers."""
    is_shared: bool
    """Whether the stack declares that other stacks use it, too."""
    path: KeyPath
    """Where the stack file declares the holder."""


@rule(
    Declaration,
    id="no-shared-state",
    title="Worker groups and internal topics must belong to one stack alone.",
    reason="Connect clusters with one group run each other's connectors, and overwrite offsets.",
    risk=Risk.CRITICAL,
)
def no_shared_state(declaration: Declaration) -> Iterator[Finding]:
    """Once for each two holders: two stacks, or two targets of a stack."""
    held = [
        *_holdings(declaration.settings, "this stack", is_peer=False),
        *(
            holding
            for name, peer in declaration.peers.items()
            for holding in _holdings(peer, name, is_peer=True)
        ),
    ]
    clashes: dict[tuple[str, str, str], list[Holding]] = {}
    for one, other in combinations(held, 2):
        if one.what != other.what or one.holder == other.holder:
            continue
        if one.cluster & other.cluster and not (one.is_shared and other.is_shared):
            clashes.setdefault((one.alias, one.holder, other.holder), []).append(one)
    for (alias, one_holder, other_holder), both in clashes.items():
        what = ", ".join(each.what for each in both)
        yield Finding(
            f"On {alias}, {what} belong to {one_holder} and to {other_holder}. Two that share a "
            "group run each other's connectors; two that share a topic overwrite each other's "
            "state, and replicate records again or not at all",
            "give one of them another name: `group` under `workers`, or another alias"
            + ("; or set `acls: shared` on the cluster in both stacks" if both[0].flow else ""),
            flow=both[0].flow,
            cluster=alias,
            path=both[0].path,
        )


def _holdings(settings: StackSettings, stack: str, *, is_peer: bool) -> Iterator[Holding]:
    """What a stack holds on its clusters; each target's workers are a holder of their own."""

    def held(
        holder: str, alias: str, *names: str, path: KeyPath, flow: str | None = None
    ) -> Iterator[Holding]:
        for name in names:
            cluster = settings.clusters[alias]
            is_shared = flow is not None and cluster.acls == "shared"
            keys, place = cluster_keys(alias, cluster), ("peers",) if is_peer else path
            yield Holding(holder, keys, alias, name, flow, is_shared, place)

    for target in dict.fromkeys(flow.target for flow in settings.flows):
        group = settings.worker_group(target)
        if not group.is_managed:  # any number of stacks may have connectors on a Connect cluster
            continue
        yield from held(
            f"the workers at {target} of {stack}",
            target,
            *(f"group {name}" for name in group.groups),
            *(f"topic {topic}" for topic in group.internal_topics),
            path=("clusters", target),
        )
    for number, flow in enumerate(settings.flows):
        holder, path = f"{flow.name} of {stack}", ("flows", number)
        syncs_at = flow.source if flow.offset_syncs == "source" else flow.target
        syncs = f"topic {flow.policy.offset_syncs_topic(flow.offset_syncs)}"
        yield from held(holder, syncs_at, syncs, path=path, flow=flow.name)
        if flow.groups:
            checkpoints = f"topic {flow.policy.checkpoints_topic}"
            yield from held(holder, flow.target, checkpoints, path=path, flow=flow.name)


RULES = (no_shared_state,)
