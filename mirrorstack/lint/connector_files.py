"""Connectors as JSON, in the shapes of Connect's REST API; one or several per file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mirrorstack.findings import Finding
from mirrorstack.lint.document import DocumentNode, LocatedConfig
from mirrorstack.mm2.key_scopes import all_connector_keys
from mirrorstack.rules.connector_consistency import differences
from mirrorstack.rules.flow_connectors import connector_findings
from mirrorstack.rules.keys.connector import CLASS, connector_key_findings
from mirrorstack.rules.keys.rules import KeyRule
from mirrorstack.rules.subjects import NamedConnector
from mirrorstack.rules.topology import CONNECTOR, Fixes


@dataclass(frozen=True)
class LintedConnector:
    """A connector's name and config, from any kind of file."""

    name: str
    config: LocatedConfig
    findings: tuple[Finding, ...] = ()
    """Findings from reading it."""
    state: str = "running"
    """The state that the file declares."""
    fixes: Fixes = CONNECTOR
    """The keys that fixes mention."""
    reported_prefixes: tuple[str, ...] = ()
    """Prefixes of keys that are missing because of something that is reported already."""


def connectors_in(document: DocumentNode) -> list[LintedConnector]:
    """From `{"name", "config"}`, a plain config, a list of either, or `?expand=info` output."""
    if document.kind == "list":
        return [found for item in document.items for found in connectors_in(item)]
    if document.kind != "mapping":
        return []
    config = document.get("config")
    if config is not None and config.kind == "mapping":
        return [_connector(document.text("name"), config)]
    keys = document.members.keys()
    if CLASS in keys or all_connector_keys().keys() & keys - {"name"}:
        return [_connector(document.text("name"), document)]
    inner = (value.get("info") or value for value in document.members.values())
    return [found for one in inner if one.get("config") for found in connectors_in(one)]


def check_connectors(connectors: Sequence[LintedConnector]) -> list[Finding]:
    """Each connector by itself, and whether the connectors of one flow agree."""
    findings: list[Finding] = []
    for one in connectors:
        checked = [
            *_missing_class(one.config),
            *_new_findings(one),
            *connector_findings(one.name, one.config.values),
        ]
        findings += [
            replace(finding, connector=one.name)
            for finding in (*one.findings, *one.config.locate(checked))
        ]
    named = [NamedConnector(one.name, one.config.values) for one in connectors]
    for difference in differences(named):
        findings += connectors[difference.number].config.locate([difference.finding])
    return findings


def _new_findings(one: LintedConnector) -> Iterator[Finding]:
    for finding in connector_key_findings(one.config.values):
        if finding.rule != KeyRule.MISSING_KEY or not finding.key.startswith(one.reported_prefixes):
            yield finding


def located_config(node: DocumentNode) -> tuple[LocatedConfig, tuple[Finding, ...]]:
    """A mapping's scalars as Connect stores them, and findings about all other values."""
    values, lines, findings = {}, {}, []
    for key, value in node.members.items():
        lines[key] = value.line
        if value.kind != "scalar":
            findings.append(
                Finding(
                    f"{key} is a {value.kind}; a config holds only strings, numbers and booleans",
                    "write a string; separate the items of a list with commas",
                    rule=KeyRule.INVALID_VALUE,
                    path=(key,),
                    line=value.line,
                )
            )
        elif (text := node.text(key)) is not None:
            values[key] = text
    return LocatedConfig(values, lines, node.line), tuple(findings)


def _connector(name: str | None, node: DocumentNode) -> LintedConnector:
    config, findings = located_config(node)
    inner = config.values.get("name")
    if name is not None and inner not in (None, name):
        conflict = Finding(
            f"name is {inner!r} in the config and {name!r} outside of it; Connect rejects this",
            "remove `name` from the config",
            rule=KeyRule.CONFLICT,
            path=("name",),
        )
        findings += tuple(config.locate([conflict]))
    return LintedConnector(name or inner or f"connector on line {node.line}", config, findings)


def _missing_class(config: LocatedConfig) -> Iterator[Finding]:
    if not config.values.get(CLASS):
        yield Finding(
            f"{CLASS} is missing; it selects the connector",
            f"add `{CLASS}`",
            rule=KeyRule.MISSING_KEY,
            path=(CLASS,),
        )
