"""The mock cluster of librdkafka: one broker in this process that speaks Kafka's protocol.

It creates topics with four partitions, keeps records and committed offsets, and accepts
transactions, but it writes no control records.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from confluent_kafka import Consumer, KafkaError, Message, Producer
from confluent_kafka import TopicPartition as ClientPartition

from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.connection import Connection
from mirrorstack.kafka.partitions import TopicPartition
from tests.unit.kafka.fakes import FakeAdmin

SECONDS = 15.0
EXISTS = SimpleNamespace(partitions=[0, 1, 2, 3], topic_id="abc")
"""What an admin client says of a topic."""


class MockCluster:
    def __init__(self) -> None:
        # The broker lives as long as this producer.
        self._owner = Producer({"test.mock.num.brokers": 1, "log_level": 0})
        (broker,) = self._owner.list_topics(timeout=SECONDS).brokers.values()
        self.connection = plaintext(f"{broker.host}:{broker.port}")

    def as_cluster(self, alias: str, **answers: Any) -> KafkaCluster:
        """With a fake admin client, which gives these answers. It keeps the broker alive."""
        for topic, answer in answers.get("describe_topics", {}).items():
            if answer is EXISTS:
                self._owner.list_topics(topic, timeout=SECONDS)  # which creates it
        found = KafkaCluster(alias, self.connection, "start the brokers")
        found.__dict__["client"] = FakeAdmin(answers)
        found.__dict__["broker"] = self
        return found

    def records(self, topic: str, partitions: Sequence[int]) -> list[Message]:
        """All records of some partitions, each partition's in order."""
        consumer = self._consumer("reader")
        consumer.assign([ClientPartition(topic, number, 0) for number in partitions])
        found: list[Message] = []
        ended = 0
        while ended < len(partitions):
            message = consumer.poll(SECONDS)
            assert message is not None, "the end of a partition is a message, too"
            error = message.error()
            if error is None:
                found.append(message)
            else:
                assert error.code() == KafkaError._PARTITION_EOF, error
                ended += 1
        consumer.close()
        return found

    def committed_offset(self, group: str, partition: TopicPartition) -> int:
        consumer = self._consumer(group)
        (found,) = consumer.committed([ClientPartition(*partition)], timeout=SECONDS)
        consumer.close()
        return int(found.offset)

    def _consumer(self, group: str) -> Consumer:
        more = {"group.id": group, "enable.partition.eof": True, "log_level": 0}
        return Consumer(self.connection.client_config() | more)


def plaintext(bootstrap_servers: str) -> Connection:
    return Connection(
        bootstrap_servers=bootstrap_servers, username="", password="", protocol="PLAINTEXT"
    )
