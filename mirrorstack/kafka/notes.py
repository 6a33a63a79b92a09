"""What MirrorMaker has noted of its copies: the last offset-sync of each partition.

The records are those that `mirrorstack.verify.internals` decodes in Spark; a preview has no Spark,
and needs only the last one for each partition.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Iterator

from confluent_kafka import (
    OFFSET_BEGINNING,
    Consumer,
    KafkaError,
    KafkaException,
    Message,
    TopicPartition,
)

from mirrorstack.kafka.backlog import reading
from mirrorstack.kafka.connection import Connection

SECONDS, POLL_SECONDS, BATCH = 60.0, 0.5, 10_000
LENGTH, PARTITION, OFFSETS = struct.Struct(">h"), struct.Struct(">i"), struct.Struct(">qq")

Place = tuple[str, int]


def noted_offsets(connection: Connection, topic: str) -> dict[Place, int]:
    """By partition of the source, the offset on the target of the last record that was noted.

    Raises KafkaException where the topic cannot be read, and TimeoutError.
    """
    consumer = Consumer(reading(connection))
    try:
        consumer.assign([TopicPartition(topic, 0, OFFSET_BEGINNING)])
        return dict(filter(None, map(_decoded, _to_the_end(consumer))))
    finally:
        consumer.close()


def _to_the_end(consumer: Consumer) -> Iterator[Message]:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        for message in consumer.consume(BATCH, POLL_SECONDS):
            error = message.error()
            if error is None:
                yield message
            elif error.code() == KafkaError._PARTITION_EOF:
                return
            else:
                raise KafkaException(error)
    raise TimeoutError


def _decoded(message: Message) -> tuple[Place, int] | None:
    key, value = message.key(), message.value()
    if not key or not value:
        return None
    (length,) = LENGTH.unpack_from(key)
    name = key[LENGTH.size : LENGTH.size + length].decode()
    (number,) = PARTITION.unpack_from(key, LENGTH.size + length)
    _upstream, downstream = OFFSETS.unpack(value)
    return (name, number), downstream
