"""Rules about the topics that flows select: not everything, not two sources in one topic, and no
names that MirrorMaker takes for its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from mirrorstack.findings import Finding
from mirrorstack.mm2.pattern_automata import NameSet, any_of, every_name
from mirrorstack.mm2.replication_policy import HEARTBEATS, literal_name
from mirrorstack.rules.rule import Level, Risk, rule
from mirrorstack.rules.subjects import Declaration, Flows
from mirrorstack.rules.topic_flow import common, is_opaque, replicated
from mirrorstack.rules.topology import Topology


@rule(
    Declaration,
    id="no-match-all-in-production",
    title="In production, flows must not select all topics or all groups.",
    reason="Every new source topic is replicated, including ones with personal data.",
)
def no_match_all_in_production(declaration: Declaration) -> Iterator[Finding]:
    flows = declaration.settings.flows if declaration.settings.production else ()
    for number, flow in enumerate(flows):
        for key, patterns in (("topics", flow.topics), ("groups", flow.groups)):
            for pattern in filter(matches_everything, patterns):
                yield Finding(
                    f"Flow {flow.name}: {key} has {pattern}, which matches everything. In "
                    "production, every new source topic is then replicated, including ones with "
                    "personal data, and fills the target's disks",
                    f"name the {key}, or a prefix of them, such as orders-.*",
                    flow=flow.name,
                    path=("flows", number, key),
                )


def matches_everything(pattern: str) -> bool:
    return not is_opaque(pattern) and (every_name() - NameSet.matching(pattern)).example() is None


@rule(
    Flows,
    id="no-merged-sources",
    title="Two sources must not write the same topic on one target.",
    reason="Records of both are mixed, and committed offsets cannot be translated for either.",
    risk=Risk.CRITICAL,
)
def no_merged_sources(flows: Flows) -> Iterator[Finding]:
    topology = Topology(flows.routes)
    for one, other in combinations(flows.routes, 2):
        if topology.cluster(one.target) != topology.cluster(other.target):
            continue
        if topology.cluster(one.source) == topology.cluster(other.source):
            continue
        name = common(replicated(one), replicated(other))
        if name is not None:
            yield Finding(
                f"Flows {one.name} and {other.name} come from two clusters, and both write "
                f"{name} on {one.target_alias}: records of both are mixed in its partitions, and "
                "committed offsets cannot be translated for either",
                f"{one.fixes.use_prefixes}, with a different alias for each source, or keep their "
                "topics apart",
                flow=one.name,
                topic=name,
                path=one.path,
            )


@rule(
    Flows,
    id="no-cluster-alias-prefix",
    title="A topic should not begin with the alias of a cluster that it did not come from.",
    reason="MirrorMaker takes it for a topic that was replicated from there.",
    risk=Risk.MEDIUM,
    level=Level.ADVISORY,
)
def no_cluster_alias_prefix(flows: Flows) -> Iterator[Finding]:
    topology = Topology(flows.routes)
    aliases = {
        alias for route in flows.routes for alias in (route.source_alias, route.target_alias)
    }
    for route in flows.routes:
        here = topology.cluster(route.source)
        incoming = {r.source_alias for r in flows.routes if topology.cluster(r.target) == here}
        for alias in sorted(aliases - incoming):
            prefix = route.policy.prefix_of(alias) or f"{alias}{route.policy.separator}"
            for pattern in route.topics:
                if _begins_with(pattern, prefix):
                    yield Finding(
                        f"Flow {route.name}: the topics {pattern} begin with {prefix}, and "
                        f"{alias} is a cluster: MirrorMaker takes them for topics that were "
                        "replicated from there. It never replicates them to that cluster, and "
                        "tools show a wrong origin",
                        "rename the topic, or the alias",
                        flow=route.name,
                        path=route.path,
                    )


@rule(
    Flows,
    id="no-heartbeats-suffix",
    title="Under identity naming, a topic must not end in `heartbeats`.",
    reason="MirrorMaker takes it for its own heartbeats and renames it on the target.",
)
def no_heartbeats_suffix(flows: Flows) -> Iterator[Finding]:
    for route in flows.routes:
        if not route.policy.renames_heartbeats or route.is_peer:
            continue
        for pattern in route.topics:
            if is_opaque(pattern) or pattern == HEARTBEATS:
                continue
            if _only(pattern, NameSet.matching(f".*{HEARTBEATS}")):
                yield Finding(
                    f"Flow {route.name}: the topics {pattern} end in {HEARTBEATS}. Under identity "
                    "naming MirrorMaker takes them for its own heartbeats, and adds the prefix "
                    f"{route.source_alias}{route.policy.separator} on the target",
                    f"rename the topic, exclude it, or {route.fixes.use_prefixes}",
                    flow=route.name,
                    path=route.path,
                )


def _begins_with(pattern: str, prefix: str) -> bool:
    """Whether everything that a pattern matches does, or what its author meant by it."""
    name = literal_name(pattern.removesuffix(".*")) or ""
    if name.startswith(prefix) and name != prefix:
        return True
    return not is_opaque(pattern) and _only(pattern, NameSet.matching(f"{re.escape(prefix)}.*"))


def _only(pattern: str, names: NameSet) -> bool:
    """Whether everything that a pattern matches is among the names."""
    return (any_of([pattern]) - names).example() is None


RULES = (
    no_match_all_in_production,
    no_merged_sources,
    no_cluster_alias_prefix,
    no_heartbeats_suffix,
)
