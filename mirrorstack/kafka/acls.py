"""Which of some grants a cluster has already."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from confluent_kafka import KafkaException
from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    ResourcePatternType,
    ResourceType,
)

from mirrorstack.kafka.admin import TIMEOUT_SECONDS, KafkaCluster
from mirrorstack.mm2.required_acls import Acl


def already_granted(cluster: KafkaCluster, principal: str, grants: Iterable[Acl]) -> list[Acl]:
    """Those that the principal has, exactly as they stand; asked by who may administer."""
    anything = AclBindingFilter(
        ResourceType.ANY, None, ResourcePatternType.ANY, f"User:{principal}", None,  # type: ignore[arg-type]
        AclOperation.ANY, AclPermissionType.ALLOW,
    )  # fmt: skip
    admin = cluster.admin([])  # kept until the answer is in: its end cancels it
    try:
        held = admin.describe_acls(anything, request_timeout=TIMEOUT_SECONDS).result()
    except KafkaException as error:
        raise cluster.unanswered(error) from error
    there = {_described(binding) for binding in held}
    return [grant for grant in grants if _wanted(grant) in there]


def _described(binding: AclBinding) -> tuple[str, str, str, str]:
    parts: list[Any] = [binding.restype, binding.resource_pattern_type, binding.operation]
    kind, pattern, operation = (part.name.replace("_", "").lower() for part in parts)
    return kind, binding.name, pattern, operation


def _wanted(grant: Acl) -> tuple[str, str, str, str]:
    resource = grant.resource
    return (
        resource.type.value.lower(),
        resource.name,
        resource.pattern.value.lower(),
        grant.operation.value.lower(),
    )
