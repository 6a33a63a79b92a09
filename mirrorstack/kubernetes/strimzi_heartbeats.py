"""Heartbeat connectors beside a KafkaMirrorMaker2, whose API version v1 has none.

One KafkaConnect for each target, with a Connect group and topics of its own, and one KafkaConnector
for each flow: the operator deletes every other connector from the group of a KafkaMirrorMaker2.
"""

from __future__ import annotations

from dataclasses import replace

from mirrorstack.kubernetes.strimzi_keys import OF_CONNECTORS, worker_keys
from mirrorstack.kubernetes.strimzi_resources import (
    HEARTBEAT,
    StrimziMirror,
    StrimziWorkers,
    access_fields,
    pods,
    strimzi_object,
)
from mirrorstack.kubernetes.worker_pods import Manifest

CONNECT, CONNECTOR = "KafkaConnect", "KafkaConnector"
HEAP_MB, MEMORY_MB, CPU = 384, 736, "100m"
"""A heartbeat is one record in a second."""
USES_CONNECTORS = {"strimzi.io/use-connector-resources": "true"}


def heartbeat_resources(workers: StrimziWorkers) -> list[Manifest]:
    """The KafkaConnect, and after it its connectors; none where no flow has heartbeats."""
    if workers.heartbeats is None:
        return []
    name = heartbeats_name(workers.name)
    small = replace(workers, replicas=1, heap_mb=HEAP_MB, memory_mb=MEMORY_MB, cpu=CPU)
    spec = {
        **pods(small),
        **access_fields(workers, workers.clusters[workers.target]),
        **workers.heartbeats.fields,
        "config": worker_keys(workers.config),
    }
    connect = strimzi_object(workers, CONNECT, name, spec, annotations=USES_CONNECTORS)
    return [
        connect,
        *(
            _connector(workers, name, mirror)
            for mirror in workers.mirrors
            if HEARTBEAT in mirror.connectors
        ),
    ]


def heartbeats_name(name: str) -> str:
    """Of the KafkaConnect beside a KafkaMirrorMaker2 of this name."""
    return f"{name}-heartbeats"


def heartbeat_connector_name(name: str, source: str) -> str:
    """Of the KafkaConnector, and so of the connector. Kubernetes takes neither upper-case letters
    nor underscores."""
    return f"{heartbeats_name(name)}-{source}".lower().replace("_", "-")


def _connector(workers: StrimziWorkers, connect: str, mirror: StrimziMirror) -> Manifest:
    """With the keys of the clusters: the operator derives none for a KafkaConnector."""
    config = mirror.connectors[HEARTBEAT]
    spec = {
        "class": config["connector.class"],
        "tasksMax": 1,
        "state": mirror.state,
        "autoRestart": {"enabled": True},
        "config": {key: value for key, value in config.items() if key not in OF_CONNECTORS},
    }
    name = heartbeat_connector_name(workers.name, mirror.source)
    return strimzi_object(workers, CONNECTOR, name, spec, labels={"strimzi.io/cluster": connect})
