"""Flows of an existing deployment, each with the configs of its connectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.findings import Finding, Severity, UserError
from mirrorstack.kafka.java_client import prefixed
from mirrorstack.mm2.catalogue import Section, connector_section, keys_in
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.dedicated.expansion import ExpandedFlow, expand
from mirrorstack.mm2.key_values import split_list
from mirrorstack.rendering.notes import note
from mirrorstack.rules.keys.connector import connector_key_findings
from mirrorstack.rules.keys.dedicated import clusters_of, dedicated_findings
from mirrorstack.rules.keys.rules import KeyRule

PRODUCER = "producer."
IGNORED_KEYS = (
    *(KeyRule.UNKNOWN_KEY, KeyRule.REMOVED_KEY, KeyRule.UNREAD_KEY, KeyRule.DROPPED_KEY),
    KeyRule.UNDECLARED_CLUSTER,
)


@dataclass(frozen=True)
class ExistingConnector:
    """A connector of a file or of a running Connect."""

    name: str
    config: Mapping[str, str]
    state: ConnectorState = ConnectorState.RUNNING


@dataclass(frozen=True)
class DiscoveredFlow:
    """The configs of a flow's connectors, and of its worker if it is known."""

    source: str
    target: str
    connectors: Mapping[ConnectorKind, Mapping[str, str]]
    worker: Mapping[str, str] | None = None
    state: ConnectorState = ConnectorState.RUNNING

    @property
    def name(self) -> str:
        return f"{self.source}->{self.target}"

    @property
    def is_dedicated(self) -> bool:
        """Only a file of dedicated mode configures workers and connectors."""
        return self.worker is not None


@dataclass
class DiscoveredFlows:
    """The flows of an origin, and notes about what is left out."""

    flows: list[DiscoveredFlow] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)


def flows_in_properties(config: Mapping[str, str]) -> DiscoveredFlows:
    """The enabled flows of mm2.properties."""
    found = DiscoveredFlows(notes=[*_ignored_keys(dedicated_findings(config))])
    clusters = clusters_of(config)
    for source in clusters:
        for target in clusters:
            if source == target:
                continue
            expanded = expand(config, source, target)
            connectors = {
                **expanded.connectors,
                ConnectorKind.SOURCE: _with_producer_overrides(expanded),
            }
            flow = DiscoveredFlow(source, target, _emitting(connectors), expanded.worker)
            if _is_on(expanded.connectors[ConnectorKind.SOURCE], "enabled", default=False):
                found.flows.append(flow)
            elif any(_configures(flow.name, key) for key in config):
                found.notes.append(note("it is not enabled; left out", flow=flow.name))
    return found


def _with_producer_overrides(expanded: ExpandedFlow) -> dict[str, str]:
    """In dedicated mode `west.producer.linger.ms` configures the worker's producer, which writes
    the records. A connector on a shared worker has to override it."""
    connection_keys = prefixed(PRODUCER, dict.fromkeys(keys_in(Section.CLUSTER), ""))
    tuned = {
        key: value
        for key, value in expanded.worker.items()
        if key.startswith(PRODUCER) and key not in connection_keys
    }
    own = expanded.connectors[ConnectorKind.SOURCE]
    override = {f"{PRODUCER}override.{key.removeprefix(PRODUCER)}": tuned[key] for key in tuned}
    return override | {k: v for k, v in own.items() if k.removeprefix("target.") not in tuned}


def _configures(flow: str, key: str) -> bool:
    """Files turn heartbeats off for pairs of clusters without a flow; nothing is lost with them."""
    return key.startswith(f"{flow}.") and key != f"{flow}.emit.heartbeats.enabled"


def _ignored_keys(findings: Iterable[Finding], connector: str | None = None) -> Iterator[Finding]:
    """Notes about keys that have no effect today; an invalid value is an error."""
    errors = [one for one in findings if one.severity is Severity.ERROR]
    invalid = [one for one in errors if one.rule == KeyRule.INVALID_VALUE]
    if invalid:
        raise UserError.of([replace(one, connector=connector) for one in invalid])
    for one in errors:
        if one.rule in IGNORED_KEYS:
            yield note(f"{one.message.removesuffix('.')}; left out", connector=connector)


def _emitting(
    connectors: Mapping[ConnectorKind, Mapping[str, str]],
) -> dict[ConnectorKind, Mapping[str, str]]:
    """Dedicated mode creates all three connectors; one that emits nothing is not imported."""
    switches = {
        ConnectorKind.CHECKPOINT: "emit.checkpoints.enabled",
        ConnectorKind.HEARTBEAT: "emit.heartbeats.enabled",
    }
    return {
        kind: config
        for kind, config in connectors.items()
        if kind not in switches or _is_on(config, switches[kind], default=True)
    }


def _is_on(config: Mapping[str, str], key: str, *, default: bool) -> bool:
    return config.get(key, str(default)).strip().lower() == "true"


def flows_in_connectors(connectors: Sequence[ExistingConnector]) -> DiscoveredFlows:
    """The flows of MirrorMaker's connectors, grouped by the aliases of their clusters."""
    found = DiscoveredFlows()
    pairs: dict[tuple[str, str], dict[ConnectorKind, ExistingConnector]] = {}
    for one in connectors:
        section = connector_section(one.config.get("connector.class", "").strip())
        if section is None:
            found.notes.append(note("not a MirrorMaker connector; left out", connector=one.name))
            continue
        found.notes += _ignored_keys(connector_key_findings(one.config), one.name)
        pair = pairs.setdefault(_aliases(one.config), {})
        kind = ConnectorKind(section.value)
        if kind in pair:
            pair[kind], merged = _merged(pair[kind], one)
            found.notes.append(merged)
        else:
            pair[kind] = one
    for (source, target), pair in pairs.items():
        if ConnectorKind.SOURCE not in pair:
            message = f"no source connector replicates {source} to {target}; left out"
            found.notes += [note(message, connector=one.name) for one in pair.values()]
            continue
        configs = _emitting({kind: one.config for kind, one in pair.items()})
        state = pair[ConnectorKind.SOURCE].state
        found.flows.append(DiscoveredFlow(source, target, configs, state=state))
        found.notes += _other_states(pair)
    return found


def _aliases(config: Mapping[str, str]) -> tuple[str, str]:
    source = config.get("source.cluster.alias", "source")
    return source.strip(), config.get("target.cluster.alias", "target").strip()


def _merged(
    first: ExistingConnector, second: ExistingConnector
) -> tuple[ExistingConnector, Finding]:
    """A stack has one flow per pair of clusters; here several connectors share its topics."""
    key = "groups" if "groups" in first.config else "topics"
    lists = [split_list(one.config.get(key, "")) for one in (first, second)]
    both = list(dict.fromkeys(lists[0] + lists[1]))
    merged = replace(first, config={**first.config, key: ",".join(both)})
    message = f"merged with {first.name}: the {key} of both, the settings of {first.name}"
    return merged, note(message, connector=second.name)


def _other_states(pair: Mapping[ConnectorKind, ExistingConnector]) -> Iterator[Finding]:
    state = pair[ConnectorKind.SOURCE].state
    for one in pair.values():
        if one.state is not state:
            message = f"{one.state}, but the flow gets the state of its source connector, {state}"
            yield note(message, connector=one.name)
