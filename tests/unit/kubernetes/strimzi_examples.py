"""Workers that Strimzi's operator runs, for tests of manifests, and the schemas of its API."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from mirrorstack.kubernetes.strimzi_resources import (
    CHECKPOINT,
    HEARTBEAT,
    SOURCE,
    ConnectGroup,
    StrimziCluster,
    StrimziMirror,
    StrimziWorkers,
)

SCHEMAS: dict[str, Any] = json.loads((Path(__file__).parent / "strimzi_schemas.json").read_text())
"""By kind and version, from `tests/platforms/strimzi/definitions.py`."""
GROUP = ConnectGroup(
    group="mirrorstack-west",
    configs_topic="mirrorstack-west-configs",
    offsets_topic="mirrorstack-west-offsets",
    status_topic="mirrorstack-west-status",
)
HEARTBEATS = ConnectGroup(
    group="mirrorstack-west-heartbeats",
    configs_topic="mirrorstack-west-heartbeats-configs",
    offsets_topic="mirrorstack-west-heartbeats-offsets",
    status_topic="mirrorstack-west-heartbeats-status",
)
CONNECTOR = {
    "name": "east-to-west-source",
    "connector.class": "org.apache.kafka.connect.mirror.MirrorSourceConnector",
    "tasks.max": "2",
    "source.cluster.alias": "east",
    "source.cluster.bootstrap.servers": "east:9093",
    "source.cluster.sasl.jaas.config": "a reference",
    "target.cluster.alias": "west",
    "topics": "orders",
    "topics.exclude": "",
    "offset.lag.max": "100",
}
HEARTBEAT_CONNECTOR = {
    "name": "east-to-west-heartbeat",
    "connector.class": "org.apache.kafka.connect.mirror.MirrorHeartbeatConnector",
    "source.cluster.alias": "east",
    "target.cluster.alias": "west",
    "target.cluster.bootstrap.servers": "west:9093",
}
MIRROR = StrimziMirror(
    source="east",
    state="running",
    connectors={
        SOURCE: CONNECTOR,
        CHECKPOINT: {**CONNECTOR, "groups": "billing", "groups.exclude": ""},
        HEARTBEAT: HEARTBEAT_CONNECTOR,
    },
)


def strimzi_workers(**changes: Any) -> StrimziWorkers:
    clusters = {
        alias: StrimziCluster(
            alias=alias,
            bootstrap_servers=f"{alias}:9093",
            authentication="scram-sha-512",
            username="mirror",
            certificates=f"certificate of {alias}",
        )
        for alias in ("west", "east")
    }
    values: dict[str, Any] = {
        "name": "mirrorstack-dr-west",
        "namespace": "kafka",
        "api_version": "v1",
        "replicas": 2,
        "group": GROUP,
        "heartbeats": HEARTBEATS,
        "config": {
            "bootstrap.servers": "west:9093",
            "producer.sasl.jaas.config": "a reference",
            "group.id": "mirrorstack-west",
            "config.storage.replication.factor": "3",
            "exactly.once.source.support": "enabled",
        },
        "target": "west",
        "clusters": clusters,
        "mirrors": [MIRROR],
        "heap_mb": 704,
        "memory_mb": 1136,
        "cpu": "688m",
        "passwords": {"west": "aHVudGVyMg==", "east": "aHVudGVyMw=="},
        "passwords_secret": "mirrorstack-dr-west-passwords",
        "checksum": "c0ffee",
    }
    return StrimziWorkers(**{**values, **changes})


def wrong_fields(manifest: dict[str, Any]) -> list[str]:
    """What the schema of the resource's kind and version refuses, unknown fields included."""
    version = manifest["apiVersion"].rpartition("/")[2]
    schema = _strict(SCHEMAS[f"{manifest['kind']}/{version}"])
    errors = Draft202012Validator(schema).iter_errors(manifest["spec"])
    return [f"{'.'.join(map(str, each.path))}: {each.message}" for each in errors]


def _strict(schema: Any) -> Any:
    """The API server refuses fields that a schema does not name, and JSON Schema accepts them."""
    if isinstance(schema, list):
        return [_strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    # Alternatives name only what distinguishes them.
    kept = ("oneOf", "anyOf", "properties")
    closed = {key: value if key in kept else _strict(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict):
        properties = {name: _strict(each) for name, each in schema["properties"].items()}
        closed |= {"properties": properties, "additionalProperties": False}
    return closed
