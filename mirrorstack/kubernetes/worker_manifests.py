"""The objects of a namespace that run the Connect workers of one target."""

from __future__ import annotations

from typing import Any

from mirrorstack.kubernetes.worker_pods import (
    METRICS,
    REST,
    REST_PORT,
    Autoscaling,
    Manifest,
    WorkerPods,
    pod_template,
)

# Pulumi's plugin would wait until pods are Ready, and so does the stack itself, which reports why
# they are not.
WITHOUT_WAITING = {"pulumi.com/skipAwait": "true"}
SCALE_DOWN_SECONDS = 600
"""Each change of the number of workers is a rebalance, in which tasks pause."""


def worker_manifests(pods: WorkerPods) -> list[Manifest]:
    """In the order in which they are created."""
    return [
        _object(pods, "v1", "ServiceAccount", "", automountServiceAccountToken=False),
        _object(pods, "v1", "ConfigMap", "-config", data=dict(pods.config_files)),
        *(
            [_secret(pods, f"{pods.name}-login", pods.login_files)]
            if pods.login_files is not None
            else []
        ),
        *(
            [_secret(pods, pods.passwords_secret, pods.passwords)]
            if pods.passwords is not None
            else []
        ),
        *(
            [_object(pods, "v1", "ConfigMap", "-jars", binaryData=dict(pods.jars))]
            if pods.jars
            else []
        ),
        _service(pods, "-workers", clusterIP="None", publishNotReadyAddresses=True),
        _service(pods, "", type="ClusterIP"),
        _network_policy(pods),
        _object(
            pods,
            "policy/v1",
            "PodDisruptionBudget",
            "",
            spec={"maxUnavailable": 1, "selector": {"matchLabels": pods.selector}},
        ),
        _stateful_set(pods),
        *([_autoscaler(pods, pods.autoscaling)] if pods.autoscaling else []),
        *([_pod_monitor(pods)] if pods.pod_monitor else []),
    ]


def _stateful_set(pods: WorkerPods) -> Manifest:
    replicas = {} if pods.autoscaling else {"replicas": pods.replicas}
    return _object(
        pods,
        "apps/v1",
        "StatefulSet",
        "",
        annotations=WITHOUT_WAITING,
        spec={
            **replicas,
            "serviceName": pods.headless_service,
            # Only for scaling; a rolling restart replaces one pod after the other.
            "podManagementPolicy": "Parallel",
            "updateStrategy": {"type": "RollingUpdate"},
            "selector": {"matchLabels": pods.selector},
            "template": pod_template(pods),
        },
    )


def _service(pods: WorkerPods, suffix: str, **spec: Any) -> Manifest:
    port = {"name": REST, "port": REST_PORT, "targetPort": REST, "protocol": "TCP"}
    return _object(
        pods,
        "v1",
        "Service",
        suffix,
        annotations=WITHOUT_WAITING,
        spec={**spec, "selector": pods.selector, "ports": [port]},
    )


def _network_policy(pods: WorkerPods) -> Manifest:
    """Workers forward requests to each other. A port-forward comes from the pod's own node."""
    among_workers = {"from": [{"podSelector": {"matchLabels": pods.selector}}]}
    rest = {"ports": [{"port": REST, "protocol": "TCP"}]}
    ingress = [rest if pods.open_rest_port else {**among_workers, **rest}]
    if pods.metrics_port:
        ingress.append({"ports": [{"port": METRICS, "protocol": "TCP"}]})
    return _object(
        pods,
        "networking.k8s.io/v1",
        "NetworkPolicy",
        "",
        spec={
            "podSelector": {"matchLabels": pods.selector},
            "policyTypes": ["Ingress"],
            "ingress": ingress,
        },
    )


def _autoscaler(pods: WorkerPods, autoscaling: Autoscaling) -> Manifest:
    metric = {
        "type": "External",
        "external": {
            "metric": {"name": autoscaling.metric},
            "target": {"type": "AverageValue", "averageValue": autoscaling.target},
        },
    }
    return _object(
        pods,
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        "",
        annotations=WITHOUT_WAITING,
        spec={
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": pods.name},
            "minReplicas": pods.replicas,
            "maxReplicas": autoscaling.max_replicas,
            "metrics": [metric],
            "behavior": {"scaleDown": {"stabilizationWindowSeconds": SCALE_DOWN_SECONDS}},
        },
    )


def _pod_monitor(pods: WorkerPods) -> Manifest:
    return _object(
        pods,
        "monitoring.coreos.com/v1",
        "PodMonitor",
        "",
        spec={
            "selector": {"matchLabels": pods.selector},
            "podMetricsEndpoints": [{"port": METRICS}],
        },
    )


def _secret(pods: WorkerPods, name: str, values: Any) -> Manifest:
    manifest = _object(pods, "v1", "Secret", "", type="Opaque", data=dict(values))
    return {**manifest, "metadata": {**manifest["metadata"], "name": name}}


def _object(
    pods: WorkerPods,
    api_version: str,
    kind: str,
    suffix: str,
    annotations: dict[str, str] | None = None,
    **content: Any,
) -> Manifest:
    metadata: Manifest = {
        "name": f"{pods.name}{suffix}",
        "namespace": pods.namespace,
        "labels": {
            **pods.labels,
            **pods.selector,
            "app.kubernetes.io/managed-by": "pulumi",
            "app.kubernetes.io/part-of": "mirrorstack",
        },
    }
    if annotations:
        metadata["annotations"] = dict(annotations)
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **content}
