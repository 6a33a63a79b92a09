"""Compacted topics on a local Spark session: all topics of the test are compared at once."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import BucketComparison, MatchedRanges
from mirrorstack.verify.compare.compacted_diff import diff_compacted
from mirrorstack.verify.compare.differences import DifferenceKind, DifferenceTally
from mirrorstack.verify.compare.digests import KEY_BUCKETS
from mirrorstack.verify.compare.unproven_buckets import UnprovenBuckets
from tests.unit.verify.kafka_frames import BothSides, KafkaRecord

REQUIRED = 1000
NO_DIFFERENCE = DifferenceTally()


def record(offset: int, key: str, value: bytes | None, timestamp: int = 0) -> KafkaRecord:
    return KafkaRecord(offset, key.encode(), value, timestamp)


FIRST, LAST = record(10, "first", b"1"), record(20, "last", b"2")
"""On both sides of every topic."""
BETWEEN = {
    # Records between the two on the source, and on the target.
    "older-value": ([record(12, "k", b"old"), record(13, "k", b"new")], [record(13, "k", b"new")]),
    "deleted": ([record(12, "k", b"old"), record(13, "k", None)], []),
    "deleted-on-target": ([], [record(12, "k", b"old"), record(13, "k", None)]),
    "altered": ([record(12, "k", b"right")], [record(12, "k", b"wrong")]),
    "missing": ([record(12, "k", b"1")], []),
    "unexpected": ([], [record(12, "k", b"1")]),
    "not-deleted": ([record(12, "k", None)], [record(11, "k", b"old")]),
}
AFTER = {
    "behind": ([record(21, "k", b"new", 7)], [record(5, "k", b"old", 3)]),
    "behind-deletion": ([record(21, "k", None, 7)], [record(5, "k", b"old", 3)]),
    "altered-last": ([record(21, "k", b"new", 7)], [record(21, "k", b"bad", 7)]),
    "later": ([record(REQUIRED, "k", b"new", 7)], []),
}
TRIMMED = {
    "trimmed-source": ([], [record(12, "k", b"1")]),
    "trimmed-target": ([record(5, "k", b"1")], []),
}
BOTH = BothSides(
    {name: ([FIRST, *here, LAST], [FIRST, *there, LAST]) for name, (here, there) in BETWEEN.items()}
    | {
        name: (
            sorted([FIRST, LAST, *here], key=lambda each: each.offset),
            sorted([FIRST, LAST, *there], key=lambda each: each.offset),
        )
        for name, (here, there) in (AFTER | TRIMMED).items()
    },
    compacted=True,
)


@pytest.fixture(scope="module")
def tallies(spark: SparkSession) -> dict[str, DifferenceTally]:
    """By topic. Retention has deleted the start of two partitions."""
    every_bucket = frozenset(range(KEY_BUCKETS))
    buckets = dict.fromkeys(BOTH.source_ranges, BucketComparison(every_bucket, MatchedRanges()))
    unproven = UnprovenBuckets(buckets, dict.fromkeys(buckets, REQUIRED), BOTH.scope, {})
    complete, trimmed = OffsetRange(0, 2000), OffsetRange(5, 2000)
    source = dict.fromkeys(buckets, complete) | {TopicPartition("trimmed-source", 0): trimmed}
    target = dict.fromkeys(buckets, complete) | {TopicPartition("trimmed-target", 0): trimmed}
    found = diff_compacted(spark, BOTH.reader(spark, ordered=False), unproven, source, target)
    return {partition.topic: tally for partition, tally in found.items()}


@pytest.mark.parametrize("topic", ["older-value", "deleted", "deleted-on-target"])
def test_what_compaction_may_remove_is_no_difference(
    tallies: dict[str, DifferenceTally], topic: str
) -> None:
    assert tallies[topic] == NO_DIFFERENCE


@pytest.mark.parametrize(
    ("topic", "kind", "offsets"),
    [
        ("altered", DifferenceKind.ALTERED, (12, 12)),
        ("altered-last", DifferenceKind.ALTERED, (21, 21)),
        ("missing", DifferenceKind.MISSING, (12, None)),
        ("unexpected", DifferenceKind.UNEXPECTED, (None, 12)),
        ("not-deleted", DifferenceKind.UNEXPECTED, (None, 11)),
    ],
)
def test_a_key_that_differs_is_reported_with_its_offsets(
    tallies: dict[str, DifferenceTally],
    topic: str,
    kind: DifferenceKind,
    offsets: tuple[int | None, int | None],
) -> None:
    (difference,) = tallies[topic].differences

    assert tallies[topic].counts == {kind: 1}
    assert (difference.kind, difference.key) == (kind, b"k")
    assert (difference.source_offset, difference.target_offset) == offsets


def test_an_altered_record_names_the_part_that_differs(
    tallies: dict[str, DifferenceTally],
) -> None:
    assert tallies["altered"].differences[0].differs == ("value",)


@pytest.mark.parametrize("topic", ["behind", "behind-deletion"])
def test_a_change_after_the_last_match_has_not_arrived(
    tallies: dict[str, DifferenceTally], topic: str
) -> None:
    assert tallies[topic] == DifferenceTally(behind=1, oldest_behind=7)


def test_a_key_written_after_the_start_is_later(tallies: dict[str, DifferenceTally]) -> None:
    assert tallies["later"] == DifferenceTally(later=1)


@pytest.mark.parametrize("topic", ["trimmed-source", "trimmed-target"])
def test_a_key_that_retention_deleted_from_one_side_is_no_difference(
    tallies: dict[str, DifferenceTally], topic: str
) -> None:
    assert tallies[topic] == DifferenceTally(trimmed=1)
