"""Writing the test data to a cluster, as an application would."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer
from confluent_kafka import TopicPartition as CommittedOffset

from mirrorstack.kafka.connection import Connection
from mirrorstack.kafka.errors import is_transient
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.local.polling import poll_until
from mirrorstack.sandbox.seed_plan import Record, SeedPlan, Transaction
from mirrorstack.sandbox.seed_topics import GROUPS, TOPICS, committed_offsets

TRANSACTIONAL_ID = "sandbox-seed"
REQUEST_SECONDS = 30.0
DELIVERY_TIMEOUT_MS = 30_000
PROGRESS_EVERY = 500
POLL_SECONDS = 0.2


@dataclass(frozen=True)
class WrittenSeed:
    """The end offset of every partition, and how many records were aborted."""

    ends: Mapping[TopicPartition, int]
    aborted: int


class SeedWriter:
    """Two producers: a transactional one writes in transactions only."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        common = producer_config(connection)
        # Random values do not compress; above the largest record, which has its own batch.
        self._plain = Producer(common | {"message.max.bytes": 2_000_000})
        self._transactional = Producer(common | {"transactional.id": TRANSACTIONAL_ID})
        self._errors: list[KafkaError] = []
        self._ends: Counter[TopicPartition] = Counter()
        self._aborted = 0

    def abort_open_transaction(self) -> None:
        """Abort the transaction of an interrupted writer. Call it before the topics are recreated:
        the end of a transaction is a control record and takes an offset."""
        self._transactional.init_transactions(REQUEST_SECONDS)

    def write(self, plan: SeedPlan, progress: Callable[[int, str], None]) -> WrittenSeed:
        done = 0
        for topic in TOPICS:
            for partition in range(topic.partitions):
                self._ends[TopicPartition(topic.name, partition)] = 0
            for step in plan.steps(topic):
                if isinstance(step, Record):
                    self._send(self._plain, step)
                    done += 1
                else:
                    self._run(step)
                    done += len(step.records)
                if done % PROGRESS_EVERY == 0 or isinstance(step, Transaction):
                    progress(done, topic.name)
        progress(done, "waiting for the brokers")
        self._flush(self._plain)
        return WrittenSeed(dict(self._ends), self._aborted)

    def commit_groups(self, written: WrittenSeed) -> None:
        for group in GROUPS:
            offsets = [
                CommittedOffset(topic, partition, offset)
                for (topic, partition), offset in committed_offsets(group, written.ends).items()
            ]
            self._commit_when_ready(group.name, offsets)

    def _commit_when_ready(self, group: str, offsets: list[CommittedOffset]) -> None:
        def committed() -> bool:
            failure = self._commit(group, offsets)
            # On a new cluster, the coordinators of groups are still starting.
            if failure and not is_transient(failure):
                raise failure
            return failure is None

        poll_until(
            committed,
            deadline=time.monotonic() + REQUEST_SECONDS,
            on_timeout=lambda: TimeoutError(f"no coordinator for the group {group}"),
            interval=POLL_SECONDS,
        )

    def _commit(self, group: str, offsets: list[CommittedOffset]) -> KafkaException | None:
        """Commit as a consumer of the group; returns the error, if any."""
        config = self._connection.client_config() | {"group.id": group, "log_level": 0}
        consumer = Consumer(config)
        try:
            results = consumer.commit(offsets=offsets, asynchronous=False)
        except KafkaException as failure:
            return failure
        finally:
            consumer.close()
        errors = (result.error for result in results or [] if result.error)
        return next(map(KafkaException, errors), None)

    def _run(self, transaction: Transaction) -> None:
        self._transactional.begin_transaction()
        for record in transaction.records:
            self._send(self._transactional, record)
        # Aborting drops queued records, but the records of an aborted transaction must be in the
        # log.
        self._flush(self._transactional)
        if transaction.commits:
            self._transactional.commit_transaction(REQUEST_SECONDS)
        else:
            self._transactional.abort_transaction(REQUEST_SECONDS)
            self._aborted += len(transaction.records)
        # The control record at its end takes one offset in every partition of the transaction.
        self._ends.update({_partition(record) for record in transaction.records})

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
        self._ends[_partition(record)] += 1

    def _flush(self, producer: Producer) -> None:
        left = producer.flush(REQUEST_SECONDS)
        self._raise_error()
        if left:
            raise KafkaException(
                KafkaError(KafkaError._TIMED_OUT, f"{left} records were not acknowledged in time")
            )

    def _raise_error(self) -> None:
        if self._errors:
            raise KafkaException(self._errors[0])

    def _delivered(self, error: KafkaError | None, _message: Message) -> None:
        if error:
            self._errors.append(error)


def _partition(record: Record) -> TopicPartition:
    return TopicPartition(record.topic, record.partition)


def producer_config(connection: Connection) -> dict[str, str | int | float | bool]:
    return connection.client_config() | {
        "enable.idempotence": True,
        "linger.ms": 5,
        # A bounded queue limits memory at any scale.
        "queue.buffering.max.kbytes": 65_536,
        "message.timeout.ms": DELIVERY_TIMEOUT_MS,
        "log_level": 0,  # errors are in the delivery reports
    }
