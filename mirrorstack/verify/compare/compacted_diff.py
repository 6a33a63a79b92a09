"""Stage two for compacted topics: of each key only the last record counts.

Either side may have dropped older records, and records that delete a key, at any moment. So a key
that was deleted is the same as one that never was.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from pyspark.sql import Column, DataFrame, Row, SparkSession, Window
from pyspark.sql import functions as F

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import MatchedRanges
from mirrorstack.verify.compare.classification import NAMED, Zone, altered, named
from mirrorstack.verify.compare.differences import Difference, DifferenceKind, DifferenceTally
from mirrorstack.verify.compare.digests import PairReader, key_bucket, latest
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

TRIMMED, BEHIND, LATER = "trimmed", "behind", "later"


def diff_compacted(
    spark: SparkSession,
    sides: PairReader,
    suspects: Suspects,
    source: Mapping[TopicPartition, OffsetRange],
    target: Mapping[TopicPartition, OffsetRange],
) -> dict[TopicPartition, DifferenceTally]:
    """What the suspicious partitions come to; `source` and `target` are what was read of each."""
    records = suspicious(spark, sides, suspects, key_bucket(), whole=True)
    last = latest(records, "key_hash", "value_hash", "headers_hash", "payload").select(
        "side", *PLACE, "key", F.struct(*PARTS, "low", "high", "is_deletion").alias("it")
    )
    joined = _by_key(last).persist()
    try:
        both = joined.where(_same())
        found = matched_in(both)
        matched = {
            place: judged.matched | found.get(place, MatchedRanges())
            for place, judged in suspects.judged.items()
        }
        differing = joined.where(~_same() & (_lives("here") | _lives("there")))
        meant = _meaning(spark, differing, matched, suspects, (source, target))
        return _tallies(meant, suspects)
    finally:
        joined.unpersist()


def _by_key(last: DataFrame) -> DataFrame:
    here, there = (
        last.where(F.col("side") == side).select(*PLACE, "key", F.col("it").alias(name))
        for side, name in ((SOURCE, "here"), (TARGET, "there"))
    )
    return here.join(there, on=[*PLACE, "key"], how="full")


def _lives(side: str) -> Column:
    return F.coalesce(~F.col(f"{side}.is_deletion"), F.lit(False))


def _same() -> Column:
    equal = [F.col(f"here.{name}") == F.col(f"there.{name}") for name in ("low", "high")]
    return _lives("here") & _lives("there") & F.coalesce(equal[0] & equal[1], F.lit(False))


def _meaning(
    spark: SparkSession,
    differing: DataFrame,
    matched: Mapping[TopicPartition, MatchedRanges],
    suspects: Suspects,
    read: tuple[Mapping[TopicPartition, OffsetRange], Mapping[TopicPartition, OffsetRange]],
) -> DataFrame:
    """One row for each key that differs, and what that means."""
    rows = [
        (
            *place,
            suspects.required[place],
            *limits(each.source),
            read[0][place].start > 0,
            place in read[1] and read[1][place].start > 0,
        )
        for place, each in matched.items()
    ]
    known = given(
        spark,
        rows,
        "topic string, partition int, required bigint, first bigint, last bigint, "
        "source_trimmed boolean, target_trimmed boolean",
    )
    at = F.col("here.offset")
    # An older value of the key has another timestamp; the same one is this record, altered.
    same_record = _lives("there") & (F.col("here.timestamp") == F.col("there.timestamp"))
    is_late = (at > F.coalesce("last", F.lit(-1))) & ~F.coalesce(same_record, F.lit(False))
    only_here, only_there = ~_lives("there"), ~_lives("here")
    meaning = (
        F.when(at >= F.col("required"), LATER)
        .when(is_late, BEHIND)
        .when(only_there & at.isNull() & F.col("source_trimmed"), TRIMMED)
        .when(only_there, DifferenceKind.FOREIGN.value)
        .when(only_here & F.col("target_trimmed") & (at < F.col("first")), TRIMMED)
        .when(only_here, DifferenceKind.MISSING.value)
        .otherwise(DifferenceKind.ALTERED.value)
    )
    return differing.join(F.broadcast(known), on=list(PLACE), how="inner").select(
        *PLACE, meaning.alias("meaning"), "here", "there"
    )


def _tallies(meant: DataFrame, suspects: Suspects) -> dict[TopicPartition, DifferenceTally]:
    counts: dict[TopicPartition, Counter[str]] = defaultdict(Counter)
    oldest: dict[TopicPartition, int] = {}
    for row in meant.groupBy(*PLACE, "meaning").agg(
        F.count(F.lit(1)).alias("count"), F.min("here.stamp").alias("oldest")
    ).collect():  # fmt: skip
        place = TopicPartition(row["topic"], row["partition"])
        counts[place][row["meaning"]] = row["count"]
        if row["meaning"] == BEHIND:
            oldest[place] = row["oldest"]
    window = Window.partitionBy(*PLACE, "meaning").orderBy("here.offset", "there.offset")
    told = meant.where(F.col("meaning").isin([kind.value for kind in DifferenceKind]))
    some = told.withColumn("turn", F.row_number().over(window)).where(F.col("turn") <= NAMED)
    differences: dict[TopicPartition, list[Difference]] = defaultdict(list)
    for row in some.orderBy(*PLACE, "here.offset", "there.offset").collect():
        place = TopicPartition(row["topic"], row["partition"])
        differences[place].append(_difference(place, row))
    return {
        place: DifferenceTally(
            counts={kind: counts[place][kind] for kind in DifferenceKind if counts[place][kind]},
            behind=counts[place][BEHIND],
            oldest_behind=oldest.get(place),
            trimmed=counts[place][TRIMMED],
            later=counts[place][LATER],
            differences=tuple(differences[place]),
        )
        for place in suspects.judged
    }


def _difference(place: TopicPartition, row: Row) -> Difference:
    kind = DifferenceKind(row["meaning"])
    here, there = (
        sighting(row[side], Zone.WITHIN) if row[side] is not None else None
        for side in ("here", "there")
    )
    if kind is DifferenceKind.ALTERED and here and there:
        return altered(place, here, there)
    if kind is DifferenceKind.MISSING and here:
        return named(place, kind, here, source=True)
    assert there is not None  # noqa: S101 - foreign is what only the target has
    return named(place, kind, there, source=False)
