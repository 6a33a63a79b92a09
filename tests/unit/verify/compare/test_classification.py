from __future__ import annotations

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import MatchedRanges
from mirrorstack.verify.compare.classification import (
    UnmatchedRecord,
    UnmatchedRecords,
    Zone,
    out_of_order,
    tally,
)
from mirrorstack.verify.compare.differences import DifferenceKind, DifferenceTally
from mirrorstack.verify.reading.records import SOURCE, TARGET

PLACE = TopicPartition("orders", 3)
WHOLE = OffsetRange(0, 100)
MATCHED = MatchedRanges(OffsetRange(10, 90), OffsetRange(10, 90), 70)


def seen(
    offset: int,
    zone: Zone,
    parts: tuple[int, int, int, int] | None = None,
    original: int | None = None,
) -> UnmatchedRecord:
    unlike = (offset * 7, offset * 11, offset * 13, offset * 17)
    return UnmatchedRecord(offset, zone, b"key", offset, parts or unlike, original)


def judged(
    source: list[UnmatchedRecord] | None = None,
    target: list[UnmatchedRecord] | None = None,
    *,
    matched: MatchedRanges = MATCHED,
    read: tuple[OffsetRange, OffsetRange] = (WHOLE, WHOLE),
) -> DifferenceTally:
    held = {SOURCE: source or [], TARGET: target or []}
    totals: dict[tuple[str, Zone], int] = {}
    for side, sightings in held.items():
        for each in sightings:
            totals[side, each.zone] = totals.get((side, each.zone), 0) + 1
    return tally(PLACE, UnmatchedRecords(held, totals), matched, *read)


def test_a_record_that_later_ones_have_passed_is_missing() -> None:
    found = judged([seen(50, Zone.WITHIN)])

    assert found.counts == {DifferenceKind.MISSING: 1}
    assert found.differences[0].source_offset == 50
    assert found.differences[0].target_offset is None


def test_records_that_none_has_passed_are_behind_and_not_lost() -> None:
    found = judged([seen(95, Zone.AFTER), seen(96, Zone.AFTER)])

    assert (found.behind, found.oldest_behind, found.counts) == (2, 95, {})


def test_a_partition_of_which_nothing_arrived_is_behind() -> None:
    assert judged([seen(1, Zone.AFTER)], matched=MatchedRanges()).behind == 1


def test_an_altered_last_record_is_altered_and_not_behind() -> None:
    found = judged([seen(95, Zone.AFTER, (1, 2, 3, 4))], [seen(97, Zone.AFTER, (1, 9, 3, 4))])

    assert found.counts == {DifferenceKind.ALTERED: 1}
    assert found.differences[0].differs == ("value",)
    assert (found.differences[0].source_offset, found.differences[0].target_offset) == (95, 97)


def test_records_with_little_in_common_are_one_missing_and_one_foreign() -> None:
    found = judged([seen(50, Zone.WITHIN, (1, 2, 3, 4))], [seen(50, Zone.WITHIN, (1, 9, 3, 8))])

    assert found.counts == {DifferenceKind.MISSING: 1, DifferenceKind.FOREIGN: 1}


def test_a_copy_of_a_record_that_has_its_match_is_a_duplicate() -> None:
    found = judged(target=[seen(60, Zone.COPY, original=50)])

    assert found.counts == {DifferenceKind.DUPLICATED: 1}
    assert found.differences[0].source_offset == 50


def test_a_head_that_retention_took_from_the_target_is_no_loss() -> None:
    found = judged([seen(5, Zone.BEFORE)], read=(WHOLE, OffsetRange(10, 100)))

    assert (found.trimmed, found.counts) == (1, {})


def test_a_head_that_retention_took_from_the_source_is_nothing_foreign() -> None:
    found = judged(target=[seen(5, Zone.BEFORE)], read=(OffsetRange(10, 100), WHOLE))

    assert (found.trimmed, found.counts) == (1, {})


def test_a_head_that_nothing_took_is_missing_or_foreign() -> None:
    assert judged([seen(5, Zone.BEFORE)]).counts == {DifferenceKind.MISSING: 1}
    assert judged(target=[seen(5, Zone.BEFORE)]).counts == {DifferenceKind.FOREIGN: 1}


def test_what_came_after_the_snapshot_is_neither_behind_nor_lost() -> None:
    found = judged([seen(99, Zone.LATER)])

    assert (found.later, found.behind, found.counts) == (1, 0, {})


def test_what_is_too_much_to_be_named_is_still_counted() -> None:
    totals = {
        (SOURCE, Zone.AFTER): 1000,
        (SOURCE, Zone.WITHIN): 500,
        (TARGET, Zone.COPY): 300,
        (TARGET, Zone.WITHIN): 20,
    }
    named = {SOURCE: [seen(50, Zone.WITHIN)]}

    found = tally(PLACE, UnmatchedRecords(named, totals), MATCHED, WHOLE, WHOLE)

    assert found.behind == 1000
    assert found.counts == {
        DifferenceKind.MISSING: 500,
        DifferenceKind.DUPLICATED: 300,
        DifferenceKind.FOREIGN: 20,
    }
    assert len(found.differences) == 1


def test_records_that_changed_places_are_all_named() -> None:
    assert out_of_order([0, 2, 1, 3]) == [1, 2]
    assert out_of_order([0, 9, 2, 3, 4, 1, 10]) == [1, 5]
    assert out_of_order([0, 1, 2]) == []


def test_one_record_that_was_moved_far_is_named_and_not_those_that_it_passed() -> None:
    assert out_of_order([1, 2, 3, 4, 5, 0]) == [5]
