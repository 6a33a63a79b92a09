"""Rules about the names that flows take, and what stacks must not share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pulumi_policy import EnforcementLevel, Severity

from mirrorstack.model import breadth, sharing
from mirrorstack.model.topology import routes
from mirrorstack.problem import Problem
from policies.rules import DeclaredRule, Rule, StackRule
from policies.view import Declared, Made


def _everything(declared: Declared) -> Iterator[Problem]:
    for flow in declared.settings.flows if declared.settings.production else ():
        yield from breadth.takes_everything(flow)


def _merging(declared: Declared) -> Iterator[Problem]:
    yield from breadth.merging(routes(declared.settings, declared.peers))


def _looks_mirrored(declared: Declared) -> Iterator[Problem]:
    yield from breadth.looks_mirrored(routes(declared.settings, declared.peers))


def _heartbeats(declared: Declared) -> Iterator[Problem]:
    for route in routes(declared.settings, {}):
        yield from breadth.looks_like_heartbeats(route)


def _shared(declared: Declared) -> Iterator[Problem]:
    yield from sharing.shared({"this stack": declared.settings, **declared.peers})


def _workers(made: Made) -> Iterator[list[tuple[str, Mapping[str, str]]]]:
    yield [(worker.name, worker.config) for worker in made.workers]


NAME_RULES: list[Rule] = [
    DeclaredRule(
        id="production-names-what-it-mirrors",
        title="In production, topics and groups must be named, and not be everything.",
        why="Whatever anybody creates on the source is copied, with its personal data.",
        judge=_everything,
    ),
    DeclaredRule(
        id="sources-do-not-merge",
        title="Two sources must not write the same topic on one target.",
        why="Records of both are mixed, and offsets can be translated for neither.",
        severity=Severity.CRITICAL,
        judge=_merging,
    ),
    DeclaredRule(
        id="names-do-not-look-mirrored",
        title="A topic should not begin with the alias of a cluster that it did not come from.",
        why="MirrorMaker takes it for a topic that came from there.",
        level=EnforcementLevel.ADVISORY,
        severity=Severity.MEDIUM,
        judge=_looks_mirrored,
    ),
    DeclaredRule(
        id="names-do-not-look-like-heartbeats",
        title="Under identity naming, a topic must not end in `heartbeats`.",
        why="MirrorMaker takes it for its own heartbeats and renames it on the target.",
        judge=_heartbeats,
    ),
]
SHARING_RULES: list[Rule] = [
    DeclaredRule(
        id="stacks-share-no-state",
        title="Worker groups and internal topics must belong to one stack alone.",
        why="Connect clusters with one group run each other's connectors, and overwrite offsets.",
        severity=Severity.CRITICAL,
        judge=_shared,
    ),
    StackRule(
        id="workers-share-state-only-in-a-group",
        title="Workers of a group must share their topics, and those of two groups must not.",
        why="Offsets, configs and states of two Connect clusters overwrite each other.",
        severity=Severity.CRITICAL,
        units=_workers,
        judge=sharing.mixed_workers,
    ),
]
