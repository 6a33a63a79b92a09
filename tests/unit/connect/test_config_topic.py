"""Deleting a connector from Connect's config topic, on the mock cluster of librdkafka."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from confluent_kafka import KafkaError, Producer

from mirrorstack.connect.config_topic import delete_from_config_topic, is_in_config_topic
from mirrorstack.kafka.admin import KafkaCluster
from tests.unit.kafka.fakes import FakeAdmin, failed
from tests.unit.sandbox.mock_cluster import MockCluster

TOPIC = "g-configs"
EXISTS: dict[str, Any] = {TOPIC: SimpleNamespace(partitions=[0], topic_id="abc")}


def cluster(mock: MockCluster, described: dict[str, Any]) -> KafkaCluster:
    found = KafkaCluster("west", mock.connection, "start the brokers")
    found.__dict__["client"] = FakeAdmin({"describe_topics": described})
    return found


def test_the_config_and_the_target_state_get_tombstones() -> None:
    mock = MockCluster()
    producer = Producer(mock.connection.client_config())
    producer.produce(TOPIC, b"{}", key="connector-orders", partition=0)
    assert producer.flush(15) == 0

    delete_from_config_topic(cluster(mock, EXISTS), TOPIC, "orders")

    records = [(each.key(), each.value()) for each in mock.records(TOPIC, [0])]
    assert records[1:] == [(b"connector-orders", None), (b"target-state-orders", None)]


def test_a_connector_is_there_until_its_tombstone() -> None:
    mock = MockCluster()
    producer = Producer(mock.connection.client_config())
    producer.produce(TOPIC, b"{}", key="connector-orders", partition=0)
    assert producer.flush(15) == 0
    seen = cluster(mock, EXISTS)

    assert is_in_config_topic(seen, TOPIC, "orders")
    assert not is_in_config_topic(seen, TOPIC, "payments")
    delete_from_config_topic(seen, TOPIC, "orders")
    assert not is_in_config_topic(seen, TOPIC, "orders")


def test_a_topic_that_does_not_exist_is_not_created() -> None:
    mock = MockCluster()
    unknown = failed(KafkaError.UNKNOWN_TOPIC_OR_PART)

    delete_from_config_topic(cluster(mock, {TOPIC: unknown}), TOPIC, "orders")

    assert TOPIC not in mock._owner.list_topics(timeout=15).topics
