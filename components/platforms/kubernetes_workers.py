"""Connect workers as pods of a Kubernetes cluster."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.platforms.pod_rollout import PodRollout
from components.platforms.worker_secrets import cluster_passwords, rest_password
from mirrorstack.findings import UserError
from mirrorstack.kafka.connection import in_jaas
from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.kubernetes.metrics import METRICS_CONFIG, METRICS_FILE
from mirrorstack.kubernetes.worker_manifests import worker_manifests
from mirrorstack.kubernetes.worker_pods import CONFIG, LOGIN, Autoscaling, Manifest, WorkerPods
from mirrorstack.planning.deployment import WorkerDeployment
from mirrorstack.runtimes import worker_container as container

CONFIG_MAP_BYTES = 1_000_000
MILLI_CPU_PER_MB = 250 / 256
KINDS: Mapping[str, Callable[..., pulumi.Resource]] = {
    "ConfigMap": kubernetes.core.v1.ConfigMap,
    "HorizontalPodAutoscaler": kubernetes.autoscaling.v2.HorizontalPodAutoscaler,
    "NetworkPolicy": kubernetes.networking.v1.NetworkPolicy,
    "PodDisruptionBudget": kubernetes.policy.v1.PodDisruptionBudget,
    "Secret": kubernetes.core.v1.Secret,
    "Service": kubernetes.core.v1.Service,
    "ServiceAccount": kubernetes.core.v1.ServiceAccount,
    "StatefulSet": kubernetes.apps.v1.StatefulSet,
}
NAMED = {
    "automountServiceAccountToken": "automount_service_account_token",
    "binaryData": "binary_data",
}
"""Fields whose arguments have another name."""


def kubernetes_workers(
    name: str, workers: WorkerDeployment, opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    """The objects of one target, and the wait for its pods. `components.workers` looks this
    function up by the runtime."""
    access = ClusterAccess.decode(workers.placement.options["access"])
    provider = kubernetes.Provider(
        f"{name}-kubernetes",
        kubernetes.ProviderArgs(
            context=access.context or None,
            kubeconfig=access.kubeconfig or None,
            namespace=access.namespace,
            # The plugin would delete and create them instead, and pods could not start meanwhile.
            enable_config_map_mutable=True,
            enable_secret_mutable=True,
        ),
        opts,
    )
    opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(provider=provider))
    pods = worker_pods(workers, access)
    created: list[pulumi.Resource] = []
    for manifest in worker_manifests(pods):
        # The pods find what they mount; when they are deleted, it is still there.
        after = pulumi.ResourceOptions(depends_on=list(created))
        merged = pulumi.ResourceOptions.merge(opts, after)
        created.append(_declare(f"{name}-{_suffix(manifest, pods)}", manifest, merged))
    ready = pulumi.ResourceOptions(parent=opts.parent, depends_on=created)
    return [*created, PodRollout(f"{name}-rollout", access, pods, ready)]


def worker_pods(workers: WorkerDeployment, access: ClusterAccess) -> WorkerPods:
    settings = workers.settings.kubernetes
    (config,) = workers.configs
    has_login = workers.group.has_rest_api
    rest = rest_password(workers) if has_login else ""
    passwords = cluster_passwords(workers)
    files = container.plain_files(config, LOGIN)
    agent = ""
    if settings.metrics:
        files[METRICS_FILE] = METRICS_CONFIG
        agent = f"{settings.metrics.agent}={settings.metrics.port}:{CONFIG / METRICS_FILE}"
    variables = container.environment(
        workers.heap_mb,
        LOGIN / container.LOGIN if has_login else None,
        CONFIG / container.LOG_CONFIG,
        jars=bool(workers.jars),
        agent=agent,
    )
    jars = _jars(workers)
    scaling = settings.autoscaling
    return WorkerPods(
        name=workers.placement.options["name"],
        namespace=access.namespace,
        replicas=workers.settings.count,
        image=settings.image,
        command=container.command(config, CONFIG),
        health_check=["bash", str(CONFIG / container.HEALTH)],
        environment=variables,
        memory_mb=container.memory_mb(workers.heap_mb),
        cpu=settings.cpu or f"{round(workers.heap_mb * MILLI_CPU_PER_MB)}m",
        config_files=files,
        login_files=_secret(container.rest_files(rest, LOGIN)) if has_login else None,
        passwords=None
        if settings.secret
        else _secret({alias: in_jaas(password) for alias, password in passwords.items()}),
        passwords_secret=settings.secret or f"{workers.placement.options['name']}-passwords",
        checksum=checksum(
            {"files": files, "jars": jars}, [rest, workers.password_fingerprint], access.namespace
        ),
        jars=jars,
        jars_directory=str(container.JARS),
        pull_policy=settings.image_pull_policy,
        pull_secrets=settings.image_pull_secrets,
        open_rest_port=workers.settings.rest_url is not None,
        metrics_port=settings.metrics.port if settings.metrics else None,
        pod_monitor=bool(workers.placement.options["pod_monitor"]),
        autoscaling=Autoscaling(
            max_replicas=scaling.max, metric=scaling.metric, target=scaling.target
        )
        if scaling
        else None,
        node_selector=settings.node_selector,
        tolerations=settings.tolerations,
        labels=settings.labels,
        annotations=settings.annotations,
    )


def checksum(content: Mapping[str, Any], secrets: list[str], salt: str) -> str:
    """Changes when pods have to be restarted. Whoever may list pods can read it, so it takes long
    to try passwords against it."""
    text = json.dumps([content, secrets], sort_keys=True)
    return hashlib.scrypt(text.encode(), salt=salt.encode(), n=1 << 14, r=8, p=1, dklen=16).hex()


def _declare(name: str, manifest: Manifest, opts: pulumi.ResourceOptions) -> pulumi.Resource:
    content = {
        NAMED.get(key, key): value
        for key, value in manifest.items()
        if key not in ("apiVersion", "kind")
    }
    if manifest["kind"] in KINDS:
        return KINDS[manifest["kind"]](name, opts=opts, **content)
    return kubernetes.apiextensions.CustomResource(
        name, api_version=manifest["apiVersion"], kind=manifest["kind"], opts=opts, **content
    )


def _suffix(manifest: Manifest, pods: WorkerPods) -> str:
    """A name in the state that says which object it is, such as `config-config-map`."""
    name = manifest["metadata"]["name"].removeprefix(pods.name).strip("-")
    kind = "".join(f"-{c.lower()}" if c.isupper() else c for c in manifest["kind"]).strip("-")
    return f"{name}-{kind}" if name else kind


def _secret(values: Mapping[str, str]) -> dict[str, pulumi.Output[str]]:
    return {
        key: pulumi.Output.secret(base64.b64encode(value.encode()).decode())
        for key, value in values.items()
    }


def _jars(workers: WorkerDeployment) -> dict[str, str]:
    paths = [jar.path for jar in workers.jars]
    size = sum(path.stat().st_size for path in paths)
    if size > CONFIG_MAP_BYTES:
        raise UserError(
            f"The jars with replication policies have {size} bytes, and Kubernetes takes at most "
            f"{CONFIG_MAP_BYTES} in a ConfigMap: {', '.join(map(str, paths))}",
            "build jars that contain only the policy's own classes",
            cluster=workers.group.target,
        )
    return {
        name: base64.b64encode(path.read_bytes()).decode()
        for name, path in zip(container.jar_names(paths), paths, strict=True)
    }
