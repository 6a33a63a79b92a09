"""Errors of the Kafka client as user errors: which cluster, which principal, what to do."""

from __future__ import annotations

from collections.abc import Sequence

from confluent_kafka import KafkaError, KafkaException

from mirrorstack.findings import UserError
from mirrorstack.kafka.acls import Acl, Operation, ResourcePattern, ResourceType
from mirrorstack.kafka.connection import Connection
from mirrorstack.text import and_more

COMMANDS_SHOWN = 10
NOT_AUTHORIZED = (
    KafkaError.TOPIC_AUTHORIZATION_FAILED,
    KafkaError.GROUP_AUTHORIZATION_FAILED,
    KafkaError.CLUSTER_AUTHORIZATION_FAILED,
)
AUTHENTICATION_FAILED = (KafkaError._AUTHENTICATION, KafkaError.SASL_AUTHENTICATION_FAILED)
# A broker that has just started, or a partition that has just moved: the next request may succeed.
TRANSIENT = (
    KafkaError._PARTIAL,
    KafkaError._TIMED_OUT,
    KafkaError._TRANSPORT,
    KafkaError._WAIT_COORD,
    KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
    KafkaError.COORDINATOR_NOT_AVAILABLE,
    KafkaError.LEADER_NOT_AVAILABLE,
    KafkaError.NOT_COORDINATOR,
    KafkaError.NOT_LEADER_FOR_PARTITION,
    KafkaError.REQUEST_TIMED_OUT,
)
DOES_NOT_EXIST = (KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaError.GROUP_ID_NOT_FOUND)


def kafka_error(error: KafkaException) -> KafkaError:
    """What the client's exception wraps."""
    wrapped: KafkaError = error.args[0]
    return wrapped


def error_code(error: KafkaException) -> int:
    return int(kafka_error(error).code())


def is_transient(error: BaseException | None) -> bool:
    return isinstance(error, KafkaException) and error_code(error) in TRANSIENT


def is_authentication_failure(errors: Sequence[KafkaError]) -> bool:
    return any(error.code() in AUTHENTICATION_FAILED for error in errors)


def request_failed(
    alias: str,
    connection: Connection,
    error: KafkaError,
    *,
    reported: Sequence[KafkaError] = (),
    fix: str = "",
) -> UserError:
    """A request that the cluster did not answer, or answered with an error.

    `reported` is what the client's error callback received. An error of the client itself, mostly
    a timeout, has its reason there; an error that a broker answered is the reason.
    """
    cluster = f"Cluster {alias}" if alias else "Kafka cluster"
    who = connection.username or "ANONYMOUS"
    is_local = error.code() < 0
    if is_authentication_failure([error, *(reported if is_local else ())]):
        return UserError(
            f"{cluster} at {connection.bootstrap_servers}: authentication failed for {who}: the "
            f"user name or the password is wrong, or {connection.mechanism} is not enabled there.",
            fix,
            cluster=alias or None,
        )
    reason = reported[-1] if is_local and reported else error
    return UserError(
        f"{cluster} at {connection.bootstrap_servers}: request as {who} failed: {reason.str()}",
        fix,
        cluster=alias or None,
    )


def not_authorized(
    alias: str,
    connection: Connection,
    operation: Operation,
    names: Sequence[str],
    kind: ResourceType = ResourceType.TOPIC,
) -> UserError:
    """All topics or groups in one error: one error each would take a run each to find."""
    commands = "".join(
        "\n    "
        + Acl("", ResourcePattern(kind, name), operation, "").command(
            connection.username, connection.bootstrap_servers
        )
        for name in names[:COMMANDS_SHOWN]
    )
    noun = kind.value.lower() if len(names) == 1 else f"{kind.value.lower()}s"
    return UserError(
        f"Cluster {alias or connection.bootstrap_servers}: User:{connection.username} is not "
        f"authorized: {operation.value} on {noun} {and_more(names, shown=COMMANDS_SHOWN)}.",
        f"an administrator of the cluster must add the missing ACLs:{commands}",
        cluster=alias or None,
        topic=names[0] if len(names) == 1 and kind is ResourceType.TOPIC else None,
    )
