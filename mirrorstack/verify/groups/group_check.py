"""Whether consumer groups can resume on the target without skipping records.

A group resumes at an offset of its own on each side. On the target it skips a record that it has
not consumed on the source and that lies before its offset there; it re-consumes a record that it
has consumed and that lies at or after its offset there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.proofs import PartitionProof
from mirrorstack.verify.groups.distances import SkippedAndReconsumed, count_by_distance
from mirrorstack.verify.groups.group_positions import (
    GroupPartition,
    GroupPositions,
    wait_for_positions,
)
from mirrorstack.verify.reading.flow_endpoints import FlowEndpoints
from mirrorstack.verify.reading.local_frames import local_frame
from mirrorstack.verify.reading.offset_ranges import OffsetRanges
from mirrorstack.verify.reading.records import SOURCE, TARGET, PairReader
from mirrorstack.verify.reading.scope import Scope

PARTITION = ("topic", "partition")


class GroupState(StrEnum):
    NOTHING_SKIPPED = "nothing-skipped"
    SKIPS = "skips"
    """It would never see records that it has not consumed."""
    PAST_END = "past-end"
    """Its offset is past the end of the target: consumers wait or are reset."""
    NO_CHECKPOINT = "no-checkpoint"
    """No offset on the target: `auto.offset.reset` decides, and `latest` loses records."""


@dataclass(frozen=True)
class GroupCheck:
    """A group in one partition of the source."""

    group: str
    topic: str
    partition: int
    source_offset: int
    target_offset: int | None
    """The committed offset on the target, or else the newest checkpoint."""
    committed: bool
    """Whether it is committed on the target, so that consumers can simply start."""
    state: GroupState
    skipped: int = 0
    """Records that it has not consumed and would never see on the target."""
    first_skipped: int | None = None
    """The source offset of the first skipped record."""
    reconsumed: int = 0
    """Records that it has consumed and would consume again on the target."""


def check_groups(
    endpoints: FlowEndpoints,
    ranges: OffsetRanges,
    wait_seconds: float,
    proofs: Mapping[TopicPartition, PartitionProof],
) -> list[GroupCheck]:
    """Every group in every partition in which it has a committed offset on the source. In
    partitions without a proof, records are matched one by one."""
    if not endpoints.flow.groups:
        return []
    scope = endpoints.scope
    positions = wait_for_positions(endpoints, ranges, wait_seconds)
    # Taken now, because groups may move while we compare.
    target_ends = {
        scope.on_source(partition): end
        for partition, end in endpoints.target.latest_offsets(ranges.target).items()
    }
    reader = PairReader(
        endpoints.source_reader, endpoints.target_reader, ranges.source, ranges.target
    )
    proven = positions.on_both_sides(lambda partition: partition in proofs)
    others = positions.on_both_sides(lambda partition: partition not in proofs)
    counts = count_by_distance(endpoints.spark, reader, scope, proven, proofs)
    if others.source:
        counts |= _count_by_matching(endpoints.spark, reader, scope, others)
    return [
        _check(
            key,
            offset,
            positions,
            counts.get(key, SkippedAndReconsumed()),
            target_ends.get(key[1]),
        )
        for key, offset in sorted(positions.source.items())
    ]


def _check(
    key: GroupPartition,
    offset: int,
    positions: GroupPositions,
    count: SkippedAndReconsumed,
    end: int | None,
) -> GroupCheck:
    group, partition = key
    target_offset = positions.target.get(key)
    if target_offset is None:
        state = GroupState.NO_CHECKPOINT
    elif count.skipped:
        state = GroupState.SKIPS
    elif end is not None and target_offset > end:
        state = GroupState.PAST_END
    else:
        state = GroupState.NOTHING_SKIPPED
    return GroupCheck(
        group,
        *partition,
        offset,
        target_offset,
        key in positions.committed,
        state,
        count.skipped,
        count.first_skipped,
        count.reconsumed,
    )


def _count_by_matching(
    spark: SparkSession, reader: PairReader, scope: Scope, positions: GroupPositions
) -> dict[GroupPartition, SkippedAndReconsumed]:
    partitions = {partition for _, partition in positions.source}
    replicated = scope.all_on_target(partitions)
    topics = {partition.topic for partition in partitions}
    records = PairReader(
        reader.source,
        reader.target,
        {p: each for p, each in reader.source_ranges.items() if p in partitions},
        {p: each for p, each in reader.target_ranges.items() if p in replicated},
    ).read(scope.only(lambda pair: pair.topic in topics))
    rows = [
        (
            group,
            partition.topic,
            scope.on_target(partition).topic,
            partition.partition,
            positions.source[group, partition],
            positions.target[group, partition],
        )
        for group, partition in positions.source
    ]
    groups = local_frame(
        spark,
        rows,
        "group string, topic string, target_topic string, partition int, "
        "source_position bigint, target_position bigint",
    )
    names = groups.select("topic", "target_topic").distinct()
    source = _last_offsets(records, SOURCE, "source_offset").join(
        F.broadcast(names), on="topic", how="inner"
    )
    target = _last_offsets(records, TARGET, "target_offset").withColumnRenamed(
        "topic", "target_topic"
    )
    matched = source.join(
        target, on=["target_topic", "partition", "hash_low", "hash_high"], how="inner"
    )
    unread = F.col("source_offset") >= F.col("source_position")
    passed = F.col("target_offset") < F.col("target_position")
    counts = (
        matched.join(F.broadcast(groups), on=["topic", "target_topic", "partition"], how="inner")
        .groupBy("group", *PARTITION)
        .agg(
            F.count_if(unread & passed).alias("skipped"),
            F.min(F.when(unread & passed, F.col("source_offset"))).alias("first"),
            F.count_if(~unread & ~passed).alias("reconsumed"),
        )
    )
    return {
        (row["group"], TopicPartition(row["topic"], row["partition"])): SkippedAndReconsumed(
            row["skipped"], row["first"], row["reconsumed"]
        )
        for row in counts.collect()
    }


def _last_offsets(records: DataFrame, side: str, name: str) -> DataFrame:
    """The last offset of each record: of equal ones, the last decides whether one is still
    ahead."""
    return (
        records.where(F.col("side") == side)
        .groupBy(*PARTITION, "hash_low", "hash_high")
        .agg(F.max("offset").alias(name))
        .select(*PARTITION, "hash_low", "hash_high", name)
    )
