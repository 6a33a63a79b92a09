"""ACLs as the `authorization` of a KafkaUser, from which Strimzi's User Operator creates them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from mirrorstack.kafka.acls import Acl, PatternType, ResourceType
from mirrorstack.kubernetes.worker_pods import Manifest
from mirrorstack.strimzi.strimzi_cluster import StrimziCluster

KIND = "KafkaUser"
FIELD_MANAGER = "pulumi.com/patchFieldManager"
"""An annotation that Pulumi's plugin reads: the name under which a patch owns its fields. By
default it is random."""
TYPES = {
    ResourceType.TOPIC: "topic",
    ResourceType.GROUP: "group",
    ResourceType.TRANSACTIONAL_ID: "transactionalId",
}
PATTERNS = {PatternType.LITERAL: "literal", PatternType.PREFIXED: "prefix"}


def kafka_user_patch(cluster: StrimziCluster, principal: str, acls: Iterable[Acl]) -> Manifest:
    """Only `authorization`: whoever creates the KafkaUser gives it its credentials. The operator
    deletes ACLs that the list does not have."""
    annotations = {FIELD_MANAGER: cluster.field_manager}
    return cluster.manifest(
        KIND,
        {"name": principal, "annotations": annotations},
        {"authorization": {"type": "simple", "acls": authorization_acls(acls)}},
    )


def authorization_acls(acls: Iterable[Acl]) -> list[dict[str, Any]]:
    """One entry for each resource pattern, sorted."""
    ordered = sorted(acls, key=lambda acl: (acl.resource, acl.operation.value))
    return [
        {
            "resource": {
                "type": TYPES[resource.type],
                "name": resource.name,
                "patternType": PATTERNS[resource.pattern],
            },
            "operations": [acl.operation.value for acl in entries],
            "host": "*",
        }
        for resource, entries in groupby(ordered, key=lambda acl: acl.resource)
    ]


def other_owners(user: Mapping[str, Any], own: str) -> list[str]:
    """Field managers, besides our own, that own the KafkaUser's `authorization`."""
    return sorted(
        {
            str(entry.get("manager"))
            for entry in user["metadata"].get("managedFields") or ()
            if entry.get("manager") != own
            and "f:authorization" in ((entry.get("fieldsV1") or {}).get("f:spec") or {})
        }
    )
