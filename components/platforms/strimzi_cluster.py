"""A Kafka cluster that Strimzi's operators run: the ACLs of its KafkaUser, and the wait for both
operators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi

from components.platforms.strimzi_objects import other_versions
from components.platforms.strimzi_readiness import StrimziReadiness
from components.topics import Topics
from mirrorstack.kubernetes.strimzi_resources import revision
from mirrorstack.kubernetes.strimzi_status import StrimziObject
from mirrorstack.kubernetes.worker_pods import Manifest
from mirrorstack.planning.cluster_acls import ClusterAcls
from mirrorstack.planning.previous_state import STRIMZI_TYPE
from mirrorstack.strimzi.kafka_users import kafka_user_patch
from mirrorstack.strimzi.strimzi_cluster import StrimziCluster


@dataclass(frozen=True, kw_only=True)
class OperatedClusterArgs:
    alias: str
    cluster: StrimziCluster
    acls: ClusterAcls
    topics: Sequence[Topics]
    """On the cluster."""


class OperatedCluster(pulumi.ComponentResource):
    """Complete when the operators have created all topics and ACLs of the stack. Its outputs say to
    the next deployment that topics are KafkaTopics, and whether ACLs are those of a KafkaUser."""

    def __init__(self, name: str, args: OperatedClusterArgs, opts: pulumi.ResourceOptions) -> None:
        """`opts` has the Kubernetes provider."""
        super().__init__(STRIMZI_TYPE, name, {"cluster": args.alias}, opts)
        manifests = [manifest for each in args.topics for manifest in each.manifests]
        created: list[pulumi.Resource] = list(args.topics)
        if args.acls.of_kafka_user:
            acls = args.acls
            patch = kafka_user_patch(args.cluster, acls.principal, acls.of_kafka_user)
            created.append(_declare_patch(f"{name}-kafka-user", patch, self))
            manifests.append(patch)
        if manifests:
            StrimziReadiness(
                f"{name}-readiness",
                args.cluster.access,
                [StrimziObject.of(manifest) for manifest in manifests],
                pulumi.ResourceOptions(parent=self, depends_on=created),
                replicas=0,
                revision=revision(manifests),
                wait_seconds=args.cluster.wait_seconds,
            )
        has_acls = bool(args.acls.of_kafka_user)
        self.register_outputs({"cluster": args.alias, "acls": has_acls})


def _declare_patch(name: str, manifest: Manifest, parent: pulumi.Resource) -> pulumi.Resource:
    """Of an object that exists; deleting it gives up the fields, and the object stays."""
    # Imported where it is needed: it is large.
    from pulumi_kubernetes.apiextensions import CustomResourcePatch

    return CustomResourcePatch(
        name,
        api_version=manifest["apiVersion"],
        kind=manifest["kind"],
        metadata=manifest["metadata"],
        spec=manifest["spec"],
        opts=pulumi.ResourceOptions(parent=parent, aliases=other_versions(manifest, "Patch")),
    )
