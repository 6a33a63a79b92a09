"""Rules about what a flow has, and who owns what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pulumi_policy import EnforcementLevel, Severity

from mirrorstack.findings import Finding
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.rules import flow_completeness as presence
from mirrorstack.rules.connector_config import silent
from policies.rules import Rule, StackRule
from policies.view import TOPIC, Connector, Made, addresses

if TYPE_CHECKING:
    from mirrorstack.config.flows import FlowSettings

Owned = tuple[Connector, dict[str, list[str]], tuple[str, ...]]


def _flows(made: Made) -> list[dict[ConnectorKind, Connector]]:
    return made.flows


def _quiet(flow: Mapping[ConnectorKind, Connector]) -> Iterator[Finding]:
    yield from presence.no_heartbeat({kind: each.name for kind, each in flow.items()})
    if heartbeat := flow.get(ConnectorKind.HEARTBEAT):
        yield from silent(heartbeat.name, heartbeat.config)


def _declared(made: Made) -> Iterator[tuple[FlowSettings, list[ConnectorKind]]]:
    for flow in made.declared.settings.flows if made.declared else ():
        there = [
            connector.kind
            for connector in made.connectors
            if connector.kind and connector.ends == (flow.source, flow.target)
        ]
        yield flow, there


def _no_checkpoint(unit: tuple[FlowSettings, list[ConnectorKind]]) -> Iterator[Finding]:
    yield from presence.no_checkpoint(*unit)


def _owned(made: Made) -> Iterator[Owned]:
    flows = made.declared.settings.flows if made.declared else ()
    given_away = {(flow.source, flow.target): flow.sync_configs for flow in flows}
    for connector in made.connectors:
        if connector.kind is ConnectorKind.SOURCE:
            owned = {
                str(topic.props.get("name", topic.name)): list(topic.props.get("config") or {})
                for topic in made.typed(TOPIC)
                if topic.provider
                and addresses(topic.provider.props) & connector.addresses("target")
            }
            yield connector, owned, given_away.get(connector.ends, ())


def _two_owners(unit: Owned) -> Iterator[Finding]:
    connector, topics, given_away = unit
    yield from presence.two_owners(connector.name, connector.config, topics, given_away)


FLOW_RULES: list[Rule] = [
    StackRule(
        id="heartbeats-are-emitted",
        title="A flow should have a heartbeat connector that emits.",
        why="Nobody can tell a quiet flow from a dead one.",
        level=EnforcementLevel.ADVISORY,
        severity=Severity.MEDIUM,
        units=_flows,
        judge=_quiet,
    ),
    StackRule(
        id="groups-have-checkpoints",
        title="Where groups are declared, there must be a checkpoint connector.",
        why="After a failover no group finds its place on the target.",
        units=_declared,
        judge=_no_checkpoint,
    ),
    StackRule(
        id="topic-configs-have-one-owner",
        title="MirrorMaker must not sync configs of topics that the stack owns.",
        why="MirrorMaker and Pulumi undo each other's work, every ten minutes.",
        units=_owned,
        judge=_two_owners,
    ),
]
