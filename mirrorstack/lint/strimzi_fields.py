"""The fields of Strimzi's resources: one that is mistyped is dropped by the API server, or refused.

Only what is about mirroring is looked into; what is about pods is known by name.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from mirrorstack.findings import Finding, Severity
from mirrorstack.lint.document import Located
from mirrorstack.lint.entries import Placed
from mirrorstack.rules.registry import Rule

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


def unknown_fields(document: Located) -> Iterator[Placed]:
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
        meant = _corrected(mirror, MIRROR)
        if source := meant.get("source"):
            yield from _unknown(source, CLUSTER)
        for name in CONNECTORS:
            if connector := meant.get(name):
                yield from _unknown(connector, CONNECTOR)


def as_meant(document: Located) -> Located:
    """With the fields that mistyped ones stand for: one mistake, one finding."""
    spec = document.get("spec")
    if spec is None:
        return document
    corrected = _corrected(spec, SPECS[document.text("kind") or ""])
    parts = {
        "clusters": lambda one: _corrected(one, CLUSTER),
        "target": lambda one: _corrected(one, CLUSTER | STATE),
        "mirrors": _mirror,
    }
    return _with(document, {"spec": _with(corrected, _each(corrected, parts))})


def _mirror(mirror: Located) -> Located:
    corrected = _corrected(mirror, MIRROR)
    parts: Parts = {"source": lambda one: _corrected(one, CLUSTER)}
    parts |= dict.fromkeys(CONNECTORS, lambda one: _corrected(one, CONNECTOR))
    return _with(corrected, _each(corrected, parts))


Parts = dict[str, Callable[[Located], Located]]


def _each(node: Located, parts: Parts) -> dict[str, Located]:
    """Those parts that a node has, corrected; a list by its items."""
    found = {name: node.keys[name] for name in parts if name in node.keys}
    return {
        name: replace(one, items=tuple(map(parts[name], one.items)))
        if one.kind == "list"
        else parts[name](one)
        for name, one in found.items()
    }


def _with(node: Located, changed: dict[str, Located]) -> Located:
    return replace(node, keys={**node.keys, **changed})


def _corrected(node: Located, known: Collection[str]) -> Located:
    keys = dict(node.keys)
    for field in node.keys:
        meant = _meant(field, known)
        if meant and meant not in keys:
            keys[meant] = keys.pop(field)
    return replace(node, keys=keys)


def _meant(field: str, known: Collection[str]) -> str | None:
    if field in known:
        return None
    return next(iter(difflib.get_close_matches(field, sorted(known), n=1)), None)


def _unknown(node: Located, known: Collection[str]) -> Iterator[Placed]:
    for field, where in node.keys.items():
        if field in known:
            continue
        meant = _meant(field, known)
        # What resembles none may be of a newer Strimzi than is known here.
        severity = Severity.ERROR if meant else Severity.WARNING
        fix = f"did you mean `{meant}`?" if meant else f"one of {', '.join(sorted(known))}"
        what = f"{field} is no field of Strimzi's here, and nothing reads it"
        yield Placed(
            where.line, Finding(what, fix, rule=Rule.UNKNOWN_KEY, path=(field,), severity=severity)
        )
