"""Properties files: MirrorMaker's in dedicated mode, a worker's, a connector's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from mirrorstack.connect.config import SECRET_KEY
from mirrorstack.findings import Finding, Severity
from mirrorstack.lint.entries import Entries, Placed
from mirrorstack.local.java_properties import Property
from mirrorstack.mm2.catalogue import Section, keys_in
from mirrorstack.mm2.key_scopes import STANDALONE, all_connector_keys
from mirrorstack.rules.dedicated_flows import dedicated_flow_findings
from mirrorstack.rules.flow_connectors import flow_findings
from mirrorstack.rules.keys.connector import findings_of
from mirrorstack.rules.keys.dedicated import ARROW, dedicated_findings
from mirrorstack.rules.keys.worker import worker_findings
from mirrorstack.rules.registry import Rule

COMMENT = re.compile(r"(^|[ \t]+)#.*", re.DOTALL)


class PropertiesKind(StrEnum):
    """Whose file it is."""

    MM2 = "mm2"
    """Of `connect-mirror-maker`."""
    WORKER = "worker"
    """Of `connect-distributed` or `connect-standalone`."""
    CONNECTOR = "connector"
    """Of a connector in standalone mode."""


def kind_of(config: Mapping[str, str]) -> PropertiesKind | None:
    """What the keys tell; None where they tell nothing."""
    if "connector.class" in config:
        return PropertiesKind.CONNECTOR
    if "clusters" in config or any(ARROW in key or ARROW in config[key] for key in config):
        return PropertiesKind.MM2
    of_workers = (
        keys_in(Section.WORKER).keys() - all_connector_keys().keys() - {"bootstrap.servers"}
    )
    if STANDALONE.name in config or of_workers & config.keys():
        return PropertiesKind.WORKER
    common = keys_in(Section.WORKER).keys() | keys_in(Section.CONSUMER).keys()
    if any(key.startswith(("source.cluster.", "target.cluster.")) for key in config):
        return PropertiesKind.MM2
    return PropertiesKind.MM2 if (all_connector_keys().keys() - common) & config.keys() else None


def judge_properties(properties: Sequence[Property], kind: PropertiesKind) -> list[Placed]:
    entries, found = meant(properties)
    judged: Iterable[Finding]
    if kind is PropertiesKind.MM2:
        judged = [*dedicated_findings(entries.values), *dedicated_flow_findings(entries.values)]
    elif kind is PropertiesKind.CONNECTOR:
        name = entries.values.get("name", "of this file")
        judged = [*findings_of(entries.values), *flow_findings(name, entries.values)]
    else:
        judged = worker_findings(entries.values)
    return found + entries.placed(judged)


def meant(properties: Sequence[Property]) -> tuple[Entries, list[Placed]]:
    """What a file says without what looks like comments; and these, and what stands twice."""
    found = [*_duplicates(properties)]
    cleaned = []
    for one in properties:
        comment = COMMENT.search(one.value)
        # A password may well hold a # after a blank.
        if comment is None or SECRET_KEY.search(one.key):
            cleaned.append(one)
            continue
        found.append(Placed(one.line, _comment(one)))
        # Judged as it was meant: one mistake, one finding.
        cleaned.append(replace(one, value=one.value[: comment.start()]))
    return entries_of(cleaned), found


def entries_of(properties: Sequence[Property]) -> Entries:
    return Entries(
        values={one.key: one.value for one in properties},
        lines={one.key: one.line for one in properties},
    )


def _comment(one: Property) -> Finding:
    return Finding(
        f"{one.key} is {one.value!r}: what looks like a comment is part of the value",
        "put the comment on a line of its own",
        rule=Rule.INLINE_COMMENT,
        path=(one.key,),
    )


def _duplicates(properties: Sequence[Property]) -> Iterator[Placed]:
    seen: dict[str, int] = {}
    for one in properties:
        if one.key in seen:
            yield Placed(
                one.line,
                Finding(
                    f"{one.key} stands on line {seen[one.key]} too, and only this one counts",
                    "remove one of them",
                    rule=Rule.DUPLICATE_KEY,
                    path=(one.key,),
                    severity=Severity.WARNING,
                ),
            )
        seen[one.key] = one.line
