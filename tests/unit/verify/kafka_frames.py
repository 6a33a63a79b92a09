"""Data frames as Spark's Kafka source returns them, and readers of records in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import Any, cast

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql import DataFrame, SparkSession

from mirrorstack.config.flows import FlowSettings
from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.reading.local_frames import empty_frame
from mirrorstack.verify.reading.records import SCHEMA, PairReader, RecordReader
from mirrorstack.verify.reading.scope import Scope, TopicPair

FLOW = FlowSettings.model_validate({"from": "east", "to": "west", "topics": [".*"]})
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ARROW = pa.schema(
    [
        ("topic", pa.string()),
        ("partition", pa.int32()),
        ("offset", pa.int64()),
        ("timestamp", pa.timestamp("us", "UTC")),
        ("key", pa.binary()),
        ("value", pa.binary()),
        ("headers", pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())]))),
    ]
)


@dataclass(frozen=True)
class KafkaRecord:
    offset: int
    key: bytes | None
    value: bytes | None
    timestamp: int = 0
    """In milliseconds."""
    headers: tuple[tuple[str, bytes | None], ...] = ()


Records = Sequence[KafkaRecord]


def records(count: int) -> list[KafkaRecord]:
    """With different keys and values, one second apart."""
    return [KafkaRecord(n, b"key %d" % n, b"value %d" % n, n * 1000) for n in range(count)]


def at_offsets(held: Records, start: int = 0) -> list[KafkaRecord]:
    """The same records at consecutive offsets."""
    return [replace(each, offset=start + n) for n, each in enumerate(held)]


def kafka_frame(spark: SparkSession, held: Mapping[TopicPartition, Records]) -> DataFrame:
    rows = [
        {
            "topic": partition.topic,
            "partition": partition.partition,
            "offset": each.offset,
            "timestamp": EPOCH + timedelta(milliseconds=each.timestamp),
            "key": each.key,
            "value": each.value,
            "headers": [{"key": name, "value": value} for name, value in each.headers] or None,
        }
        for partition, of_partition in held.items()
        for each in of_partition
    ]
    return spark.createDataFrame(pa.Table.from_pylist(rows, ARROW))


@dataclass(frozen=True)
class MemoryReader(RecordReader):
    """Reads offset ranges of records in memory."""

    held: Mapping[TopicPartition, Records] = field(default_factory=dict)
    ordered: bool = True
    """Whether a task reads one partition, in order, as from Kafka. It takes Spark longer."""

    def read(self, ranges: Mapping[TopicPartition, OffsetRange]) -> DataFrame:
        within = {
            partition: [r for r in self.held[partition] if each.start <= r.offset < each.end]
            for partition, each in ranges.items()
        }
        if not self.ordered:
            return kafka_frame(self.spark, within)
        frames = [
            kafka_frame(self.spark, {partition: held}).coalesce(1).sortWithinPartitions("offset")
            for partition, held in within.items()
        ]
        return reduce(DataFrame.unionByName, frames, empty_frame(self.spark, SCHEMA))


@dataclass(frozen=True)
class BothSides:
    """Topics of one partition, by name: their records on the source and on the target."""

    topics: Mapping[str, tuple[Records, Records]]
    compacted: bool = False
    unstamped: tuple[str, ...] = ()
    """The topics whose timestamps are not compared."""

    @property
    def scope(self) -> Scope:
        return Scope(
            FLOW,
            tuple(
                TopicPair(name, f"east.{name}", 1, self.compacted, name not in self.unstamped)
                for name in self.topics
            ),
        )

    @property
    def source_ranges(self) -> dict[TopicPartition, OffsetRange]:
        return {TopicPartition(name, 0): _range(held) for name, (held, _) in self.topics.items()}

    @property
    def target_ranges(self) -> dict[TopicPartition, OffsetRange]:
        return {
            TopicPartition(f"east.{name}", 0): _range(held)
            for name, (_, held) in self.topics.items()
        }

    def reader(self, spark: SparkSession, *, ordered: bool = True) -> PairReader:
        sides = (
            {TopicPartition(f"{prefix}{name}", 0): both[side] for name, both in self.topics.items()}
            for side, prefix in enumerate(("", "east."))
        )
        unused = cast("Any", None)
        source, target = (MemoryReader(spark, unused, held=h, ordered=ordered) for h in sides)
        return PairReader(source, target, self.source_ranges, self.target_ranges)


def _range(held: Records) -> OffsetRange:
    return OffsetRange(held[0].offset, held[-1].offset + 1) if held else OffsetRange(0, 0)
