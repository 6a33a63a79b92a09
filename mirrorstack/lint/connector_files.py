"""Connectors as JSON: what Connect's REST API takes and gives, one or several in a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mirrorstack.findings import Finding
from mirrorstack.lint.document import Located
from mirrorstack.lint.entries import Entries, Placed
from mirrorstack.mm2.key_scopes import all_connector_keys
from mirrorstack.rules.connector_consistency import Named, disagreements
from mirrorstack.rules.dialects import CONNECTOR, Dialect
from mirrorstack.rules.flow_connectors import flow_findings
from mirrorstack.rules.keys.connector import CLASS, findings_of
from mirrorstack.rules.registry import Rule


@dataclass(frozen=True)
class Connector:
    """A connector's name and config, wherever they were found."""

    name: str
    entries: Entries
    odd: tuple[Placed, ...] = ()
    """What was wrong already when it was read."""
    state: str = "running"
    """What it is to be doing, where the file says it."""
    dialect: Dialect = CONNECTOR
    """In whose keys a way out is said."""
    told: tuple[str, ...] = ()
    """How keys begin whose absence follows from something that is told already."""


def connectors_in(document: Located) -> list[Connector]:
    """`{"name", "config"}`, a plain config, a list of either, or what `?expand=info` answers."""
    if document.kind == "list":
        return [found for item in document.items for found in connectors_in(item)]
    if document.kind != "mapping":
        return []
    config = document.get("config")
    if config is not None and config.kind == "mapping":
        return [_connector(document.text("name"), config)]
    if CLASS in document.keys or all_connector_keys().keys() & document.keys.keys() - {"name"}:
        return [_connector(document.text("name"), document)]
    inside = (value.get("info") or value for value in document.keys.values())
    return [found for one in inside if one.get("config") for found in connectors_in(one)]


def judge_connectors(connectors: Sequence[Connector]) -> list[Placed]:
    found: list[Placed] = []
    for one in connectors:
        found += one.odd
        found += one.entries.placed(_class(one.entries))
        found += one.entries.placed(_untold(one))
        found += one.entries.placed(flow_findings(one.name, one.entries.values))
    named = [Named(one.name, one.entries.values) for one in connectors]
    for number, finding in disagreements(named):
        found += connectors[number].entries.placed([finding])
    return found


def _untold(one: Connector) -> Iterator[Finding]:
    for finding in findings_of(one.entries.values):
        if finding.rule is not Rule.MISSING_KEY or not finding.key.startswith(one.told):
            yield finding


def entries_of(config: Located) -> tuple[Entries, tuple[Placed, ...]]:
    """A mapping's scalars as Connect stores them, and what it would not take."""
    values, lines, odd = {}, {}, []
    for key, value in config.keys.items():
        lines[key] = value.line
        if value.kind != "scalar":
            what = f"{key} is a {value.kind}: Connect takes texts, numbers and booleans"
            finding = Finding(
                what, "write a text; lists with commas", rule=Rule.INVALID_VALUE, path=(key,)
            )
            odd.append(Placed(value.line, finding))
        elif (text := config.text(key)) is not None:
            values[key] = text
    return Entries(values, lines, config.line), tuple(odd)


def _connector(name: str | None, config: Located) -> Connector:
    entries, odd = entries_of(config)
    inner = entries.values.get("name")
    if name is not None and inner not in (None, name):
        what = f"name is {inner!r} in the config and {name!r} outside: Connect refuses that"
        finding = Finding(what, "remove the one in the config", rule=Rule.CONFLICT, path=("name",))
        odd += (Placed(entries.lines["name"], finding),)
    return Connector(name or inner or f"the connector on line {config.line}", entries, odd)


def _class(entries: Entries) -> Iterator[Finding]:
    if not entries.values.get(CLASS):
        what = f"{CLASS} is absent: it says which connector this is"
        yield Finding(what, "add it", rule=Rule.MISSING_KEY, path=(CLASS,))
