"""Checks over several files: cycles, agreement between connectors, shared worker state.

Stack files take no part: they name their peers themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

from mirrorstack.connect.config import REFERENCE
from mirrorstack.findings import Finding
from mirrorstack.lint.connector_files import LintedConnector
from mirrorstack.lint.document import LocatedConfig
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.rules.connector_config import kind_of
from mirrorstack.rules.connector_consistency import REACHED, Named, disagreements
from mirrorstack.rules.declarations import route_judgements
from mirrorstack.rules.dedicated_flows import Herder, shared
from mirrorstack.rules.dialects import excluding_with
from mirrorstack.rules.flow_connectors import found, is_off
from mirrorstack.rules.registry import Rule
from mirrorstack.rules.shared_state import mixed_workers
from mirrorstack.rules.topology import Route, route_of

TOPICS = "topics"


@dataclass(frozen=True)
class LintedFile:
    """The findings of a file by itself, and what it declares."""

    findings: Sequence[Finding]
    connectors: Sequence[LintedConnector] = ()
    herders: Sequence[Herder] = ()
    """Of mm2.properties."""
    is_worker: bool = False
    config: LocatedConfig = field(default_factory=lambda: LocatedConfig({}, {}))
    """Of a properties file."""


Files = Mapping[Path, LintedFile]


def check_files(files: Files) -> list[Finding]:
    """All findings, of each file by itself and of the files together, by file and line."""
    findings = {str(path): list(linted.findings) for path, linted in files.items()}
    for check in (_flows, _connectors, _dedicated_mode, _workers):
        for finding in check(files):
            findings[finding.file].append(finding)
    return [
        finding
        for of_file in findings.values()
        for finding in sorted(of_file, key=lambda one: one.line or 1)
    ]


def _located(path: Path, config: LocatedConfig, findings: Sequence[Finding]) -> list[Finding]:
    return [replace(one, file=str(path)) for one in config.locate(findings)]


@dataclass(frozen=True)
class _DeclaredFlow:
    route: Route
    path: Path
    config: LocatedConfig
    key: str
    """The key that selects its topics."""


def _flows(files: Files) -> Iterator[Finding]:
    """Cycles, merging sources and misleading topic names, over all files."""
    flows = {flow.route.name: flow for flow in _declared(files)}
    for judgement, finding in route_judgements([flow.route for flow in flows.values()]):
        flow = flows[_first_named(finding.message, flows)]
        named = [*found(judgement.rule, flow.key, [finding], judgement.severity)]
        yield from _located(flow.path, flow.config, named)


def _declared(files: Files) -> Iterator[_DeclaredFlow]:
    for path, linted in files.items():
        suffix = f" of {path}" if len(files) > 1 else ""
        for herder in linted.herders:
            config = herder.config(ConnectorKind.SOURCE)
            if herder.is_enabled and not REFERENCE.search(config.get(TOPICS, "")):
                dialect = excluding_with(f"{herder.name}.topics.exclude")
                route = route_of(config, f"{herder.name}{suffix}", None, dialect)
                yield _DeclaredFlow(route, path, linted.config, herder.written(TOPICS))
        for one in linted.connectors:
            config = one.config.values
            if kind_of(config) is not ConnectorKind.SOURCE or is_off(config, "enabled"):
                continue
            if not REFERENCE.search(config.get(TOPICS, "")):
                route = route_of(config, f"{one.name}{suffix}", None, one.dialect)
                yield _DeclaredFlow(route, path, one.config, TOPICS)


def _first_named(what: str, names: Mapping[str, _DeclaredFlow]) -> str:
    places = {
        name: hit.start()
        for name in names
        if (hit := re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", what))
    }
    return min(places, key=places.__getitem__)


def _connectors(files: Files) -> Iterator[Finding]:
    """Whether connectors in different files that connect the same two clusters agree.

    The same aliases are not enough: two files may describe two environments.
    """
    flows: dict[tuple[str, ...], list[tuple[Path, LintedConnector]]] = {}
    for path, linted in files.items():
        for one in linted.connectors:
            for keys in REACHED:
                if ends := Named(one.name, one.config.values).ends(keys):
                    flows.setdefault((*keys, *ends), []).append((path, one))
    reported: list[Finding] = []
    for flow in flows.values():
        if len({path for path, _ in flow}) > 1:
            named = [Named(one.name, one.config.values) for _, one in flow]
            for index, finding in disagreements(named):
                path, one = flow[index]
                (located,) = _located(path, one.config, [finding])
                if located not in files[path].findings and located not in reported:
                    reported.append(located)
    yield from reported


def _dedicated_mode(files: Files) -> Iterator[Finding]:
    started = [(path, herder) for path, linted in files.items() for herder in linted.herders]
    for (path, one), (other_path, other) in combinations(started, 2):
        both = shared(one, other) if path != other_path else []
        if both:
            finding = Finding(
                f"{other.name} uses {', '.join(both)} on {other.target}, and so does {one.name} of "
                f"{path} with a different config: whichever process becomes the leader overwrites "
                "the config of the other",
                f"use one file per target cluster, or set another `{other.target}.group.id` and "
                "other storage topics",
                rule=Rule.ONCE,
                path=(other.written("group.id"),),
                flow=other.name,
                cluster=other.target,
            )
            yield from _located(other_path, files[other_path].config, [finding])


def _workers(files: Files) -> Iterator[Finding]:
    workers = {path: linted.config for path, linted in files.items() if linted.is_worker}
    for one, other in combinations(workers, 2):
        pair = [(str(path), workers[path].values) for path in (one, other)]
        findings = [*found(Rule.MIXED_WORKERS, "group.id", mixed_workers(pair))]
        yield from _located(other, workers[other], findings)
