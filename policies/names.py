"""Rules about the names that flows take, and what stacks must not share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pulumi_policy import Severity

from mirrorstack.rules import declarations as judgements
from mirrorstack.rules import shared_state as sharing
from policies.rules import DeclaredRule, Rule, StackRule
from policies.view import Made


def _workers(made: Made) -> Iterator[list[tuple[str, Mapping[str, str]]]]:
    yield [(worker.name, worker.config) for worker in made.workers]


NAME_RULES: list[Rule] = [
    DeclaredRule.of(
        judgements.EVERYTHING,
        why="Whatever anybody creates on the source is copied, with its personal data.",
    ),
    DeclaredRule.of(
        judgements.MERGING,
        why="Records of both are mixed, and offsets can be translated for neither.",
        severity=Severity.CRITICAL,
    ),
    DeclaredRule.of(
        judgements.LOOKS_MIRRORED,
        why="MirrorMaker takes it for a topic that came from there.",
        severity=Severity.MEDIUM,
    ),
    DeclaredRule.of(
        judgements.LOOKS_LIKE_HEARTBEATS,
        why="MirrorMaker takes it for its own heartbeats and renames it on the target.",
    ),
]
SHARING_RULES: list[Rule] = [
    DeclaredRule.of(
        judgements.SHARED_STATE,
        why="Connect clusters with one group run each other's connectors, and overwrite offsets.",
        severity=Severity.CRITICAL,
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
