from __future__ import annotations

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import MatchedRanges
from mirrorstack.verify.compare.classification import (
    UnmatchedRecord,
    UnmatchedRecords,
    Zone,
    classify,
    out_of_order,
)
from mirrorstack.verify.compare.differences import DifferenceKind, DifferenceTally
from mirrorstack.verify.reading.records import SOURCE, TARGET

PARTITION = TopicPartition("orders", 3)
WHOLE = OffsetRange(0, 100)
MATCHED = MatchedRanges(OffsetRange(10, 90), OffsetRange(10, 90), 70)


def record(
    offset: int,
    zone: Zone,
    parts: tuple[int, int, int, int] | None = None,
    original: int | None = None,
) -> UnmatchedRecord:
    unlike = (offset * 7, offset * 11, offset * 13, offset * 17)
    return UnmatchedRecord(offset, zone, b"key", offset, parts or unlike, original)


def classified(
    source: list[UnmatchedRecord] | None = None,
    target: list[UnmatchedRecord] | None = None,
    *,
    matched: MatchedRanges = MATCHED,
    read: tuple[OffsetRange, OffsetRange] = (WHOLE, WHOLE),
) -> DifferenceTally:
    held = {SOURCE: source or [], TARGET: target or []}
    totals: dict[tuple[str, Zone], int] = {}
    for side, records in held.items():
        for each in records:
            totals[side, each.zone] = totals.get((side, each.zone), 0) + 1
    return classify(PARTITION, UnmatchedRecords(held, totals), matched, *read)


def test_a_record_is_missing_when_later_ones_have_arrived() -> None:
    found = classified([record(50, Zone.WITHIN)])

    assert found.counts == {DifferenceKind.MISSING: 1}
    assert found.differences[0].source_offset == 50
    assert found.differences[0].target_offset is None


def test_records_are_behind_when_no_later_one_has_arrived() -> None:
    found = classified([record(95, Zone.AFTER), record(96, Zone.AFTER)])

    assert (found.behind, found.oldest_behind, found.counts) == (2, 95, {})


def test_an_empty_target_partition_is_behind() -> None:
    assert classified([record(1, Zone.AFTER)], matched=MatchedRanges()).behind == 1


def test_an_altered_last_record_is_altered_and_not_behind() -> None:
    found = classified(
        [record(95, Zone.AFTER, (1, 2, 3, 4))], [record(97, Zone.AFTER, (1, 9, 3, 4))]
    )

    assert found.counts == {DifferenceKind.ALTERED: 1}
    assert found.differences[0].differs == ("value",)
    assert (found.differences[0].source_offset, found.differences[0].target_offset) == (95, 97)


def test_records_with_little_in_common_are_one_missing_and_one_unexpected() -> None:
    found = classified(
        [record(50, Zone.WITHIN, (1, 2, 3, 4))], [record(50, Zone.WITHIN, (1, 9, 3, 8))]
    )

    assert found.counts == {DifferenceKind.MISSING: 1, DifferenceKind.UNEXPECTED: 1}


def test_a_second_equal_record_on_the_target_is_duplicated() -> None:
    found = classified(target=[record(60, Zone.DUPLICATE, original=50)])

    assert found.counts == {DifferenceKind.DUPLICATED: 1}
    assert found.differences[0].source_offset == 50


def test_records_deleted_by_retention_on_the_target_are_not_missing() -> None:
    found = classified([record(5, Zone.BEFORE)], read=(WHOLE, OffsetRange(10, 100)))

    assert (found.trimmed, found.counts) == (1, {})


def test_records_deleted_by_retention_on_the_source_are_not_unexpected() -> None:
    found = classified(target=[record(5, Zone.BEFORE)], read=(OffsetRange(10, 100), WHOLE))

    assert (found.trimmed, found.counts) == (1, {})


def test_the_first_records_are_missing_or_unexpected_without_retention() -> None:
    assert classified([record(5, Zone.BEFORE)]).counts == {DifferenceKind.MISSING: 1}
    assert classified(target=[record(5, Zone.BEFORE)]).counts == {DifferenceKind.UNEXPECTED: 1}


def test_records_written_after_the_start_are_neither_behind_nor_missing() -> None:
    found = classified([record(99, Zone.LATER)])

    assert (found.later, found.behind, found.counts) == (1, 0, {})


def test_records_beyond_the_detail_limit_are_counted() -> None:
    totals = {
        (SOURCE, Zone.AFTER): 1000,
        (SOURCE, Zone.WITHIN): 500,
        (TARGET, Zone.DUPLICATE): 300,
        (TARGET, Zone.WITHIN): 20,
    }
    named = {SOURCE: [record(50, Zone.WITHIN)]}

    found = classify(PARTITION, UnmatchedRecords(named, totals), MATCHED, WHOLE, WHOLE)

    assert found.behind == 1000
    assert found.counts == {
        DifferenceKind.MISSING: 500,
        DifferenceKind.DUPLICATED: 300,
        DifferenceKind.UNEXPECTED: 20,
    }
    assert len(found.differences) == 1


def test_exchanged_records_are_all_reported() -> None:
    assert out_of_order([0, 2, 1, 3]) == [1, 2]
    assert out_of_order([0, 9, 2, 3, 4, 1, 10]) == [1, 5]
    assert out_of_order([0, 1, 2]) == []


def test_of_one_record_that_moved_far_only_that_one_is_reported() -> None:
    assert out_of_order([1, 2, 3, 4, 5, 0]) == [5]
