"""Stage two for any number of unproven records, on Spark: finds the records without an equal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from pyspark.sql import DataFrame, Row, SparkSession, Window
from pyspark.sql import functions as F

from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import MatchedRanges
from mirrorstack.verify.compare.classification import (
    MAX_CLASSIFIED,
    MAX_SORTED_PAIRS,
    MatchResult,
    UnmatchedRecord,
    UnmatchedRecords,
    Zone,
    out_of_order,
)
from mirrorstack.verify.compare.digests import time_bucket
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


def diff_logs(
    spark: SparkSession, reader: PairReader, unproven: UnprovenBuckets
) -> dict[TopicPartition, MatchResult]:
    """Matches equal records by occurrence: the second of two equals the second on the other
    side."""
    bucket = time_bucket(unproven.scope, unproven.widths)
    records = read_unproven(spark, reader, unproven, bucket, whole=False)
    occurrence = F.row_number().over(
        Window.partitionBy("side", *PARTITION, "hash_low", "hash_high").orderBy("offset")
    )
    numbered = records.select(
        "side",
        *PARTITION,
        "hash_low",
        "hash_high",
        occurrence.alias("occurrence"),
        F.struct(*PARTS).alias("it"),
    )
    return _results(spark, _joined(numbered, "hash_low", "hash_high", "occurrence"), unproven)


def _side(records: DataFrame, side: str) -> DataFrame:
    name = "here" if side == SOURCE else "there"
    return records.where(F.col("side") == side).drop("side").withColumnRenamed("it", name)


def _joined(records: DataFrame, *on: str) -> DataFrame:
    here, there = _side(records, SOURCE), _side(records, TARGET)
    return here.join(there, on=[*PARTITION, *on], how="full")


def _results(
    spark: SparkSession, joined: DataFrame, unproven: UnprovenBuckets
) -> dict[TopicPartition, MatchResult]:
    joined = joined.persist()
    try:
        both = joined.where(F.col("here").isNotNull() & F.col("there").isNotNull())
        found = matched_ranges(both)
        matched = {
            partition: each.matched | found.get(partition, MatchedRanges())
            for partition, each in unproven.buckets.items()
        }
        zoned = _zoned(spark, joined, matched, unproven).persist()
        totals = _totals(zoned)
        records = _records(zoned)
        moved = _moved(both)
        zoned.unpersist()
    finally:
        joined.unpersist()
    return {
        partition: MatchResult(
            UnmatchedRecords(
                records.get(partition, {}), totals.get(partition, {}), moved.get(partition, ())
            ),
            matched[partition],
        )
        for partition in unproven.buckets
    }


def _zoned(
    spark: SparkSession,
    joined: DataFrame,
    matched: Mapping[TopicPartition, MatchedRanges],
    unproven: UnprovenBuckets,
) -> DataFrame:
    """Each record without an equal, and its zone."""
    known = local_frame(
        spark,
        [
            (
                *partition,
                unproven.required[partition],
                *first_and_last(each.source),
                *first_and_last(each.target),
            )
            for partition, each in matched.items()
        ],
        "topic string, partition int, required bigint, first_here bigint, last_here bigint, "
        "first_there bigint, last_there bigint",
    )
    original = F.max("here.offset").over(Window.partitionBy(*PARTITION, "hash_low", "hash_high"))
    is_source = F.col("here").isNotNull()
    at = F.coalesce("here.offset", "there.offset")
    first = F.when(is_source, F.col("first_here")).otherwise(F.col("first_there"))
    last = F.when(is_source, F.col("last_here")).otherwise(F.col("last_there"))
    nothing_matched = F.when(is_source, Zone.AFTER.value).otherwise(Zone.BEFORE.value)
    zone = (
        F.when(is_source & (at >= F.col("required")), Zone.LATER.value)
        .when(~is_source & F.col("original").isNotNull(), Zone.DUPLICATE.value)
        .when(first.isNull(), nothing_matched)
        .when(at < first, Zone.BEFORE.value)
        .when(at > last, Zone.AFTER.value)
        .otherwise(Zone.WITHIN.value)
    )
    return (
        joined.withColumn("original", original)
        .where(F.col("here").isNull() | F.col("there").isNull())
        .join(F.broadcast(known), on=list(PARTITION), how="inner")
        .select(
            F.when(is_source, SOURCE).otherwise(TARGET).alias("side"),
            *PARTITION,
            "original",
            zone.alias("zone"),
            F.coalesce("here", "there").alias("it"),
        )
    )


def _totals(zoned: DataFrame) -> dict[TopicPartition, dict[tuple[str, Zone], int]]:
    result: dict[TopicPartition, dict[tuple[str, Zone], int]] = defaultdict(dict)
    for row in zoned.groupBy("side", *PARTITION, "zone").count().collect():
        key = row["side"], Zone(row["zone"])
        result[TopicPartition(row["topic"], row["partition"])][key] = row["count"]
    return result


def _records(zoned: DataFrame) -> dict[TopicPartition, dict[str, list[UnmatchedRecord]]]:
    window = Window.partitionBy("side", *PARTITION, "zone").orderBy("it.offset")
    named = zoned.withColumn("turn", F.row_number().over(window)).where(
        F.col("turn") <= MAX_CLASSIFIED
    )
    result: dict[TopicPartition, dict[str, list[UnmatchedRecord]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in named.orderBy(*PARTITION, "it.offset").collect():
        record = unmatched_record(row["it"], Zone(row["zone"]), row["original"])
        result[TopicPartition(row["topic"], row["partition"])][row["side"]].append(record)
    return result


def _moved(both: DataFrame) -> dict[TopicPartition, tuple[tuple[UnmatchedRecord, int], ...]]:
    """The fewest records whose move explains another order on the target."""
    before = (
        Window.partitionBy(*PARTITION)
        .orderBy("here.offset")
        .rowsBetween(Window.unboundedPreceding, -1)
    )
    overtaken = F.max("there.offset").over(before) > F.col("there.offset")
    wrong = both.select(*PARTITION, overtaken.alias("overtaken")).where("overtaken").distinct()
    reordered = wrong.select(*PARTITION).distinct()
    turn = F.row_number().over(Window.partitionBy(*PARTITION).orderBy("here.offset"))
    rows = (
        both.join(F.broadcast(reordered), on=list(PARTITION), how="inner")
        .select(*PARTITION, "here", F.col("there.offset").alias("there"), turn.alias("turn"))
        .where(F.col("turn") <= MAX_SORTED_PAIRS)
        .orderBy(*PARTITION, "turn")
    )
    by_partition: dict[TopicPartition, list[Row]] = defaultdict(list)
    for row in rows.toLocalIterator():
        by_partition[TopicPartition(row["topic"], row["partition"])].append(row)
    return {
        partition: tuple(
            (unmatched_record(held[index]["here"], Zone.WITHIN), held[index]["there"])
            for index in out_of_order([row["there"] for row in held])
        )
        for partition, held in by_partition.items()
    }
