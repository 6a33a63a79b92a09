"""Stage one, the scan: each side is read once and every partition reduced to digests of buckets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import Digest, SideDigests, by_partition
from mirrorstack.verify.reading.records import SOURCE, TARGET, PairReader, key_hash
from mirrorstack.verify.reading.scope import Scope

KEY_BUCKETS = 64
GROUPED_BY = ("side", "topic", "partition")


@dataclass(frozen=True)
class ScanResult:
    """The digests of both sides, by partition of the source."""

    source: Mapping[TopicPartition, SideDigests]
    target: Mapping[TopicPartition, SideDigests]


def scan_logs(reader: PairReader, scope: Scope, widths: Mapping[str, int]) -> ScanResult:
    """For topics in which every record counts."""
    bucketed = reader.read(scope).withColumn("bucket", time_bucket(scope, widths))
    return _collect(_reduce(bucketed), scope)


def scan_compacted(reader: PairReader, scope: Scope) -> ScanResult:
    """For compacted topics: the last record of each key, unless it is a tombstone."""
    last = last_of_each_key(reader.read(scope)).where(~F.col("is_tombstone"))
    bucketed = last.withColumns({"position": F.lit(0), "bucket": key_bucket()})
    return _collect(_reduce(bucketed), scope)


def last_of_each_key(records: DataFrame, *more: str) -> DataFrame:
    fields = ("offset", "stamp", "timestamp", "hash_low", "hash_high", "is_tombstone", *more)
    last = F.max_by(F.struct(*fields), "offset").alias("last")
    return (
        records.withColumn("is_tombstone", F.col("value").isNull())
        .groupBy(*GROUPED_BY, "key")
        .agg(last)
        .select(*GROUPED_BY, "key", "last.*")
    )


def time_bucket(scope: Scope, widths: Mapping[str, int]) -> Column:
    """By timestamp; topics whose timestamps are not compared have a single bucket."""
    by_width: dict[int, list[str]] = defaultdict(list)
    for pair in scope.topics:
        if pair.timestamps:
            by_width[widths[pair.topic]] += [pair.topic, pair.target_topic]
    result = F.lit(0).cast("bigint")
    for width, topics in by_width.items():
        # Widths are powers of two, and a shift is much cheaper than a division.
        bucket = F.shiftright("timestamp", width.bit_length() - 1)
        result = F.when(F.col("topic").isin(topics), bucket).otherwise(result)
    return result


def key_bucket() -> Column:
    return F.pmod(key_hash(), F.lit(KEY_BUCKETS)).cast("bigint")


def _reduce(bucketed: DataFrame) -> DataFrame:
    return bucketed.groupBy(*GROUPED_BY, "bucket").agg(
        F.count(F.lit(1)).alias("count"),
        F.sum("hash_low").alias("hash_sum_low"),
        F.sum("hash_high").alias("hash_sum_high"),
        F.sum("position").alias("positions"),
        F.sum(F.col("hash_low") * F.col("position")).alias("ordered"),
        F.min("offset").alias("first"),
        F.max("offset").alias("last"),
        F.max("stamp").alias("newest"),
    )


def _collect(digests: DataFrame, scope: Scope) -> ScanResult:
    rows: dict[str, list[tuple[TopicPartition, int, Digest, int]]] = {SOURCE: [], TARGET: []}
    for row in digests.collect():
        partition = TopicPartition(row["topic"], row["partition"])
        if row["side"] == TARGET:
            partition = scope.on_source(partition)
        digest = Digest(*(row[name] for name in Digest.__dataclass_fields__))
        rows[row["side"]].append((partition, row["bucket"], digest, row["newest"]))
    return ScanResult(by_partition(rows[SOURCE]), by_partition(rows[TARGET]))
