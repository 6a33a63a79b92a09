"""The pods of Connect workers: what all manifests are made from, and the pod template."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

Manifest = dict[str, Any]

REST_PORT = 8083
REST, METRICS = "rest", "metrics"
"""Names of the ports."""
USER = 1000
"""That of the official image; Kubernetes refuses to compare names."""
DIRECTORY = PurePosixPath("/etc/mirrorstack")
CONFIG, LOGIN, PASSWORDS = DIRECTORY / "config", DIRECTORY / "login", DIRECTORY / "passwords"
"""Of the mounted ConfigMap, and of the Secrets with the REST API's users and with the passwords of
the mirroring principals."""
TEMPORARY = "/tmp"  # noqa: S108 - of the container, an empty volume
ADDRESS = "MIRRORSTACK_ADDRESS"
"""The environment variable with the name of a pod in the cluster's DNS."""
CHECKSUM = "mirrorstack/checksum"
"""The annotation that changes when pods have to be restarted."""
GRACE_SECONDS = 60
INSTANCE = "app.kubernetes.io/instance"
# A worker that does not answer for five minutes is restarted: as long as the brokers are away,
# which is no reason to restart it sooner, it does not answer either.
STARTUP = {"periodSeconds": 3, "timeoutSeconds": 5, "failureThreshold": 60}
READINESS = {"periodSeconds": 5, "timeoutSeconds": 5, "failureThreshold": 3}
LIVENESS = {"periodSeconds": 30, "timeoutSeconds": 10, "failureThreshold": 10}


@dataclass(frozen=True, kw_only=True)
class Autoscaling:
    """By an external metric, such as the lag in records."""

    max_replicas: int
    metric: str
    target: str
    """The value for each worker, as a quantity of Kubernetes."""


@dataclass(frozen=True, kw_only=True)
class WorkerPods:
    """Values of Secrets are in base64. They may be Pulumi outputs, and are passed on unchanged."""

    name: str
    """Of the StatefulSet; the names of the other objects begin with it."""
    namespace: str
    replicas: int
    image: str
    command: Sequence[str]
    health_check: Sequence[str]
    environment: Mapping[str, str]
    memory_mb: int
    cpu: str
    """As a quantity of Kubernetes."""
    config_files: Mapping[str, str]
    login_files: Mapping[str, Any] | None
    """None in dedicated mode, which has no public REST API."""
    passwords: Mapping[str, Any] | None
    """By alias; None if `passwords_secret` exists already."""
    passwords_secret: str
    checksum: str
    jars: Mapping[str, str] = field(default_factory=dict)
    """By file name, in base64."""
    jars_directory: str = ""
    pull_policy: str = "IfNotPresent"
    pull_secrets: Sequence[str] = ()
    open_rest_port: bool = False
    """For clients outside of the namespace, such as an ingress."""
    metrics_port: int | None = None
    pod_monitor: bool = False
    autoscaling: Autoscaling | None = None
    node_selector: Mapping[str, str] = field(default_factory=dict)
    tolerations: Sequence[Mapping[str, Any]] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)

    @property
    def selector(self) -> dict[str, str]:
        return selector(self.name)

    @property
    def revision(self) -> str:
        """Changes with everything that makes Kubernetes replace the pods."""
        template = json.dumps(pod_template(self), sort_keys=True)
        return hashlib.sha256(template.encode()).hexdigest()

    @property
    def headless_service(self) -> str:
        return f"{self.name}-workers"


def selector(name: str) -> dict[str, str]:
    """The labels by which the pods of a StatefulSet are found."""
    return {"app.kubernetes.io/name": "kafka-connect", INSTANCE: name}


def pod_template(pods: WorkerPods) -> Manifest:
    """Within the `restricted` Pod Security Standard."""
    return {
        "metadata": {
            "labels": {**pods.labels, **pods.selector},
            "annotations": {**pods.annotations, CHECKSUM: pods.checksum},
        },
        "spec": {
            "serviceAccountName": pods.name,
            "automountServiceAccountToken": False,
            "enableServiceLinks": False,
            "terminationGracePeriodSeconds": GRACE_SECONDS,
            "securityContext": {
                "runAsNonRoot": True,
                "runAsUser": USER,
                "runAsGroup": USER,
                "fsGroup": USER,
                "seccompProfile": {"type": "RuntimeDefault"},
            },
            "affinity": {"podAntiAffinity": _anti_affinity(pods)},
            "topologySpreadConstraints": [_spread(pods)],
            "containers": [_container(pods)],
            "volumes": _volumes(pods),
            **_where_set("imagePullSecrets", [{"name": name} for name in pods.pull_secrets]),
            **_where_set("nodeSelector", dict(pods.node_selector)),
            **_where_set("tolerations", [dict(each) for each in pods.tolerations]),
        },
    }


def _container(pods: WorkerPods) -> Manifest:
    memory = f"{pods.memory_mb}Mi"
    check = {"exec": {"command": list(pods.health_check)}}
    ports = [{"name": REST, "containerPort": REST_PORT, "protocol": "TCP"}]
    if pods.metrics_port:
        port = {"name": METRICS, "containerPort": pods.metrics_port, "protocol": "TCP"}
        ports.append(port)
    return {
        "name": "worker",
        "image": pods.image,
        "imagePullPolicy": pods.pull_policy,
        "command": list(pods.command),
        "env": _environment(pods),
        "ports": ports,
        "resources": {
            "requests": {"cpu": pods.cpu, "memory": memory},
            # Without a limit of the CPU, which would only slow down replication.
            "limits": {"memory": memory},
        },
        "startupProbe": {**check, **STARTUP},
        "readinessProbe": {**check, **READINESS},
        "livenessProbe": {**check, **LIVENESS},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
        "volumeMounts": [
            {"name": "config", "mountPath": str(CONFIG), "readOnly": True},
            *(
                [{"name": "login", "mountPath": str(LOGIN), "readOnly": True}]
                if pods.login_files is not None
                else []
            ),
            {"name": "passwords", "mountPath": str(PASSWORDS), "readOnly": True},
            {"name": "temporary", "mountPath": TEMPORARY},
            *(
                [{"name": "jars", "mountPath": pods.jars_directory, "readOnly": True}]
                if pods.jars
                else []
            ),
        ],
    }


def _environment(pods: WorkerPods) -> list[Manifest]:
    """The address refers to the name, so it has to come after it."""
    address = f"$(POD_NAME).{pods.headless_service}.{pods.namespace}.svc"
    return [
        {"name": "POD_NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
        {"name": ADDRESS, "value": address},
        {"name": "LOG_DIR", "value": TEMPORARY},
        *({"name": name, "value": value} for name, value in pods.environment.items()),
    ]


def _volumes(pods: WorkerPods) -> list[Manifest]:
    # Octal 0440: the group of the pod may read them.
    mode = 0o440
    return [
        {"name": "config", "configMap": {"name": f"{pods.name}-config", "defaultMode": mode}},
        *(
            [{"name": "login", "secret": {"secretName": f"{pods.name}-login", "defaultMode": mode}}]
            if pods.login_files is not None
            else []
        ),
        {
            "name": "passwords",
            "secret": {"secretName": pods.passwords_secret, "defaultMode": mode},
        },
        {"name": "temporary", "emptyDir": {"sizeLimit": "256Mi"}},
        *(
            [{"name": "jars", "configMap": {"name": f"{pods.name}-jars", "defaultMode": mode}}]
            if pods.jars
            else []
        ),
    ]


def _anti_affinity(pods: WorkerPods) -> Manifest:
    """Preferred only: a cluster may have fewer nodes than there are workers."""
    term = {
        "labelSelector": {"matchLabels": pods.selector},
        "topologyKey": "kubernetes.io/hostname",
    }
    return {
        "preferredDuringSchedulingIgnoredDuringExecution": [
            {"weight": 100, "podAffinityTerm": term}
        ]
    }


def _spread(pods: WorkerPods) -> Manifest:
    return {
        "maxSkew": 1,
        "topologyKey": "topology.kubernetes.io/zone",
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": pods.selector},
    }


def _where_set(key: str, value: Any) -> Manifest:
    return {key: value} if value else {}
