"""A partition of a topic."""

from __future__ import annotations

from mirrorstack.kafka.partitions import TopicPartition


def test_it_is_written_as_kafka_writes_it() -> None:
    assert str(TopicPartition("orders-eu", 3)) == "orders-eu-3"


def test_it_equals_a_tuple_of_topic_and_partition() -> None:
    assert TopicPartition("orders", 3) == ("orders", 3)


def test_it_sorts_by_topic_and_then_by_number() -> None:
    partitions = [TopicPartition("b", 0), TopicPartition("a", 10), TopicPartition("a", 2)]

    assert sorted(partitions) == [("a", 2), ("a", 10), ("b", 0)]
