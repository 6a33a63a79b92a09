"""The first family: replication that never ends. No config of the pack can lower these rules."""

from __future__ import annotations

from collections.abc import Iterator

from pulumi_policy import Severity

from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.rules import declarations as judgements
from mirrorstack.rules.cycles import cycles
from mirrorstack.rules.topology import Route, peer_routes, route_of
from policies.rules import DeclaredRule, Rule, StackRule
from policies.view import Made

WHY = (
    "Identity naming does not show where a record came from. In a ring of any length, also across "
    "peer stacks, each round writes every record again until a disk is full."
)


def _made(made: Made) -> Iterator[list[Route]]:
    """The connectors' routes, and those of the peers, whose connectors are not in this stack."""
    declared = made.declared
    own = [
        route_of(connector.config, connector.name, declared.settings if declared else None)
        for connector in made.connectors
        if connector.kind is ConnectorKind.SOURCE
    ]
    yield own + peer_routes(declared.peers if declared else {})


CYCLE_RULES: list[Rule] = [
    DeclaredRule.of(
        judgements.RING,
        why=WHY + " Judged on the patterns: a topic that is created tomorrow counts.",
        severity=Severity.CRITICAL,
        locked=True,
    ),
    StackRule(
        id="connectors-form-no-ring",
        title="Connectors with identity naming must not lead topics back to where they came from.",
        why=WHY + " Judged on the connectors as they are going to be, overrides included.",
        severity=Severity.CRITICAL,
        locked=True,
        units=_made,
        judge=cycles,
    ),
]
