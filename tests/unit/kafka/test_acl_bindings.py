"""ACLs as the admin client has them."""

from __future__ import annotations

from confluent_kafka.admin import (
    AclBinding,
    AclOperation,
    AclPermissionType,
    ResourcePatternType,
)
from confluent_kafka.admin import ResourceType as AclResourceType

from mirrorstack.kafka.acls import Acl, Operation, PatternType, ResourcePattern, ResourceType
from tests.unit.kafka.fakes import FakeAdmin, cluster


def test_acls_exist_only_with_the_same_resource_pattern() -> None:
    binding = AclBinding(
        AclResourceType.TOPIC, "east.", ResourcePatternType.PREFIXED, "User:mirror", "*",
        AclOperation.DESCRIBE_CONFIGS, AclPermissionType.ALLOW,
    )  # fmt: skip
    prefixed = ResourcePattern(ResourceType.TOPIC, "east.", PatternType.PREFIXED)
    literal = ResourcePattern(ResourceType.TOPIC, "east.")
    acls = [Acl("west", each, Operation.DESCRIBE_CONFIGS, "") for each in (prefixed, literal)]

    assert (
        cluster(FakeAdmin({"describe_acls": [binding]})).existing_acls("mirror", acls) == acls[:1]
    )
