"""Waiting until a cluster is up: all brokers answer, and `app` has its ACLs."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from confluent_kafka import KafkaException
from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
)

from mirrorstack.kafka.connection import Connection
from mirrorstack.local.polling import poll_until
from mirrorstack.sandbox.names import Principal

Result = TypeVar("Result")

POLL_SECONDS = 0.1
REQUEST_SECONDS = 5.0

# Applications create, write, read and describe topics, commit offsets in any group, and write in
# transactions. READ and WRITE imply DESCRIBE.
APP_OPERATIONS: tuple[tuple[ResourceType, tuple[AclOperation, ...]], ...] = (
    (
        ResourceType.TOPIC,
        (
            AclOperation.CREATE,
            AclOperation.READ,
            AclOperation.WRITE,
            AclOperation.DESCRIBE_CONFIGS,
        ),
    ),
    (ResourceType.GROUP, (AclOperation.READ,)),
    (ResourceType.TRANSACTIONAL_ID, (AclOperation.WRITE,)),
)


def app_acls() -> list[AclBinding]:
    return [
        AclBinding(
            resource,
            "*",
            ResourcePatternType.LITERAL,
            f"User:{Principal.APP}",
            "*",
            operation,
            AclPermissionType.ALLOW,
        )
        for resource, operations in APP_OPERATIONS
        for operation in operations
    ]


def admin_client(connection: Connection) -> AdminClient:
    """An admin client that logs nothing and reconnects quickly while brokers start."""
    return AdminClient(
        connection.client_config()
        | {"log_level": 0, "reconnect.backoff.ms": 50, "reconnect.backoff.max.ms": 250}
    )


def brokers_up(client: AdminClient, timeout: float = 1.0) -> frozenset[int]:
    """The ids of the brokers that the cluster lists as alive; empty if none answers."""
    try:
        return frozenset(client.list_topics(timeout=timeout).brokers)
    except KafkaException:
        return frozenset()


def wait_for_brokers(
    client: AdminClient, count: int, deadline: float, check: Callable[[int], None]
) -> None:
    """Wait until all brokers answer; raises TimeoutError at the deadline.

    `check` receives how many answer so far, and raises if a broker has ended.
    """

    def all_answer() -> bool:
        answering = len(brokers_up(client))
        if answering < count:
            check(answering)
        return answering >= count

    poll_until(all_answer, deadline=deadline, on_timeout=TimeoutError, interval=POLL_SECONDS)


def ensure_app_acls(client: AdminClient, deadline: float) -> None:
    """Create the missing ACLs and wait until the cluster lists them; raises TimeoutError."""

    def complete() -> bool:
        existing = _existing_acls(client)
        missing = [acl for acl in app_acls() if acl not in existing]
        if missing:
            for future in client.create_acls(missing, request_timeout=REQUEST_SECONDS).values():
                _result_or_none(future)
        return not missing

    poll_until(complete, deadline=deadline, on_timeout=TimeoutError, interval=POLL_SECONDS)


def _existing_acls(client: AdminClient) -> list[AclBinding]:
    of_app = AclBindingFilter(
        ResourceType.ANY,
        None,  # type: ignore[arg-type] # any name; documented, but not in the annotation
        ResourcePatternType.ANY,
        f"User:{Principal.APP}",
        None,  # type: ignore[arg-type] # any host
        AclOperation.ANY,
        AclPermissionType.ANY,
    )
    return _result_or_none(client.describe_acls(of_app, request_timeout=REQUEST_SECONDS)) or []


def _result_or_none(future: Future[Result]) -> Result | None:
    """A request's result, or None: right after its start a controller may refuse requests."""
    try:
        return future.result(timeout=REQUEST_SECONDS * 2)
    except (KafkaException, TimeoutError):
        return None
