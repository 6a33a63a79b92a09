"""What files say together: the flows of all of them, and what two of them would share.

Stack files are not among these: they name their peers themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from mirrorstack.connect.config import REFERENCE
from mirrorstack.findings import Finding
from mirrorstack.lint.connector_files import Connector
from mirrorstack.lint.entries import Entries, Placed
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
class Judged:
    """What is wrong with a file by itself, and what it declares."""

    placed: Sequence[Placed]
    connectors: Sequence[Connector] = ()
    herders: Sequence[Herder] = ()
    """Of mm2.properties."""
    worker: bool = False
    """Whether it is a worker's properties."""
    entries: Entries = field(default_factory=lambda: Entries({}, {}))
    """Of a properties file."""


Files = Mapping[Path, Judged]
Told = Iterator[tuple[Path, Placed]]


def judge_together(files: Files) -> dict[Path, list[Placed]]:
    """By file and line, with what is wrong with each by itself."""
    result = {path: list(judged.placed) for path, judged in files.items()}
    for judge in (_flows, _agreement, _dedicated, _workers):
        for path, placed in judge(files):
            result[path].append(placed)
    return {path: sorted(placed, key=lambda one: one.line) for path, placed in result.items()}


@dataclass(frozen=True)
class _Flow:
    route: Route
    path: Path
    entries: Entries
    key: str


def _flows(files: Files) -> Told:
    """Rings, merging and names, over all files."""
    flows = {flow.route.name: flow for flow in _declared(files)}
    for judgement, problem in route_judgements([flow.route for flow in flows.values()]):
        about = flows[_first_named(problem.message, flows)]
        for one in found(judgement.rule, about.key, [problem], judgement.severity):
            yield about.path, about.entries.placed([one])[0]


def _declared(files: Files) -> Iterator[_Flow]:
    for path, judged in files.items():
        of = f" of {path}" if len(files) > 1 else ""
        for herder in judged.herders:
            config = herder.config(ConnectorKind.SOURCE)
            if herder.is_enabled and not REFERENCE.search(config.get(TOPICS, "")):
                dialect = excluding_with(f"{herder.name}.topics.exclude")
                route = route_of(config, f"{herder.name}{of}", None, dialect)
                yield _Flow(route, path, judged.entries, herder.written(TOPICS))
        for one in judged.connectors:
            config = one.entries.values
            if kind_of(config) is not ConnectorKind.SOURCE or is_off(config, "enabled"):
                continue
            if not REFERENCE.search(config.get(TOPICS, "")):
                route = route_of(config, f"{one.name}{of}", None, one.dialect)
                yield _Flow(route, path, one.entries, TOPICS)


def _first_named(what: str, names: Mapping[str, _Flow]) -> str:
    places = {
        name: hit.start()
        for name in names
        if (hit := re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", what))
    }
    return min(places, key=places.__getitem__)


def _agreement(files: Files) -> Told:
    """Connectors between the same two clusters, in files of their own.

    Where only the aliases are the same, two files may well be about two environments.
    """
    flows: dict[tuple[str, ...], list[tuple[Path, Connector]]] = {}
    for path, judged in files.items():
        for one in judged.connectors:
            for keys in REACHED:
                if ends := Named(one.name, one.entries.values).ends(keys):
                    flows.setdefault((*keys, *ends), []).append((path, one))
    said: list[tuple[Path, Placed]] = []
    for flow in flows.values():
        if len({path for path, _ in flow}) > 1:
            named = [Named(one.name, one.entries.values) for _, one in flow]
            for number, finding in disagreements(named):
                path, one = flow[number]
                (placed,) = one.entries.placed([finding])
                if placed not in files[path].placed and (path, placed) not in said:
                    said.append((path, placed))
    yield from said


def _dedicated(files: Files) -> Told:
    started = [(path, herder) for path, judged in files.items() for herder in judged.herders]
    for (path, one), (other_path, other) in combinations(started, 2):
        both = shared(one, other) if path != other_path else []
        if both:
            finding = Finding(
                f"{other.name} runs on {other.target} with {', '.join(both)}, and so does "
                f"{one.name} of {path} with another config: whichever process becomes the leader "
                "writes its own over the other's",
                f"run one file for each target; or give one of them `{other.target}.group.id` and "
                "storage topics of its own",
                rule=Rule.ONCE,
                path=(other.written("group.id"),),
            )
            yield other_path, files[other_path].entries.placed([finding])[0]


def _workers(files: Files) -> Told:
    workers = {str(path): judged.entries for path, judged in files.items() if judged.worker}
    for one, other in combinations(workers, 2):
        pair = [(name, workers[name].values) for name in (one, other)]
        for finding in found(Rule.MIXED_WORKERS, "group.id", mixed_workers(pair)):
            yield Path(other), workers[other].placed([finding])[0]
