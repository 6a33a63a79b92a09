"""What is judged on declarations alone, by the policy pack and by the linter, under the same names.

The judgements themselves are in `cycles`, `breadth`, `sharing` and `transport`; here each gets the
rule that it belongs to, and what of the stack it looks at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mirrorstack.findings import Finding, Severity
from mirrorstack.rules import cycles, transport
from mirrorstack.rules import shared_state as sharing
from mirrorstack.rules import topic_selection as breadth
from mirrorstack.rules.registry import Rule
from mirrorstack.rules.topology import Route, routes

if TYPE_CHECKING:
    from mirrorstack.config.settings import StackSettings


@dataclass(frozen=True)
class Declared:
    """What a stack file and the files of its peers say."""

    settings: StackSettings
    peers: Mapping[str, StackSettings]


@dataclass(frozen=True)
class Judgement:
    rule: Rule
    judge: Callable[[Declared], Iterator[Finding]]
    severity: Severity = Severity.ERROR
    """A warning where opinions differ: the pack then advises, and the linter warns."""


def _ring(declared: Declared) -> Iterator[Finding]:
    yield from cycles.cycles(routes(declared.settings, declared.peers))


def _everything(declared: Declared) -> Iterator[Finding]:
    if declared.settings.production:
        for number, flow in enumerate(declared.settings.flows):
            yield from breadth.takes_everything(flow, ("flows", number))


def _merging(declared: Declared) -> Iterator[Finding]:
    yield from breadth.merging(routes(declared.settings, declared.peers))


def _looks_mirrored(declared: Declared) -> Iterator[Finding]:
    yield from breadth.looks_mirrored(routes(declared.settings, declared.peers))


def _heartbeats(declared: Declared) -> Iterator[Finding]:
    for route in routes(declared.settings, {}):
        yield from breadth.looks_like_heartbeats(route)


def _shared(declared: Declared) -> Iterator[Finding]:
    yield from sharing.shared(declared.settings, declared.peers)


def _clusters(declared: Declared) -> Iterator[Finding]:
    if declared.settings.production:
        for alias, cluster in declared.settings.clusters.items():
            if cluster.sandbox is None:
                security = cluster.security
                yield from transport.unencrypted_cluster(
                    alias, security.protocol, security.mechanism
                )


def route_judgements(given: Sequence[Route]) -> Iterator[tuple[Judgement, Finding]]:
    """What can be said about flows wherever they are declared, by what they take and give."""
    for judgement, judge in (
        (RING, cycles.cycles),
        (MERGING, breadth.merging),
        (LOOKS_MIRRORED, breadth.looks_mirrored),
    ):
        for problem in judge(given):
            yield judgement, problem
    for route in given:
        for problem in breadth.looks_like_heartbeats(route):
            yield LOOKS_LIKE_HEARTBEATS, problem


RING = Judgement(Rule.RING, _ring)
EVERYTHING = Judgement(Rule.EVERYTHING, _everything)
MERGING = Judgement(Rule.MERGING, _merging)
LOOKS_MIRRORED = Judgement(Rule.LOOKS_MIRRORED, _looks_mirrored, Severity.WARNING)
LOOKS_LIKE_HEARTBEATS = Judgement(Rule.LOOKS_LIKE_HEARTBEATS, _heartbeats)
SHARED_STATE = Judgement(Rule.SHARED_STATE, _shared)
UNENCRYPTED = Judgement(Rule.UNENCRYPTED, _clusters)
JUDGEMENTS = (
    *(RING, EVERYTHING, MERGING, LOOKS_MIRRORED, LOOKS_LIKE_HEARTBEATS),
    *(SHARED_STATE, UNENCRYPTED),
)
