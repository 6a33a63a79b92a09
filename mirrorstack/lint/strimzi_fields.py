"""The fields of Strimzi resources. The API server drops or rejects a misspelled field.

Fields about replication are checked with their contents; fields about pods by name only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from mirrorstack.findings import Finding, Severity
from mirrorstack.lint.document import DocumentNode
from mirrorstack.rules.keys.rules import KeyRule
from mirrorstack.text import closest, suggestion

PODS = frozenset(
    [
        "replicas",
        "version",
        "image",
        "resources",
        "livenessProbe",
        "readinessProbe",
        "jvmOptions",
        "jmxOptions",
        "logging",
        "clientRackInitImage",
        "rack",
        "metricsConfig",
        "tracing",
        "template",
        "externalConfiguration",
    ]
)
CLUSTER = frozenset(["alias", "bootstrapServers", "tls", "authentication", "config"])
STATE = frozenset(["groupId", "configStorageTopic", "offsetStorageTopic", "statusStorageTopic"])
CONNECTOR = frozenset(
    [
        "tasksMax",
        "autoRestart",
        "config",
        "pause",
        "state",
        "listOffsets",
        "alterOffsets",
        "version",
    ]
)
CONNECTORS = ("sourceConnector", "checkpointConnector", "heartbeatConnector")
MIRROR = frozenset(
    [
        "sourceCluster",
        "targetCluster",
        "source",
        "topicsPattern",
        "topicsExcludePattern",
        "groupsPattern",
        "groupsExcludePattern",
        "topicsBlacklistPattern",
        "groupsBlacklistPattern",
    ]
) | set(CONNECTORS)
SPECS = {
    "KafkaMirrorMaker2": PODS | {"connectCluster", "clusters", "mirrors", "target"},
    "KafkaConnector": CONNECTOR | {"class"},
    "KafkaConnect": PODS | CLUSTER - {"alias"} | STATE | {"build", "plugins"},
}


def unknown_fields(document: DocumentNode) -> Iterator[Finding]:
    spec = document.get("spec")
    if spec is None:
        return
    known = SPECS[document.text("kind") or ""]
    yield from _unknown(spec, known)
    spec = _corrected(spec, known)
    mirrors, clusters, target = (spec.get(name) for name in ("mirrors", "clusters", "target"))
    for cluster in clusters.items if clusters else ():
        yield from _unknown(cluster, CLUSTER)
    if target is not None:
        yield from _unknown(target, CLUSTER | STATE)
    for mirror in mirrors.items if mirrors else ():
        yield from _unknown(mirror, MIRROR)
        corrected = _corrected(mirror, MIRROR)
        if source := corrected.get("source"):
            yield from _unknown(source, CLUSTER)
        for name in CONNECTORS:
            if connector := corrected.get(name):
                yield from _unknown(connector, CONNECTOR)


def correct_fields(document: DocumentNode) -> DocumentNode:
    """With misspelled fields replaced by the intended ones: one mistake, one finding."""
    spec = document.get("spec")
    if spec is None:
        return document
    corrected = _corrected(spec, SPECS[document.text("kind") or ""])
    parts: Parts = {
        "clusters": lambda one: _corrected(one, CLUSTER),
        "target": lambda one: _corrected(one, CLUSTER | STATE),
        "mirrors": _mirror,
    }
    return _with(document, {"spec": _with(corrected, _each(corrected, parts))})


Parts = dict[str, Callable[[DocumentNode], DocumentNode]]


def _mirror(mirror: DocumentNode) -> DocumentNode:
    corrected = _corrected(mirror, MIRROR)
    parts: Parts = {"source": lambda one: _corrected(one, CLUSTER)}
    parts |= dict.fromkeys(CONNECTORS, lambda one: _corrected(one, CONNECTOR))
    return _with(corrected, _each(corrected, parts))


def _each(node: DocumentNode, parts: Parts) -> dict[str, DocumentNode]:
    """The given parts of a node, corrected; a list item by item."""
    present = {name: node.members[name] for name in parts if name in node.members}
    return {
        name: replace(one, items=tuple(map(parts[name], one.items)))
        if one.kind == "list"
        else parts[name](one)
        for name, one in present.items()
    }


def _with(node: DocumentNode, changed: dict[str, DocumentNode]) -> DocumentNode:
    return replace(node, members={**node.members, **changed})


def _corrected(node: DocumentNode, known: Collection[str]) -> DocumentNode:
    members = dict(node.members)
    for field in node.members:
        intended = _intended(field, known)
        if intended and intended not in members:
            members[intended] = members.pop(field)
    return replace(node, members=members)


def _intended(field: str, known: Collection[str]) -> str | None:
    return None if field in known else closest(field, sorted(known))


def _unknown(node: DocumentNode, known: Collection[str]) -> Iterator[Finding]:
    for field, value in node.members.items():
        if field in known:
            continue
        intended = _intended(field, known)
        # A field that resembles no known one may come from a newer Strimzi release.
        yield Finding(
            f"{field} is not a Strimzi field here; it has no effect",
            suggestion(intended, f"use one of {', '.join(sorted(known))}"),
            rule=KeyRule.UNKNOWN_KEY,
            path=(field,),
            line=value.line,
            severity=Severity.ERROR if intended else Severity.WARNING,
        )
