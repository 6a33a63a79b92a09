"""Whether records can come back to where they were written, and go round for ever.

Prefixed names carry their origins, and MirrorMaker stops at its own. Under identity naming nothing
tells, so each round of a ring writes every record again, as fast as the clusters can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from mirrorstack.findings import Finding
from mirrorstack.mm2.pattern_automata import LITERAL
from mirrorstack.mm2.replication_policy import Naming, matches_any
from mirrorstack.rules.topic_flow import Cargo, blind, carried, sample
from mirrorstack.rules.topology import Route, Topology

MOST_TOLD = 10


def cycles(routes: Sequence[Route]) -> Iterator[Finding]:
    """A problem for each ring around which a topic can travel for ever."""
    found = (_problem(ring) for ring in Topology(routes).rings())
    yield from islice((problem for problem in found if problem), MOST_TOLD)


def _problem(ring: tuple[Route, ...]) -> Finding | None:
    # A topic that may travel round twice, under whatever names, may do so for ever.
    seen = sample(_travel((*ring, *ring)))
    if seen is None:
        return None
    first = sample(_travel(ring)) or seen
    way = " -> ".join([ring[0].source_alias, *(route.target_alias for route in ring)])
    flows = " and ".join(route.name for route in ring)
    words = ring[0].dialect
    return Finding(
        f"Flows {flows} form a ring, {way}, and {_why(ring, first)}. Identity naming does not show "
        "where a record came from, so MirrorMaker cannot stop: each round writes every record "
        "again, without end.",
        f"{words.use_prefixes}, or keep the topics of one direction out of the other with "
        f"{words.exclude}",
        flow=ring[0].name,
        topic=first,
        path=ring[0].path,
    )


def _why(ring: Sequence[Route], name: str) -> str:
    unread = [(route, p) for route in ring for p in (*route.topics, *route.excluded) if blind(p)]
    if unread:
        route, pattern = unread[0]
        return (
            f"`{pattern}` of {route.name} is no regular expression that can be compared with "
            "others, so it counts as overlapping"
        )
    if any(route.naming is Naming.PREFIXED for route in ring):
        return f"topics go round under ever longer names, such as {name}"
    patterns = [
        next((p for p in route.topics if matches_any([p], name)), ", ".join(route.topics))
        for route in ring
    ]
    if all(LITERAL.fullmatch(pattern) for pattern in patterns):
        return f"all of them mirror the topic {name}"
    which = " and ".join(
        f"`{pattern}` of {route.name}" for pattern, route in zip(patterns, ring, strict=True)
    )
    return f"{which} match the same topics, such as {name}"


def _travel(way: Sequence[Route]) -> Cargo:
    cargo: Cargo | None = None
    for route in way:
        cargo = carried(route, cargo)
    return cargo or ()
