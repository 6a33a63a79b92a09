"""ACLs as the admin client has them, compared with our own."""

from __future__ import annotations

from typing import Any

from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    ResourcePatternType,
    ResourceType,
)

from mirrorstack.kafka.acls import Acl

AclKey = tuple[str, str, str, str]
"""Resource type, name, pattern type and operation, in lower case."""


def allowed_to(principal: str) -> AclBindingFilter:
    """All ACLs that allow a principal something."""
    return AclBindingFilter(
        ResourceType.ANY, None, ResourcePatternType.ANY, f"User:{principal}", None,  # type: ignore[arg-type]
        AclOperation.ANY, AclPermissionType.ALLOW,
    )  # fmt: skip


def binding_key(binding: AclBinding) -> AclKey:
    parts: list[Any] = [binding.restype, binding.resource_pattern_type, binding.operation]
    kind, pattern, operation = (part.name.replace("_", "").lower() for part in parts)
    return kind, binding.name, pattern, operation


def acl_key(acl: Acl) -> AclKey:
    resource = acl.resource
    return (
        resource.type.value.lower(),
        resource.name,
        resource.pattern.value.lower(),
        acl.operation.value.lower(),
    )
