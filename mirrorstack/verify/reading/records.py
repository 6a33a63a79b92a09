"""Records as Spark reads them, and the hashes by which two of them are equal.

Two records are equal when key, value, headers, timestamp and partition are equal. Offsets are not
compared: transaction markers, compaction, retention and duplicates change them. All of this is
Spark SQL: no record passes through Python.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from mirrorstack.kafka.connection import Connection
from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.reading.local_frames import empty_frame
from mirrorstack.verify.reading.scope import Scope

SOURCE, TARGET = "source", "target"
PARTS = ("key", "value", "headers", "timestamp")
# The salt of a second hash of the same record: both together have 128 bits.
SALT = "mirrorstack"
# Separators that no header contains by accident.
BETWEEN, NULL = "\x1f3b4c7d52\x1f", "\x1fe61a90f8\x1f"
# Bytes fetched at once from a partition. Cached consumers keep as much in memory.
FETCH_BYTES = 4 << 20
# Spark numbers the rows of a task in the lower 33 bits.
ROW_BITS = (1 << 33) - 1


@dataclass(frozen=True)
class RecordReader:
    """Reads offset ranges of one cluster with `isolation.level=read_committed`.

    Executors cache one consumer for each partition and use it again when the same reader reads that
    partition again: for few records, connecting takes longer than reading.
    """

    spark: SparkSession
    connection: Connection = field(repr=False)
    # Spark's consumer cache is keyed by group and partition, not by cluster: with a shared group,
    # records of one cluster would be taken for those of the other. Nothing is committed.
    group: str = field(default_factory=lambda: f"mirrorstack-verify-{uuid.uuid4()}")

    def read(self, ranges: Mapping[TopicPartition, OffsetRange]) -> DataFrame:
        """Each partition is one task, which reads its records in order."""
        wanted = {place: each for place, each in ranges.items() if each.end > each.start}
        assigned: dict[str, list[int]] = {}
        for topic, number in wanted:
            assigned.setdefault(topic, []).append(number)
        access = self.connection.java_properties(portable=True)
        frame = self.spark.read.format("kafka").options(
            **{f"kafka.{key}": value for key, value in access.items()},
            **{
                "kafka.group.id": self.group,
                "kafka.isolation.level": "read_committed",
                "kafka.max.partition.fetch.bytes": str(FETCH_BYTES),
                "kafka.fetch.max.bytes": "67108864",
                "kafka.receive.buffer.bytes": "-1",
                "kafka.max.poll.records": "5000",
                # A range that ends with a transaction marker is polled until the broker returns
                # nothing, which takes half a second by default.
                "kafka.fetch.max.wait.ms": "20",
                "includeHeaders": "true",
                "assign": json.dumps(assigned),
                "startingOffsets": _offsets({place: each.start for place, each in wanted.items()}),
                "endingOffsets": _offsets({place: each.end for place, each in wanted.items()}),
            },
        )
        if not wanted:
            return empty_frame(self.spark, SCHEMA)
        return frame.load().select(*COLUMNS)


@dataclass(frozen=True)
class PairReader:
    """Reads both sides of a flow; the ranges of each side are by its own topic names."""

    source: RecordReader
    target: RecordReader
    source_ranges: Mapping[TopicPartition, OffsetRange]
    target_ranges: Mapping[TopicPartition, OffsetRange]

    def read(self, scope: Scope) -> DataFrame:
        """The hashed records of both sides; those of the target have target topics as `topic`."""
        unstamped = [pair for pair in scope.topics if not pair.timestamps]
        source = self.source.read(
            {p: r for p, r in self.source_ranges.items() if p.topic in scope.by_topic}
        )
        target = self.target.read(
            {p: r for p, r in self.target_ranges.items() if p.topic in scope.by_target_topic}
        )
        return with_hashes(source, SOURCE, [pair.topic for pair in unstamped]).unionByName(
            with_hashes(target, TARGET, [pair.target_topic for pair in unstamped])
        )


COLUMNS = ("topic", "partition", "offset", "timestamp", "key", "value", "headers")
SCHEMA = (
    "topic string, partition int, offset bigint, timestamp timestamp, key binary, value binary, "
    "headers array<struct<key: string, value: binary>>"
)


def with_hashes(records: DataFrame, side: str, unstamped: Collection[str] = ()) -> DataFrame:
    """Each record with its hashes; `unstamped` are the topics whose timestamps are not compared.

    `position` is the index of the record among those that were read from its partition.
    """
    is_stamped = ~F.col("topic").isin(list(unstamped)) if unstamped else F.lit(True)
    return records.select(
        F.lit(side).alias("side"),
        "topic",
        "partition",
        "offset",
        F.unix_millis("timestamp").alias("stamp"),
        F.when(is_stamped, F.unix_millis("timestamp")).otherwise(0).alias("timestamp"),
        (F.monotonically_increasing_id().bitwiseAND(F.lit(ROW_BITS))).alias("position"),
        "key",
        "value",
        "headers",
    ).withColumns({"hash_low": _hash(F.lit(0)), "hash_high": _hash(F.lit(SALT))})


def part_hashes() -> list[Column]:
    """One hash for each part of a record, to report which parts differ."""
    return [
        F.xxhash64(*_key()).alias("key_hash"),
        F.xxhash64(*_value()).alias("value_hash"),
        F.xxhash64(*_headers()).alias("headers_hash"),
    ]


def key_hash() -> Column:
    return F.xxhash64(*_key())


def _hash(seed: Column) -> Column:
    return F.xxhash64(seed, *_key(), *_value(), *_headers(), F.col("timestamp"), "partition")


# Spark's hash skips nulls, so whether a column is null is hashed as well. Each column is hashed
# with its length, so bytes cannot move from one column to the next.
def _key() -> list[Column]:
    return [F.col("key").isNull(), F.col("key")]


def _value() -> list[Column]:
    return [F.col("value").isNull(), F.col("value")]


def _headers() -> list[Column]:
    """In order: names, values, and which values are null.

    `transform` would be plainer for the last, but it disables Spark's code generation here.
    """
    values = F.col("headers.value")
    return [
        F.coalesce(F.size("headers"), F.lit(-1)),
        F.col("headers.key"),
        values,
        F.array_join(values.cast("array<string>"), BETWEEN, NULL),
    ]


def _offsets(offsets: Mapping[TopicPartition, int]) -> str:
    by_topic: dict[str, dict[str, int]] = {}
    for (topic, number), offset in offsets.items():
        by_topic.setdefault(topic, {})[str(number)] = offset
    return json.dumps(by_topic)
