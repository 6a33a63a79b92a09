"""Matching few records in memory."""

from __future__ import annotations

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.verify.compare.buckets import BucketComparison, MatchedRanges
from mirrorstack.verify.compare.classification import MAX_CLASSIFIED, MatchResult, Zone
from mirrorstack.verify.compare.occurrences import RecordDigest, match
from mirrorstack.verify.reading.records import SOURCE, TARGET

NO_MATCH = BucketComparison(frozenset({0}), MatchedRanges())


def records(*values: int, first: int = 0) -> list[RecordDigest]:
    return [
        RecordDigest(first + number, 0, (0, value, 0, 0), None)
        for number, value in enumerate(values)
    ]


def matched(
    ours: list[RecordDigest], theirs: list[RecordDigest], buckets: BucketComparison = NO_MATCH
) -> MatchResult:
    return match(buckets, 100, ours, theirs)


def zones_of(found: MatchResult, side: str) -> list[tuple[int, Zone]]:
    return [(each.offset, each.zone) for each in found.unmatched.records[side]]


def test_equal_records_match_at_any_offset() -> None:
    found = matched(records(1, 2, 3), records(1, 2, 3, first=70))

    assert found.matched == MatchedRanges(OffsetRange(0, 3), OffsetRange(70, 73), 3)
    assert not found.unmatched.totals
    assert not found.unmatched.moved


def test_the_second_of_two_equal_records_matches_the_second() -> None:
    found = matched(records(1, 1, 2), records(1, 1, 1, 2))

    assert zones_of(found, SOURCE) == []
    assert zones_of(found, TARGET) == [(2, Zone.DUPLICATE)]
    assert found.unmatched.records[TARGET][0].original == 1


def test_an_unmatched_record_lies_before_within_or_after_the_matched_ones() -> None:
    proven = BucketComparison(
        frozenset({0}), MatchedRanges(OffsetRange(1, 2), OffsetRange(1, 2), 1)
    )

    found = matched(records(7, 1, 8, 2, 9), records(5, 1, 6, 2, 4), proven)

    zones = [(0, Zone.BEFORE), (2, Zone.WITHIN), (4, Zone.AFTER)]
    assert zones_of(found, SOURCE) == zones_of(found, TARGET) == zones


def test_a_record_written_after_the_start_is_later() -> None:
    assert zones_of(matched(records(1, first=100), []), SOURCE) == [(100, Zone.LATER)]


def test_without_a_match_source_records_are_after_and_target_records_before() -> None:
    found = matched(records(1), records(2))

    assert zones_of(found, SOURCE) == [(0, Zone.AFTER)]
    assert zones_of(found, TARGET) == [(0, Zone.BEFORE)]


def test_exchanged_records_are_both_reported() -> None:
    found = matched(records(1, 2, 3), records(1, 3, 2))

    assert [(each.offset, there) for each, there in found.unmatched.moved] == [(1, 2), (2, 1)]


def test_many_records_are_all_counted_and_the_first_are_kept() -> None:
    found = matched(records(*range(99)), records(*range(1000, 1000 + MAX_CLASSIFIED + 5)))

    assert found.unmatched.totals == {
        (SOURCE, Zone.AFTER): 99,
        (TARGET, Zone.BEFORE): MAX_CLASSIFIED + 5,
    }
    assert len(found.unmatched.records[TARGET]) == MAX_CLASSIFIED
