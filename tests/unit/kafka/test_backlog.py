"""Which topics hold records after given offsets."""

from __future__ import annotations

from collections.abc import Callable

from confluent_kafka import OFFSET_BEGINNING, KafkaError, KafkaException

from mirrorstack.kafka.backlog import topics_with_backlog
from mirrorstack.kafka.partitions import TopicPartition
from tests.unit.kafka.fakes import FakeAdmin, FakeConsumer, FakeMessage, cluster, end_of

Consumers = Callable[..., FakeConsumer]

LAST = {TopicPartition("orders", 0): 9, TopicPartition("orders", 1): -1}


def test_reading_starts_after_the_last_offset_or_at_the_beginning(consumer: Consumers) -> None:
    fake = consumer([end_of("orders", 0), end_of("orders", 1)])

    assert topics_with_backlog(cluster(FakeAdmin()), LAST) == frozenset()
    assert fake.assigned == [[("orders", 0, 10), ("orders", 1, OFFSET_BEGINNING)]]


def test_one_record_is_enough_for_its_topic(consumer: Consumers) -> None:
    fake = consumer([FakeMessage("orders", 1, 0)])

    assert topics_with_backlog(cluster(FakeAdmin()), LAST) == {"orders"}
    assert set(fake.unassigned) == {("orders", 0), ("orders", 1)}, "the rest need not be read"


def test_a_partition_that_cannot_be_read_counts_as_holding_more(consumer: Consumers) -> None:
    refused = KafkaError(KafkaError.TOPIC_AUTHORIZATION_FAILED)
    consumer([FakeMessage("orders", 0, error_=refused), end_of("orders", 1)])

    assert topics_with_backlog(cluster(FakeAdmin()), LAST) == {"orders"}


def test_a_client_that_fails_counts_as_holding_more(consumer: Consumers) -> None:
    consumer(KafkaException(KafkaError(KafkaError._FATAL)))

    assert topics_with_backlog(cluster(FakeAdmin()), LAST) == {"orders"}


def test_without_partitions_nothing_is_read() -> None:
    assert topics_with_backlog(cluster(FakeAdmin()), {}) == frozenset()
