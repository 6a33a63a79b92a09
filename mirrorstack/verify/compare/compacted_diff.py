"""Stage two for compacted topics: only the last record of each key counts.

Either side may drop older records and tombstones at any time, so a deleted key equals one that
never existed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from pyspark.sql import Column, DataFrame, Row, SparkSession, Window
from pyspark.sql import functions as F

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import MatchedRanges
from mirrorstack.verify.compare.classification import (
    MAX_CLASSIFIED,
    Zone,
    altered_difference,
    difference,
)
from mirrorstack.verify.compare.differences import DifferenceKind, DifferenceTally, RecordDifference
from mirrorstack.verify.compare.digests import key_bucket, last_of_each_key
from mirrorstack.verify.compare.unproven_buckets import (
    PARTITION,
    PARTS,
    UnprovenBuckets,
    first_and_last,
    matched_ranges,
    read_unproven,
    unmatched_record,
)
from mirrorstack.verify.reading.local_frames import local_frame
from mirrorstack.verify.reading.records import SOURCE, TARGET, PairReader

TRIMMED, BEHIND, LATER = "trimmed", "behind", "later"


def diff_compacted(
    spark: SparkSession,
    reader: PairReader,
    unproven: UnprovenBuckets,
    source: Mapping[TopicPartition, OffsetRange],
    target: Mapping[TopicPartition, OffsetRange],
) -> dict[TopicPartition, DifferenceTally]:
    """The differences of unproven partitions; `source` and `target` are the offsets that were
    read."""
    records = read_unproven(spark, reader, unproven, key_bucket(), whole=True)
    last = last_of_each_key(records, "key_hash", "value_hash", "headers_hash", "payload").select(
        "side",
        *PARTITION,
        "key",
        F.struct(*PARTS, "hash_low", "hash_high", "is_tombstone").alias("it"),
    )
    joined = _by_key(last).persist()
    try:
        both = joined.where(_same())
        found = matched_ranges(both)
        matched = {
            partition: each.matched | found.get(partition, MatchedRanges())
            for partition, each in unproven.buckets.items()
        }
        differing = joined.where(~_same() & (_has_value("here") | _has_value("there")))
        classified = _classify(spark, differing, matched, unproven, (source, target))
        return _tallies(classified, unproven)
    finally:
        joined.unpersist()


def _by_key(last: DataFrame) -> DataFrame:
    here, there = (
        last.where(F.col("side") == side).select(*PARTITION, "key", F.col("it").alias(name))
        for side, name in ((SOURCE, "here"), (TARGET, "there"))
    )
    return here.join(there, on=[*PARTITION, "key"], how="full")


def _has_value(side: str) -> Column:
    return F.coalesce(~F.col(f"{side}.is_tombstone"), F.lit(False))


def _same() -> Column:
    equal = [F.col(f"here.{name}") == F.col(f"there.{name}") for name in ("hash_low", "hash_high")]
    return _has_value("here") & _has_value("there") & F.coalesce(equal[0] & equal[1], F.lit(False))


def _classify(
    spark: SparkSession,
    differing: DataFrame,
    matched: Mapping[TopicPartition, MatchedRanges],
    unproven: UnprovenBuckets,
    read: tuple[Mapping[TopicPartition, OffsetRange], Mapping[TopicPartition, OffsetRange]],
) -> DataFrame:
    """One row for each key that differs, with the outcome."""
    rows = [
        (
            *partition,
            unproven.required[partition],
            *first_and_last(each.source),
            read[0][partition].start > 0,
            partition in read[1] and read[1][partition].start > 0,
        )
        for partition, each in matched.items()
    ]
    known = local_frame(
        spark,
        rows,
        "topic string, partition int, required bigint, first bigint, last bigint, "
        "source_trimmed boolean, target_trimmed boolean",
    )
    at = F.col("here.offset")
    # An older value of the key has another timestamp; with the same one, this record was altered.
    same_record = _has_value("there") & (F.col("here.timestamp") == F.col("there.timestamp"))
    is_late = (at > F.coalesce("last", F.lit(-1))) & ~F.coalesce(same_record, F.lit(False))
    only_here, only_there = ~_has_value("there"), ~_has_value("here")
    outcome = (
        F.when(at >= F.col("required"), LATER)
        .when(is_late, BEHIND)
        .when(only_there & at.isNull() & F.col("source_trimmed"), TRIMMED)
        .when(only_there, DifferenceKind.UNEXPECTED.value)
        .when(only_here & F.col("target_trimmed") & (at < F.col("first")), TRIMMED)
        .when(only_here, DifferenceKind.MISSING.value)
        .otherwise(DifferenceKind.ALTERED.value)
    )
    return differing.join(F.broadcast(known), on=list(PARTITION), how="inner").select(
        *PARTITION, outcome.alias("outcome"), "here", "there"
    )


def _tallies(
    classified: DataFrame, unproven: UnprovenBuckets
) -> dict[TopicPartition, DifferenceTally]:
    counts: dict[TopicPartition, Counter[str]] = defaultdict(Counter)
    oldest: dict[TopicPartition, int] = {}
    for row in classified.groupBy(*PARTITION, "outcome").agg(
        F.count(F.lit(1)).alias("count"), F.min("here.stamp").alias("oldest")
    ).collect():  # fmt: skip
        partition = TopicPartition(row["topic"], row["partition"])
        counts[partition][row["outcome"]] = row["count"]
        if row["outcome"] == BEHIND:
            oldest[partition] = row["oldest"]
    window = Window.partitionBy(*PARTITION, "outcome").orderBy("here.offset", "there.offset")
    differing = classified.where(F.col("outcome").isin([kind.value for kind in DifferenceKind]))
    some = differing.withColumn("turn", F.row_number().over(window)).where(
        F.col("turn") <= MAX_CLASSIFIED
    )
    differences: dict[TopicPartition, list[RecordDifference]] = defaultdict(list)
    for row in some.orderBy(*PARTITION, "here.offset", "there.offset").collect():
        partition = TopicPartition(row["topic"], row["partition"])
        differences[partition].append(_difference(partition, row))
    return {
        partition: DifferenceTally(
            counts={
                kind: counts[partition][kind] for kind in DifferenceKind if counts[partition][kind]
            },
            behind=counts[partition][BEHIND],
            oldest_behind=oldest.get(partition),
            trimmed=counts[partition][TRIMMED],
            later=counts[partition][LATER],
            differences=tuple(differences[partition]),
        )
        for partition in unproven.buckets
    }


def _difference(partition: TopicPartition, row: Row) -> RecordDifference:
    kind = DifferenceKind(row["outcome"])
    here, there = (
        unmatched_record(row[side], Zone.WITHIN) if row[side] is not None else None
        for side in ("here", "there")
    )
    if kind is DifferenceKind.ALTERED and here and there:
        return altered_difference(partition, here, there)
    if kind is DifferenceKind.MISSING and here:
        return difference(partition, kind, here, source=True)
    assert there is not None  # noqa: S101 - an unexpected record is on the target only
    return difference(partition, kind, there, source=False)
