"""What a route carries: the topics that it takes, and what they are called on its target."""

from __future__ import annotations

import re
from functools import lru_cache

from mirrorstack.mm2.pattern_automata import (
    LITERAL,
    NameSet,
    UnsupportedPattern,
    any_of,
    every_name,
)
from mirrorstack.mm2.replication_policy import HEARTBEATS, Naming, is_internal, matches_any
from mirrorstack.rules.topology import Route

# As `naming.is_internal` says it, for automata.
INTERNAL = (r"mm2.*\.internal", r".*\.checkpoints\.internal", "__.*", r"\..*")
Cargo = tuple[str, ...] | NameSet
"""The topics under way: listed, where they are known by name."""


def carried(route: Route, cargo: Cargo | None = None) -> Cargo:
    """What of it arrives on the route's target; of all topics that there can be, if not given."""
    cargo = every_name() if cargo is None else cargo
    prefix = f"{route.source_alias}{route.separator}" if route.naming is Naming.PREFIXED else ""
    if isinstance(cargo, NameSet) and _is_listed(route):
        named = [unescaped(topic) for topic in route.topics]
        cargo = tuple(name for name in named if cargo.holds(name))
    if isinstance(cargo, NameSet):
        taken = cargo & _taken(route)
        return taken.behind(prefix) if prefix else taken
    return tuple(f"{prefix}{name}" for name in cargo if _takes(route, name))


def _takes(route: Route, name: str) -> bool:
    wanted = any(blind(pattern) or matches_any([pattern], name) for pattern in route.topics)
    excluded = [pattern for pattern in route.excluded if not blind(pattern)]
    return wanted and not is_internal(name) and not matches_any([*excluded, _stopped(route)], name)


@lru_cache(maxsize=256)
def _taken(route: Route) -> NameSet:
    """The same as a language; what cannot be expressed is taken, and nothing excludes it."""
    try:
        taken = any_of(route.topics)
    except UnsupportedPattern:
        taken = every_name()
    excluded = [pattern for pattern in route.excluded if not blind(pattern)]
    return (taken - any_of([*excluded, *INTERNAL, _stopped(route)])).smallest()


def _stopped(route: Route) -> str:
    """What MirrorMaker knows by its name to come from the target."""
    if route.naming is Naming.IDENTITY:
        return f".*{HEARTBEATS}"  # these get a prefix even so
    separator = re.escape(route.separator)
    return f"(.*{separator})?{re.escape(route.target_alias)}{separator}.*"


def blind(pattern: str) -> bool:
    try:
        NameSet.matching(pattern)
    except UnsupportedPattern:
        return True
    return False


def _is_listed(route: Route) -> bool:
    return all(LITERAL.fullmatch(pattern) for pattern in route.topics)


def unescaped(pattern: str) -> str:
    return re.sub(r"\\(.)", r"\1", pattern)


def sample(cargo: Cargo) -> str | None:
    return cargo.example() if isinstance(cargo, NameSet) else next(iter(cargo), None)


def common(one: Cargo, other: Cargo) -> str | None:
    """A name that is in both."""
    if isinstance(one, tuple):
        return next((name for name in one if _holds(other, name)), None)
    if isinstance(other, tuple):
        return common(other, one)
    return (one & other).example()


def _holds(cargo: Cargo, name: str) -> bool:
    return cargo.holds(name) if isinstance(cargo, NameSet) else name in cargo
