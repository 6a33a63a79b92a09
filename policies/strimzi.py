"""Reads Strimzi's resources as the topics and ACLs that its operators create from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pulumi_policy import PolicyResource

if TYPE_CHECKING:
    from mirrorstack.config.strimzi_clusters import StrimziClusterSettings

VERSIONS = ("v1", "v1beta2")
KAFKA_TOPICS = tuple(f"kubernetes:kafka.strimzi.io/{each}:KafkaTopic" for each in VERSIONS)
KAFKA_USERS = tuple(
    f"kubernetes:kafka.strimzi.io/{each}:KafkaUser{ending}"
    for each in VERSIONS
    for ending in ("", "Patch")
)
CLUSTER_LABEL = "strimzi.io/cluster"
TYPES = {"topic": "Topic", "group": "Group", "transactionalId": "TransactionalID"}
PATTERNS = {"literal": "Literal", "prefix": "Prefixed"}

Props = Mapping[str, Any]


def is_in(resource: PolicyResource, strimzi: StrimziClusterSettings) -> bool:
    """Whether the cluster's operators watch the resource. A patch need not have the label."""
    metadata = resource.props.get("metadata") or {}
    provider = resource.provider.props if resource.provider else {}
    namespace = metadata.get("namespace") or provider.get("namespace") or "default"
    label = (metadata.get("labels") or {}).get(CLUSTER_LABEL, strimzi.cluster)
    context = provider.get("context") or None
    return (namespace, label, context) == (strimzi.namespace, strimzi.cluster, strimzi.context)


def topic_props(props: Props) -> Props:
    """Of a topic of the kafka provider."""
    spec = props.get("spec") or {}
    name = spec.get("topicName") or (props.get("metadata") or {}).get("name")
    return {
        "name": name,
        "partitions": spec.get("partitions"),
        "replicationFactor": spec.get("replicas"),
        "config": spec.get("config"),
    }


def acl_props(props: Props) -> Iterator[Props]:
    """Of ACLs of the kafka provider."""
    name = (props.get("metadata") or {}).get("name")
    for acl in ((props.get("spec") or {}).get("authorization") or {}).get("acls") or ():
        resource = acl.get("resource") or {}
        kind, pattern = resource.get("type"), resource.get("patternType") or "literal"
        operations = acl.get("operations") or [acl.get("operation")]
        for operation in operations:
            yield {
                "aclPrincipal": f"User:{name}",
                "aclPermissionType": str(acl.get("type") or "allow").capitalize(),
                "aclOperation": operation,
                "aclResourceType": TYPES.get(str(kind), str(kind).capitalize()),
                "aclResourceName": resource.get("name"),
                "resourcePatternTypeFilter": PATTERNS.get(pattern, pattern),
            }
