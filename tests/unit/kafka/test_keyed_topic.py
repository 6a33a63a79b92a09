"""A compacted topic as a table, on the mock cluster of librdkafka."""

from __future__ import annotations

from confluent_kafka import KafkaError

from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.keyed_topic import KeyedTopic
from mirrorstack.kafka.record_writer import write_records
from tests.unit.kafka.fakes import failed
from tests.unit.sandbox.mock_cluster import EXISTS, MockCluster

TOPIC = "g-offsets"


def cluster() -> KafkaCluster:
    return MockCluster().as_cluster("west", describe_topics={TOPIC: EXISTS})


def test_the_last_value_of_each_key_counts_and_tombstones_remove_keys() -> None:
    west = cluster()
    write_records(west, TOPIC, [(b"a", b"1"), (b"b", b"1"), (b"a", b"2"), (b"b", None)])

    assert KeyedTopic(west, TOPIC).read() == {b"a": b"2"}


def test_it_reads_on_where_it_ended() -> None:
    west = cluster()
    table = KeyedTopic(west, TOPIC)
    write_records(west, TOPIC, [(b"a", b"1"), (b"b", b"1")])
    assert table.read() == {b"a": b"1", b"b": b"1"}

    write_records(west, TOPIC, [(b"a", None), (b"c", b"3")])

    assert table.read() == {b"b": b"1", b"c": b"3"}


def test_a_topic_that_does_not_exist_is_empty() -> None:
    unknown = failed(KafkaError.UNKNOWN_TOPIC_OR_PART)
    west = MockCluster().as_cluster("west", describe_topics={TOPIC: unknown})

    assert KeyedTopic(west, TOPIC).read() == {}
