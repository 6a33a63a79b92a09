"""No replication cycles: records must not return to the cluster where they were written.

Prefixed names show their origin, so MirrorMaker does not replicate a topic back. Identity naming
does not show it, so each pass of a cycle writes every record again, as fast as the clusters can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from mirrorstack.findings import Finding
from mirrorstack.mm2.pattern_automata import LITERAL
from mirrorstack.mm2.replication_policy import matches_any
from mirrorstack.rules.rule import Risk, rule
from mirrorstack.rules.subjects import DeployedFlows, Flows
from mirrorstack.rules.topic_flow import TopicSet, is_opaque, replicated, sample
from mirrorstack.rules.topology import Route, Topology

MAX_FINDINGS = 10
REASON = (
    "Identity naming does not show where a record came from, nor does a replication policy of "
    "one's own whose names lack the source. In a cycle of any length, also across peer stacks, "
    "each pass writes every record again until a disk is full."
)


@rule(
    Flows,
    id="no-replication-cycles",
    title="Flows with identity naming must not replicate topics back to their source.",
    reason=f"{REASON} Checked on the patterns: topics that are created later count.",
    risk=Risk.CRITICAL,
    can_be_relaxed=False,
)
def no_replication_cycles(flows: Flows) -> Iterator[Finding]:
    yield from _cycles(flows.routes)


@rule(
    DeployedFlows,
    id="no-connector-cycles",
    title="Connectors with identity naming must not replicate topics back to their source.",
    reason=f"{REASON} Checked on the configs of connectors, also of connectors outside this stack.",
    risk=Risk.CRITICAL,
    can_be_relaxed=False,
)
def no_connector_cycles(flows: DeployedFlows) -> Iterator[Finding]:
    yield from _cycles(flows.routes)


def _cycles(routes: Sequence[Route]) -> Iterator[Finding]:
    """A finding for each cycle that replicates a topic without end."""
    found = map(_finding, Topology(routes).cycles())
    yield from islice((finding for finding in found if finding), MAX_FINDINGS)


def _finding(cycle: tuple[Route, ...]) -> Finding | None:
    # A topic that passes a cycle twice, under whatever names, passes it without end.
    twice = sample(_passed((*cycle, *cycle)))
    if twice is None:
        return None
    topic = sample(_passed(cycle)) or twice
    path = " -> ".join([cycle[0].source_alias, *(route.target_alias for route in cycle)])
    flows = " and ".join(route.name for route in cycle)
    fixes = cycle[0].fixes
    return Finding(
        f"Flows {flows} form a cycle, {path}, and {_why(cycle, topic)}. {_unshown(cycle)}, "
        "so MirrorMaker cannot stop: each pass writes every record again, without end",
        f"{fixes.use_prefixes}, or keep the topics of one direction out of the other with "
        f"{fixes.exclude}",
        flow=cycle[0].name,
        topic=topic,
        path=cycle[0].path,
    )


def _unshown(cycle: Sequence[Route]) -> str:
    if any(route.policy.renames_heartbeats for route in cycle):
        return "Identity naming does not show where a record came from"
    classes = [route.policy.java_class for route in cycle if not route.policy.shows_origin]
    if classes:
        return f"The names that {classes[0]} gives do not show where a record came from"
    return "The flows name topics in different ways, and none reads the names of the others"


def _why(cycle: Sequence[Route], name: str) -> str:
    opaque = [
        (route, p) for route in cycle for p in (*route.topics, *route.excluded) if is_opaque(p)
    ]
    if opaque:
        route, pattern = opaque[0]
        return (
            f"`{pattern}` of {route.name} cannot be compared with other patterns, so it "
            "counts as overlapping"
        )
    if any(any(route.policy.affixes) for route in cycle):
        return f"topics pass it under ever longer names, such as {name}"
    patterns = [
        next((p for p in route.topics if matches_any([p], name)), ", ".join(route.topics))
        for route in cycle
    ]
    if all(LITERAL.fullmatch(pattern) for pattern in patterns):
        return f"all of them replicate the topic {name}"
    which = " and ".join(
        f"`{pattern}` of {route.name}" for pattern, route in zip(patterns, cycle, strict=True)
    )
    return f"{which} match the same topics, such as {name}"


def _passed(routes: Sequence[Route]) -> TopicSet:
    """The topics that pass all the routes, one after the other."""
    topics: TopicSet | None = None
    for route in routes:
        topics = replicated(route, topics)
    return topics or ()


RULES = (no_replication_cycles, no_connector_cycles)
