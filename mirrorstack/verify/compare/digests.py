"""Stage one: one scan of each side reduces every partition to a digest per bucket."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import Digest, SideDigests, by_place
from mirrorstack.verify.reading.records import SOURCE, TARGET, RecordReader, identified, key_hash
from mirrorstack.verify.reading.scope import TopicPair

KEY_BUCKETS = 64
WHERE = ("side", "topic", "partition")


@dataclass(frozen=True)
class PairReader:
    """Both clusters, and what to read of each; places by their names on that side."""

    source: RecordReader
    target: RecordReader
    source_ranges: Mapping[TopicPartition, OffsetRange]
    target_ranges: Mapping[TopicPartition, OffsetRange]

    def of(self, pairs: Sequence[TopicPair]) -> DataFrame:
        """The records of some topics on both sides. The target's bear their names there."""
        names = {pair.topic for pair in pairs}, {pair.target_topic for pair in pairs}
        unstamped = [pair for pair in pairs if not pair.timestamps]
        source = self.source.read({p: r for p, r in self.source_ranges.items() if p[0] in names[0]})
        target = self.target.read({p: r for p, r in self.target_ranges.items() if p[0] in names[1]})
        return identified(source, SOURCE, [pair.topic for pair in unstamped]).unionByName(
            identified(target, TARGET, [pair.target_topic for pair in unstamped])
        )


@dataclass(frozen=True)
class ScanResult:
    """What stage one found; places by their names on the source."""

    source: Mapping[TopicPartition, SideDigests]
    target: Mapping[TopicPartition, SideDigests]


def log_digests(
    sides: PairReader, pairs: Sequence[TopicPair], widths: Mapping[str, int]
) -> ScanResult:
    """Of topics in which every record counts."""
    bucketed = sides.of(pairs).withColumn("bucket", time_bucket(pairs, widths))
    return _seen(_reduced(bucketed), pairs)


def table_digests(sides: PairReader, pairs: Sequence[TopicPair]) -> ScanResult:
    """Of compacted topics: of each key its last record, unless that deletes it."""
    living = latest(sides.of(pairs)).where(~F.col("is_deletion")).withColumn("position", F.lit(0))
    return _seen(_reduced(living.withColumn("bucket", key_bucket())), pairs)


def latest(records: DataFrame, *more: str) -> DataFrame:
    """Each key's last record."""
    fields = ("offset", "stamp", "timestamp", "low", "high", "is_deletion", *more)
    last = F.max_by(F.struct(*fields), "offset").alias("last")
    return (
        records.withColumn("is_deletion", F.col("value").isNull())
        .groupBy(*WHERE, "key")
        .agg(last)
        .select(*WHERE, "key", "last.*")
    )


def time_bucket(pairs: Sequence[TopicPair], widths: Mapping[str, int]) -> Column:
    """By timestamp; those of topics whose timestamps are not compared share one bucket."""
    by_width: dict[int, list[str]] = defaultdict(list)
    for pair in pairs:
        if pair.timestamps:
            by_width[widths[pair.topic]] += [pair.topic, pair.target_topic]
    result = F.lit(0).cast("bigint")
    for width, topics in by_width.items():
        # Widths are powers of two, and to shift is much cheaper than to divide.
        bucket = F.shiftright("timestamp", width.bit_length() - 1)
        result = F.when(F.col("topic").isin(topics), bucket).otherwise(result)
    return result


def key_bucket() -> Column:
    return F.pmod(key_hash(), F.lit(KEY_BUCKETS)).cast("bigint")


def _reduced(bucketed: DataFrame) -> DataFrame:
    return bucketed.groupBy(*WHERE, "bucket").agg(
        F.count(F.lit(1)).alias("count"),
        F.sum("low").alias("low"),
        F.sum("high").alias("high"),
        F.sum("position").alias("positions"),
        F.sum(F.col("low") * F.col("position")).alias("ordered"),
        F.min("offset").alias("first"),
        F.max("offset").alias("last"),
        F.max("stamp").alias("newest"),
    )


def _seen(digests: DataFrame, pairs: Sequence[TopicPair]) -> ScanResult:
    names = {pair.target_topic: pair.topic for pair in pairs}
    rows: dict[str, list[tuple[TopicPartition, int, Digest, int]]] = {SOURCE: [], TARGET: []}
    for row in digests.collect():
        topic = row["topic"] if row["side"] == SOURCE else names[row["topic"]]
        digest = Digest(*(row[name] for name in Digest.__dataclass_fields__))
        rows[row["side"]].append(
            (TopicPartition(topic, row["partition"]), row["bucket"], digest, row["newest"])
        )
    return ScanResult(by_place(rows[SOURCE]), by_place(rows[TARGET]))
