"""Connecting to a cluster, and what failures mean."""

from __future__ import annotations

from typing import Any

import pytest
from confluent_kafka import KafkaError

from mirrorstack.findings import UserError
from mirrorstack.kafka import admin_client
from mirrorstack.kafka.acls import Operation
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.admin_client import ClusterClient, retried
from tests.unit.kafka.fakes import CONNECTION, FakeAdmin, cluster, done, failed


def connecting(admin: FakeAdmin, monkeypatch: pytest.MonkeyPatch) -> ClusterClient:
    """Whose client is made with the first request."""

    def make(config: dict[str, Any]) -> FakeAdmin:
        admin.report = config["error_cb"]
        return admin

    monkeypatch.setattr(admin_client, "AdminClient", make)
    return ClusterClient("east", CONNECTION, "start the brokers")


def test_a_cluster_that_does_not_respond_is_an_error_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refused = KafkaError(KafkaError._TRANSPORT, "Connect to east:9093 failed: refused")
    admin = FakeAdmin({"list_topics": failed(KafkaError._TRANSPORT), "reported": [refused]})
    monkeypatch.setattr(admin_client, "TIMEOUT_SECONDS", 0)

    with pytest.raises(UserError) as raised:
        connecting(admin, monkeypatch).connect()

    assert str(raised.value) == (
        "Cluster east at east:9093: request as mirror failed: Connect to east:9093 failed: refused"
        "\nfix: start the brokers"
    )


def test_a_wrong_password_ends_the_attempts_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = KafkaError(KafkaError._AUTHENTICATION, "SASL authentication error")
    admin = FakeAdmin({"list_topics": failed(KafkaError._TRANSPORT), "reported": [wrong]})
    monkeypatch.setattr(admin_client, "TIMEOUT_SECONDS", 3600)

    with pytest.raises(UserError, match="authentication failed for mirror"):
        connecting(admin, monkeypatch).connect()


def test_the_client_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    east = connecting(FakeAdmin(), monkeypatch)

    assert east.client is east.client


def asked(answers: list[Any], monkeypatch: pytest.MonkeyPatch) -> int:
    """What a request returns that a cluster answers with these, one after the other."""
    monkeypatch.setattr(admin_client, "RETRY_INTERVAL_SECONDS", 0)

    @retried
    def request(east: KafkaCluster) -> int:
        found: int = east.result(done(answers.pop(0))) or 0
        return found

    return request(cluster(FakeAdmin()))


@pytest.mark.parametrize("code", [KafkaError.COORDINATOR_LOAD_IN_PROGRESS, KafkaError._TIMED_OUT])
def test_a_request_that_fails_for_a_moment_is_repeated(
    code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admin_client, "RETRY_FOR_SECONDS", 60)

    assert asked([failed(code), failed(code), 3], monkeypatch) == 3


def test_a_request_is_repeated_only_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="request as mirror failed"):
        asked([failed(KafkaError.LEADER_NOT_AVAILABLE), 3], monkeypatch)


def test_a_request_that_the_broker_refuses_is_not_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = [failed(KafkaError.INVALID_REQUEST), 3]
    monkeypatch.setattr(admin_client, "RETRY_FOR_SECONDS", 60)

    with pytest.raises(UserError):
        asked(answers, monkeypatch)

    assert answers == [3]


def test_what_does_not_exist_has_no_result() -> None:
    east = cluster(FakeAdmin())

    assert east.result(done(3)) == 3
    assert east.result(done(failed(KafkaError.UNKNOWN_TOPIC_OR_PART))) is None


def test_a_request_that_is_not_authorized_names_operation_and_topic() -> None:
    refused = done(failed(KafkaError.TOPIC_AUTHORIZATION_FAILED))

    with pytest.raises(UserError) as raised:
        cluster(FakeAdmin()).result(refused, Operation.DESCRIBE, "orders")

    assert raised.value.findings[0].topic == "orders"
    assert raised.value.findings[0].cluster == "east"


def test_a_cluster_is_equal_to_another_with_the_same_fields() -> None:
    assert cluster(FakeAdmin()) == KafkaCluster("east", CONNECTION, "start the brokers")
    assert "secret-1" not in repr(cluster(FakeAdmin()))
