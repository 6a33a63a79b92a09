"""The newest records of partitions, read without Spark: a glance, not a scan."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from confluent_kafka import Consumer, KafkaError, Message
from confluent_kafka import TopicPartition as KafkaPartition

from mirrorstack.kafka.connection import Connection
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.reading.records import OffsetRange

DEPTH, DEEPER = 20, 50
POLL_SECONDS, BATCH = 0.2, 1_000
PATIENCE_SECONDS = 60.0
LOOK_SECONDS = 2.0
"""Who does not want to wait wants to know all the same."""


@dataclass(frozen=True)
class RecordContent:
    """One record: enough of it to know it again on the other side."""

    identity: tuple[Any, ...]
    timestamp: int


def record_content(message: Message) -> RecordContent:
    stamp = message.timestamp()[1]
    headers = tuple(message.headers() or ())
    return RecordContent((message.key(), message.value(), headers), stamp)


def newest(
    connection: Connection, ranges: Mapping[TopicPartition, OffsetRange]
) -> dict[TopicPartition, RecordContent]:
    """The last record of each partition that has one. What lies at a partition's end may be the
    marks of transactions and what they took back, so look further until there is a record."""
    found: dict[TopicPartition, RecordContent] = {}
    depth, left = DEPTH, {place: each for place, each in ranges.items() if each.end > each.start}
    while left:
        windows = {p: OffsetRange(max(r.start, r.end - depth), r.end) for p, r in left.items()}
        found |= {place: record_content(last) for place, last in _read(connection, windows).items()}
        left = {p: r for p, r in left.items() if p not in found and windows[p].start > r.start}
        depth *= DEEPER
    return found


def _read(
    connection: Connection, windows: Mapping[TopicPartition, OffsetRange]
) -> dict[TopicPartition, Message]:
    """The last record within each window."""
    left = {place: each for place, each in windows.items() if each.end > each.start}
    found: dict[TopicPartition, Message] = {}
    with following(connection, {place: each.start for place, each in left.items()}) as follow:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while left and time.monotonic() < deadline:
            for place, message in follow.more():
                if place in left and (message.offset() or 0) < left[place].end:
                    found[place] = message
            at = follow.positions()
            done = [place for place, each in left.items() if at[place] >= each.end]
            follow.leave(done)
            for place in done:
                del left[place]
    return found


class Following:
    """Reads partitions onward from where it began."""

    def __init__(self, consumer: Consumer, starts: Mapping[TopicPartition, int]) -> None:
        self._consumer = consumer
        self._starts = dict(starts)
        consumer.assign([KafkaPartition(*place, offset) for place, offset in starts.items()])

    def leave(self, places: Iterable[TopicPartition]) -> None:
        """Read no more of some of them: what was fetched ahead need not be looked at."""
        left = [KafkaPartition(*place) for place in places]
        if left:
            self._consumer.incremental_unassign(left)
        for each in left:
            del self._starts[TopicPartition(each.topic, each.partition)]

    def more(self) -> Iterator[tuple[TopicPartition, Message]]:
        """What has come meanwhile."""
        for message in self._consumer.consume(num_messages=BATCH, timeout=POLL_SECONDS):
            if message.error() is None:
                yield TopicPartition(str(message.topic()), message.partition() or 0), message

    def positions(self) -> dict[TopicPartition, int]:
        """How far it has come in those that are left, past the marks of transactions too."""
        held = self._consumer.position([KafkaPartition(*place) for place in self._starts])
        at = {(p.topic, p.partition): p.offset for p in held}
        return {place: max(start, at.get(place, start)) for place, start in self._starts.items()}


@contextmanager
def following(connection: Connection, starts: Mapping[TopicPartition, int]) -> Iterator[Following]:
    config: dict[str, Any] = {
        **connection.client_config(),
        "group.id": "mirrorstack-verify",  # never committed, but the client insists
        "enable.auto.commit": False,
        "isolation.level": "read_committed",
        "auto.offset.reset": "earliest",
        "fetch.queue.backoff.ms": 10,
        "log_level": 0,
        "error_cb": _ignore,
    }
    consumer = Consumer(config)
    try:
        yield Following(consumer, starts)
    finally:
        consumer.close()


def _ignore(_error: KafkaError) -> None:
    """What goes wrong for long enough ends in a deadline."""


def wait_until_seen(
    connection: Connection,
    starts: Mapping[TopicPartition, int],
    wanted: Mapping[TopicPartition, Callable[[RecordContent], bool]],
    seconds: float,
    progress: Callable[[int, int], None],
) -> Iterable[TopicPartition]:
    """Until each partition has shown the record that is wanted of it, or time is over; the places
    where it was not seen."""
    left = dict(wanted)
    deadline = time.monotonic() + max(seconds, LOOK_SECONDS)
    with following(connection, {place: starts[place] for place in wanted}) as follow:
        while left and time.monotonic() < deadline:
            for place, message in follow.more():
                if place in left and left[place](record_content(message)):
                    del left[place]
                    follow.leave([place])
            progress(len(wanted) - len(left), len(wanted))
    return left
