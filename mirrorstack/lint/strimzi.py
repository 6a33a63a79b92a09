"""Strimzi resources: the configs that its operator creates from them, with the lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from mirrorstack.findings import Finding
from mirrorstack.lint.connector_files import LintedConnector, check_connectors, located_config
from mirrorstack.lint.document import DocumentNode, LocatedConfig
from mirrorstack.lint.strimzi_fields import correct_fields, unknown_fields
from mirrorstack.mm2.catalogue import CONNECTORS
from mirrorstack.mm2.key_scopes import KeyScope, cluster_scope
from mirrorstack.rules.flow_completeness import checkpoints_for_groups
from mirrorstack.rules.keys.checks import key_findings
from mirrorstack.rules.keys.connector import CLASS
from mirrorstack.rules.keys.rules import KeyRule
from mirrorstack.rules.keys.worker import worker_key_findings
from mirrorstack.rules.topology import STRIMZI
from mirrorstack.text import did_you_mean

GROUP = "kafka.strimzi.io/"
KINDS = ("KafkaMirrorMaker2", "KafkaConnector", "KafkaConnect")
CONNECTOR_FIELDS = {
    "sourceConnector": "MirrorSourceConnector",
    "checkpointConnector": "MirrorCheckpointConnector",
    "heartbeatConnector": "MirrorHeartbeatConnector",
}
# The operator writes these fields over the connector's own keys.
PATTERN_FIELDS = {
    "topicsPattern": "topics",
    "topicsExcludePattern": "topics.exclude",
    "groupsPattern": "groups",
    "groupsExcludePattern": "groups.exclude",
}
# Since the API version v1.
STATE_FIELDS = {
    "configStorageTopic": "config.storage.topic",
    "offsetStorageTopic": "offset.storage.topic",
    "statusStorageTopic": "status.storage.topic",
}
RENAMED_FIELDS = {
    "topicsBlacklistPattern": "topicsExcludePattern",
    "groupsBlacklistPattern": "groupsExcludePattern",
}


def is_strimzi(document: DocumentNode) -> bool:
    version, kind = document.text("apiVersion") or "", document.text("kind")
    return version.startswith(GROUP) and kind in KINDS


def check_resource(document: DocumentNode) -> list[Finding]:
    fields, corrected = unknown_fields(document), correct_fields(document)
    if document.text("kind") == "KafkaConnect":
        return [*fields, *_worker(corrected.get("spec"))]
    connectors = check_connectors(connectors_of(corrected))
    return [*fields, *_outside_connectors(corrected), *connectors]


def connectors_of(document: DocumentNode) -> list[LintedConnector]:
    """The connectors that the operator would create."""
    spec = document.get("spec")
    if spec is None or document.text("kind") == "KafkaConnect":
        return []
    if document.text("kind") == "KafkaConnector":
        name = document.text("metadata", "name") or f"connector on line {document.line}"
        return [_connector(name, spec, spec, {CLASS: (spec, "class")})]
    mirrors = spec.get("mirrors")
    return [
        connector
        for mirror in (mirrors.items if mirrors else ())
        for connector in _mirror_connectors(spec, mirror)
    ]


def _mirror_connectors(spec: DocumentNode, mirror: DocumentNode) -> Iterator[LintedConnector]:
    ends = {side: _cluster(spec, mirror, side) for side in ("source", "target")}
    for field, simple_name in CONNECTOR_FIELDS.items():
        node = mirror.get(field)
        if node is None:
            continue
        fields = {
            f"{side}.cluster.{key}": (cluster, name)
            for side, cluster in ends.items()
            if cluster is not None
            for key, name in (("alias", "alias"), ("bootstrap.servers", "bootstrapServers"))
        }
        fields |= {key: (mirror, name) for name, key in PATTERN_FIELDS.items()}
        java_class = next(name for name in CONNECTORS if name.endswith(f".{simple_name}"))
        missing = tuple(f"{side}.cluster." for side, cluster in ends.items() if cluster is None)
        name = f"{simple_name} on line {node.line}"
        connector = _connector(name, node, mirror, fields, java_class)
        yield replace(connector, reported_prefixes=missing, fixes=STRIMZI)


def _connector(
    name: str,
    node: DocumentNode,
    parent: DocumentNode,
    fields: Mapping[str, tuple[DocumentNode, str]],
    java_class: str | None = None,
) -> LintedConnector:
    """`fields` are keys that are set by fields elsewhere in the resource."""
    config = node.get("config")
    located, findings = located_config(config) if config else (LocatedConfig({}, {}), ())
    values, lines = dict(located.values), dict(located.lines)
    if java_class:
        values[CLASS] = java_class
    for key, (owner, field) in {**fields, "tasks.max": (node, "tasksMax")}.items():
        text, value = owner.text(field), owner.get(field)
        if text is not None and value is not None:
            # A key that one connector reads is not a mistake of the others.
            if key in PATTERN_FIELDS.values() and not _reads(values[CLASS], key):
                continue
            values[key], lines[key] = text, value.line
    state = "paused" if node.text("pause") == "true" else node.text("state") or "running"
    return LintedConnector(name, LocatedConfig(values, lines, parent.line), findings, state)


def _reads(java_class: str, key: str) -> bool:
    simple_name = java_class.rpartition(".")[2]
    if key.startswith("groups"):
        return simple_name == CONNECTOR_FIELDS["checkpointConnector"]
    return simple_name != CONNECTOR_FIELDS["heartbeatConnector"]


def clusters_in(document: DocumentNode) -> dict[str, DocumentNode]:
    """The clusters of a KafkaMirrorMaker2, by alias."""
    spec = document.get("spec") or document
    mirrors, clusters = spec.get("mirrors"), spec.get("clusters")
    nodes = [*(clusters.items if clusters else ()), spec.get("target")]
    nodes += [mirror.get("source") for mirror in (mirrors.items if mirrors else ())]
    return {one.text("alias") or "": one for one in nodes if one is not None}


def _cluster(spec: DocumentNode, mirror: DocumentNode, side: str) -> DocumentNode | None:
    """By alias from `clusters`; since the API version v1 from `source` or `target`."""
    own = mirror.get("source") if side == "source" else spec.get("target")
    if own is not None:
        return own
    alias, clusters = mirror.text(f"{side}Cluster"), spec.get("clusters")
    matches = (one for one in (clusters.items if clusters else ()) if one.text("alias") == alias)
    return next(matches, None)


def _outside_connectors(document: DocumentNode) -> Iterator[Finding]:
    """The configs of the clusters, removed fields, and references between fields."""
    spec = document.get("spec")
    if spec is None:
        return
    mirrors, clusters = spec.get("mirrors"), spec.get("clusters")
    worker = spec.text("connectCluster")
    for cluster in clusters.items if clusters else ():
        # The operator passes it to the workers, or to the connectors after `source.cluster.`.
        if cluster.text("alias") == worker:
            yield from _worker(cluster)
        else:
            yield from _keys(cluster_scope("source"), cluster.get("config"))
    yield from _worker(spec.get("target"))
    for mirror in mirrors.items if mirrors else ():
        yield from _keys(cluster_scope("source"), mirror.get("source", "config"))
        yield from _removed_fields(document.text("apiVersion") or "", mirror)
        yield from _aliases(spec, mirror)
        yield from _checkpoints(mirror)


def _worker(node: DocumentNode | None) -> list[Finding]:
    """A resource, or a part of one, with a worker config next to its fields."""
    if node is None:
        return []
    config = node.get("config") or DocumentNode(node.line, None, kind="mapping")
    located, findings = located_config(config)
    values, lines = dict(located.values), dict(located.lines)
    for field, key in STATE_FIELDS.items():
        text, value = node.text(field), node.get(field)
        if text is not None and value is not None:
            values[key], lines[key] = text, value.line
    checked = worker_key_findings(values)
    return [*findings, *LocatedConfig(values, lines, node.line).locate(checked)]


def _keys(scope: KeyScope, config: DocumentNode | None) -> list[Finding]:
    if config is None:
        return []
    located, findings = located_config(config)
    values = located.values
    checked = [one for key in values for one in key_findings(scope, key, values[key], values)]
    return [*findings, *located.locate(checked)]


def _removed_fields(version: str, mirror: DocumentNode) -> Iterator[Finding]:
    for old, new in RENAMED_FIELDS.items():
        if old in mirror.members:
            yield Finding(
                f"{old} was removed from Strimzi; the topics or groups it excluded are replicated",
                f"write `{new}`",
                rule=KeyRule.REMOVED_KEY,
                path=(old,),
                line=mirror.members[old].line,
            )
    heartbeat = mirror.get("heartbeatConnector")
    if version == f"{GROUP}v1" and heartbeat is not None:
        yield Finding(
            "heartbeatConnector was removed in the Strimzi API version v1; no heartbeats are "
            "emitted",
            "declare a KafkaConnector",
            rule=KeyRule.REMOVED_KEY,
            path=("heartbeatConnector",),
            line=heartbeat.line,
        )


def _checkpoints(mirror: DocumentNode) -> Iterator[Finding]:
    groups = mirror.get("groupsPattern")
    if groups is not None and mirror.get("checkpointConnector") is None:
        yield Finding(
            f"groupsPattern selects {mirror.text('groupsPattern')}, but there is no "
            "checkpointConnector: after a failover the groups have no committed offsets on the "
            "target",
            "add `checkpointConnector`",
            rule=checkpoints_for_groups.id,
            path=("groupsPattern",),
            line=groups.line,
        )


def _aliases(spec: DocumentNode, mirror: DocumentNode) -> Iterator[Finding]:
    clusters = spec.get("clusters")
    known = [one.text("alias") or "" for one in clusters.items] if clusters else []
    for side in ("source", "target"):
        if _cluster(spec, mirror, side) is not None:
            continue
        field = f"{side}Cluster"
        alias, node = mirror.text(field), mirror.get(field) or mirror
        if alias is None:
            yield Finding(
                f"{field} is missing; it selects the {side} cluster",
                f"add `{field}`",
                rule=KeyRule.MISSING_KEY,
                path=(field,),
                line=node.line,
            )
            continue
        yield Finding(
            f"{field} is {alias!r}, which is not in clusters ({', '.join(known) or 'none'})",
            did_you_mean(alias, known, "use the alias of a cluster in `clusters`"),
            rule=KeyRule.UNDECLARED_CLUSTER,
            path=(field,),
            line=node.line,
        )
