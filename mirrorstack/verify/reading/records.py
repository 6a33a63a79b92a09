"""Kafka's records as Spark reads them, and what makes two of them equal.

Two records are equal when key, value, headers, timestamp and partition are. Offsets are not part of
it: transaction markers, compaction, retention and duplicates move them, by design. All of this is
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
from mirrorstack.verify.reading.local_frames import nothing

SOURCE, TARGET = "source", "target"
PARTS = ("key", "value", "headers", "timestamp")
# A second hash of the same record: two together have 128 bits.
SALT = "mirrorstack"
# What no header says by accident.
BETWEEN, NULL = "\x1f3b4c7d52\x1f", "\x1fe61a90f8\x1f"
# At once, of a partition. Connections that are kept hold as much, so it is a question of memory.
FETCHED = 4 << 20
# Spark numbers the rows of a task in its lower 33 bits.
ROW_BITS = (1 << 33) - 1


@dataclass(frozen=True)
class RecordReader:
    """Reads ranges of one cluster's partitions, committed records only.

    Executors keep its connections open, one for each partition, and use them again when the same
    reader reads the partition another time. To connect takes longer than to read a little.
    """

    spark: SparkSession
    connection: Connection = field(repr=False)
    # Spark tells connections apart by group and partition, never by cluster: two readers must not
    # share one, or one cluster's records would be taken for the other's. Nothing is committed.
    group: str = field(default_factory=lambda: f"mirrorstack-verify-{uuid.uuid4()}")

    def read(self, ranges: Mapping[TopicPartition, OffsetRange]) -> DataFrame:
        """Each partition is one task, which meets its records in their order."""
        wanted = {place: each for place, each in ranges.items() if each.end > each.start}
        assigned: dict[str, list[int]] = {}
        for topic, number in wanted:
            assigned.setdefault(topic, []).append(number)
        access = self.connection.portable_properties()
        frame = self.spark.read.format("kafka").options(
            **{f"kafka.{key}": value for key, value in access.items()},
            **{
                "kafka.group.id": self.group,
                "kafka.isolation.level": "read_committed",
                "kafka.max.partition.fetch.bytes": str(FETCHED),
                "kafka.fetch.max.bytes": "67108864",
                "kafka.receive.buffer.bytes": "-1",
                "kafka.max.poll.records": "5000",
                # What ends with the mark of a transaction is read until the broker says that
                # nothing follows; by default it takes half a second for that.
                "kafka.fetch.max.wait.ms": "20",
                "includeHeaders": "true",
                "assign": json.dumps(assigned),
                "startingOffsets": _offsets({place: each.start for place, each in wanted.items()}),
                "endingOffsets": _offsets({place: each.end for place, each in wanted.items()}),
            },
        )
        if not wanted:
            return nothing(self.spark, SCHEMA)
        return frame.load().select(*COLUMNS)


COLUMNS = ("topic", "partition", "offset", "timestamp", "key", "value", "headers")
SCHEMA = (
    "topic string, partition int, offset bigint, timestamp timestamp, key binary, value binary, "
    "headers array<struct<key: string, value: binary>>"
)


def identified(records: DataFrame, side: str, unstamped: Collection[str] = ()) -> DataFrame:
    """Each record as hashes; `unstamped` are the topics whose timestamps are not compared.

    `position` is the record's place among those that were read of its partition.
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
    ).withColumns({"low": _hash(F.lit(0)), "high": _hash(F.lit(SALT))})


def part_hashes() -> list[Column]:
    """One hash for each part of a record, to say which of them differ."""
    return [
        F.xxhash64(*_key()).alias("key_hash"),
        F.xxhash64(*_value()).alias("value_hash"),
        F.xxhash64(*_headers()).alias("headers_hash"),
    ]


def key_hash() -> Column:
    return F.xxhash64(*_key())


def _hash(seed: Column) -> Column:
    return F.xxhash64(seed, *_key(), *_value(), *_headers(), F.col("timestamp"), "partition")


# Spark's hash passes over nulls, so whether there is one is hashed as well; each column is hashed
# with its length, so nothing can move from one to the next.
def _key() -> list[Column]:
    return [F.col("key").isNull(), F.col("key")]


def _value() -> list[Column]:
    return [F.col("value").isNull(), F.col("value")]


def _headers() -> list[Column]:
    """In their order; names, values, and which values are null.

    `transform` would say the last more plainly, and keep Spark from compiling all of this.
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
