"""Reading the records of offset ranges with a plain consumer: committed records only.

For a few records of many partitions, where Spark would take longer to plan than to read.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, Message
from confluent_kafka import TopicPartition as ClientPartition

from mirrorstack.findings import UserError
from mirrorstack.kafka import errors
from mirrorstack.kafka.acls import Operation
from mirrorstack.kafka.admin_client import ClusterClient
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.text import and_more

BATCH = 1_000
# Nothing is committed, so no group is needed; librdkafka requires one all the same.
GROUP = "mirrorstack-reads-without-a-group"
BEGINNING: int = OFFSET_BEGINNING
"""As a start: the first offset that the partition still has."""

CONSUMER: dict[str, str | int | float | bool] = {
    "group.id": GROUP,
    "enable.auto.commit": False,
    "enable.partition.eof": True,
    "isolation.level": "read_committed",
    "auto.offset.reset": "earliest",
    "fetch.queue.backoff.ms": 10,  # by default fetching pauses for a second when it is ahead
    "log_level": 0,
}
BOUNDED: dict[str, str | int | float | bool] = {
    "fetch.wait.max.ms": 20,  # how long a broker delays the answer at the end of a partition
    "queued.min.messages": 1_000,  # by default it fetches 100,000 ahead, past the end of a range
    "queued.max.messages.kbytes": 8192,
    "max.partition.fetch.bytes": 1 << 20,
}
# `consume` waits for a whole batch; where a range ends, until the timeout.
BOUNDED_POLL_SECONDS, FOLLOW_POLL_SECONDS = 0.02, 0.2


@dataclass(frozen=True)
class OffsetRange:
    """The offsets of one partition from `start` up to, and without, `end`."""

    start: int
    end: int
    begins: int = 0
    """Where it would have started, had retention deleted nothing."""

    @property
    def is_trimmed(self) -> bool:
        return self.start > self.begins


@dataclass(frozen=True)
class ConsumedRecord:
    """What MirrorMaker replicates of a record, and its timestamp: a broker may set a new one."""

    key: bytes | None
    value: bytes | None
    headers: tuple[Any, ...]
    timestamp: int
    """In milliseconds."""

    @classmethod
    def of(cls, message: Message) -> ConsumedRecord:
        timestamp = message.timestamp()[1]
        return cls(message.key(), message.value(), tuple(message.headers() or ()), timestamp)

    @property
    def content(self) -> tuple[Any, ...]:
        return (self.key, self.value, self.headers)


Batch = list[tuple[TopicPartition, Message]]


class OffsetRangeReader:
    """A consumer that reads partitions from given offsets, to their ends or continuously.

    After `batches` is over, `unfinished` has the partitions that were not read in time, and
    `ended` those of which the end was reached.
    """

    def __init__(
        self, cluster: ClusterClient, *, follow: bool = False, ignore_errors: bool = False
    ) -> None:
        """`follow` reads on at the end of a partition. `ignore_errors` leaves a partition that
        cannot be read to the deadline; otherwise it raises a UserError."""
        self._cluster = cluster
        self._follow = follow
        self._ignore_errors = ignore_errors
        self._reported: list[KafkaError] = []
        config: dict[str, Any] = {
            **cluster.connection.client_config(),
            **CONSUMER,
            **({} if follow else BOUNDED),
            "error_cb": self._reported.append,
        }
        self._consumer = Consumer(config)
        self._poll_seconds = FOLLOW_POLL_SECONDS if follow else BOUNDED_POLL_SECONDS
        self.unfinished: set[TopicPartition] = set()
        self.ended: set[TopicPartition] = set()

    def __enter__(self) -> OffsetRangeReader:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._consumer.close()

    def batches(
        self,
        starts: Mapping[TopicPartition, int],
        ends: Mapping[TopicPartition, int] | None = None,
        *,
        seconds: float,
        idle: bool = False,
    ) -> Iterator[Batch]:
        """The records from `starts` up to, and without, `ends`, each partition's in order.

        A batch may be empty. It is over when all partitions are finished, or after `seconds`;
        with `idle`, after so many seconds without any record.
        """
        self.unfinished, self.ended = set(starts), set()
        if not starts:
            return
        ends = ends or {}
        deadline = time.monotonic() + seconds
        try:
            self._consumer.assign([ClientPartition(*each, at) for each, at in starts.items()])
            while self.unfinished and time.monotonic() < deadline:
                messages = self._consumer.consume(BATCH, self._poll_seconds)
                before = set(self.unfinished)
                yield self._records(messages, ends)
                self._unassign(before - self.unfinished)
                if messages and idle:
                    deadline = time.monotonic() + seconds
        except KafkaException as error:
            if not self._ignore_errors:
                raise self._error(errors.kafka_error(error)) from error

    def finish(self, partitions: Iterable[TopicPartition]) -> None:
        """Read no more of these."""
        self.unfinished.difference_update(partitions)

    def _records(self, messages: Iterable[Message], ends: Mapping[TopicPartition, int]) -> Batch:
        batch: Batch = []
        for message in messages:
            partition = TopicPartition(message.topic() or "", message.partition() or 0)
            if partition not in self.unfinished:
                continue
            error = message.error()
            if error is not None:
                self._handle(error, partition)
                continue
            offset, end = message.offset() or 0, ends.get(partition)
            if end is None or offset < end:
                batch.append((partition, message))
            # The last offset of a range need not be a record: a transaction's marker, or a record
            # that was aborted or compacted. The next record, or the partition's end, is past it.
            if end is not None and offset >= end - 1:
                self.unfinished.discard(partition)
        return batch

    def _handle(self, error: KafkaError, partition: TopicPartition) -> None:
        if error.code() == KafkaError._PARTITION_EOF:
            if not self._follow:
                self.ended.add(partition)
                self.unfinished.discard(partition)
        elif not self._ignore_errors:
            raise self._error(error, partition)

    def _unassign(self, partitions: Iterable[TopicPartition]) -> None:
        """What was fetched ahead is dropped."""
        if finished := [ClientPartition(*each) for each in partitions]:
            self._consumer.incremental_unassign(finished)

    def _error(self, error: KafkaError, partition: TopicPartition | None = None) -> UserError:
        if partition is not None and error.code() in errors.NOT_AUTHORIZED:
            return self._cluster.not_authorized(Operation.READ, [partition.topic])
        return errors.request_failed(
            self._cluster.alias,
            self._cluster.connection,
            error,
            reported=self._reported,
            fix=self._cluster.fix,
        )

    def timed_out(self, seconds: float) -> UserError:
        topics = sorted({topic for topic, _ in self.unfinished})
        where = self._cluster.alias or self._cluster.connection.bootstrap_servers
        reason = f": {self._reported[-1].str()}" if self._reported else ""
        return UserError(
            f"Cluster {where}: could not read {and_more(topics)} within {seconds:.0f} s{reason}.",
            self._cluster.fix,
            cluster=self._cluster.alias or None,
        )
