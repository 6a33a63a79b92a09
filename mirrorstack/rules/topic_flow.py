"""Which topics a route replicates, and what they are called on its target."""

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
from mirrorstack.mm2.replication_policy import HEARTBEATS, matches_any
from mirrorstack.rules.topology import Route

TopicSet = tuple[str, ...] | NameSet
"""Topics that are replicated: listed, where they are known by name."""


def replicated(route: Route, topics: TopicSet | None = None) -> TopicSet:
    """Their names on the route's target; of all possible topics, if none are given."""
    topics = every_name() if topics is None else topics
    prefix, suffix = route.policy.affixes
    if isinstance(topics, NameSet) and _is_listed(route):
        named = [unescape(topic) for topic in route.topics]
        topics = tuple(name for name in named if topics.contains(name))
    if isinstance(topics, NameSet):
        return (topics & _selected(route)).with_affixes(prefix, suffix)
    return tuple(f"{prefix}{name}{suffix}" for name in topics if _selects(route, name))


def _selects(route: Route, name: str) -> bool:
    wanted = any(is_opaque(pattern) or matches_any([pattern], name) for pattern in route.topics)
    excluded = [pattern for pattern in route.excluded if not is_opaque(pattern)]
    excluded += _skipped(route)
    return wanted and not route.policy.is_internal(name) and not matches_any(excluded, name)


@lru_cache(maxsize=256)
def _selected(route: Route) -> NameSet:
    """The same as an automaton. An opaque pattern selects everything and excludes nothing."""
    try:
        selected = any_of(route.topics)
    except UnsupportedPattern:
        selected = every_name()
    excluded = [pattern for pattern in route.excluded if not is_opaque(pattern)]
    return (
        selected - any_of([*excluded, *route.policy.internal_patterns, *_skipped(route)])
    ).minimized()


def _skipped(route: Route) -> tuple[str, ...]:
    """What MirrorMaker skips because its name says that it comes from the target."""
    if route.policy.renames_heartbeats:
        return (f".*{HEARTBEATS}",)  # these get a prefix even so
    return (route.policy.cycle_pattern,) if route.policy.shows_origin else ()


def is_opaque(pattern: str) -> bool:
    """Whether the pattern uses what no automaton expresses, such as back references."""
    try:
        NameSet.matching(pattern)
    except UnsupportedPattern:
        return True
    return False


def _is_listed(route: Route) -> bool:
    return all(LITERAL.fullmatch(pattern) for pattern in route.topics)


def unescape(pattern: str) -> str:
    return re.sub(r"\\(.)", r"\1", pattern)


def sample(topics: TopicSet) -> str | None:
    return topics.example() if isinstance(topics, NameSet) else next(iter(topics), None)


def common(one: TopicSet, other: TopicSet) -> str | None:
    """A name that is in both."""
    if isinstance(one, tuple):
        return next((name for name in one if _holds(other, name)), None)
    if isinstance(other, tuple):
        return common(other, one)
    return (one & other).example()


def _holds(topics: TopicSet, name: str) -> bool:
    return topics.contains(name) if isinstance(topics, NameSet) else name in topics
