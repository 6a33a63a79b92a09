"""Properties files: of MirrorMaker in dedicated mode, of a Connect worker, of a connector."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from mirrorstack.connect.config import SECRET_KEY
from mirrorstack.findings import Finding
from mirrorstack.lint.document import LocatedConfig
from mirrorstack.local.java_properties import Property
from mirrorstack.mm2.catalogue import Section, keys_in
from mirrorstack.mm2.key_scopes import STANDALONE, all_connector_keys
from mirrorstack.rules.dedicated_flows import dedicated_flow_findings
from mirrorstack.rules.flow_connectors import connector_findings
from mirrorstack.rules.keys.connector import connector_key_findings
from mirrorstack.rules.keys.dedicated import ARROW, dedicated_findings
from mirrorstack.rules.keys.rules import KeyRule
from mirrorstack.rules.keys.worker import worker_findings

COMMENT = re.compile(r"(^|[ \t]+)#.*", re.DOTALL)


class PropertiesKind(StrEnum):
    """Which program reads the file."""

    MM2 = "mm2"
    """`connect-mirror-maker`."""
    WORKER = "worker"
    """`connect-distributed` or `connect-standalone`."""
    CONNECTOR = "connector"
    """A connector in standalone mode."""


def detect_kind(config: Mapping[str, str]) -> PropertiesKind | None:
    """By the keys; None if they occur in more than one kind of file."""
    if "connector.class" in config:
        return PropertiesKind.CONNECTOR
    if "clusters" in config or any(ARROW in key or ARROW in config[key] for key in config):
        return PropertiesKind.MM2
    worker_keys = keys_in(Section.WORKER).keys() - all_connector_keys().keys()
    if STANDALONE.name in config or (worker_keys - {"bootstrap.servers"}) & config.keys():
        return PropertiesKind.WORKER
    common = keys_in(Section.WORKER).keys() | keys_in(Section.CONSUMER).keys()
    if any(key.startswith(("source.cluster.", "target.cluster.")) for key in config):
        return PropertiesKind.MM2
    return PropertiesKind.MM2 if (all_connector_keys().keys() - common) & config.keys() else None


def check_properties(properties: Sequence[Property], kind: PropertiesKind) -> list[Finding]:
    config, findings = without_comments(properties)
    checked: Iterable[Finding]
    if kind is PropertiesKind.MM2:
        checked = [*dedicated_findings(config.values), *dedicated_flow_findings(config.values)]
    elif kind is PropertiesKind.CONNECTOR:
        name = config.values.get("name", "of this file")
        checked = [*connector_key_findings(config.values), *connector_findings(name, config.values)]
    else:
        checked = worker_findings(config.values)
    return findings + config.locate(checked)


def without_comments(properties: Sequence[Property]) -> tuple[LocatedConfig, list[Finding]]:
    """The config without inline comments, and findings about these and about duplicate keys.

    The other checks see the value without the comment: one mistake, one finding.
    """
    findings = [*_duplicates(properties)]
    cleaned = []
    for one in properties:
        comment = COMMENT.search(one.value)
        # A password may contain a # after a blank.
        if comment is None or SECRET_KEY.search(one.key):
            cleaned.append(one)
            continue
        findings.append(_inline_comment(one))
        cleaned.append(replace(one, value=one.value[: comment.start()]))
    return located_properties(cleaned), findings


def located_properties(properties: Sequence[Property]) -> LocatedConfig:
    return LocatedConfig(
        values={one.key: one.value for one in properties},
        lines={one.key: one.line for one in properties},
    )


def _inline_comment(one: Property) -> Finding:
    return Finding(
        f"{one.key} is {one.value!r}: the text after # is part of the value, not a comment",
        "put the comment on its own line",
        rule=KeyRule.INLINE_COMMENT,
        path=(one.key,),
        line=one.line,
    )


def _duplicates(properties: Sequence[Property]) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for one in properties:
        if one.key in seen:
            yield Finding(
                f"{one.key} is set on line {seen[one.key]} too; the last value is used",
                "remove one of them",
                rule=KeyRule.DUPLICATE_KEY,
                path=(one.key,),
                line=one.line,
                severity=KeyRule.DUPLICATE_KEY.info.severity,
            )
        seen[one.key] = one.line
