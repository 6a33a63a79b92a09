"""Stage two on a local Spark session: all topics of the test are compared at once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pyspark.sql import SparkSession

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import BucketComparison, MatchedRanges
from mirrorstack.verify.compare.classification import (
    MAX_CLASSIFIED,
    MatchResult,
    UnmatchedRecord,
    Zone,
)
from mirrorstack.verify.compare.log_diff import diff_logs
from mirrorstack.verify.compare.unproven_buckets import UnprovenBuckets
from mirrorstack.verify.reading.records import SOURCE, TARGET
from tests.unit.verify.kafka_frames import BothSides, at_offsets, records

TEN, MANY = records(10), records(MAX_CLASSIFIED + 12)
REQUIRED = 1000
IN_A_PROVEN_BUCKET = replace(TEN[9], timestamp=10**9)
WIDTH, UNPROVEN = 1 << 20, frozenset({0})
BOTH = BothSides(
    {
        "equal": (TEN, at_offsets(TEN, 50)),
        "repeated": ([*TEN, *at_offsets(TEN, 10)], [*TEN, *at_offsets(TEN, 10)]),
        "missing": (TEN, at_offsets([*TEN[:4], *TEN[5:]])),
        "behind": (TEN, TEN[:8]),
        "later": ([*TEN, replace(TEN[0], offset=REQUIRED, value=b"new")], TEN),
        "doubled": (TEN, at_offsets([*TEN[:4], TEN[2], *TEN[4:]])),
        "altered": (TEN, [*TEN[:4], replace(TEN[4], value=b"other"), *TEN[5:]]),
        "swapped": (TEN, at_offsets([*TEN[:4], TEN[5], TEN[4], *TEN[6:]])),
        "nothing": (TEN, []),
        "many": (MANY, at_offsets([MANY[0], MANY[-1]])),
        "other-bucket": ([*TEN[:9], IN_A_PROVEN_BUCKET], TEN[:9]),
    }
)


@pytest.fixture(scope="module")
def results(spark: SparkSession) -> dict[str, MatchResult]:
    """By topic."""
    target = {BOTH.scope.on_source(each): held for each, held in BOTH.target_ranges.items()}
    buckets = {
        partition: BucketComparison(UNPROVEN, MatchedRanges(), (held,), (target[partition],))
        for partition, held in BOTH.source_ranges.items()
    }
    # Of this topic, stage one has matched records that stage two does not read.
    equal = TopicPartition("equal", 0)
    proven = MatchedRanges(OffsetRange(100, 200), OffsetRange(150, 250), 100)
    buckets[equal] = replace(buckets[equal], matched=proven)
    required = dict.fromkeys(buckets, REQUIRED)
    unproven = UnprovenBuckets(
        buckets, required, BOTH.scope, dict.fromkeys(BOTH.topics, WIDTH), payloads=True
    )
    found = diff_logs(spark, BOTH.reader(spark, ordered=False), unproven)
    return {partition.topic: result for partition, result in found.items()}


def only(results: dict[str, MatchResult], topic: str, side: str) -> UnmatchedRecord:
    (found,) = results[topic].unmatched.records[side]
    return found


@pytest.mark.parametrize("topic", ["equal", "repeated", "other-bucket"])
def test_equal_records_are_matched_one_by_one(results: dict[str, MatchResult], topic: str) -> None:
    assert results[topic].unmatched.totals == {}
    assert results[topic].unmatched.moved == ()


def test_matches_of_both_stages_are_joined(results: dict[str, MatchResult]) -> None:
    assert results["equal"].matched == MatchedRanges(OffsetRange(0, 200), OffsetRange(50, 250), 110)


def test_a_missing_record_lies_within_the_matched_ones(results: dict[str, MatchResult]) -> None:
    assert results["missing"].unmatched.totals == {(SOURCE, Zone.WITHIN): 1}
    found = only(results, "missing", SOURCE)
    assert (found.offset, found.key, found.stamp) == (4, b"key 4", 4000)
    assert found.payload == "value 4"


def test_records_after_the_last_match_have_not_arrived(results: dict[str, MatchResult]) -> None:
    assert results["behind"].unmatched.totals == {(SOURCE, Zone.AFTER): 2}
    assert results["nothing"].unmatched.totals == {(SOURCE, Zone.AFTER): 10}
    assert results["nothing"].matched == MatchedRanges()


def test_a_record_written_after_the_start_is_later(results: dict[str, MatchResult]) -> None:
    assert results["later"].unmatched.totals == {(SOURCE, Zone.LATER): 1}


def test_a_duplicate_names_its_original(results: dict[str, MatchResult]) -> None:
    assert results["doubled"].unmatched.totals == {(TARGET, Zone.DUPLICATE): 1}
    found = only(results, "doubled", TARGET)
    assert (found.offset, found.original) == (4, 2)


def test_both_versions_of_an_altered_record_differ_in_one_part(
    results: dict[str, MatchResult],
) -> None:
    here, there = (only(results, "altered", side) for side in (SOURCE, TARGET))

    differs = [one != other for one, other in zip(here.parts, there.parts, strict=True)]
    assert differs == [False, True, False, False], "key, value, headers, timestamp"
    assert there.payload == "other"


def test_exchanged_records_are_matched_and_moved(results: dict[str, MatchResult]) -> None:
    found = results["swapped"]

    assert found.unmatched.totals == {}
    assert [(each.offset, there) for each, there in found.unmatched.moved] == [(4, 5), (5, 4)]


def test_of_many_records_the_first_are_read_in_detail_and_all_are_counted(
    results: dict[str, MatchResult],
) -> None:
    found = results["many"].unmatched

    assert found.totals == {(SOURCE, Zone.WITHIN): MAX_CLASSIFIED + 10}
    assert [each.offset for each in found.records[SOURCE]] == list(range(1, MAX_CLASSIFIED + 1))
