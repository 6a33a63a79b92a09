"""Topic and partition."""

from __future__ import annotations

from mirrorstack.kafka.partitions import TopicPartition, all_partitions


def test_a_partition_is_written_as_kafka_writes_it() -> None:
    assert str(TopicPartition("orders", 3)) == "orders-3"


def test_a_partition_equals_its_tuple() -> None:
    assert {TopicPartition("orders", 3): 1}["orders", 3] == 1  # type: ignore[index]


def test_all_partitions_of_topics() -> None:
    assert all_partitions({"a": 2, "b": 0}) == [("a", 0), ("a", 1)]
