"""What stage two reads: the buckets that stage one has not proven equal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import zip_longest

from pyspark.sql import Column, DataFrame, Row, SparkSession
from pyspark.sql import functions as F

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import BucketComparison, MatchedRanges
from mirrorstack.verify.compare.classification import UnmatchedRecord, Zone
from mirrorstack.verify.reading.local_frames import local_frame
from mirrorstack.verify.reading.records import SOURCE, TARGET, PairReader, part_hashes
from mirrorstack.verify.reading.scope import Scope

PARTITION = ("topic", "partition")
PARTS = ("offset", "stamp", "timestamp", "key", "key_hash", "value_hash", "headers_hash", "payload")
LONGEST_PAYLOAD = 4096


@dataclass(frozen=True)
class UnprovenBuckets:
    """What stage one has not proven equal, by partition on the source."""

    buckets: Mapping[TopicPartition, BucketComparison]
    required: Mapping[TopicPartition, int]
    scope: Scope
    widths: Mapping[str, int]
    payloads: bool = False


def read_unproven(
    spark: SparkSession,
    reader: PairReader,
    unproven: UnprovenBuckets,
    bucket: Column,
    *,
    whole: bool,
) -> DataFrame:
    """The records of unproven buckets; `topic` is the source topic on both sides. `whole`: read the
    partitions completely, not only the offset ranges of unproven buckets."""
    rows = [
        (side, name, partition.partition, each, partition.topic)
        for partition, comparison in unproven.buckets.items()
        for each in comparison.unproven
        for side, name in (
            (SOURCE, partition.topic),
            (TARGET, unproven.scope.on_target(partition).topic),
        )
    ]
    wanted = local_frame(
        spark, rows, "side string, name string, partition int, bucket bigint, source_topic string"
    )
    payload = (
        F.substring("value", 1, LONGEST_PAYLOAD)
        if unproven.payloads
        else F.lit(None).cast("binary")
    )
    read = [layer.read(unproven.scope) for layer in _layers(reader, unproven, whole=whole)]
    return (
        reduce(DataFrame.unionByName, read)
        .withColumns({"bucket": bucket, "payload": payload})
        .withColumnRenamed("topic", "name")
        .join(F.broadcast(wanted), on=["side", "name", "partition", "bucket"], how="inner")
        .withColumnRenamed("source_topic", "topic")
        .select("*", *part_hashes())
    )


def _layers(reader: PairReader, unproven: UnprovenBuckets, *, whole: bool) -> Iterator[PairReader]:
    """One read covers one range of each partition: several ranges take several reads."""
    scope = unproven.scope
    if whole:
        replicated = scope.all_on_target(unproven.buckets)
        yield replace(
            reader,
            source_ranges={p: r for p, r in reader.source_ranges.items() if p in unproven.buckets},
            target_ranges={p: r for p, r in reader.target_ranges.items() if p in replicated},
        )
        return
    source = _slices([[(p, r) for r in each.source] for p, each in unproven.buckets.items()])
    target = _slices(
        [[(scope.on_target(p), r) for r in each.target] for p, each in unproven.buckets.items()]
    )
    for turn in range(max(len(source), len(target))):
        yield replace(
            reader,
            source_ranges=source[turn] if turn < len(source) else {},
            target_ranges=target[turn] if turn < len(target) else {},
        )


def _slices(
    ranges: list[list[tuple[TopicPartition, OffsetRange]]],
) -> list[dict[TopicPartition, OffsetRange]]:
    return [dict(each for each in layer if each is not None) for layer in zip_longest(*ranges)]


def matched_ranges(both: DataFrame) -> dict[TopicPartition, MatchedRanges]:
    """From the records that have an equal on the other side."""
    rows = both.groupBy(*PARTITION).agg(
        F.count(F.lit(1)).alias("count"),
        F.min("here.offset").alias("first_here"),
        F.max("here.offset").alias("last_here"),
        F.min("there.offset").alias("first_there"),
        F.max("there.offset").alias("last_there"),
    )
    return {
        TopicPartition(row["topic"], row["partition"]): MatchedRanges(
            OffsetRange(row["first_here"], row["last_here"] + 1),
            OffsetRange(row["first_there"], row["last_there"] + 1),
            row["count"],
        )
        for row in rows.collect()
    }


def first_and_last(matched: OffsetRange | None) -> tuple[int | None, int | None]:
    return (matched.start, matched.end - 1) if matched else (None, None)


def unmatched_record(row: Row, zone: Zone, original: int | None = None) -> UnmatchedRecord:
    payload = row["payload"]
    return UnmatchedRecord(
        offset=row["offset"],
        zone=zone,
        key=None if row["key"] is None else bytes(row["key"]),
        stamp=row["stamp"],
        parts=(row["key_hash"], row["value_hash"], row["headers_hash"], row["timestamp"]),
        original=original,
        payload=None if payload is None else bytes(payload).decode(errors="replace"),
    )
