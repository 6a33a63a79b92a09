"""Workers for tests of their manifests."""

from __future__ import annotations

from typing import Any

from mirrorstack.kubernetes.worker_pods import WorkerPods

PODS: dict[str, Any] = {
    "name": "mirrorstack-dr-west",
    "namespace": "kafka",
    "replicas": 2,
    "image": "apache/kafka:4.3.1",
    "command": [
        "/opt/kafka/bin/connect-distributed.sh",
        "/etc/mirrorstack/config/worker.properties",
    ],
    "health_check": ["bash", "/etc/mirrorstack/config/healthy"],
    "environment": {"KAFKA_HEAP_OPTS": "-Xmx704m"},
    "memory_mb": 1136,
    "cpu": "500m",
    "config_files": {"worker.properties": "group.id=mine\n"},
    "login_files": {"authorization": "c2VjcmV0"},
    "passwords": {"east": "aHVudGVyMg=="},
    "passwords_secret": "mirrorstack-dr-west-passwords",
    "checksum": "c0ffee",
}


def pods(**changes: Any) -> WorkerPods:
    return WorkerPods(**{**PODS, **changes})
