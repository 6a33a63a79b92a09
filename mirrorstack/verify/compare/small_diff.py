"""Stage two without Spark where unproven records are few: Spark takes longer to plan its queries
than a consumer to read them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from confluent_kafka import Message

from mirrorstack.kafka.admin_client import ClusterClient
from mirrorstack.kafka.connection import Connection
from mirrorstack.kafka.offset_ranges import OffsetRange, OffsetRangeReader
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.classification import MatchResult
from mirrorstack.verify.compare.occurrences import RecordDigest, match
from mirrorstack.verify.compare.unproven_buckets import LONGEST_PAYLOAD, UnprovenBuckets
from mirrorstack.verify.reading.records import PairReader
from mirrorstack.verify.reading.scope import TopicPair

MOST = 200_000
"""The largest number of offsets, of both sides together, that is read here."""
NO_HASH = -1
"""Python's `hash` never returns it."""
SECONDS = 60.0
"""Without any record, until reading fails."""
FIX = "check the brokers, then run verify again"


def are_few(unproven: UnprovenBuckets) -> bool:
    ranges = [
        each for buckets in unproven.buckets.values() for each in (*buckets.source, *buckets.target)
    ]
    return sum(each.end - each.start for each in ranges) <= MOST


def diff_few_records(
    reader: PairReader, unproven: UnprovenBuckets
) -> dict[TopicPartition, MatchResult]:
    """The same result as `diff_logs`, which takes any number of records."""
    source = _unproven_records(
        reader.source.connection,
        unproven,
        {each: (each, buckets.source) for each, buckets in unproven.buckets.items()},
    )
    target = _unproven_records(
        reader.target.connection,
        unproven,
        {
            unproven.scope.on_target(each): (each, buckets.target)
            for each, buckets in unproven.buckets.items()
        },
    )
    return {
        each: match(buckets, unproven.required[each], source[each], target[each])
        for each, buckets in unproven.buckets.items()
    }


def _unproven_records(
    connection: Connection,
    unproven: UnprovenBuckets,
    wanted: Mapping[TopicPartition, tuple[TopicPartition, Collection[OffsetRange]]],
) -> dict[TopicPartition, list[RecordDigest]]:
    """The records of one side in unproven buckets; `wanted` is by the partitions of that side: the
    partition of the source, and the offset ranges."""
    found: dict[TopicPartition, list[RecordDigest]] = {each: [] for each, _ in wanted.values()}
    ranges = {partition: ranges for partition, (_, ranges) in wanted.items()}
    for partition, message in _read(connection, ranges):
        on_source, _ = wanted[partition]
        pair, stamp = unproven.scope.by_topic[on_source.topic], message.timestamp()[1]
        if _bucket(pair, stamp, unproven.widths) in unproven.buckets[on_source].unproven:
            found[on_source].append(_digest(message, pair, stamp, payload=unproven.payloads))
    return found


def _bucket(pair: TopicPair, stamp: int, widths: Mapping[str, int]) -> int:
    """The same as `digests.time_bucket`."""
    return stamp // widths[pair.topic] if pair.timestamps else 0


def _digest(message: Message, pair: TopicPair, stamp: int, *, payload: bool) -> RecordDigest:
    """With Python's hashes: 64 bits like Spark's, and valid within this process."""
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
    """The committed records of several ranges of each partition, each partition's in order."""
    left = {partition: list(ranges) for partition, ranges in wanted.items() if ranges}
    with OffsetRangeReader(ClusterClient("", connection, FIX)) as reader:
        while left:
            layer = {partition: ranges.pop(0) for partition, ranges in left.items()}
            starts = {partition: each.start for partition, each in layer.items()}
            ends = {partition: each.end for partition, each in layer.items()}
            for batch in reader.batches(starts, ends, seconds=SECONDS, idle=True):
                yield from batch
            if reader.unfinished:
                raise reader.timed_out(SECONDS)
            left = {partition: ranges for partition, ranges in left.items() if ranges}
