"""What belongs to one stack alone: worker groups, and the topics in which MirrorMaker keeps state.

Two Connect clusters with one group become one, and each runs the other's connectors; two that keep
their state in one topic overwrite each other's offsets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from mirrorstack.findings import Finding, KeyPath
from mirrorstack.mm2.key_values import list_items
from mirrorstack.rules.topology import Keys, keys_of

if TYPE_CHECKING:
    from mirrorstack.config.settings import StackSettings

STATE_TOPICS = ("config.storage.topic", "offset.storage.topic", "status.storage.topic")


@dataclass(frozen=True)
class Holding:
    """Something on a cluster that must have one holder."""

    holder: str
    cluster: Keys
    alias: str
    what: str
    flow: str | None
    """The flow that holds it; None for workers."""
    path: KeyPath
    """Where the stack file declares the holder."""


def holdings(settings: StackSettings, stack: str, *, is_peer: bool) -> Iterator[Holding]:
    """What a stack holds on its clusters; each target's workers are a holder of their own."""

    def held(
        holder: str, alias: str, *names: str, path: KeyPath, flow: str | None = None
    ) -> Iterator[Holding]:
        for name in names:
            keys = keys_of(alias, settings.clusters[alias])
            yield Holding(holder, keys, alias, name, flow, ("peers",) if is_peer else path)

    for target in dict.fromkeys(flow.target for flow in settings.flows):
        group = settings.worker_group(target)
        topics = [f"topic {topic}" for topic in group.internal_topics]
        yield from held(
            f"the workers at {target} of {stack}",
            target,
            f"group {group.group}",
            *topics,
            path=("clusters", target),
        )
    for number, flow in enumerate(settings.flows):
        at: KeyPath = ("flows", number)
        who = f"{flow.name} of {stack}"
        syncs_at = flow.source if flow.offset_syncs == "source" else flow.target
        syncs = f"topic {flow.policy.offset_syncs_topic(flow.offset_syncs)}"
        yield from held(who, syncs_at, syncs, path=at, flow=flow.name)
        if flow.groups:
            checkpoints = f"topic {flow.policy.checkpoints_topic}"
            yield from held(who, flow.target, checkpoints, path=at, flow=flow.name)


def shared(settings: StackSettings, peers: Mapping[str, StackSettings]) -> Iterator[Finding]:
    """What two stacks, or two targets of a stack, both hold; once for each two holders."""
    held = [
        *holdings(settings, "this stack", is_peer=False),
        *(each for name, peer in peers.items() for each in holdings(peer, name, is_peer=True)),
    ]
    clashes: dict[tuple[str, str, str], list[Holding]] = {}
    for one, other in combinations(held, 2):
        if one.what == other.what and one.holder != other.holder and one.cluster & other.cluster:
            clashes.setdefault((one.alias, one.holder, other.holder), []).append(one)
    for (alias, one_holder, other_holder), both in clashes.items():
        what = ", ".join(each.what for each in both)
        yield Finding(
            f"On {alias}, {what} belong to {one_holder} and to {other_holder}. "
            "Two that share a group run each other's connectors; two that share a topic "
            "overwrite each other's state, and mirror records again or not at all.",
            "give one of them a name of its own: `group` under `workers`, or another alias",
            flow=both[0].flow,
            cluster=alias,
            path=both[0].path,
        )


def mixed_workers(workers: Sequence[tuple[str, Mapping[str, str]]]) -> Iterator[Finding]:
    """Workers of one cluster: one group has one set of topics, and no other group has them."""
    for (name, one), (other_name, other) in combinations(workers, 2):
        if not set(_addresses(one)) & set(_addresses(other)):
            continue
        group, other_group = one.get("group.id"), other.get("group.id")
        mixed = [
            f"their {key} is {one.get(key)} and {other.get(key)}"
            for key in STATE_TOPICS
            if (one.get(key) == other.get(key)) != (group == other_group)
        ]
        if mixed:
            yield Finding(
                f"Workers {name} and {other_name}: their group.id is {group} and {other_group}, "
                f"and {', '.join(mixed)}. Workers of a group must keep their state together, and "
                "two groups must keep it apart.",
                "give each group topics of its own, and the same to all of its workers",
                path=("group.id",),
            )


def _addresses(worker: Mapping[str, str]) -> tuple[str, ...]:
    return list_items(worker.get("bootstrap.servers", "").lower())
