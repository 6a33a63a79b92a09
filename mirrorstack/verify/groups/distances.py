"""How far groups are from the end, where both sides are proven equal.

There the record that lies n before the end on one side lies n before the end on the other. So it is
enough to count from a group's places on, which are mostly near the end; nothing is matched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.digests import PairReader
from mirrorstack.verify.compare.proofs import PartitionProof
from mirrorstack.verify.groups.group_positions import GroupPartition, GroupPositions
from mirrorstack.verify.reading.local_frames import given
from mirrorstack.verify.reading.records import RecordReader
from mirrorstack.verify.reading.scope import Scope


@dataclass(frozen=True)
class RemainingRecords:
    """What a group still has before it on one side."""

    count: int = 0
    first: int | None = None
    """The offset of the first of them."""


def measured(
    spark: SparkSession,
    sides: PairReader,
    scope: Scope,
    held: GroupPositions,
    proven: Mapping[TopicPartition, PartitionProof],
) -> dict[GroupPartition, tuple[int, int | None, int]]:
    """Where both sides are equal it is a matter of counting."""
    remote = {pair.topic: pair.target_topic for pair in scope.topics}

    def there(place: TopicPartition) -> TopicPartition:
        return TopicPartition(remote[place[0]], place[1])

    places = {place for _, place in held.source}
    starts = {
        place: (sides.source_ranges[place].start, sides.target_ranges[there(place)].start)
        for place in places
    }
    ours = _rests(
        spark,
        sides.source,
        {place: OffsetRange(starts[place][0], proven[place].source.end) for place in places},
        held.source,
    )
    theirs = _rests(
        spark,
        sides.target,
        {there(place): OffsetRange(starts[place][1], proven[place].target.end) for place in places},
        {(group, there(place)): offset for (group, place), offset in held.target.items()},
    )
    nothing = RemainingRecords()
    return {
        (group, place): skipped_and_again(
            here,
            held.target[group, place],
            ours.get((group, place), nothing),
            theirs.get((group, there(place)), nothing),
            starts[place],
        )
        for (group, place), here in held.source.items()
    }


def _rests(
    spark: SparkSession,
    reader: RecordReader,
    held: Mapping[TopicPartition, OffsetRange],
    marks: Mapping[GroupPartition, int],
) -> dict[GroupPartition, RemainingRecords]:
    """By group; `held` is what to count within, `marks` are places under the names of this side."""
    ranges = {
        place: OffsetRange(max(each.start, _least(place, marks)), each.end)
        for place, each in held.items()
        if any(member[1] == place for member in marks)
    }
    left = {place: each for place, each in ranges.items() if each.end > each.start}
    rows = [(group, *place, offset) for (group, place), offset in marks.items() if place in left]
    if not rows:
        return {}
    placed = given(spark, rows, "group string, topic string, partition int, mark bigint")
    counted = (
        reader.read(left)
        .select("topic", "partition", "offset")
        .join(F.broadcast(placed), on=["topic", "partition"], how="inner")
        .where(F.col("offset") >= F.col("mark"))
        .groupBy("group", "topic", "partition")
        .agg(F.count(F.lit(1)).alias("count"), F.min("offset").alias("first"))
    )
    return {
        (row["group"], TopicPartition(row["topic"], row["partition"])): RemainingRecords(
            row["count"], row["first"]
        )
        for row in counted.collect()
    }


def _least(place: TopicPartition, marks: Mapping[GroupPartition, int]) -> int:
    return min(offset for (_, other), offset in marks.items() if other == place)


def skipped_and_again(
    here: int, there: int, ours: RemainingRecords, theirs: RemainingRecords, starts: tuple[int, int]
) -> tuple[int, int | None, int]:
    """How many records the group would skip, the first of them, and how many it would read again.

    `starts`: where both sides begin. What retention took before a group's place is neither: on the
    target nobody passed it over, and on the source nobody read it.
    """
    skipped = max(0, ours.count - theirs.count) if there > starts[1] else 0
    again = max(0, theirs.count - ours.count) if here > starts[0] else 0
    return skipped, ours.first if skipped else None, again
