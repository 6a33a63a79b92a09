"""Two equal topics of any size, written side by side, for measurements."""

from __future__ import annotations

import random
from collections.abc import Collection
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic

from mirrorstack.kafka.connection import Connection

PARTITIONS, BEGAN, BATCH = 4, 1_750_000_000_000, 10_000
# About what people mirror: a short key, and a value that is not all the same.
VALUES = [random.Random(n).randbytes(50).hex().encode() for n in range(1_000)]  # noqa: S311


@dataclass(frozen=True)
class Copy:
    """A topic on one cluster; `altered` are the numbers of records that differ there."""

    connection: Connection
    topic: str
    altered: Collection[int] = ()
    partitions: int = PARTITIONS

    def make(self) -> None:
        admin = AdminClient(self.connection.client_config() | {"log_level": 0})
        config = {"segment.bytes": str(1 << 28)}
        new = NewTopic(self.topic, self.partitions, config=config)
        admin.create_topics([new])[self.topic].result(30)

    def write(self, first: int, last: int) -> None:
        """Records by number, from `first` up to and without `last`: the same ones for any copy."""
        producer = Producer(
            self.connection.client_config()
            | {
                "enable.idempotence": True,
                "compression.type": "lz4",
                "linger.ms": 50,
                "batch.num.messages": 50_000,
                "queue.buffering.max.messages": 500_000,
                "log_level": 0,
            }
        )
        for number in range(first, last):
            value = b"altered" if number in self.altered else VALUES[number % len(VALUES)]
            while True:
                try:
                    producer.produce(
                        self.topic,
                        value,
                        key=b"%d" % number,
                        partition=number % self.partitions,
                        timestamp=BEGAN + number,
                    )
                    break
                except BufferError:
                    producer.poll(0.1)
            if number % BATCH == 0:
                producer.poll(0)
        if producer.flush(600):
            raise RuntimeError(f"{self.topic} could not be written")


def write_all(copies: Collection[Copy], first: int, last: int) -> None:
    """Each in a process of its own."""
    with ProcessPoolExecutor(max_workers=len(copies)) as pool:
        for done in [pool.submit(copy.write, first, last) for copy in copies]:
            done.result()
