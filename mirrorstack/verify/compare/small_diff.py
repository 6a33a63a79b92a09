"""Stage two without Spark, where only a few records are suspected: to plan its queries takes Spark
longer than to read so few."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from confluent_kafka import Message

from mirrorstack.kafka.admin_client import ClusterClient
from mirrorstack.kafka.connection import Connection
from mirrorstack.kafka.offset_ranges import OffsetRange, OffsetRangeReader
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.classification import MatchResult
from mirrorstack.verify.compare.digests import PairReader
from mirrorstack.verify.compare.occurrences import RecordDigest, match
from mirrorstack.verify.compare.suspects import LONGEST_PAYLOAD, Suspects
from mirrorstack.verify.reading.scope import TopicPair

MOST = 200_000
"""So many offsets of both sides are read here."""
NO_HASH = -1
"""Python hashes nothing to it."""
SECONDS = 60.0
"""Without any record, until reading fails."""
FIX = "check the brokers, then run verify again"


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
