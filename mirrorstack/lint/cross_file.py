"""Checks over several files: cycles, agreement between connectors, shared worker state.

Stack files take no part: they name their peers themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

from mirrorstack.connect.config import REFERENCE
from mirrorstack.findings import Finding
from mirrorstack.lint.connector_files import LintedConnector
from mirrorstack.lint.document import LocatedConfig
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.rules.connector_config import is_off
from mirrorstack.rules.connector_consistency import BY_ADDRESS, differences, endpoints
from mirrorstack.rules.dedicated_flows import Herder, HerderPair, no_shared_dedicated_workers
from mirrorstack.rules.registry import FLOW_RULES
from mirrorstack.rules.subjects import Flows, NamedConnector, NamedWorker, NamedWorkers, kind_of
from mirrorstack.rules.topology import Route, fixes_with, route_of
from mirrorstack.rules.workers import consistent_worker_groups

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
    subject = Flows([flow.route for flow in flows.values()])
    for finding in (found for rule in FLOW_RULES for found in rule.findings(subject)):
        flow = flows[str(finding.flow)]
        yield from _located(flow.path, flow.config, [replace(finding, path=(flow.key,))])


def _declared(files: Files) -> Iterator[_DeclaredFlow]:
    for path, linted in files.items():
        suffix = f" of {path}" if len(files) > 1 else ""
        for herder in linted.herders:
            config = herder.config(ConnectorKind.SOURCE)
            if herder.is_enabled and not REFERENCE.search(config.get(TOPICS, "")):
                fixes = fixes_with(f"{herder.name}.topics.exclude")
                route = route_of(config, f"{herder.name}{suffix}", None, fixes)
                yield _DeclaredFlow(route, path, linted.config, herder.written(TOPICS))
        for one in linted.connectors:
            config = one.config.values
            if kind_of(config) is not ConnectorKind.SOURCE or is_off(config, "enabled"):
                continue
            if not REFERENCE.search(config.get(TOPICS, "")):
                route = route_of(config, f"{one.name}{suffix}", None, one.fixes)
                yield _DeclaredFlow(route, path, one.config, TOPICS)


def _connectors(files: Files) -> Iterator[Finding]:
    """Whether connectors in different files that connect the same two clusters agree.

    The same aliases are not enough: two files may describe two environments.
    """
    flows: dict[tuple[str, ...], list[tuple[Path, LintedConnector]]] = {}
    for path, linted in files.items():
        for one in linted.connectors:
            for keys in BY_ADDRESS:
                if ends := endpoints(NamedConnector(one.name, one.config.values), keys):
                    flows.setdefault((*keys, *ends), []).append((path, one))
    reported: list[Finding] = []
    for flow in flows.values():
        if len({path for path, _ in flow}) > 1:
            named = [NamedConnector(one.name, one.config.values) for _, one in flow]
            for difference in differences(named):
                path, one = flow[difference.number]
                (located,) = _located(path, one.config, [difference.finding])
                if located not in files[path].findings and located not in reported:
                    reported.append(located)
    yield from reported


def _dedicated_mode(files: Files) -> Iterator[Finding]:
    started = [(path, herder) for path, linted in files.items() for herder in linted.herders]
    for (path, one), (other_path, other) in combinations(started, 2):
        if path != other_path:
            pair = HerderPair(one, other, str(path))
            findings = [*no_shared_dedicated_workers.findings(pair)]
            yield from _located(other_path, files[other_path].config, findings)


def _workers(files: Files) -> Iterator[Finding]:
    workers = {path: linted.config for path, linted in files.items() if linted.is_worker}
    for one, other in combinations(workers, 2):
        pair = [NamedWorker(str(path), workers[path].values) for path in (one, other)]
        findings = consistent_worker_groups.findings(NamedWorkers(pair))
        yield from _located(other, workers[other], [*findings])
