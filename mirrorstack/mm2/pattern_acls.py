"""The tightest resource patterns for ACLs on the topics or groups that a flow selects.

Kafka's ACLs know names and prefixes only, so for some regular expressions an ACL allows more than
they match.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mirrorstack.kafka.acls import PatternType, ResourcePattern, ResourceType
from mirrorstack.mm2.replication_policy import literal_name, matches_any


def by_name(
    kind: ResourceType, selected: Sequence[str], excluded: Sequence[str], names: Sequence[str]
) -> list[ResourcePattern]:
    """For what exists: a literal for `orders`, a prefix for `orders-.*`, and the `names` that match
    now where neither is as tight."""
    found: list[ResourcePattern] = []
    for entry in selected:
        if literal_name(entry) is not None or (_prefix(entry) is not None and not excluded):
            found += covering(kind, entry)
    return _distinct([*found, *(ResourcePattern(kind, name) for name in names)])


def by_pattern(
    kind: ResourceType,
    selected: Sequence[str],
    names: Sequence[str],
    *,
    excluded: Sequence[str] = (),
    affixes: tuple[str, str] = ("", ""),
) -> list[ResourcePattern]:
    """For what exists and for what the patterns match later. `names` are those that are selected
    otherwise; `affixes` is what comes before and after a name that a pattern matches."""
    found = [
        _with_affixes(pattern, *affixes)
        for entry in selected
        for pattern in covering(kind, entry, excluded)
    ]
    return _distinct([*found, *(ResourcePattern(kind, name) for name in names)])


def covering(kind: ResourceType, entry: str, excluded: Sequence[str] = ()) -> list[ResourcePattern]:
    """The tightest names and prefixes for everything that a name or pattern can match, without
    names that are excluded."""
    every = _covering(kind, entry)
    return [each for each in every if not (_is_name(each) and matches_any(excluded, each.name))]


def _is_name(resource: ResourcePattern) -> bool:
    return resource.pattern is PatternType.LITERAL and resource.name != "*"


def _covering(kind: ResourceType, entry: str) -> list[ResourcePattern]:
    name, prefix = literal_name(entry), _prefix(entry)
    if name is not None:
        return [ResourcePattern(kind, name)]
    if prefix is not None:
        return [_prefixed(kind, prefix)]
    # Automata take a library that takes a quarter of a second to import.
    from mirrorstack.mm2.pattern_automata import NameSet, UnsupportedPattern

    try:
        found = NameSet.matching(entry).names_and_prefixes()
    except UnsupportedPattern:
        return [_prefixed(kind, "")]
    return [
        _prefixed(kind, each.text) if each.is_prefix else ResourcePattern(kind, each.text)
        for each in found
    ]


def is_wide(kind: ResourceType, entry: str, excluded: Sequence[str]) -> bool:
    """Whether the ACLs for a live pattern allow more than the pattern selects."""
    if literal_name(entry) is not None or (_prefix(entry) is not None and not excluded):
        return False
    from mirrorstack.mm2.pattern_automata import NameSet, UnsupportedPattern, any_of, union

    try:
        selected = NameSet.matching(entry) - any_of(excluded)
        allowed = union(
            NameSet.matching(".*")
            if each.name == "*"
            else NameSet.literally(each.name, is_prefix=each.pattern is PatternType.PREFIXED)
            for each in covering(kind, entry, excluded)
        )
    except UnsupportedPattern:
        return True
    return (allowed - selected).example() is not None


def _prefix(entry: str) -> str | None:
    """The prefix that a pattern such as `orders-.*` stands for."""
    for rest in (".*", ".+"):
        if entry.endswith(rest):
            return literal_name(entry.removesuffix(rest))
    return None


def _prefixed(kind: ResourceType, prefix: str) -> ResourcePattern:
    """Kafka has no empty prefix: all resources of a kind are the name `*`."""
    if not prefix:
        return ResourcePattern(kind, "*")
    return ResourcePattern(kind, prefix, PatternType.PREFIXED)


def _with_affixes(resource: ResourcePattern, before: str, after: str) -> ResourcePattern:
    if resource.name == "*":
        return _prefixed(resource.type, before)
    if resource.pattern is PatternType.PREFIXED:
        return _prefixed(resource.type, f"{before}{resource.name}")
    return ResourcePattern(resource.type, f"{before}{resource.name}{after}")


def _distinct(found: Iterable[ResourcePattern]) -> list[ResourcePattern]:
    """In their order, without those that another one covers."""
    every = list(dict.fromkeys(found))
    return [
        each for each in every if not any(other != each and other.covers(each) for other in every)
    ]
