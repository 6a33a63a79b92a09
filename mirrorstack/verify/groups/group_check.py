"""Consumer groups: whether they could go on on the target without skipping a record.

A group goes on at an offset of its own on each side. Its place on the target skips a record when
the group has not read it on the source, and it lies before that place on the target. It reads a
record again when the group has read it, and it lies at or behind that place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.digests import PairReader
from mirrorstack.verify.compare.proofs import PartitionProof
from mirrorstack.verify.groups.distances import measured
from mirrorstack.verify.groups.group_positions import GroupPartition, GroupPositions
from mirrorstack.verify.reading.local_frames import given
from mirrorstack.verify.reading.records import SOURCE, TARGET
from mirrorstack.verify.reading.scope import Scope

PLACE = ("topic", "partition")


class GroupState(StrEnum):
    SAFE = "safe"
    """It skips nothing."""
    SKIPS = "skips"
    """It would never see records that it has not read."""
    PAST_THE_END = "past the end"
    """It would wait for records, or be reset, where there are none yet."""
    UNTRANSLATED = "untranslated"
    """It has a place on the source and none on the target: its consumers decide, and `latest`
    loses records."""


@dataclass(frozen=True)
class GroupCheck:
    """A group in one partition, by its name on the source."""

    group: str
    topic: str
    partition: int
    source_offset: int
    target_offset: int | None
    """What it has committed on the target, or else its newest checkpoint."""
    committed: bool
    """Whether it is committed there, so that consumers can simply start."""
    state: GroupState
    skipped: int = 0
    """How many records that it has not read it would never see on the target."""
    first_skipped: int | None = None
    """The offset on the source of the first record that it would skip."""
    read_again: int = 0
    """How many that it has read it would read once more on the target."""


def check_groups(
    spark: SparkSession,
    sides: PairReader,
    scope: Scope,
    held: GroupPositions,
    ends: Mapping[TopicPartition, int],
    proven: Mapping[TopicPartition, PartitionProof],
) -> list[GroupCheck]:
    """Every group in every partition where it has committed; `ends` are the target's, under the
    source's names. Where a partition is not proven equal, its records are matched one by one."""
    equal = held.among(lambda place: place in proven)
    other = held.among(lambda place: place not in proven)
    counted = measured(spark, sides, scope, equal, proven)
    if other.source:
        counted |= _counted(spark, sides, scope, other)
    return [
        _judged(key, offset, held, counted.get(key, (0, None, 0)), ends.get(key[1]))
        for key, offset in sorted(held.source.items())
    ]


def _judged(
    key: tuple[str, TopicPartition],
    offset: int,
    held: GroupPositions,
    counted: tuple[int, int | None, int],
    end: int | None,
) -> GroupCheck:
    group, (topic, number) = key
    there = held.target.get(key)
    skipped, first, again = counted
    if there is None:
        state = GroupState.UNTRANSLATED
    elif skipped:
        state = GroupState.SKIPS
    elif end is not None and there > end:
        state = GroupState.PAST_THE_END
    else:
        state = GroupState.SAFE
    return GroupCheck(
        group, topic, number, offset, there, key in held.committed, state, skipped, first, again
    )


def _counted(
    spark: SparkSession, sides: PairReader, scope: Scope, held: GroupPositions
) -> dict[GroupPartition, tuple[int, int | None, int]]:
    """How many records each group would skip, the first of them, and how many it reads again."""
    places = {place for _, place in held.source}
    pairs = [pair for pair in scope.topics if pair.topic in {topic for topic, _ in places}]
    remote = {pair.topic: pair.target_topic for pair in pairs}
    there = {(remote[topic], number) for topic, number in places}
    read = PairReader(
        sides.source,
        sides.target,
        {place: each for place, each in sides.source_ranges.items() if place in places},
        {place: each for place, each in sides.target_ranges.items() if place in there},
    ).of(pairs)
    rows = [
        (group, topic, remote[topic], number, held.source[key], held.target[key])
        for key in held.source
        for group, (topic, number) in [key]
    ]
    placed = given(
        spark,
        rows,
        "group string, topic string, remote string, partition int, here bigint, there bigint",
    )
    names = placed.select("topic", "remote").distinct()
    both = _offsets(read, SOURCE).join(F.broadcast(names), on="topic", how="inner")
    theirs = _offsets(read, TARGET).withColumnRenamed("topic", "remote")
    found = both.join(theirs, on=["remote", "partition", "low", "high"], how="inner")
    unread = F.col("ours") >= F.col("here")
    passed = F.col("theirs") < F.col("there")
    counted = (
        found.join(F.broadcast(placed), on=["topic", "remote", "partition"], how="inner")
        .groupBy("group", *PLACE)
        .agg(
            F.count_if(unread & passed).alias("skipped"),
            F.min(F.when(unread & passed, F.col("ours"))).alias("first"),
            F.count_if(~unread & ~passed).alias("again"),
        )
    )
    return {
        (row["group"], TopicPartition(row["topic"], row["partition"])): (
            row["skipped"],
            row["first"],
            row["again"],
        )
        for row in counted.collect()
    }


def _offsets(records: DataFrame, side: str) -> DataFrame:
    """Where each record last is: of equal ones, the last decides whether one is still to come."""
    name = "ours" if side == SOURCE else "theirs"
    return (
        records.where(F.col("side") == side)
        .groupBy(*PLACE, "low", "high")
        .agg(F.max("offset").alias(name))
        .select(*PLACE, "low", "high", name)
    )
