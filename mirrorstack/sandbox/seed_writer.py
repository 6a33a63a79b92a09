"""Writing a seed plan to a cluster, as an application would."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition

from mirrorstack.kafka.connection import Connection
from mirrorstack.sandbox.seed_plan import Record, SeedPlan, Transaction
from mirrorstack.sandbox.seed_topics import GROUPS, TOPICS, committed_offsets

TRANSACTIONAL_ID = "sandbox-seed"
REQUEST_SECONDS = 30.0
PATIENCE_MS = 30_000
TELL_EVERY = 500
POLL_SECONDS = 0.2
COMING_UP = frozenset(
    {
        KafkaError.NOT_COORDINATOR,
        KafkaError.COORDINATOR_NOT_AVAILABLE,
        KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
    }
)

Place = tuple[str, int]


@dataclass(frozen=True)
class Written:
    """What came of a plan: where every partition ends, and how many records were aborted."""

    ends: Mapping[Place, int]
    aborted: int


class SeedWriter:
    """Two producers, as one of them must be transactional for all it writes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        common = producer_config(connection)
        # A random value does not compress, and a large record shares its batch with no other.
        self._plain = Producer(common | {"message.max.bytes": 2_000_000})
        self._transactional = Producer(common | {"transactional.id": TRANSACTIONAL_ID})
        self._errors: list[KafkaError] = []
        self._ends: Counter[Place] = Counter()
        self._aborted = 0

    def take_over(self) -> None:
        """End the transaction that an interrupted writer left open. Call it before the topics
        are made anew: the end of a transaction is a record too, and moves offsets."""
        self._transactional.init_transactions(REQUEST_SECONDS)

    def write(self, plan: SeedPlan, progress: Callable[[int, str], None]) -> Written:
        done = 0
        for topic in TOPICS:
            for partition in range(topic.partitions):
                self._ends[topic.name, partition] = 0
            for step in plan.steps(topic):
                if isinstance(step, Record):
                    self._send(self._plain, step)
                    done += 1
                else:
                    self._run(step)
                    done += len(step.records)
                if done % TELL_EVERY == 0 or isinstance(step, Transaction):
                    progress(done, topic.name)
        progress(done, "waiting for the brokers")
        self._flush(self._plain)
        return Written(dict(self._ends), self._aborted)

    def commit_groups(self, written: Written) -> None:
        for group in GROUPS:
            offsets = [
                TopicPartition(topic, partition, offset)
                for (topic, partition), offset in committed_offsets(group, written.ends).items()
            ]
            deadline = time.monotonic() + REQUEST_SECONDS
            while error := self._commit(group.name, offsets):
                # On a cluster that is new, coordinators are still being found for groups.
                if error.code() not in COMING_UP or time.monotonic() > deadline:
                    raise KafkaException(error)
                time.sleep(POLL_SECONDS)

    def _commit(self, group: str, offsets: list[TopicPartition]) -> KafkaError | None:
        """Commit as a consumer of the group; what went wrong, if anything did."""
        config = self._connection.client_config() | {"group.id": group, "log_level": 0}
        consumer = Consumer(config)
        try:
            results = consumer.commit(offsets=offsets, asynchronous=False)
        except KafkaException as failure:
            error: KafkaError = failure.args[0]
            return error
        finally:
            consumer.close()
        return next((result.error for result in results or [] if result.error), None)

    def _run(self, transaction: Transaction) -> None:
        self._transactional.begin_transaction()
        for record in transaction.records:
            self._send(self._transactional, record)
        # Aborting drops what is still queued; the point of an aborted transaction is that its
        # records are in the log.
        self._flush(self._transactional)
        if transaction.commits:
            self._transactional.commit_transaction(REQUEST_SECONDS)
        else:
            self._transactional.abort_transaction(REQUEST_SECONDS)
            self._aborted += len(transaction.records)
        # Its end takes one offset in every partition that it touched.
        self._ends.update({(record.topic, record.partition) for record in transaction.records})

    def _send(self, producer: Producer, record: Record) -> None:
        while True:
            try:
                producer.produce(
                    record.topic,
                    partition=record.partition,
                    timestamp=record.timestamp,
                    key=record.key,
                    value=record.value,
                    headers=list(record.headers),
                    on_delivery=self._delivered,
                )
            except BufferError:
                producer.poll(0.1)
                self._raise_error()
            else:
                break
        producer.poll(0)
        self._raise_error()
        self._ends[record.topic, record.partition] += 1

    def _flush(self, producer: Producer) -> None:
        left = producer.flush(REQUEST_SECONDS)
        self._raise_error()
        if left:
            raise KafkaException(
                KafkaError(KafkaError._TIMED_OUT, f"{left} records were not taken in time")
            )

    def _raise_error(self) -> None:
        if self._errors:
            raise KafkaException(self._errors[0])

    def _delivered(self, error: KafkaError | None, _message: Message) -> None:
        if error:
            self._errors.append(error)


def producer_config(connection: Connection) -> dict[str, str | int | float | bool]:
    return connection.client_config() | {
        "enable.idempotence": True,
        "linger.ms": 5,
        # A bounded queue keeps memory flat at any scale.
        "queue.buffering.max.kbytes": 65_536,
        "message.timeout.ms": PATIENCE_MS,
        "log_level": 0,  # what goes wrong is in the delivery reports
    }
