"""When a cluster counts as up: its brokers answer an administrator, and `app` has its grants."""

from __future__ import annotations

import time
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
from mirrorstack.sandbox.names import Principal

Result = TypeVar("Result")

POLL_SECONDS = 0.1
REQUEST_SECONDS = 5.0

# What applications do: create, write, read and describe topics, commit as any group, write in
# transactions. Reading implies describing, and so does writing.
APP_GRANTS: tuple[tuple[ResourceType, tuple[AclOperation, ...]], ...] = (
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
        for resource, operations in APP_GRANTS
        for operation in operations
    ]


def admin_client(connection: Connection) -> AdminClient:
    """An administrator's client that keeps quiet and tries again soon while brokers start."""
    return AdminClient(
        connection.client_config()
        | {"log_level": 0, "reconnect.backoff.ms": 50, "reconnect.backoff.max.ms": 250}
    )


def brokers_up(client: AdminClient, timeout: float = 1.0) -> frozenset[int]:
    """The ids of the brokers that the cluster itself counts as alive; empty if none answers."""
    try:
        return frozenset(client.list_topics(timeout=timeout).brokers)
    except KafkaException:
        return frozenset()


def wait_for_brokers(
    client: AdminClient, count: int, deadline: float, look: Callable[[int], None]
) -> bool:
    """Whether all brokers answered in time.

    `look` hears how many answer so far, and raises when one of them ended.
    """
    while (answering := len(brokers_up(client))) < count:
        look(answering)
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def ensure_app_grants(client: AdminClient, deadline: float) -> bool:
    """Make the grants that are missing, and wait until the cluster shows them."""
    while True:
        granted = _grants(client)
        missing = [acl for acl in app_acls() if acl not in granted]
        if not missing:
            return True
        if time.monotonic() > deadline:
            return False
        for future in client.create_acls(missing, request_timeout=REQUEST_SECONDS).values():
            _quietly(future)
        time.sleep(POLL_SECONDS)


def _grants(client: AdminClient) -> list[AclBinding]:
    of_app = AclBindingFilter(
        ResourceType.ANY,
        None,  # type: ignore[arg-type] # any name; documented, but not in the annotation
        ResourcePatternType.ANY,
        f"User:{Principal.APP}",
        None,  # type: ignore[arg-type] # any host
        AclOperation.ANY,
        AclPermissionType.ANY,
    )
    return _quietly(client.describe_acls(of_app, request_timeout=REQUEST_SECONDS)) or []


def _quietly(future: Future[Result]) -> Result | None:
    """A request's result, or None: right after the start a controller may refuse for a moment."""
    try:
        return future.result(timeout=REQUEST_SECONDS * 2)
    except (KafkaException, TimeoutError):
        return None
