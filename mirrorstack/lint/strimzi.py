"""Strimzi's resources: the configs that its operator makes of them, on the resource's lines."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import replace

from mirrorstack.findings import Finding
from mirrorstack.lint.connector_files import Connector, entries_of, judge_connectors
from mirrorstack.lint.document import Located
from mirrorstack.lint.entries import Entries, Placed
from mirrorstack.lint.strimzi_fields import as_meant, unknown_fields
from mirrorstack.mm2.catalogue import CONNECTORS
from mirrorstack.mm2.key_scopes import KeyScope, cluster_scope
from mirrorstack.rules.dialects import STRIMZI
from mirrorstack.rules.keys.checks import judge
from mirrorstack.rules.keys.connector import CLASS
from mirrorstack.rules.keys.worker import worker_key_findings
from mirrorstack.rules.registry import Rule

GROUP = "kafka.strimzi.io/"
KINDS = ("KafkaMirrorMaker2", "KafkaConnector", "KafkaConnect")
FIELDS = {
    "sourceConnector": "MirrorSourceConnector",
    "checkpointConnector": "MirrorCheckpointConnector",
    "heartbeatConnector": "MirrorHeartbeatConnector",
}
# What the operator writes over the connectors' own keys.
PATTERNS = {
    "topicsPattern": "topics",
    "topicsExcludePattern": "topics.exclude",
    "groupsPattern": "groups",
    "groupsExcludePattern": "groups.exclude",
}
# Since Strimzi's v1.
STATE_FIELDS = {
    "configStorageTopic": "config.storage.topic",
    "offsetStorageTopic": "offset.storage.topic",
    "statusStorageTopic": "status.storage.topic",
}
RENAMED = {
    "topicsBlacklistPattern": "topicsExcludePattern",
    "groupsBlacklistPattern": "groupsExcludePattern",
}


def is_strimzi(document: Located) -> bool:
    version, kind = document.text("apiVersion") or "", document.text("kind")
    return version.startswith(GROUP) and kind in KINDS


def judge_strimzi(document: Located) -> list[Placed]:
    fields, meant = unknown_fields(document), as_meant(document)
    if document.text("kind") == "KafkaConnect":
        return [*fields, *_worker(meant.get("spec"))]
    return [*fields, *_around(meant), *judge_connectors(connectors_of(meant))]


def connectors_of(document: Located) -> list[Connector]:
    """Those that the operator would make."""
    spec = document.get("spec")
    if spec is None or document.text("kind") == "KafkaConnect":
        return []
    if document.text("kind") == "KafkaConnector":
        name = document.text("metadata", "name") or "the connector"
        return [_connector(name, spec, spec, {CLASS: (spec, "class")})]
    mirrors = spec.get("mirrors")
    return [
        connector
        for mirror in (mirrors.items if mirrors else ())
        for connector in _of_mirror(spec, mirror)
    ]


def _of_mirror(spec: Located, mirror: Located) -> Iterator[Connector]:
    ends = {side: _cluster(spec, mirror, side) for side in ("source", "target")}
    for field, simple in FIELDS.items():
        node = mirror.get(field)
        if node is None:
            continue
        given = {
            f"{side}.cluster.{key}": (cluster, name)
            for side, cluster in ends.items()
            if cluster is not None
            for key, name in (("alias", "alias"), ("bootstrap.servers", "bootstrapServers"))
        }
        given |= {key: (mirror, name) for name, key in PATTERNS.items()}
        java_class = next(name for name in CONNECTORS if name.endswith(f".{simple}"))
        told = tuple(f"{side}.cluster." for side, cluster in ends.items() if cluster is None)
        name = f"{simple} on line {node.line}"
        made = _connector(name, node, mirror, given, java_class)
        yield replace(made, told=told, dialect=STRIMZI)


def _connector(
    name: str,
    node: Located,
    around: Located,
    given: Mapping[str, tuple[Located, str]],
    java_class: str | None = None,
) -> Connector:
    """`given` are keys that stand elsewhere in the resource, under other names."""
    config = node.get("config")
    entries, odd = entries_of(config) if config else (Entries({}, {}, node.line), ())
    values, lines = dict(entries.values), dict(entries.lines)
    if java_class:
        values[CLASS] = java_class
    for key, (owner, field) in {**given, "tasks.max": (node, "tasksMax")}.items():
        text, found = owner.text(field), owner.get(field)
        if text is not None and found is not None:
            # What only one connector reads is no mistake of the others.
            if key in PATTERNS.values() and not _reads(values[CLASS], key):
                continue
            values[key], lines[key] = text, found.line
    state = "paused" if node.text("pause") == "true" else node.text("state") or "running"
    return Connector(name, Entries(values, lines, around.line), odd, state)


def _reads(java_class: str, key: str) -> bool:
    simple = java_class.rpartition(".")[2]
    if key.startswith("groups"):
        return simple == FIELDS["checkpointConnector"]
    return simple != FIELDS["heartbeatConnector"]


def clusters_in(document: Located) -> dict[str, Located]:
    """What a KafkaMirrorMaker2 says about its clusters, by alias."""
    spec = document.get("spec") or document
    mirrors, clusters = spec.get("mirrors"), spec.get("clusters")
    named = [*(clusters.items if clusters else ()), spec.get("target")]
    named += [mirror.get("source") for mirror in (mirrors.items if mirrors else ())]
    return {one.text("alias") or "": one for one in named if one is not None}


def _cluster(spec: Located, mirror: Located, side: str) -> Located | None:
    """By alias among `clusters`, or, since Strimzi's v1, in its own place."""
    own = mirror.get("source") if side == "source" else spec.get("target")
    if own is not None:
        return own
    alias, clusters = mirror.text(f"{side}Cluster"), spec.get("clusters")
    fitting = (one for one in (clusters.items if clusters else ()) if one.text("alias") == alias)
    return next(fitting, None)


def _around(document: Located) -> Iterator[Placed]:
    """What is not in a connector's config: the clusters', and fields that are gone."""
    spec = document.get("spec")
    mirrors, clusters = (spec.get("mirrors"), spec.get("clusters")) if spec else (None, None)
    worker = spec.text("connectCluster") if spec else None
    for cluster in clusters.items if clusters else ():
        # The operator gives it to the workers, or to the connectors after `source.cluster.`.
        if cluster.text("alias") == worker:
            yield from _worker(cluster)
        else:
            yield from _judged(cluster_scope("source"), cluster.get("config"))
    if spec:
        yield from _worker(spec.get("target"))
    for mirror in mirrors.items if mirrors else ():
        yield from _judged(cluster_scope("source"), mirror.get("source", "config"))
        yield from _fields(document.text("apiVersion") or "", mirror)
        yield from _aliases(spec, mirror)
        yield from _checkpoints(mirror)


def _worker(node: Located | None) -> list[Placed]:
    """Of a resource, or a part of one, that has a worker's config beside its fields."""
    if node is None:
        return []
    entries, odd = entries_of(node.get("config") or Located(node.line, None, kind="mapping"))
    values, lines = dict(entries.values), dict(entries.lines)
    for field, key in STATE_FIELDS.items():
        text, found = node.text(field), node.get(field)
        if text is not None and found is not None:
            values[key], lines[key] = text, found.line
    return [*odd, *Entries(values, lines, node.line).placed(worker_key_findings(values))]


def _judged(place: KeyScope, config: Located | None) -> list[Placed]:
    if config is None:
        return []
    entries, odd = entries_of(config)
    values = entries.values
    found = [one for key in values for one in judge(place, key, values[key], values)]
    return [*odd, *entries.placed(found)]


def _fields(version: str, mirror: Located) -> Iterator[Placed]:
    for old, new in RENAMED.items():
        if old in mirror.keys:
            what = f"{old} is no field of Strimzi's any more: what it excluded is mirrored"
            yield Placed(
                mirror.keys[old].line,
                Finding(what, f"write `{new}`", rule=Rule.GONE_KEY, path=(old,)),
            )
    heartbeat = mirror.get("heartbeatConnector")
    if version == f"{GROUP}v1" and heartbeat is not None:
        what = "heartbeatConnector is no field of Strimzi's v1: no heartbeats are emitted"
        finding = Finding(
            what, "declare a KafkaConnector", rule=Rule.GONE_KEY, path=("heartbeatConnector",)
        )
        yield Placed(heartbeat.line, finding)


def _checkpoints(mirror: Located) -> Iterator[Placed]:
    groups = mirror.get("groupsPattern")
    if groups is not None and mirror.get("checkpointConnector") is None:
        what = (
            f"groupsPattern declares the groups {mirror.text('groupsPattern')}, and there is no "
            "checkpointConnector: after a failover none of them finds its place on the target"
        )
        finding = Finding(
            what, "add `checkpointConnector`", rule=Rule.CHECKPOINTS, path=("groupsPattern",)
        )
        yield Placed(groups.line, finding)


def _aliases(spec: Located | None, mirror: Located) -> Iterator[Placed]:
    clusters = spec.get("clusters") if spec else None
    known = [one.text("alias") or "" for one in clusters.items] if clusters else []
    for side in ("source", "target"):
        if spec is None or _cluster(spec, mirror, side) is not None:
            continue
        field = f"{side}Cluster"
        alias, node = mirror.text(field), mirror.get(field) or mirror
        if alias is None:
            what = f"{field} is absent: it says which of the clusters is the {side}"
            yield Placed(node.line, Finding(what, "add it", rule=Rule.MISSING_KEY, path=(field,)))
            continue
        near = difflib.get_close_matches(alias, known, n=1)
        what = f"{field} is {alias!r}: there is no such cluster, only {', '.join(known) or 'none'}"
        fix = f"did you mean `{near[0]}`?" if near else "name one of them"
        yield Placed(node.line, Finding(what, fix, rule=Rule.UNDECLARED_CLUSTER, path=(field,)))
