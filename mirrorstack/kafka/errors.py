"""What a cluster's refusals mean for people: who was refused, where, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence

from confluent_kafka import KafkaError, KafkaException

from mirrorstack.findings import UserError
from mirrorstack.kafka.acls import Acl, Operation, ResourcePattern, ResourceType
from mirrorstack.kafka.connection import Connection

SHOWN = 10
NOT_AUTHORIZED = (
    KafkaError.TOPIC_AUTHORIZATION_FAILED,
    KafkaError.GROUP_AUTHORIZATION_FAILED,
    KafkaError.CLUSTER_AUTHORIZATION_FAILED,
)


def code(error: KafkaException) -> int:
    return int(error.args[0].code())


def is_login(heard: Sequence[KafkaError]) -> bool:
    return any(error.code() == KafkaError._AUTHENTICATION for error in heard)


def unanswered(
    alias: str, who: Connection, error: KafkaException, heard: Sequence[KafkaError], fix: str
) -> UserError:
    """A cluster that does not answer, or not this user. `heard` is what the client said before."""
    if is_login(heard):
        return UserError(
            f"Cluster {alias} at {who.bootstrap_servers} refuses {who.username}: the name or the "
            f"password is wrong, or {who.mechanism} is not how it logs in.",
            fix,
        )
    reason = heard[-1] if heard else error.args[0]
    return UserError(
        f"Cluster {alias} at {who.bootstrap_servers} does not answer {who.username or 'anybody'}: "
        f"{reason.str()}",
        fix,
    )


def not_allowed(
    alias: str, who: Connection, operation: Operation, topics: Sequence[str]
) -> UserError:
    """All of the topics at once: each one by one would be a run each."""
    shown = topics[:SHOWN]
    more = f" and {len(topics) - SHOWN} more" if len(topics) > SHOWN else ""
    commands = "".join(
        "\n    "
        + Acl("", ResourcePattern(ResourceType.TOPIC, topic), operation, "").command(
            who.username, who.bootstrap_servers
        )
        for topic in shown
    )
    return UserError(
        f"Cluster {alias} does not let {who.username} do {operation.value} on "
        f"{'topic' if len(topics) == 1 else 'topics'} {', '.join(shown)}{more}.",
        f"have its owner grant that:{commands}",
    )
