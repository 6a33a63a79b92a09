"""The fields of Strimzi's resources: one that is mistyped is dropped by the API server, or refused.

Only what is about mirroring is looked into; what is about pods is known by name.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator

from mirrorstack.lint.entries import Placed
from mirrorstack.lint.located import Located
from mirrorstack.model.key_rules import KeyFinding, Rule, Severity

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
    yield from _unknown(spec, SPECS[document.text("kind") or ""])
    mirrors, clusters, target = (spec.get(name) for name in ("mirrors", "clusters", "target"))
    for cluster in clusters.items if clusters else ():
        yield from _unknown(cluster, CLUSTER)
    if target is not None:
        yield from _unknown(target, CLUSTER | STATE)
    for mirror in mirrors.items if mirrors else ():
        yield from _unknown(mirror, MIRROR)
        if source := mirror.get("source"):
            yield from _unknown(source, CLUSTER)
        for name in CONNECTORS:
            if connector := mirror.get(name):
                yield from _unknown(connector, CONNECTOR)


def _unknown(node: Located, known: Collection[str]) -> Iterator[Placed]:
    for field, where in node.keys.items():
        if field in known:
            continue
        near = difflib.get_close_matches(field, sorted(known), n=1)
        # What resembles none may be of a newer Strimzi than is known here.
        severity = Severity.ERROR if near else Severity.WARNING
        way_out = f"did you mean `{near[0]}`?" if near else f"one of {', '.join(sorted(known))}"
        what = f"{field} is no field of Strimzi's here, and nothing reads it"
        yield Placed(where.line, KeyFinding(field, Rule.UNKNOWN_KEY, what, way_out, severity))
