"""The resources from which Strimzi's operator runs the Connect workers of one target."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mirrorstack.kubernetes.strimzi_keys import connector_keys, patterns, worker_keys
from mirrorstack.kubernetes.worker_pods import CHECKSUM, Manifest

GROUP = "kafka.strimzi.io"
V1 = "v1"
MIRROR_MAKER = "KafkaMirrorMaker2"
SOURCE, CHECKPOINT, HEARTBEAT = "sourceConnector", "checkpointConnector", "heartbeatConnector"
"""The connectors of a mirror; the API version v1 has no heartbeat connector."""


@dataclass(frozen=True, kw_only=True)
class StrimziCluster:
    """How workers reach a cluster. The password is in a Secret, under the alias."""

    alias: str
    bootstrap_servers: str
    authentication: str = ""
    """As in the API, such as `scram-sha-512`; empty: none."""
    username: str = ""
    is_encrypted: bool = True
    certificates: str = ""
    """Of the CAs to trust, as PEM; empty: those of the image."""


@dataclass(frozen=True, kw_only=True)
class StrimziMirror:
    """One flow."""

    source: str
    """Its alias."""
    state: str
    connectors: Mapping[str, Mapping[str, str]]
    """The config of each connector, by the field of a mirror: `SOURCE`, ..."""


@dataclass(frozen=True, kw_only=True)
class ConnectGroup:
    group: str
    configs_topic: str
    offsets_topic: str
    status_topic: str

    @property
    def fields(self) -> Manifest:
        """Of the API version v1."""
        return {
            "groupId": self.group,
            "configStorageTopic": self.configs_topic,
            "offsetStorageTopic": self.offsets_topic,
            "statusStorageTopic": self.status_topic,
        }

    @property
    def keys(self) -> dict[str, str]:
        """Of a worker's config."""
        return {
            "group.id": self.group,
            "config.storage.topic": self.configs_topic,
            "offset.storage.topic": self.offsets_topic,
            "status.storage.topic": self.status_topic,
        }


@dataclass(frozen=True, kw_only=True)
class StrimziWorkers:
    """Values of Secrets are in base64. They may be Pulumi outputs, and are passed on unchanged."""

    name: str
    """Of the KafkaMirrorMaker2; the names of the other objects begin with it."""
    namespace: str
    api_version: str
    replicas: int
    group: ConnectGroup
    heartbeats: ConnectGroup | None = None
    """Of the workers of the heartbeat connectors, where a mirror cannot have one."""
    config: Mapping[str, str]
    """Of a worker."""
    target: str
    """Its alias."""
    clusters: Mapping[str, StrimziCluster]
    """By alias."""
    mirrors: Sequence[StrimziMirror]
    heap_mb: int
    memory_mb: int
    cpu: str
    """As a quantity of Kubernetes."""
    passwords: Mapping[str, Any] | None
    """By alias; None if `passwords_secret` exists already."""
    passwords_secret: str
    checksum: str
    """Changes with the passwords: workers read them when they start."""
    kafka_version: str = ""
    image: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)

    @property
    def certificates_secret(self) -> str:
        return f"{self.name}-certificates"

    @property
    def certificates(self) -> dict[str, str]:
        """By key of their Secret, in base64."""
        return {
            _certificate_key(alias): base64.b64encode(cluster.certificates.encode()).decode()
            for alias, cluster in self.clusters.items()
            if cluster.certificates
        }


def secrets(workers: StrimziWorkers) -> list[Manifest]:
    """What the operator reads."""
    found: list[Manifest] = []
    if workers.passwords is not None:
        found.append(_secret(workers, workers.passwords_secret, workers.passwords))
    if workers.certificates:
        found.append(_secret(workers, workers.certificates_secret, workers.certificates))
    return found


def mirror_maker(workers: StrimziWorkers) -> Manifest:
    is_v1 = workers.api_version == V1
    spec = _in_v1(workers) if is_v1 else _in_v1beta2(workers)
    return strimzi_object(workers, MIRROR_MAKER, workers.name, {**pods(workers), **spec})


def _in_v1(workers: StrimziWorkers) -> Manifest:
    target = cluster_fields(workers, workers.target)
    config = worker_keys(workers.config)
    return {
        "target": {**target, **workers.group.fields, "config": config},
        "mirrors": [
            {"source": cluster_fields(workers, mirror.source), **_mirror(_in_mirror(mirror))}
            for mirror in workers.mirrors
        ],
    }


def _in_v1beta2(workers: StrimziWorkers) -> Manifest:
    config = {**worker_keys(workers.config), **workers.group.keys}
    return {
        "connectCluster": workers.target,
        "clusters": [
            {**cluster_fields(workers, alias), **({"config": config} if is_target else {})}
            for alias in workers.clusters
            for is_target in [alias == workers.target]
        ],
        "mirrors": [
            {
                "sourceCluster": mirror.source,
                "targetCluster": workers.target,
                **_mirror(mirror),
            }
            for mirror in workers.mirrors
        ],
    }


def _in_mirror(mirror: StrimziMirror) -> StrimziMirror:
    """What the API version v1 knows; see `strimzi_heartbeats`."""
    kept = {name: config for name, config in mirror.connectors.items() if name != HEARTBEAT}
    return replace(mirror, connectors=kept)


def _mirror(mirror: StrimziMirror) -> Manifest:
    """The patterns of the checkpoint connector include those of the source connector."""
    fields: Manifest = {}
    for name, config in mirror.connectors.items():
        fields |= patterns(config)
        fields[name] = _connector(config, mirror.state)
    return fields


def _connector(config: Mapping[str, str], state: str) -> Manifest:
    tasks = {"tasksMax": int(config["tasks.max"])} if "tasks.max" in config else {}
    return {
        **tasks,
        "state": state,
        # Connect itself never restarts a task that has FAILED.
        "autoRestart": {"enabled": True},
        "config": connector_keys(config),
    }


def cluster_fields(workers: StrimziWorkers, alias: str) -> Manifest:
    cluster = workers.clusters[alias]
    return {"alias": alias, **access_fields(workers, cluster)}


def access_fields(workers: StrimziWorkers, cluster: StrimziCluster) -> Manifest:
    fields: Manifest = {"bootstrapServers": cluster.bootstrap_servers}
    if cluster.is_encrypted:
        key = _certificate_key(cluster.alias)
        trusted = [{"secretName": workers.certificates_secret, "certificate": key}]
        # Empty: the certificates of the image.
        fields["tls"] = {"trustedCertificates": trusted if cluster.certificates else []}
    if cluster.authentication:
        password = {"secretName": workers.passwords_secret, "password": cluster.alias}
        fields["authentication"] = {
            "type": cluster.authentication,
            "username": cluster.username,
            "passwordSecret": password,
        }
    return fields


def pods(workers: StrimziWorkers) -> Manifest:
    memory = f"{workers.memory_mb}Mi"
    metadata = {
        "labels": dict(workers.labels),
        "annotations": {**workers.annotations, CHECKSUM: workers.checksum},
    }
    return {
        "replicas": workers.replicas,
        **({"version": workers.kafka_version} if workers.kafka_version else {}),
        **({"image": workers.image} if workers.image else {}),
        "resources": {
            "requests": {"cpu": workers.cpu, "memory": memory},
            # Without a limit of the CPU, which would only slow down replication.
            "limits": {"memory": memory},
        },
        "jvmOptions": {"-Xmx": f"{workers.heap_mb}m"},
        "template": {"pod": {"metadata": metadata}},
    }


def strimzi_object(
    workers: StrimziWorkers,
    kind: str,
    name: str,
    spec: Manifest,
    *,
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
) -> Manifest:
    metadata = _metadata(workers, name)
    metadata["labels"] |= labels or {}
    if annotations:
        metadata["annotations"] = dict(annotations)
    return {
        "apiVersion": f"{GROUP}/{workers.api_version}",
        "kind": kind,
        "metadata": metadata,
        "spec": spec,
    }


def revision(manifests: Sequence[Manifest]) -> str:
    """Changes with what the operator acts on. The manifests hold no secret."""
    text = json.dumps(manifests, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _secret(workers: StrimziWorkers, name: str, data: Mapping[str, Any]) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": _metadata(workers, name),
        "type": "Opaque",
        "data": dict(data),
    }


def _metadata(workers: StrimziWorkers, name: str) -> Manifest:
    return {
        "name": name,
        "namespace": workers.namespace,
        "labels": {
            **workers.labels,
            "app.kubernetes.io/managed-by": "pulumi",
            "app.kubernetes.io/part-of": "mirrorstack",
        },
    }


def _certificate_key(alias: str) -> str:
    return f"{alias}.crt"
