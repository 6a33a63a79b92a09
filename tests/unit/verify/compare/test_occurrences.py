"""Which of a few records have an equal on the other side."""

from __future__ import annotations

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.verify.compare.buckets import BucketComparison, MatchedRanges
from mirrorstack.verify.compare.classification import NAMED, MatchResult, Zone
from mirrorstack.verify.compare.occurrences import RecordDigest, match
from mirrorstack.verify.reading.records import SOURCE, TARGET

NOTHING = BucketComparison(frozenset({0}), MatchedRanges())


def held(*values: int, first: int = 0) -> list[RecordDigest]:
    return [
        RecordDigest(first + number, 0, (0, value, 0, 0), None)
        for number, value in enumerate(values)
    ]


def looked(
    ours: list[RecordDigest], theirs: list[RecordDigest], judged: BucketComparison = NOTHING
) -> MatchResult:
    return match(judged, 100, ours, theirs)


def seen(found: MatchResult, side: str) -> list[tuple[int, Zone]]:
    return [(each.offset, each.zone) for each in found.unmatched.sightings[side]]


def test_equal_records_are_matched_wherever_they_are() -> None:
    found = looked(held(1, 2, 3), held(1, 2, 3, first=70))

    assert found.matched == MatchedRanges(OffsetRange(0, 3), OffsetRange(70, 73), 3)
    assert not found.unmatched.totals
    assert not found.unmatched.moved


def test_the_second_of_two_is_the_second_on_the_other_side() -> None:
    found = looked(held(1, 1, 2), held(1, 1, 1, 2))

    assert seen(found, SOURCE) == []
    assert seen(found, TARGET) == [(2, Zone.COPY)]
    assert found.unmatched.sightings[TARGET][0].original == 1


def test_what_has_no_equal_lies_before_within_or_after_what_has() -> None:
    proven = BucketComparison(
        frozenset({0}), MatchedRanges(OffsetRange(1, 2), OffsetRange(1, 2), 1)
    )

    found = looked(held(7, 1, 8, 2, 9), held(5, 1, 6, 2, 4), proven)

    zones = [(0, Zone.BEFORE), (2, Zone.WITHIN), (4, Zone.AFTER)]
    assert seen(found, SOURCE) == seen(found, TARGET) == zones


def test_what_came_to_the_source_after_the_snapshot_is_later() -> None:
    assert seen(looked(held(1, first=100), []), SOURCE) == [(100, Zone.LATER)]


def test_where_nothing_matched_the_source_is_ahead_and_the_target_has_a_head_of_its_own() -> None:
    found = looked(held(1), held(2))

    assert seen(found, SOURCE) == [(0, Zone.AFTER)]
    assert seen(found, TARGET) == [(0, Zone.BEFORE)]


def test_two_that_changed_places_are_both_named() -> None:
    found = looked(held(1, 2, 3), held(1, 3, 2))

    assert [(each.offset, there) for each, there in found.unmatched.moved] == [(1, 2), (2, 1)]


def test_of_many_all_are_counted_and_the_first_are_named() -> None:
    found = looked(held(*range(99)), held(*range(1000, 1000 + NAMED + 5)))

    assert found.unmatched.totals == {
        (SOURCE, Zone.AFTER): 99,
        (TARGET, Zone.BEFORE): NAMED + 5,
    }
    assert len(found.unmatched.sightings[TARGET]) == NAMED
