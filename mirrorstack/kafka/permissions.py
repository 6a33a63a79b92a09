"""Effective permissions: what the brokers let a principal do, asked as that principal."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from confluent_kafka import KafkaError, KafkaException, TopicCollection
from confluent_kafka.admin import AclOperation

from mirrorstack.findings import UserError
from mirrorstack.kafka import errors
from mirrorstack.kafka.acls import Acl, Operation, ResourcePattern, ResourceType
from mirrorstack.kafka.admin_client import TIMEOUT_SECONDS, ClusterClient, retried
from mirrorstack.local.polling import poll_until
from mirrorstack.text import and_more, remaining

SHOWN = 10
OPERATIONS = {
    Operation.READ: AclOperation.READ,
    Operation.WRITE: AclOperation.WRITE,
    Operation.CREATE: AclOperation.CREATE,
    Operation.ALTER: AclOperation.ALTER,
    Operation.DESCRIBE: AclOperation.DESCRIBE,
    Operation.DESCRIBE_CONFIGS: AclOperation.DESCRIBE_CONFIGS,
    Operation.ALTER_CONFIGS: AclOperation.ALTER_CONFIGS,
}
# Brokers do not report the permissions on a group that does not exist, that is Connect's, or
# whose coordinator is not available yet, as in a new cluster.
UNKNOWN = (
    KafkaError.GROUP_ID_NOT_FOUND,
    KafkaError._INVALID_ARG,
    KafkaError.COORDINATOR_NOT_AVAILABLE,
    KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
    KafkaError.NOT_COORDINATOR,
)


@dataclass(frozen=True, order=True)
class EffectivePermission:
    """One operation on one topic or group, by its name."""

    type: ResourceType
    name: str
    operation: Operation
    reason: str
    may_be_absent: bool = False
    """Whether the topic need not exist yet. On one that does not, brokers answer only whether the
    principal may describe it."""

    @property
    def description(self) -> str:
        return f"{self.operation.value} on {self.type.value} {self.name}: {self.reason}"

    def command(self, principal: str, bootstrap_servers: str) -> str:
        """The `kafka-acls` command that allows it."""
        acl = Acl("", ResourcePattern(self.type, self.name), self.operation, self.reason)
        return acl.command(principal, bootstrap_servers)


AuthorizedOperations = dict[tuple[ResourceType, str], Collection[AclOperation] | None]
"""By topic or group; None where the broker does not report it."""


@retried
def missing_permissions(
    cluster: ClusterClient, required: Collection[EffectivePermission]
) -> list[EffectivePermission]:
    """Those of the permissions that the cluster's principal does not have."""
    absent = {each.name for each in required if each.may_be_absent}
    try:
        authorized = _on_topics(cluster, _names(required, ResourceType.TOPIC), absent)
        authorized |= _on_groups(cluster, _names(required, ResourceType.GROUP))
    except KafkaException as error:
        raise cluster.request_failed(error) from error
    return [each for each in required if not _is_authorized(each, authorized)]


def wait_for_permissions(
    cluster: ClusterClient, required: Collection[EffectivePermission], seconds: float
) -> None:
    """Until the principal has them all: a new ACL takes a moment to reach all brokers."""
    missing: list[EffectivePermission] = []

    def has_all() -> bool:
        missing[:] = missing_permissions(cluster, required)
        return not missing

    poll_until(
        has_all,
        deadline=time.monotonic() + seconds,
        on_timeout=lambda: _permissions_missing(cluster, missing),
    )


def _permissions_missing(cluster: ClusterClient, missing: list[EffectivePermission]) -> UserError:
    who = cluster.connection
    if absent := _absent_topics(cluster, _names(missing, ResourceType.TOPIC)):
        return UserError(
            f"Cluster {cluster.alias}: {and_more(absent)} does not exist: somebody has deleted it.",
            "`pulumi up --refresh --run-program` creates topics of the stack again",
            cluster=cluster.alias,
            topic=absent[0],
        )
    listed = [each.description for each in missing[:SHOWN]]
    more = remaining(len(missing), SHOWN)
    lines = "".join(f"\n    {line}" for line in (*listed, more) if line)
    commands = "".join(
        f"\n    {each.command(who.username, who.bootstrap_servers)}" for each in missing[:SHOWN]
    )
    return UserError(
        f"Cluster {cluster.alias}: User:{who.username} is not authorized for what MirrorMaker "
        f"needs:{lines}",
        f"where this stack creates the ACLs of {cluster.alias}, `pulumi up --refresh` recreates "
        "those that were deleted; elsewhere an administrator of the cluster must add them:"
        f"{commands}",
        cluster=cluster.alias,
    )


def _absent_topics(cluster: ClusterClient, names: list[str]) -> list[str]:
    """A broker says of a topic that may be described whether it exists."""
    if not names:
        return []
    futures = cluster.client.describe_topics(
        TopicCollection(names), request_timeout=TIMEOUT_SECONDS
    )
    absent = []
    for name, future in futures.items():
        try:
            future.result()
        except KafkaException as error:
            if errors.error_code(error) == KafkaError.UNKNOWN_TOPIC_OR_PART:
                absent.append(name)
    return sorted(absent)


def _names(permissions: Iterable[EffectivePermission], kind: ResourceType) -> list[str]:
    return sorted({each.name for each in permissions if each.type is kind})


def _is_authorized(permission: EffectivePermission, authorized: AuthorizedOperations) -> bool:
    operations = authorized[permission.type, permission.name]
    return operations is None or OPERATIONS[permission.operation] in operations


def _on_topics(
    cluster: ClusterClient, names: list[str], may_be_absent: Collection[str]
) -> AuthorizedOperations:
    if not names:
        return {}
    futures = cluster.client.describe_topics(
        TopicCollection(names),
        include_authorized_operations=True,
        request_timeout=TIMEOUT_SECONDS,
    )
    missing = KafkaError.UNKNOWN_TOPIC_OR_PART
    later = {name: each for name, each in futures.items() if name in may_be_absent}
    now = {name: each for name, each in futures.items() if name not in may_be_absent}
    denied = errors.NOT_AUTHORIZED
    return _authorized(ResourceType.TOPIC, now, (*denied, missing), unknown=()) | _authorized(
        ResourceType.TOPIC, later, denied, unknown=(missing,)
    )


def _on_groups(cluster: ClusterClient, names: list[str]) -> AuthorizedOperations:
    if not names:
        return {}
    futures = cluster.client.describe_consumer_groups(
        names, include_authorized_operations=True, request_timeout=TIMEOUT_SECONDS
    )
    return _authorized(ResourceType.GROUP, futures, errors.NOT_AUTHORIZED, UNKNOWN)


def _authorized(
    kind: ResourceType,
    futures: Mapping[str, Future[Any]],
    denied: Collection[int],
    unknown: Collection[int],
) -> AuthorizedOperations:
    authorized: AuthorizedOperations = {}
    for name, future in futures.items():
        try:
            authorized[kind, name] = future.result().authorized_operations or ()
        except KafkaException as error:
            code = errors.error_code(error)
            if code not in (*denied, *unknown):
                raise
            authorized[kind, name] = None if code in unknown else ()
    return authorized
