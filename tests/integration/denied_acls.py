"""ACLs of the mirroring principal that a test takes away for a while."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from confluent_kafka.admin import (
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    ResourcePatternType,
    ResourceType,
)

from mirrorstack.kafka.acls import Acl, Operation
from tests.integration.replicated_stack import MIRROR, Place, acl, admin, derived_grants, exactly


def derived_acl(settings: Mapping[str, Any], cluster: str, operation: Operation, name: str) -> Acl:
    """The ACL that a stack derives on a topic, by the name or prefix of its resource."""
    (found,) = [
        each
        for each in derived_grants(settings)
        if (each.cluster, each.operation, each.resource.name) == (cluster, operation, name)
    ]
    return found


@contextmanager
def denied(place: Place, removed: Acl) -> Iterator[None]:
    """Without the ACL inside the block; Describe stays, which Read and Write imply."""
    client = admin(*place)
    less = acl(replace(removed, operation=Operation.DESCRIBE))
    _done(client.create_acls([less]))
    _done(client.delete_acls([exactly(acl(removed))]))
    try:
        yield
    finally:
        _done(client.create_acls([acl(removed)]))
        _done(client.delete_acls([exactly(less)]))


@contextmanager
def without_alter(place: Place) -> Iterator[None]:
    """Without Alter on any topic inside the block, as where a cluster's owner withholds it."""
    client = admin(*place)
    every = AclBindingFilter(
        ResourceType.TOPIC, None, ResourcePatternType.ANY, MIRROR, None,  # type: ignore[arg-type]
        AclOperation.ALTER, AclPermissionType.ALLOW,
    )  # fmt: skip
    removed = list(client.delete_acls([every])[every].result(15))
    try:
        yield
    finally:
        if removed:
            _done(client.create_acls(removed))


def _done(asked: Mapping[Any, Future[Any]]) -> None:
    for each in asked.values():
        each.result(15)
