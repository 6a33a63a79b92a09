"""Stage two: only what is not proven equal is read again, to name the records that differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from pyspark.sql import DataFrame, Row, SparkSession, Window
from pyspark.sql import functions as F

from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import MatchedRanges
from mirrorstack.verify.compare.classification import (
    MOST_PAIRS,
    NAMED,
    MatchResult,
    UnmatchedRecord,
    UnmatchedRecords,
    Zone,
    out_of_order,
)
from mirrorstack.verify.compare.digests import PairReader, time_bucket
from mirrorstack.verify.compare.suspects import (
    PARTS,
    PLACE,
    Suspects,
    limits,
    matched_in,
    sighting,
    suspicious,
)
from mirrorstack.verify.reading.local_frames import given
from mirrorstack.verify.reading.records import SOURCE, TARGET


def diff_logs(
    spark: SparkSession, sides: PairReader, suspects: Suspects
) -> dict[TopicPartition, MatchResult]:
    """Match equal records by occurrence: the second of two is the second on the other side."""
    bucket = time_bucket(suspects.pairs, suspects.widths)
    records = suspicious(spark, sides, suspects, bucket, whole=False)
    occurrence = F.row_number().over(
        Window.partitionBy("side", *PLACE, "low", "high").orderBy("offset")
    )
    numbered = records.select(
        "side", *PLACE, "low", "high", occurrence.alias("occurrence"), F.struct(*PARTS).alias("it")
    )
    return _looked(spark, _joined(numbered, "low", "high", "occurrence"), suspects)


def _side(records: DataFrame, side: str) -> DataFrame:
    name = "here" if side == SOURCE else "there"
    return records.where(F.col("side") == side).drop("side").withColumnRenamed("it", name)


def _joined(records: DataFrame, *on: str) -> DataFrame:
    here, there = _side(records, SOURCE), _side(records, TARGET)
    return here.join(there, on=[*PLACE, *on], how="full")


def _looked(
    spark: SparkSession, joined: DataFrame, suspects: Suspects
) -> dict[TopicPartition, MatchResult]:
    joined = joined.persist()
    try:
        both = joined.where(F.col("here").isNotNull() & F.col("there").isNotNull())
        found = matched_in(both)
        matched = {
            place: judged.matched | found.get(place, MatchedRanges())
            for place, judged in suspects.judged.items()
        }
        zoned = _zoned(spark, joined, matched, suspects).persist()
        totals = _totals(zoned)
        sightings = _sightings(zoned)
        moved = _moved(both)
        zoned.unpersist()
    finally:
        joined.unpersist()
    return {
        place: MatchResult(
            UnmatchedRecords(sightings.get(place, {}), totals.get(place, {}), moved.get(place, ())),
            matched[place],
        )
        for place in suspects.judged
    }


def _zoned(
    spark: SparkSession,
    joined: DataFrame,
    matched: Mapping[TopicPartition, MatchedRanges],
    suspects: Suspects,
) -> DataFrame:
    """Each record without an equal, and where it lies."""
    known = given(
        spark,
        [
            (*place, suspects.required[place], *limits(each.source), *limits(each.target))
            for place, each in matched.items()
        ],
        "topic string, partition int, required bigint, first_here bigint, last_here bigint, "
        "first_there bigint, last_there bigint",
    )
    original = F.max("here.offset").over(Window.partitionBy(*PLACE, "low", "high"))
    is_source = F.col("here").isNotNull()
    at = F.coalesce("here.offset", "there.offset")
    first = F.when(is_source, F.col("first_here")).otherwise(F.col("first_there"))
    last = F.when(is_source, F.col("last_here")).otherwise(F.col("last_there"))
    nothing_matched = F.when(is_source, Zone.AFTER.value).otherwise(Zone.BEFORE.value)
    zone = (
        F.when(is_source & (at >= F.col("required")), Zone.LATER.value)
        .when(~is_source & F.col("original").isNotNull(), Zone.COPY.value)
        .when(first.isNull(), nothing_matched)
        .when(at < first, Zone.BEFORE.value)
        .when(at > last, Zone.AFTER.value)
        .otherwise(Zone.WITHIN.value)
    )
    return (
        joined.withColumn("original", original)
        .where(F.col("here").isNull() | F.col("there").isNull())
        .join(F.broadcast(known), on=list(PLACE), how="inner")
        .select(
            F.when(is_source, SOURCE).otherwise(TARGET).alias("side"),
            *PLACE,
            "original",
            zone.alias("zone"),
            F.coalesce("here", "there").alias("it"),
        )
    )


def _totals(zoned: DataFrame) -> dict[TopicPartition, dict[tuple[str, Zone], int]]:
    result: dict[TopicPartition, dict[tuple[str, Zone], int]] = defaultdict(dict)
    for row in zoned.groupBy("side", *PLACE, "zone").count().collect():
        key = row["side"], Zone(row["zone"])
        result[TopicPartition(row["topic"], row["partition"])][key] = row["count"]
    return result


def _sightings(zoned: DataFrame) -> dict[TopicPartition, dict[str, list[UnmatchedRecord]]]:
    window = Window.partitionBy("side", *PLACE, "zone").orderBy("it.offset")
    named = zoned.withColumn("turn", F.row_number().over(window)).where(F.col("turn") <= NAMED)
    result: dict[TopicPartition, dict[str, list[UnmatchedRecord]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in named.orderBy(*PLACE, "it.offset").collect():
        seen = sighting(row["it"], Zone(row["zone"]), row["original"])
        result[TopicPartition(row["topic"], row["partition"])][row["side"]].append(seen)
    return result


def _moved(both: DataFrame) -> dict[TopicPartition, tuple[tuple[UnmatchedRecord, int], ...]]:
    """Records that are in another order on the target: the fewest that explain it."""
    before = (
        Window.partitionBy(*PLACE).orderBy("here.offset").rowsBetween(Window.unboundedPreceding, -1)
    )
    overtaken = F.max("there.offset").over(before) > F.col("there.offset")
    wrong = both.select(*PLACE, overtaken.alias("overtaken")).where("overtaken").distinct()
    places = wrong.select(*PLACE).distinct()
    turn = F.row_number().over(Window.partitionBy(*PLACE).orderBy("here.offset"))
    rows = (
        both.join(F.broadcast(places), on=list(PLACE), how="inner")
        .select(*PLACE, "here", F.col("there.offset").alias("there"), turn.alias("turn"))
        .where(F.col("turn") <= MOST_PAIRS)
        .orderBy(*PLACE, "turn")
    )
    by_place: dict[TopicPartition, list[Row]] = defaultdict(list)
    for row in rows.toLocalIterator():
        by_place[TopicPartition(row["topic"], row["partition"])].append(row)
    return {
        place: tuple(
            (sighting(held[index]["here"], Zone.WITHIN), held[index]["there"])
            for index in out_of_order([row["there"] for row in held])
        )
        for place, held in by_place.items()
    }
