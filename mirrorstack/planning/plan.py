"""Everything that a stack declares, derived from its settings and from what its clusters hold."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mirrorstack.config.clusters import check_factor
from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.settings import StackSettings
from mirrorstack.findings import UserError
from mirrorstack.kafka.acls import Acl
from mirrorstack.kafka.inventory import Inventory, TopicDescription
from mirrorstack.kafka.permissions import EffectivePermission
from mirrorstack.mm2.effective_permissions import effective_permissions
from mirrorstack.mm2.java_regex import compile_java
from mirrorstack.mm2.replication_policy import (
    DEFAULT_TOPICS_EXCLUDE,
    HEARTBEATS,
    Naming,
    is_replicated,
    matches_any,
)
from mirrorstack.mm2.required_acls import required_acls
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.target_topics import TargetTopic, compacted, target_topics
from mirrorstack.mm2.worker_configs import WorkerGroup

PLAIN_NAME = re.compile(r"[\w.-]+")


@dataclass(frozen=True)
class Plan:
    flows: tuple[ResolvedFlow[FlowSettings], ...]
    workers: Mapping[str, WorkerGroup]
    """By target."""
    mirrored: Mapping[str, tuple[TargetTopic, ...]]
    """The topics on the target that a flow writes, by the flow's name."""
    internal: Mapping[str, tuple[TargetTopic, ...]]
    """Topics of MirrorMaker and Connect, by cluster."""
    grants: tuple[Acl, ...]
    rights: Mapping[str, tuple[EffectivePermission, ...]]
    """What the grants come to, by cluster: on each topic and group by its name."""
    factors: Mapping[str, int]
    """The replication factor of topics, by cluster."""

    def mirrored_at(self, alias: str) -> list[TargetTopic]:
        here = [flow.settings.name for flow in self.flows if flow.settings.target == alias]
        return [topic for name in here for topic in self.mirrored[name]]


def plan(settings: StackSettings, clusters: Mapping[str, Inventory]) -> Plan:
    targets = dict.fromkeys(flow.target for flow in settings.flows)
    workers = {target: settings.worker_group(target) for target in targets}
    flows = tuple(_resolve(flow, settings, clusters, workers) for flow in settings.flows)
    factors = {alias: _factor(alias, settings, held) for alias, held in clusters.items()}
    mirrored = {
        flow.settings.name: tuple(
            target_topics(
                flow.settings.policy,
                [_held(clusters[flow.settings.source], topic) for topic in flow.topics],
                factors[flow.settings.target],
                synced=flow.settings.sync_configs,
                held=clusters[flow.settings.target].topics,
            )
        )
        for flow in flows
    }
    internal = {
        alias: tuple(_internal_topics(alias, settings.flows, workers, factors[alias]))
        for alias in clusters
    }
    granted = tuple(required_acls(flows, workers.values()))
    return Plan(
        flows=flows,
        workers=workers,
        mirrored=mirrored,
        internal=internal,
        grants=granted,
        rights={
            alias: tuple(effective_permissions(alias, granted, flows, internal[alias]))
            for alias in clusters
        },
        factors=factors,
    )


def _factor(alias: str, settings: StackSettings, held: Inventory) -> int:
    cluster = settings.clusters[alias]
    factor, brokers = cluster.factor(held.brokers), cluster.brokers or held.brokers
    if findings := list(check_factor(alias, factor, brokers)):
        raise UserError.of(findings)
    return factor


def _resolve(
    flow: FlowSettings,
    settings: StackSettings,
    clusters: Mapping[str, Inventory],
    workers: Mapping[str, WorkerGroup],
) -> ResolvedFlow[FlowSettings]:
    held = dict(clusters[flow.source].topics)
    if any(other.target == flow.source and other.heartbeats for other in settings.flows):
        # This stack makes it there; on the first preview it does not exist yet.
        held.setdefault(HEARTBEATS, HEARTBEATS_TOPIC)
    own = workers[flow.source].internal_topics if flow.source in workers else ()
    topics = [
        topic
        for topic in sorted(held.keys() - set(own))
        if is_replicated(
            flow.policy,
            topic,
            topics=flow.topics,
            excluded=(*DEFAULT_TOPICS_EXCLUDE, *flow.exclude),
            heartbeats=True,
        )
    ]
    _check(flow, topics, settings, clusters[flow.source])
    groups = [
        group
        for group in sorted(clusters[flow.source].groups)
        if matches_any(flow.groups, group) and not matches_any(flow.exclude_groups, group)
    ]
    inspected_as_mirror = not settings.clusters[flow.source].administer
    return ResolvedFlow(flow, tuple(topics), tuple(groups), inspected_as_mirror)


def _check(
    flow: FlowSettings, topics: Sequence[str], settings: StackSettings, source: Inventory
) -> None:
    _check_heartbeats(flow, topics)
    unmatched = [
        pattern
        for pattern in flow.topics
        if not any(compile_java(pattern).fullmatch(topic) for topic in topics)
    ]
    if unmatched:
        _explain_excluded(flow, unmatched, source)
        near = difflib.get_close_matches(unmatched[0], source.topics, n=1)
        raise UserError(
            f"Flow {flow.name}: {', '.join(unmatched)} matches no topic on {flow.source} that can "
            f"be mirrored and that {source.principal} may see.",
            (f"did you mean `{near[0]}`? " if near else "")
            + "create it, or correct the stack file"
            + ("" if settings.clusters[flow.source].administer else _ask_the_owner(flow, source)),
        )


def _check_heartbeats(flow: FlowSettings, topics: Sequence[str]) -> None:
    # What is named and not there yet would be refused as soon as it is.
    named = dict.fromkeys((*topics, *(name for name in flow.topics if PLAIN_NAME.fullmatch(name))))
    renamed = [name for name in named if name.endswith(HEARTBEATS) and name != HEARTBEATS]
    if flow.naming is Naming.IDENTITY and renamed:
        raise UserError(
            f"Flow {flow.name}: under identity naming MirrorMaker takes {', '.join(renamed)} for "
            "heartbeats, because the name ends so, and gives it the source's prefix.",
            "exclude it, rename it, or use prefixed naming",
        )


def _explain_excluded(flow: FlowSettings, unmatched: Sequence[str], source: Inventory) -> None:
    """A topic that is there and left out is no topic that is not there."""
    for pattern in unmatched:
        there = [topic for topic in source.topics if compile_java(pattern).fullmatch(topic)]
        left_out = [topic for topic in there if matches_any(flow.exclude, topic)]
        if left_out:
            raise UserError(
                f"Flow {flow.name}: all that {pattern} matches on {flow.source} is left out by "
                f"`exclude`: {', '.join(left_out[:5])}.",
                "take it off `topics`, or off `exclude`",
            )
        if there:
            raise UserError(
                f"Flow {flow.name}: MirrorMaker leaves out all that {pattern} matches on "
                f"{flow.source}, {', '.join(there[:5])}: it came from {flow.target}, or is "
                "internal to MirrorMaker, Connect or Kafka.",
                "take it off `topics`",
            )


def _ask_the_owner(flow: FlowSettings, source: Inventory) -> str:
    """What is declared by name or prefix tells the grants before anything can be seen."""
    wanted = [
        g for g in required_acls([ResolvedFlow(flow, (), (), True)], ()) if g.cluster == flow.source
    ]
    commands = "".join(
        f"\n    {g.command(source.principal, source.bootstrap_servers)}" for g in wanted
    )
    return f"; if it is there, its owner must grant what the flow needs:{commands}"


HEARTBEATS_TOPIC = TopicDescription(HEARTBEATS, 1, {"cleanup.policy": "compact"})


def _held(source: Inventory, topic: str) -> TopicDescription:
    return source.topics.get(topic, HEARTBEATS_TOPIC)


def _internal_topics(
    alias: str, flows: Iterable[FlowSettings], workers: Mapping[str, WorkerGroup], factor: int
) -> list[TargetTopic]:
    """One partition each, compacted, except where Connect spreads its state out."""
    wanted: dict[str, int] = {}
    if alias in workers:
        wanted |= workers[alias].internal_topics
    for flow in flows:
        if alias == (flow.source if flow.offset_syncs == "source" else flow.target):
            wanted[flow.policy.offset_syncs_topic(flow.offset_syncs)] = 1
        if alias == flow.target and flow.groups:
            wanted[flow.policy.checkpoints_topic] = 1
        if alias == flow.target and flow.heartbeats:
            wanted[HEARTBEATS] = 1
    return [compacted(name, partitions, factor) for name, partitions in wanted.items()]
