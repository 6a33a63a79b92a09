"""What may be meant so and mostly is not: said at every preview, and refused by nobody."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.settings import StackSettings
from mirrorstack.kafka.acls import Acl
from mirrorstack.kafka.inventory import Inventory
from mirrorstack.mm2.java_regex import compile_java
from mirrorstack.mm2.replication_policy import Naming
from mirrorstack.planning.plan import Plan

SHOWN = 5


def copies_that_would_be_doubled(
    plan: Plan,
    clusters: Mapping[str, Inventory],
    with_records: Callable[[str, list[str]], Collection[str]],
) -> Iterator[str]:
    """`with_records`: which of some topics of a cluster hold any. Where a group has no offsets yet,
    its connectors begin at the beginning, whatever the copies hold."""
    for flow in plan.flows:
        target, group = flow.settings.target, plan.workers[flow.settings.target]
        there = clusters[target].topics
        if group.offsets_topic in there:
            continue
        names = list(flow.target_topics.values())
        held = sorted(with_records(target, [name for name in names if name in there]))
        if held:
            more = f" and {len(held) - SHOWN} more" if len(held) > SHOWN else ""
            yield (
                f"Flow {flow.settings.name}: {', '.join(held[:SHOWN])}{more} on {target} hold "
                f"records already, and the Connect group {group.group} has no offsets there: all "
                "records of the source are sent once more, behind those. If another stack or "
                "MirrorMaker wrote them, do not deploy this: name its group under "
                f"`mirrorstack:workers.{target}`, or mirror to other names."
            )


def shared_grants(before: Mapping[str, Sequence[Acl]]) -> Iterator[str]:
    """`before`: by cluster, what its mirroring principal had before this stack was there."""
    for alias, held in before.items():
        if held:
            more = f" and {len(held) - 1} more" if len(held) > 1 else ""
            yield (
                f"The mirroring principal on {alias} has {held[0].summary}{more} already: of "
                "another stack, made by hand, or of a deployment that did not end. A `pulumi "
                "destroy` of this stack takes that away from all of them; give each stack a "
                f"principal of its own, `principals.mirror` under `mirrorstack:clusters.{alias}`."
            )


def rings(settings: StackSettings, peers: Mapping[str, StackSettings]) -> Iterator[str]:
    """The policy pack refuses them; who deploys without it is to know, too."""
    flows = [flow for each in (settings, *peers.values()) for flow in each.flows]
    if not any(flow.naming is Naming.IDENTITY for flow in flows):
        return
    # To compare patterns takes a library that takes a quarter of a second to come.
    from mirrorstack.rules.cycles import no_replication_cycles
    from mirrorstack.rules.subjects import Declaration, Flows

    for finding in no_replication_cycles.findings(Flows.of(Declaration(settings, peers))):
        yield f"{finding.message}. Fix: {finding.fix}."


def doubts(settings: StackSettings, clusters: Mapping[str, Inventory]) -> Iterator[str]:
    for flow in settings.flows:
        yield from _groups_that_nobody_has(flow, clusters[flow.source])
    for alias in dict.fromkeys(flow.target for flow in settings.flows):
        declared = settings.clusters[alias].brokers
        if declared and clusters[alias].brokers < declared:
            yield (
                f"clusters.{alias}.brokers is {declared}, and {clusters[alias].brokers} answer: "
                "if none is down, correct it, or no topic can be created with the replication "
                "factor that follows from it."
            )


def _groups_that_nobody_has(flow: FlowSettings, source: Inventory) -> Iterator[str]:
    """A group may begin to read later, so that nothing is wrong for certain."""
    for pattern in flow.groups:
        if any(compile_java(pattern).fullmatch(group) for group in source.groups):
            continue
        near = difflib.get_close_matches(pattern, source.groups, n=1)
        yield (
            f"Flow {flow.name}: groups: {pattern} matches no consumer group on {flow.source} that "
            f"{source.principal} may see, so for now no offsets are translated for it."
            + (f" Did you mean `{near[0]}`?" if near else "")
        )
