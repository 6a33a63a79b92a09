"""The providers of the clusters on which a stack creates topics and ACLs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pulumi

from components.kafka_provider import KafkaProvider, KafkaProviderArgs
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.planning.deployment import ClusterDeployment


def administered_clusters(
    prefix: str, clusters: Mapping[str, ClusterDeployment], parent: pulumi.Resource
) -> dict[str, pulumi.ResourceOptions]:
    """By cluster that the stack administers: options with its providers."""
    return {
        alias: pulumi.ResourceOptions(
            parent=parent, providers=[*_providers(prefix, alias, cluster, cluster.admin, parent)]
        )
        for alias, cluster in clusters.items()
        if cluster.admin is not None
    }


def _providers(
    prefix: str,
    alias: str,
    cluster: ClusterDeployment,
    admin: KafkaCluster,
    parent: pulumi.Resource,
) -> Iterator[pulumi.ProviderResource]:
    options = pulumi.ResourceOptions(parent=parent)
    yield KafkaProvider(
        f"{prefix}-kafka-{alias}",
        KafkaProviderArgs(connection=admin.connection, ca_certificates=cluster.ca_certificates),
        options,
    )
    if cluster.strimzi is not None:
        # Imported where it is needed: Pulumi's Kubernetes SDK is large.
        from components.platforms.kubernetes_objects import namespace_provider

        yield namespace_provider(f"{prefix}-{alias}", cluster.strimzi.access, options)
