"""Writing a few records, on the mock cluster of librdkafka."""

from __future__ import annotations

import pytest
from confluent_kafka import KafkaError

from mirrorstack.findings import UserError
from mirrorstack.kafka import record_writer as module
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.record_writer import end_transactions, write_records
from tests.unit.sandbox.mock_cluster import MockCluster, plaintext

TOPIC = "orders"
NOWHERE = KafkaCluster("west", plaintext("127.0.0.1:1"), "start the brokers")


def cluster(mock: MockCluster) -> KafkaCluster:
    return KafkaCluster("west", mock.connection, "start the brokers")


def test_records_and_tombstones_are_written_before_it_returns() -> None:
    mock = MockCluster()

    write_records(cluster(mock), TOPIC, [(b"a", b"1"), (b"a", None)], partition=2)

    assert [(each.key(), each.value()) for each in mock.records(TOPIC, [2])] == [
        (b"a", b"1"),
        (b"a", None),
    ]


def test_a_key_goes_to_the_partition_that_java_clients_choose() -> None:
    """Kafka's own Utils.murmur2 of `customers` is 1783848922, and modulo four that is 2."""
    mock = MockCluster()

    write_records(cluster(mock), TOPIC, [(b"customers", b"1")])

    (record,) = mock.records(TOPIC, range(4))
    assert record.partition() == 2


def test_brokers_that_do_not_acknowledge_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WRITE_SECONDS", 0.2)

    with pytest.raises(UserError, match=r"Cluster west at 127\.0\.0\.1:1") as raised:
        write_records(NOWHERE, TOPIC, [(b"a", b"1")])

    assert raised.value.fix == "start the brokers"


def test_a_missing_acl_is_named() -> None:
    error = module._not_written(NOWHERE, TOPIC, KafkaError(KafkaError.TOPIC_AUTHORIZATION_FAILED))

    assert f"Write on topic {TOPIC}" in error.message


def test_brokers_that_do_not_answer_end_no_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WRITE_SECONDS", 0.2)

    with pytest.raises(UserError, match="Cluster west"):
        end_transactions(NOWHERE, ["group-connector-0"])
