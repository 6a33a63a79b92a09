"""Connect workers that Strimzi's operator runs, and their connectors."""

from __future__ import annotations

import pulumi

from components.platforms.kubernetes_objects import (
    checksum,
    declare_object,
    kubernetes_provider,
    secret_data,
    state_name,
)
from components.platforms.strimzi_objects import other_versions
from components.platforms.strimzi_readiness import StrimziReadiness
from components.platforms.worker_secrets import cluster_passwords
from mirrorstack.config.strimzi_workers import StrimziVersion
from mirrorstack.connect.storage import ConnectStorage
from mirrorstack.findings import UserError
from mirrorstack.kafka.connection import in_jaas
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.kubernetes import strimzi_resources as strimzi
from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.kubernetes.strimzi_heartbeats import heartbeat_resources
from mirrorstack.kubernetes.strimzi_status import StrimziObject
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.planning.deployment import FlowDeployment, WorkerDeployment
from mirrorstack.runtimes import worker_container as container
from mirrorstack.runtimes.strimzi import passwords_secret

FIELDS = {
    ConnectorKind.SOURCE: strimzi.SOURCE,
    ConnectorKind.CHECKPOINT: strimzi.CHECKPOINT,
    ConnectorKind.HEARTBEAT: strimzi.HEARTBEAT,
}


def strimzi_workers(
    name: str, workers: WorkerDeployment, opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    """The resources of one target, and the wait for the operator. `components.workers` looks this
    function up by the runtime."""
    access = ClusterAccess.decode(workers.placement.options["access"])
    opts = kubernetes_provider(name, access, opts)
    described = describe_workers(workers, access)
    operated = [strimzi.mirror_maker(described), *heartbeat_resources(described)]
    created: list[pulumi.Resource] = []
    for manifest in [*strimzi.secrets(described), *operated]:
        # The operator finds what a resource refers to; when it is deleted, it is still there.
        after = pulumi.ResourceOptions(depends_on=list(created), aliases=other_versions(manifest))
        merged = pulumi.ResourceOptions.merge(opts, after)
        state = f"{name}-{state_name(manifest, described.name)}"
        created.append(declare_object(state, manifest, merged))
    readiness = StrimziReadiness(
        f"{name}-readiness",
        access,
        [StrimziObject.of(manifest) for manifest in operated],
        pulumi.ResourceOptions(parent=opts.parent, depends_on=created),
        replicas=described.replicas,
        revision=strimzi.revision(operated),
        wait_seconds=workers.settings.strimzi.wait_seconds,
    )
    return [*created, readiness]


def describe_workers(workers: WorkerDeployment, access: ClusterAccess) -> strimzi.StrimziWorkers:
    settings, name = workers.settings.strimzi, workers.placement.options["name"]
    (config,) = workers.configs
    if workers.jars and not settings.image:
        raise UserError(
            "replication policies of your own need an image of the workers that contains them",
            "build one from the operator's image, with the jars in /opt/kafka/libs, and name it in "
            "`image`",
            cluster=workers.group.target,
            path=("workers", workers.group.target, "strimzi", "image"),
        )
    heartbeats = workers.group.heartbeats
    return strimzi.StrimziWorkers(
        name=name,
        namespace=access.namespace,
        api_version=settings.api_version,
        replicas=workers.settings.count,
        group=_group(workers.group.storage_of(workers.group.target)),
        heartbeats=_group(heartbeats) if heartbeats else None,
        config=config,
        target=workers.group.target,
        clusters={alias: _cluster(each) for alias, each in workers.clusters.items()},
        mirrors=[_mirror(flow) for flow in workers.flows],
        heap_mb=workers.heap_mb,
        memory_mb=container.memory_mb(workers.heap_mb),
        cpu=settings.cpu or container.cpu(workers.heap_mb),
        passwords=None if settings.secret else secret_data(_passwords(workers)),
        passwords_secret=passwords_secret(settings, name),
        checksum=checksum({}, [workers.password_fingerprint], access.namespace),
        kafka_version=settings.version or "",
        image=settings.image or "",
        labels=settings.labels,
        annotations=settings.annotations,
    )


def _passwords(workers: WorkerDeployment) -> dict[str, str]:
    """By alias, as they have to be between the quotes of a JAAS entry."""
    escaped = {alias: in_jaas(each) for alias, each in cluster_passwords(workers).items()}
    is_old = workers.settings.strimzi.api_version is StrimziVersion.V1BETA2
    for alias, password in escaped.items():
        if is_old and "\\" in password:
            raise UserError(
                f"the password of MirrorMaker's principal on {alias} contains a quote or a "
                "backslash: operators with the API version v1beta2 write it into a properties "
                "file, which reads it differently",
                "give the principal a password without them, or set `api-version: v1`",
                cluster=alias,
                path=("workers", workers.group.target, "strimzi", "api-version"),
            )
    return escaped


def _mirror(flow: FlowDeployment) -> strimzi.StrimziMirror:
    return strimzi.StrimziMirror(
        source=flow.source,
        state=flow.state,
        connectors={FIELDS[each.kind]: each.config for each in flow.connectors},
    )


def _group(storage: ConnectStorage) -> strimzi.ConnectGroup:
    return strimzi.ConnectGroup(
        group=storage.group,
        configs_topic=storage.configs_topic,
        offsets_topic=storage.offsets_topic,
        status_topic=storage.status_topic,
    )


def _cluster(access: ClientAccess) -> strimzi.StrimziCluster:
    has_password = access.protocol.startswith("SASL_")
    return strimzi.StrimziCluster(
        alias=access.alias,
        bootstrap_servers=access.bootstrap_servers,
        # The operator's names are those of Kafka, in lower case.
        authentication=access.mechanism.lower() if has_password else "",
        username=access.principal if has_password else "",
        is_encrypted=access.protocol.endswith("SSL"),
        certificates=access.ca_certificates or "",
    )
