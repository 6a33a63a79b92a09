"""Stage two without Spark, where only a few records are suspected: to plan its queries takes Spark
longer than to read so few."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping

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
from mirrorstack.kafka.backlog import reading
from mirrorstack.kafka.connection import Connection
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.classification import MatchResult
from mirrorstack.verify.compare.digests import PairReader
from mirrorstack.verify.compare.occurrences import RecordDigest, match
from mirrorstack.verify.compare.suspects import LONGEST_PAYLOAD, Suspects
from mirrorstack.verify.reading.records import OffsetRange
from mirrorstack.verify.reading.scope import TopicPair

MOST = 200_000
"""So many offsets of both sides are read here."""
NO_HASH = -1
"""Python hashes nothing to it."""
# To wait for a whole batch is in vain where a stretch ends.
SECONDS, POLL_SECONDS, BATCH = 60.0, 0.02, 1_000
READING: dict[str, str | int | float | bool] = {
    "fetch.wait.max.ms": 20,
    "fetch.queue.backoff.ms": 10,  # by default it rests for a second when it is well ahead
    "queued.min.messages": 1_000,  # by default it runs 100,000 ahead, past where stretches end
    "queued.max.messages.kbytes": 8192,
    "max.partition.fetch.bytes": 1 << 20,
}


def are_few(suspects: Suspects) -> bool:
    ranges = [
        each for judged in suspects.judged.values() for each in (*judged.source, *judged.target)
    ]
    return sum(each.end - each.start for each in ranges) <= MOST


def diff_few_records(sides: PairReader, suspects: Suspects) -> dict[TopicPartition, MatchResult]:
    """As `look_at_logs` does for any number."""
    remote = suspects.target_topic
    ours = _held(
        sides.source.connection,
        suspects,
        {place: (place, judged.source) for place, judged in suspects.judged.items()},
    )
    theirs = _held(
        sides.target.connection,
        suspects,
        {
            TopicPartition(remote[topic], number): (TopicPartition(topic, number), judged.target)
            for (topic, number), judged in suspects.judged.items()
        },
    )
    return {
        place: match(judged, suspects.required[place], ours[place], theirs[place])
        for place, judged in suspects.judged.items()
    }


def _held(
    connection: Connection,
    suspects: Suspects,
    wanted: Mapping[TopicPartition, tuple[TopicPartition, Collection[OffsetRange]]],
) -> dict[TopicPartition, list[RecordDigest]]:
    """What one side holds in suspicious buckets; `wanted` by its own names: under which name on the
    source, and where."""
    pairs = {pair.topic: pair for pair in suspects.pairs}
    found: dict[TopicPartition, list[RecordDigest]] = {place: [] for place, _ in wanted.values()}
    where = {place: ranges for place, (_, ranges) in wanted.items()}
    for place, message in _read(connection, where):
        known = wanted[place][0]
        pair, stamp = pairs[known[0]], message.timestamp()[1]
        if _bucket(pair, stamp, suspects.widths) in suspects.judged[known].suspects:
            found[known].append(_identified(message, pair, stamp, payload=suspects.payloads))
    return found


def _bucket(pair: TopicPair, stamp: int, widths: Mapping[str, int]) -> int:
    """As `digests.time_bucket` has it."""
    return stamp // widths[pair.topic] if pair.timestamps else 0


def _identified(message: Message, pair: TopicPair, stamp: int, *, payload: bool) -> RecordDigest:
    """By Python's own hashes, which have 64 bits as Spark's do, and hold for this process."""
    key, value = message.key(), message.value()
    return RecordDigest(
        message.offset() or 0,
        stamp,
        (
            NO_HASH if key is None else hash(key),
            NO_HASH if value is None else hash(value),
            hash(tuple(message.headers() or ())),
            stamp if pair.timestamps else 0,
        ),
        key,
        value[:LONGEST_PAYLOAD].decode(errors="replace") if payload and value is not None else None,
    )


def _read(
    connection: Connection, wanted: Mapping[TopicPartition, Collection[OffsetRange]]
) -> Iterator[tuple[TopicPartition, Message]]:
    """The committed records of some stretches of partitions, each partition's in order."""
    consumer = Consumer(reading(connection) | READING)
    try:
        left = {place: list(ranges) for place, ranges in wanted.items() if ranges}
        while left:
            yield from _read_layer(consumer, {place: left[place].pop(0) for place in left})
            left = {place: ranges for place, ranges in left.items() if ranges}
    except KafkaException as error:
        raise _unread(error.args[0].str()) from error
    finally:
        consumer.close()


def _read_layer(
    consumer: Consumer, layer: Mapping[TopicPartition, OffsetRange]
) -> Iterator[tuple[TopicPartition, Message]]:
    """One stretch of each partition."""
    consumer.assign([KafkaPartition(*place, each.start) for place, each in layer.items()])
    open_, deadline = set(layer), time.monotonic() + SECONDS
    while open_:
        messages = consumer.consume(BATCH, POLL_SECONDS)
        if messages:
            deadline = time.monotonic() + SECONDS
        elif time.monotonic() > deadline:
            raise _unread(f"nothing came for {SECONDS:.0f} s")
        for message in messages:
            place = TopicPartition(message.topic() or "", message.partition() or 0)
            error = message.error()
            if error is not None and error.code() != KafkaError._PARTITION_EOF:
                raise KafkaException(error)
            end = layer[place].end
            if error is None and place in open_ and (message.offset() or 0) < end:
                yield place, message
            # The last record of a stretch was there a moment ago; retention may have taken it.
            if error is not None or (message.offset() or 0) >= end - 1:
                open_.discard(place)


def _unread(why: str) -> UserError:
    return UserError(
        f"What differs could not be read again: {why}.", "look at the brokers, and verify again"
    )
