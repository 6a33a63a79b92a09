"""Whether records can come back to where they were written, and go round for ever.

Prefixed names carry their origins, and MirrorMaker stops at its own. Under identity naming nothing
tells, so each round of a ring writes every record again, as fast as the clusters can.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from mirrorstack.model.languages import LITERAL, Inexpressible, Names, any_of, every_name
from mirrorstack.model.naming import HEARTBEATS, Naming, is_internal, matches_any
from mirrorstack.model.topology import Route, Topology
from mirrorstack.problem import Problem

MOST_TOLD = 10
# As `naming.is_internal` says it, for automata.
INTERNAL = (r"mm2.*\.internal", r".*\.checkpoints\.internal", "__.*", r"\..*")
Cargo = tuple[str, ...] | Names
"""The topics under way: listed, where they are known by name."""


def cycles(routes: Sequence[Route]) -> Iterator[Problem]:
    """A problem for each ring around which a topic can travel for ever."""
    found = (_problem(ring) for ring in Topology(routes).rings())
    yield from islice((problem for problem in found if problem), MOST_TOLD)


def _problem(ring: tuple[Route, ...]) -> Problem | None:
    # A topic that may travel round twice, under whatever names, may do so for ever.
    seen = _sample(_travel((*ring, *ring)))
    if seen is None:
        return None
    first = _sample(_travel(ring)) or seen
    way = " -> ".join([ring[0].source_alias, *(route.target_alias for route in ring)])
    flows = " and ".join(route.name for route in ring)
    return Problem(
        f"Flows {flows} form a ring, {way}, and {_why(ring, first)}. Identity naming does not show "
        "where a record came from, so MirrorMaker cannot stop: each round writes every record "
        "again, without end.",
        "use `naming: prefixed`, or keep the topics of one direction out of the other with "
        "`exclude`",
    )


def _why(ring: Sequence[Route], name: str) -> str:
    blind = [(route, p) for route in ring for p in (*route.topics, *route.excluded) if _blind(p)]
    if blind:
        route, pattern = blind[0]
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
    cargo: Cargo = every_name()
    for route in way:
        cargo = _carried(route, cargo)
    return cargo


def _carried(route: Route, cargo: Cargo) -> Cargo:
    """What arrives on the route's target."""
    prefix = f"{route.source_alias}{route.separator}" if route.naming is Naming.PREFIXED else ""
    if isinstance(cargo, Names) and _is_listed(route):
        named = [_unescaped(topic) for topic in route.topics]
        cargo = tuple(name for name in named if cargo.holds(name))
    if isinstance(cargo, Names):
        taken = cargo & _taken(route)
        return taken.behind(prefix) if prefix else taken
    return tuple(f"{prefix}{name}" for name in cargo if _takes(route, name))


def _takes(route: Route, name: str) -> bool:
    wanted = any(_blind(pattern) or matches_any([pattern], name) for pattern in route.topics)
    excluded = [pattern for pattern in route.excluded if not _blind(pattern)]
    return wanted and not is_internal(name) and not matches_any([*excluded, _stopped(route)], name)


@lru_cache(maxsize=256)
def _taken(route: Route) -> Names:
    """The same as a language; what cannot be expressed is taken, and nothing excludes it."""
    try:
        taken = any_of(route.topics)
    except Inexpressible:
        taken = every_name()
    excluded = [pattern for pattern in route.excluded if not _blind(pattern)]
    return (taken - any_of([*excluded, *INTERNAL, _stopped(route)])).smallest()


def _stopped(route: Route) -> str:
    """What MirrorMaker knows by its name to come from the target."""
    if route.naming is Naming.IDENTITY:
        return f".*{HEARTBEATS}"  # these get a prefix even so
    separator = re.escape(route.separator)
    return f"(.*{separator})?{re.escape(route.target_alias)}{separator}.*"


def _blind(pattern: str) -> bool:
    try:
        Names.matching(pattern)
    except Inexpressible:
        return True
    return False


def _is_listed(route: Route) -> bool:
    return all(LITERAL.fullmatch(pattern) for pattern in route.topics)


def _unescaped(pattern: str) -> str:
    return re.sub(r"\\(.)", r"\1", pattern)


def _sample(cargo: Cargo) -> str | None:
    return cargo.example() if isinstance(cargo, Names) else next(iter(cargo), None)
