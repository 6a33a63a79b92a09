"""Rules about connectors, one by one and those of a flow together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any

from pulumi_policy import EnforcementLevel, Severity

from mirrorstack.findings import Finding
from mirrorstack.mm2.connector_configs import BYTE_ARRAY_CONVERTER, ConnectorKind
from mirrorstack.rules import connector_config as one
from mirrorstack.rules import worker_compatibility as placement
from mirrorstack.rules.connector_consistency import Named, disagreements
from policies.rules import ResourceRule, Rule, StackRule
from policies.view import CONNECTOR, Config, Connector, Made, Worker

Judgement = Callable[[str, Mapping[str, str]], Iterator[Finding]]


def connectors(
    judge: Judgement, *kinds: ConnectorKind
) -> Callable[[Mapping[str, Any]], Iterator[Finding]]:
    """A judgement about connectors of these kinds, for the inputs of any connector."""

    def judged(props: Mapping[str, Any]) -> Iterator[Finding]:
        config = Config(props.get("config") or {})
        if one.kind_of(config) in (kinds or tuple(ConnectorKind)):
            yield from judge(str(props.get("name")), config)

    return judged


def _use_bytes(props: MutableMapping[str, Any]) -> bool:
    config = props.get("config") or {}
    if one.kind_of(Config(config)) is None:
        return False
    wrong = [key for key in one.CONVERTERS if config.get(key) != BYTE_ARRAY_CONVERTER]
    for key in wrong:
        config[key] = BYTE_ARRAY_CONVERTER
    return bool(wrong)


def _flows(made: Made) -> list[dict[ConnectorKind, Connector]]:
    return made.flows


def _disagreements(flow: dict[ConnectorKind, Connector]) -> Iterator[Finding]:
    # The engine makes them in any order, and people are to read the same each time.
    made = [flow[kind] for kind in ConnectorKind if kind in flow]
    named = [Named(connector.name, connector.config) for connector in made]
    for _, finding in disagreements(named):
        yield Finding(f"Connectors of one flow disagree: {finding.message}.", finding.fix)
    if ConnectorKind.SOURCE in flow and ConnectorKind.CHECKPOINT in flow:
        source, checkpoint = flow[ConnectorKind.SOURCE], flow[ConnectorKind.CHECKPOINT]
        yield from placement.other_topics(
            source.name, source.config, checkpoint.name, checkpoint.config
        )


def _placed(made: Made) -> list[tuple[Connector, Worker]]:
    return [(c, worker) for c, worker in made.placed if c.kind]


def _wrong_worker(placed: tuple[Connector, Worker]) -> Iterator[Finding]:
    connector, worker = placed
    yield from placement.wrong_worker(connector.name, connector.config, worker.config)


def _unsupported(placed: tuple[Connector, Worker]) -> Iterator[Finding]:
    connector, worker = placed
    if connector.kind is ConnectorKind.SOURCE:
        yield from placement.unsupported_exactly_once(
            connector.name, connector.config, worker.config
        )


CONNECTOR_RULES: list[Rule] = [
    ResourceRule(
        id="records-keep-their-bytes",
        title="MirrorMaker's connectors must use ByteArrayConverter for keys, values and headers.",
        why="Any other converter rewrites records or fails on them. Put right by itself.",
        level=EnforcementLevel.REMEDIATE,
        type=CONNECTOR,
        judge=connectors(one.changed_bytes),
        remedy=_use_bytes,
    ),
    # That exactly-once reads only what is committed, a connector's own check sees to.
    StackRule(
        id="exactly-once-is-supported",
        title="Exactly-once needs workers that support it.",
        why="Connect refuses the connector.",
        units=_placed,
        judge=_unsupported,
    ),
    StackRule(
        id="connectors-of-a-flow-agree",
        title="The connectors of a flow must agree on names, clusters, offset syncs and topics.",
        why="All are RUNNING, and offsets are translated wrongly or not at all.",
        severity=Severity.CRITICAL,
        units=_flows,
        judge=_disagreements,
    ),
    StackRule(
        id="workers-write-to-the-target",
        title="A connector must run on workers of its target cluster.",
        why="The worker's producer writes the records, so they end up on another cluster.",
        severity=Severity.CRITICAL,
        units=_placed,
        judge=_wrong_worker,
    ),
    ResourceRule(
        id="groups-are-not-excluded",
        title="A group that is declared must not be excluded at the same time.",
        why="MirrorMaker's default excludes `connect-.*`: no sink connector finds its place again.",
        type=CONNECTOR,
        judge=connectors(one.excluded_groups, ConnectorKind.CHECKPOINT),
    ),
    ResourceRule(
        id="group-offsets-are-synced",
        title="Translated offsets should be committed on the target.",
        why="After a failover each group begins at its own auto.offset.reset.",
        level=EnforcementLevel.ADVISORY,
        severity=Severity.MEDIUM,
        type=CONNECTOR,
        judge=connectors(one.leaves_offsets_behind, ConnectorKind.CHECKPOINT),
    ),
]
