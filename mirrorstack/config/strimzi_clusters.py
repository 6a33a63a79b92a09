"""`clusters.<alias>.strimzi` of a stack file: a Kafka cluster that Strimzi's operators run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from mirrorstack.config.base import Text
from mirrorstack.config.kubernetes_workers import NAMESPACE, NamespaceSettings
from mirrorstack.config.strimzi_workers import StrimziVersion
from mirrorstack.findings import Finding, KeyPath


class StrimziClusterSettings(NamespaceSettings):
    """Topics become KafkaTopics, and ACLs the `authorization` of a KafkaUser, in the namespace that
    the cluster's Topic Operator and User Operator watch."""

    cluster: Text
    """Name of the Kafka resource: the label `strimzi.io/cluster` of its KafkaTopics and
    KafkaUsers."""
    api_version: StrimziVersion = Field(StrimziVersion.V1, alias="api-version")
    """Version of the API kafka.strimzi.io: `v1`, or `v1beta2` for operators that do not have it."""
    wait_seconds: Annotated[float, Field(gt=0)] = Field(300.0, alias="wait-seconds")
    """How long `pulumi up` waits until the operators report that the resources are Ready."""


def check_strimzi_cluster(
    alias: str,
    strimzi: StrimziClusterSettings,
    *,
    administer: bool,
    sandbox: bool,
    shared: bool,
    has_principal: bool,
) -> Iterator[Finding]:
    """`shared`: whether its ACLs are; `has_principal`: whether MirrorMaker's principal is known, or
    the stack creates no ACLs."""
    path: KeyPath = ("clusters", alias)
    if sandbox:
        yield Finding.at(
            (*path, "strimzi"),
            "must not be set for a cluster of a sandbox, which no operator runs",
            "remove `strimzi`, or name the cluster by its `bootstrap-servers`",
            cluster=alias,
        )
    if not administer:
        yield Finding.at(
            (*path, "strimzi"),
            "is not possible with `administer: false`, with which the stack creates nothing on the "
            "cluster",
            "remove `strimzi` or `administer`",
            cluster=alias,
        )
    if shared:
        yield Finding.at(
            (*path, "acls"),
            "`shared` is not possible with `strimzi`: one list of the KafkaUser has all ACLs of "
            "the principal, and two stacks cannot own it",
            "give this stack a KafkaUser of its own (`principals.mirror`) and remove `acls`; or "
            "set `acls: exported`",
            cluster=alias,
        )
    if not has_principal:
        yield Finding.at(
            (*path, "principals", "mirror"),
            "required with `strimzi`, and missing: it is the name of the KafkaUser that gets the "
            "ACLs",
            "set it, such as `mirror: mirrorstack`; or set `acls: none`",
            cluster=alias,
        )
    if not NAMESPACE.fullmatch(strimzi.namespace):
        yield Finding.at(
            (*path, "strimzi", "namespace"),
            f'"{strimzi.namespace}" is not a value that Kubernetes accepts',
            "write it such as `namespace: kafka`",
            cluster=alias,
        )
    if not NAMESPACE.fullmatch(strimzi.cluster):
        yield Finding.at(
            (*path, "strimzi", "cluster"),
            f'"{strimzi.cluster}" is not the name of a Kafka resource',
            "write it as `kubectl get kafka` prints it, such as `cluster: my-cluster`",
            cluster=alias,
        )
