"""Flows as they are declared elsewhere, each with the configs of its connectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.findings import Finding, Severity, UserError
from mirrorstack.kafka.java_client import prefixed
from mirrorstack.mm2.catalogue import Section, connector_section, keys_in
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.dedicated import ExpandedFlow, expand
from mirrorstack.mm2.key_values import split_list
from mirrorstack.notes import Note
from mirrorstack.rules.keys.connector import findings_of
from mirrorstack.rules.keys.dedicated import clusters_of, dedicated_findings
from mirrorstack.rules.registry import Rule

PRODUCER = "producer."


@dataclass(frozen=True)
class Connector:
    """A connector somewhere; its state, where that is known."""

    name: str
    config: Mapping[str, str]
    state: ConnectorState = ConnectorState.RUNNING


@dataclass(frozen=True)
class Found:
    """One flow: what its connectors are told, and its worker, where that is known."""

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
        """Only dedicated mode tells about workers and connectors in one file."""
        return self.worker is not None


@dataclass
class Findings:
    """What was found, and what has to be said about it."""

    flows: list[Found] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


def in_properties(config: Mapping[str, str]) -> Findings:
    """The flows of mm2.properties that are enabled."""
    found = Findings(notes=_unread("the file", dedicated_findings(config)))
    clusters = clusters_of(config)
    for source in clusters:
        for target in clusters:
            if source == target:
                continue
            made = expand(config, source, target)
            connectors = {**made.connectors, ConnectorKind.SOURCE: _with_producer(made)}
            flow = Found(source, target, _enabled(connectors), made.worker)
            if _is_on(made.connectors[ConnectorKind.SOURCE], "enabled", default=False):
                found.flows.append(flow)
            elif any(_speaks_of(flow.name, key) for key in config):
                found.notes.append(Note(flow.name, "it is not enabled, so it is left out"))
    return found


def _with_producer(made: ExpandedFlow) -> dict[str, str]:
    """In dedicated mode `west.producer.linger.ms` is for the worker's producer, which writes the
    records; among others' workers a connector has to say so itself."""
    reach = prefixed(PRODUCER, dict.fromkeys(keys_in(Section.CLUSTER), ""))
    tuned = {
        key: value
        for key, value in made.worker.items()
        if key.startswith(PRODUCER) and key not in reach
    }
    own = made.connectors[ConnectorKind.SOURCE]
    override = {f"{PRODUCER}override.{key.removeprefix(PRODUCER)}": tuned[key] for key in tuned}
    return override | {k: v for k, v in own.items() if k.removeprefix("target.") not in tuned}


def _speaks_of(flow: str, key: str) -> bool:
    """That no heartbeats go where there is no flow is said of many pairs, and nothing is lost."""
    return key.startswith(f"{flow}.") and key != f"{flow}.emit.heartbeats.enabled"


UNREAD = (
    *(Rule.UNKNOWN_KEY, Rule.GONE_KEY, Rule.UNREAD_KEY, Rule.DROPPED_KEY),
    Rule.UNDECLARED_CLUSTER,
)


def _unread(where: str, findings: Iterable[Finding]) -> list[Note]:
    """What nothing read there either, in the linter's words; what does not work is no start."""
    errors = [one for one in findings if one.severity is Severity.ERROR]
    for one in errors:
        if one.rule is Rule.INVALID_VALUE:
            raise UserError(f"{where}: {one.message}.", f"{one.fix}, and import again")
    return [
        Note(where, f"{one.message}, so it is left out") for one in errors if one.rule in UNREAD
    ]


def _enabled(
    connectors: Mapping[ConnectorKind, Mapping[str, str]],
) -> dict[ConnectorKind, Mapping[str, str]]:
    """Dedicated mode makes all three; those that emit nothing are as good as absent."""
    off = {
        ConnectorKind.CHECKPOINT: "emit.checkpoints.enabled",
        ConnectorKind.HEARTBEAT: "emit.heartbeats.enabled",
    }
    return {
        kind: config
        for kind, config in connectors.items()
        if kind not in off or _is_on(config, off[kind], default=True)
    }


def _is_on(config: Mapping[str, str], key: str, *, default: bool) -> bool:
    return config.get(key, str(default)).strip().lower() == "true"


def in_connectors(connectors: Sequence[Connector]) -> Findings:
    """MirrorMaker's among them, put together by the clusters' aliases."""
    found = Findings()
    pairs: dict[tuple[str, str], dict[ConnectorKind, Connector]] = {}
    for one in connectors:
        section = connector_section(one.config.get("connector.class", "").strip())
        if section is None:
            found.notes.append(Note(one.name, "it is not one of MirrorMaker's, so it is left out"))
            continue
        found.notes += _unread(one.name, findings_of(one.config))
        pair = pairs.setdefault(_ends(one.config), {})
        kind = ConnectorKind(section.value)
        if kind in pair:
            pair[kind], note = _joined(pair[kind], one)
            found.notes.append(note)
        else:
            pair[kind] = one
    for (source, target), pair in pairs.items():
        if ConnectorKind.SOURCE not in pair:
            name = next(iter(pair.values())).name
            found.notes.append(Note(name, f"no connector mirrors {source} to {target}: left out"))
            continue
        configs = _enabled({kind: one.config for kind, one in pair.items()})
        found.flows.append(Found(source, target, configs, state=pair[ConnectorKind.SOURCE].state))
        found.notes += _other_states(pair)
    return found


def _ends(config: Mapping[str, str]) -> tuple[str, str]:
    source = config.get("source.cluster.alias", "source")
    return source.strip(), config.get("target.cluster.alias", "target").strip()


def _joined(first: Connector, second: Connector) -> tuple[Connector, Note]:
    """A stack has one flow between two clusters; several connectors may have shared its topics."""
    key = "groups" if "groups" in first.config else "topics"
    both = list(
        dict.fromkeys(
            split_list(first.config.get(key, "")) + split_list(second.config.get(key, ""))
        )
    )
    what = f"it is joined with {first.name}, whose settings count; the {key} are those of both"
    config = {**first.config, key: ",".join(both)}
    return Connector(first.name, config, first.state), Note(second.name, what)


def _other_states(pair: Mapping[ConnectorKind, Connector]) -> Iterator[Note]:
    state = pair[ConnectorKind.SOURCE].state
    for one in pair.values():
        if one.state is not state:
            what = f"it is {one.state}, and the flow will be {state}, as its source connector is"
            yield Note(one.name, what)
