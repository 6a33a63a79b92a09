"""Names that a flow should not take: everything, what others bring, what looks mirrored."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from mirrorstack.findings import Finding, KeyPath
from mirrorstack.mm2.pattern_automata import NameSet, any_of, every_name
from mirrorstack.mm2.replication_policy import HEARTBEATS, Naming, literal_name
from mirrorstack.rules.topic_flow import blind, carried, common
from mirrorstack.rules.topology import Route, Topology

if TYPE_CHECKING:
    from mirrorstack.config.flows import FlowSettings


def takes_everything(flow: FlowSettings, path: KeyPath = ()) -> Iterator[Finding]:
    for key, patterns in (("topics", flow.topics), ("groups", flow.groups)):
        for pattern in patterns:
            if is_everything(pattern):
                yield Finding(
                    f"Flow {flow.name}: {key} has {pattern}, which is everything. In production, "
                    "whatever anybody creates on the source is then copied, with its personal "
                    "data, and fills the target's disks.",
                    f"name the {key}, or a prefix of them, such as orders-.*",
                    flow=flow.name,
                    path=(*path, key),
                )


def is_everything(pattern: str) -> bool:
    return not blind(pattern) and (every_name() - NameSet.matching(pattern)).example() is None


def merging(routes: Sequence[Route]) -> Iterator[Finding]:
    """Two sources that write one topic."""
    topology = Topology(routes)
    for one, other in combinations(routes, 2):
        if topology.cluster(one.target) != topology.cluster(other.target):
            continue
        if topology.cluster(one.source) == topology.cluster(other.source):
            continue
        name = common(carried(one), carried(other))
        if name is not None:
            yield Finding(
                f"Flows {one.name} and {other.name} come from two clusters, and both write "
                f"{name} on {one.target_alias}: records of both are mixed in its partitions, and "
                "the offsets of groups can be translated for neither.",
                f"{one.dialect.use_prefixes}, with an alias of its own for each source, or keep "
                "their topics apart",
                flow=one.name,
                topic=name,
                path=one.path,
            )


def looks_mirrored(routes: Sequence[Route]) -> Iterator[Finding]:
    """A topic whose name begins like one that was mirrored from another cluster."""
    topology = Topology(routes)
    aliases = {alias for route in routes for alias in (route.source_alias, route.target_alias)}
    for route in routes:
        here = topology.cluster(route.source)
        mirrored = {r.source_alias for r in routes if topology.cluster(r.target) == here}
        for alias in sorted(aliases - mirrored):
            prefix = f"{alias}{route.separator}"
            for pattern in route.topics:
                if _begins_with(pattern, prefix):
                    yield Finding(
                        f"Flow {route.name}: the topics {pattern} begin with {prefix}, and "
                        f"{alias} is a cluster: MirrorMaker takes them for topics that came from "
                        "there. It never brings them to that cluster, and tools show a wrong "
                        "origin.",
                        "rename the topic, or the alias",
                        flow=route.name,
                        path=route.path,
                    )


def looks_like_heartbeats(route: Route) -> Iterator[Finding]:
    for pattern in route.topics if route.naming is Naming.IDENTITY else ():
        if blind(pattern) or pattern == HEARTBEATS:
            continue
        if _only(pattern, NameSet.matching(f".*{HEARTBEATS}")):
            yield Finding(
                f"Flow {route.name}: the topics {pattern} end in {HEARTBEATS}. Under identity "
                "naming MirrorMaker takes them for its own heartbeats, and gives them the prefix "
                f"{route.source_alias}{route.separator} on the target.",
                f"rename the topic, exclude it, or {route.dialect.use_prefixes}",
                flow=route.name,
                path=route.path,
            )


def _begins_with(pattern: str, prefix: str) -> bool:
    """Whether all that a pattern matches does, or all that it was written for."""
    name = literal_name(pattern.removesuffix(".*")) or ""
    if name.startswith(prefix) and name != prefix:
        return True
    return not blind(pattern) and _only(pattern, NameSet.matching(f"{re.escape(prefix)}.*"))


def _only(pattern: str, names: NameSet) -> bool:
    """Whether all that a pattern matches is among the names."""
    return (any_of([pattern]) - names).example() is None
