"""Skipped and re-consumed records by counting, for partitions that are proven equal.

There the record n before the end of one side is the record n before the end of the other. So it is
enough to count the records after a group's offsets, which are mostly near the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.proofs import PartitionProof
from mirrorstack.verify.groups.group_positions import GroupPartition, GroupPositions
from mirrorstack.verify.reading.local_frames import local_frame
from mirrorstack.verify.reading.records import PairReader, RecordReader
from mirrorstack.verify.reading.scope import Scope


@dataclass(frozen=True)
class SkippedAndReconsumed:
    """What a group would skip and read again if it resumed on the target."""

    skipped: int = 0
    first_skipped: int | None = None
    """Its offset on the source."""
    reconsumed: int = 0


@dataclass(frozen=True)
class RemainingRecords:
    """The records ahead of a group on one side."""

    count: int = 0
    first: int | None = None
    """The offset of the first of them."""


NONE_LEFT = RemainingRecords()


def count_by_distance(
    spark: SparkSession,
    reader: PairReader,
    scope: Scope,
    positions: GroupPositions,
    proofs: Mapping[TopicPartition, PartitionProof],
) -> dict[GroupPartition, SkippedAndReconsumed]:
    partitions = {partition for _, partition in positions.source}
    starts = {
        each: (reader.source_ranges[each].start, reader.target_ranges[scope.on_target(each)].start)
        for each in partitions
    }
    source = _remaining(
        spark,
        reader.source,
        {each: OffsetRange(starts[each][0], proofs[each].source.end) for each in partitions},
        positions.source,
    )
    target = _remaining(
        spark,
        reader.target,
        {
            scope.on_target(each): OffsetRange(starts[each][1], proofs[each].target.end)
            for each in partitions
        },
        {(group, scope.on_target(each)): at for (group, each), at in positions.target.items()},
    )
    return {
        (group, partition): skipped_and_reconsumed(
            offset,
            positions.target[group, partition],
            source.get((group, partition), NONE_LEFT),
            target.get((group, scope.on_target(partition)), NONE_LEFT),
            starts[partition],
        )
        for (group, partition), offset in positions.source.items()
    }


def _remaining(
    spark: SparkSession,
    reader: RecordReader,
    proven: Mapping[TopicPartition, OffsetRange],
    positions: Mapping[GroupPartition, int],
) -> dict[GroupPartition, RemainingRecords]:
    """Of one side: the records within the proven ranges from each group's position on."""
    lowest: dict[TopicPartition, int] = {}
    for (_, partition), offset in positions.items():
        lowest[partition] = min(offset, lowest.get(partition, offset))
    ranges = {
        partition: OffsetRange(max(each.start, lowest[partition]), each.end)
        for partition, each in proven.items()
        if partition in lowest
    }
    left = {partition: each for partition, each in ranges.items() if each.end > each.start}
    rows = [
        (group, *partition, offset)
        for (group, partition), offset in positions.items()
        if partition in left
    ]
    if not rows:
        return {}
    groups = local_frame(spark, rows, "group string, topic string, partition int, position bigint")
    counts = (
        reader.read(left)
        .select("topic", "partition", "offset")
        .join(F.broadcast(groups), on=["topic", "partition"], how="inner")
        .where(F.col("offset") >= F.col("position"))
        .groupBy("group", "topic", "partition")
        .agg(F.count(F.lit(1)).alias("count"), F.min("offset").alias("first"))
    )
    return {
        (row["group"], TopicPartition(row["topic"], row["partition"])): RemainingRecords(
            row["count"], row["first"]
        )
        for row in counts.collect()
    }


def skipped_and_reconsumed(
    source_position: int,
    target_position: int,
    source: RemainingRecords,
    target: RemainingRecords,
    starts: tuple[int, int],
) -> SkippedAndReconsumed:
    """`starts`: the first offsets of both sides. Records that retention deleted before a group's
    position count as neither: they were not skipped on the target, nor consumed on the source."""
    skipped = max(0, source.count - target.count) if target_position > starts[1] else 0
    reconsumed = max(0, target.count - source.count) if source_position > starts[0] else 0
    return SkippedAndReconsumed(skipped, source.first if skipped else None, reconsumed)
