"""Which topics hold committed records after given offsets: read, because offsets cannot tell.

The end of a partition may be a transaction's marker or records that were aborted, and the space
before it may have been compacted away: the difference of two offsets says nothing about records.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from confluent_kafka import (
    OFFSET_BEGINNING,
    Consumer,
    KafkaError,
    KafkaException,
    Message,
)
from confluent_kafka import (
    TopicPartition as KafkaPartition,
)

from mirrorstack.kafka.connection import Connection
from mirrorstack.kafka.partitions import TopicPartition

SECONDS = 20.0
POLL_SECONDS = 0.5
# Nothing is committed, so no group is needed; librdkafka asks for one all the same.
NO_GROUP = "mirrorstack-reads-without-a-group"


def reading(connection: Connection) -> dict[str, str | int | float | bool]:
    """For a consumer of committed records that is told where to read, and when it is at an end."""
    return connection.client_config() | {
        "group.id": NO_GROUP,
        "enable.auto.commit": False,
        "enable.partition.eof": True,
        "isolation.level": "read_committed",
        "auto.offset.reset": "earliest",
        "log_level": 0,
    }


def topics_with_more(connection: Connection, last: Mapping[TopicPartition, int]) -> frozenset[str]:
    """The topics of which some partition holds a committed record after its last offset.

    `last` has -1 for a partition to be looked at from its beginning. What cannot be read in time,
    or at all, counts as holding more: nobody has seen that it does not.
    """
    if not last:
        return frozenset()
    consumer = Consumer(reading(connection))
    open_: set[TopicPartition] = set(last)
    more: set[str] = set()
    deadline = time.monotonic() + SECONDS
    try:
        consumer.assign([_after(place, offset) for place, offset in last.items()])
        while open_ and time.monotonic() < deadline:
            message = consumer.poll(POLL_SECONDS)
            if message is None:
                continue
            place = _ended(message)
            if place is None:
                continue
            if not message.error():
                more.add(place[0])
                open_ = {other for other in open_ if other[0] != place[0]}
            open_.discard(place)
    except KafkaException:
        pass  # what is still open counts
    finally:
        consumer.close()
    return frozenset(more | {topic for topic, _ in open_})


def _after(place: TopicPartition, offset: int) -> KafkaPartition:
    return KafkaPartition(*place, offset + 1 if offset >= 0 else OFFSET_BEGINNING)


def _ended(message: Message) -> TopicPartition | None:
    """The partition of which we know enough: it gave a record, or has come to its end."""
    error = message.error()
    if error is not None and error.code() != KafkaError._PARTITION_EOF:
        return None
    topic, number = message.topic(), message.partition()
    return None if topic is None or number is None else TopicPartition(topic, number)
