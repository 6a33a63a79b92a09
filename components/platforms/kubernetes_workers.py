"""Connect workers as pods of a Kubernetes cluster."""

from __future__ import annotations

import base64

import pulumi

from components.platforms.kubernetes_objects import (
    checksum,
    declare_object,
    kubernetes_provider,
    secret_data,
    state_name,
)
from components.platforms.pod_rollout import PodRollout
from components.platforms.worker_secrets import cluster_passwords, rest_password
from mirrorstack.findings import UserError
from mirrorstack.kafka.connection import in_jaas
from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.kubernetes.metrics import METRICS_CONFIG, METRICS_FILE
from mirrorstack.kubernetes.worker_manifests import worker_manifests
from mirrorstack.kubernetes.worker_pods import CONFIG, LOGIN, Autoscaling, WorkerPods
from mirrorstack.planning.deployment import WorkerDeployment
from mirrorstack.runtimes import worker_container as container

CONFIG_MAP_BYTES = 1_000_000


def kubernetes_workers(
    name: str, workers: WorkerDeployment, opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    """The objects of one target, and the wait for its pods. `components.workers` looks this
    function up by the runtime."""
    access = ClusterAccess.decode(workers.placement.options["access"])
    opts = kubernetes_provider(name, access, opts)
    pods = worker_pods(workers, access)
    created: list[pulumi.Resource] = []
    for manifest in worker_manifests(pods):
        # The pods find what they mount; when they are deleted, it is still there.
        after = pulumi.ResourceOptions(depends_on=list(created))
        merged = pulumi.ResourceOptions.merge(opts, after)
        state = f"{name}-{state_name(manifest, pods.name)}"
        created.append(declare_object(state, manifest, merged))
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
        cpu=settings.cpu or container.cpu(workers.heap_mb),
        config_files=files,
        login_files=secret_data(container.rest_files(rest, LOGIN)) if has_login else None,
        passwords=None
        if settings.secret
        else secret_data({alias: in_jaas(password) for alias, password in passwords.items()}),
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
