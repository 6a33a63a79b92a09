"""Reading a little of many partitions: Connect's offsets, single records, and whether a copy has
one."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from confluent_kafka import (
    Consumer,
    KafkaError,
    KafkaException,
    Message,
)
from confluent_kafka import (
    TopicPartition as KafkaPartition,
)

from mirrorstack.findings import UserError
from mirrorstack.kafka import errors as refusals
from mirrorstack.kafka.acls import Operation
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.backlog import reading
from mirrorstack.kafka.partitions import TopicPartition

SECONDS, POLL_SECONDS, BATCH = 60.0, 0.05, 1_000
MOST = 20_000
"""Of a copy no more records are looked at."""


@dataclass(frozen=True)
class Record:
    """What MirrorMaker carries over, but for the timestamp: a broker may stamp it anew."""

    key: bytes | None
    value: bytes | None
    headers: tuple[Any, ...]
    stamp: int
    """When it was made, in milliseconds."""

    @classmethod
    def of(cls, message: Message) -> Record:
        stamp = message.timestamp()[1]
        return cls(message.key(), message.value(), tuple(message.headers() or ()), stamp)

    def is_in(self, message: Message) -> bool:
        here, there = (self.key, self.value, self.headers), Record.of(message)
        return here == (there.key, there.value, there.headers)


def connect_offsets(
    cluster: KafkaCluster, topic: str, partitions: int, connector: str
) -> dict[TopicPartition, int]:
    """By partition of the source, the offset of the last record that a connector has mirrored.

    From the topic in which Connect keeps them: Connect may not run, or not know it any more.
    """
    found: dict[TopicPartition, int] = {}

    def note(_place: TopicPartition, message: Message) -> bool:
        name, where = json.loads(message.key() or b"[null, null]")
        if name == connector and where:
            source = TopicPartition(where["topic"], int(where["partition"]))
            value = json.loads(message.value() or b"null")
            if value is None:
                found.pop(source, None)  # somebody had it forgotten
            else:
                found[source] = int(value["offset"])
        return False

    _scan(cluster, {TopicPartition(topic, number): 0 for number in range(partitions)}, note)
    return found


def records_at(
    cluster: KafkaCluster, offsets: Mapping[TopicPartition, int]
) -> dict[TopicPartition, Record]:
    """Those of the records that are there; compaction may have taken one."""
    found: dict[TopicPartition, Record] = {}

    def note(place: TopicPartition, message: Message) -> bool:
        if message.offset() == offsets[place]:
            found[place] = Record.of(message)
        return True

    _scan(cluster, offsets, note)
    return found


def without(
    cluster: KafkaCluster,
    wanted: Mapping[TopicPartition, Record],
    starts: Mapping[TopicPartition, int],
) -> set[TopicPartition]:
    """Where a record is not, from some offset on; where there is too much to look at, nobody can
    say so."""
    seen: Counter[TopicPartition] = Counter()

    def is_found(place: TopicPartition, message: Message) -> bool:
        seen[place] += 1
        return wanted[place].is_in(message) or seen[place] >= MOST

    return _scan(cluster, starts, is_found)


def _scan(
    cluster: KafkaCluster,
    starts: Mapping[TopicPartition, int],
    is_done: Callable[[TopicPartition, Message], bool],
) -> set[TopicPartition]:
    """Read each partition on, until `is_done` says so of it; the places that came to their ends."""
    if not starts:
        return set()
    consumer = Consumer(reading(cluster.connection) | {"fetch.queue.backoff.ms": 10})
    open_, ended = set(starts), set[TopicPartition]()
    deadline = time.monotonic() + SECONDS
    try:
        consumer.assign([KafkaPartition(*place, at) for place, at in starts.items()])
        while open_:
            if time.monotonic() > deadline:
                raise _unread(cluster, open_)
            for message in consumer.consume(BATCH, POLL_SECONDS):
                place = (message.topic() or "", message.partition() or 0)
                error = message.error()
                if place not in open_:
                    continue
                if error is not None and error.code() != KafkaError._PARTITION_EOF:
                    raise _refused(cluster, error, place)
                if error is not None:
                    ended.add(place)
                elif not is_done(place, message):
                    continue
                open_.discard(place)
                consumer.pause([KafkaPartition(*place)])
    finally:
        consumer.close()
    return ended


def _refused(cluster: KafkaCluster, error: KafkaError, place: TopicPartition) -> UserError:
    if error.code() in refusals.NOT_AUTHORIZED:
        return refusals.not_allowed(cluster.alias, cluster.connection, Operation.READ, [place[0]])
    return cluster.unanswered(KafkaException(error))


def _unread(cluster: KafkaCluster, left: set[TopicPartition]) -> UserError:
    topics = sorted({topic for topic, _ in left})
    return UserError(
        f"{topics[0]} on {cluster.alias} could not be read in {SECONDS:.0f} s.", cluster.fix
    )
