"""Errors of the Kafka client as user errors."""

from __future__ import annotations

from dataclasses import replace

import pytest
from confluent_kafka import KafkaError

from mirrorstack.kafka.acls import Operation, ResourceType
from mirrorstack.kafka.errors import (
    error_code,
    is_authentication_failure,
    not_authorized,
    request_failed,
)
from tests.unit.kafka.fakes import CONNECTION, failed

TIMED_OUT = KafkaError(KafkaError._TIMED_OUT, "Local: Timed out")
WRONG_PASSWORD = KafkaError(KafkaError._AUTHENTICATION, "SASL authentication failed")
REFUSED = KafkaError(KafkaError._TRANSPORT, "connection refused")


def test_a_timeout_has_its_reason_from_the_error_callback() -> None:
    assert "failed: connection refused" in str(
        request_failed("east", CONNECTION, TIMED_OUT, reported=[WRONG_PASSWORD, REFUSED][1:])
    )
    assert "failed: Local: Timed out" in str(request_failed("east", CONNECTION, TIMED_OUT))


def test_an_error_of_a_broker_is_its_own_reason() -> None:
    error = KafkaError(KafkaError.NOT_LEADER_FOR_PARTITION, "not the leader")

    assert "failed: not the leader" in str(
        request_failed("east", CONNECTION, error, reported=[REFUSED])
    )


@pytest.mark.parametrize(
    ("error", "reported"), [(TIMED_OUT, [WRONG_PASSWORD]), (WRONG_PASSWORD, [])]
)
def test_failed_authentication_names_user_and_mechanism(
    error: KafkaError, reported: list[KafkaError]
) -> None:
    raised = request_failed("east", CONNECTION, error, reported=reported, fix="set the password")

    assert raised.message == (
        "Cluster east at east:9093: authentication failed for mirror: the user name or the "
        "password is wrong, or SCRAM-SHA-512 is not enabled there."
    )
    assert raised.fix == "set the password"
    assert raised.findings[0].cluster == "east"
    assert "secret-1" not in str(raised)


def test_without_a_user_name_the_principal_is_anonymous() -> None:
    anonymous = replace(CONNECTION, username="", protocol="SSL")

    assert "request as ANONYMOUS failed" in str(request_failed("east", anonymous, TIMED_OUT))


def test_a_missing_acl_comes_with_the_command_that_adds_it() -> None:
    raised = not_authorized("east", CONNECTION, Operation.READ, ["orders"])

    assert raised.message == ("Cluster east: User:mirror is not authorized: Read on topic orders.")
    assert raised.fix.endswith(
        "\n    kafka-acls --bootstrap-server east:9093 --command-config admin.properties --add "
        "--allow-principal User:mirror --operation Read --topic 'orders' "
        "--resource-pattern-type literal"
    )


def test_of_many_topics_the_first_are_shown() -> None:
    raised = not_authorized("east", CONNECTION, Operation.READ, [f"t{n}" for n in range(12)])

    assert raised.message.endswith(
        "Read on topics t0, t1, t2, t3, t4, t5, t6, t7, t8, t9 and 2 more."
    )
    assert raised.fix.count("kafka-acls") == 10
    assert raised.findings[0].topic is None


def test_groups_are_named_as_groups() -> None:
    raised = not_authorized("east", CONNECTION, Operation.DESCRIBE, ["g"], ResourceType.GROUP)

    assert "Describe on group g" in raised.message
    assert "--group 'g'" in raised.fix
    assert raised.findings[0].topic is None


def test_codes_are_those_of_the_wrapped_error() -> None:
    assert error_code(failed(KafkaError._TIMED_OUT)) == KafkaError._TIMED_OUT
    assert is_authentication_failure([REFUSED, WRONG_PASSWORD])
    assert not is_authentication_failure([REFUSED])
