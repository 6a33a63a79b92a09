"""The ACLs that a principal has on a cluster, compared with our own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    ConfigResource,
    ResourcePatternType,
    ResourceType,
)

from mirrorstack.kafka import errors
from mirrorstack.kafka.acls import Acl
from mirrorstack.kafka.admin_client import TIMEOUT_SECONDS, ClusterClient, retried

ANY_HOST = "*"
AUTHORIZER = "authorizer.class.name"


class AclKey(NamedTuple):
    """An operation that is allowed from any host; all but the name in lower case."""

    type: str
    """`topic`, `group`, `transactionalid` or `cluster`."""
    name: str
    pattern: str
    operation: str


@dataclass(frozen=True)
class PrincipalAcls:
    """What a cluster answers about the ACLs of a principal."""

    keys: frozenset[AclKey] = frozenset()
    """Of the ACLs that allow it something from any host."""
    has_authorizer: bool = True
    """Whether the brokers have an authorizer: without one, ACLs do not exist."""
    is_known: bool = True
    """Whether the one who asks may describe ACLs."""

    def existing(self, acls: Iterable[Acl]) -> list[Acl]:
        """Those of the ACLs that the principal has, with the same resource pattern."""
        return [acl for acl in acls if acl_key(acl) in self.keys]


@retried
def describe_acls(cluster: ClusterClient, principal: str) -> PrincipalAcls:
    """The ACLs of a principal, as far as the cluster's own principal may describe them."""
    future = cluster.client.describe_acls(_allowed_to(principal), request_timeout=TIMEOUT_SECONDS)
    try:
        bindings = future.result()
    except KafkaException as error:
        code = errors.error_code(error)
        if code == KafkaError.SECURITY_DISABLED:
            return PrincipalAcls(has_authorizer=False)
        if code == KafkaError.CLUSTER_AUTHORIZATION_FAILED:
            return PrincipalAcls(is_known=False)
        cluster.client.poll(0)  # runs the error callback
        raise cluster.request_failed(error) from error
    if not bindings:
        return _without_bindings(cluster)
    return PrincipalAcls(
        frozenset(_binding_key(each) for each in bindings if each.host == ANY_HOST)
    )


def _without_bindings(cluster: ClusterClient) -> PrincipalAcls:
    """The client ignores the error of an answer without ACLs, so it may also mean that the one who
    asks may not describe them, or that there is no authorizer. Without one, everybody may read
    the brokers' configs."""
    try:
        described = cluster.client.describe_cluster(
            include_authorized_operations=True, request_timeout=TIMEOUT_SECONDS
        ).result()
        if AclOperation.DESCRIBE not in (described.authorized_operations or ()):
            return PrincipalAcls(is_known=False)
        broker = ConfigResource(ConfigResource.Type.BROKER, str(described.nodes[0].id))
        asked = cluster.client.describe_configs([broker], request_timeout=TIMEOUT_SECONDS)
        authorizer = asked[broker].result().get(AUTHORIZER)
    except KafkaException as error:
        if errors.error_code(error) in errors.NOT_AUTHORIZED:
            return PrincipalAcls()
        raise cluster.request_failed(error) from error
    # A service that hides its configs returns no value, which says nothing.
    return PrincipalAcls(has_authorizer=authorizer is None or authorizer.value != "")


def acl_key(acl: Acl) -> AclKey:
    resource = acl.resource
    return AclKey(
        resource.type.value.lower(),
        resource.name,
        resource.pattern.value.lower(),
        acl.operation.value.lower(),
    )


def _allowed_to(principal: str) -> AclBindingFilter:
    """All ACLs that allow a principal something."""
    return AclBindingFilter(
        ResourceType.ANY, None, ResourcePatternType.ANY, f"User:{principal}", None,  # type: ignore[arg-type]
        AclOperation.ANY, AclPermissionType.ALLOW,
    )  # fmt: skip


def _binding_key(binding: AclBinding) -> AclKey:
    parts: list[Any] = [binding.restype, binding.resource_pattern_type, binding.operation]
    kind, pattern, operation = (part.name.replace("_", "").lower() for part in parts)
    return AclKey(kind, binding.name, pattern, operation)
