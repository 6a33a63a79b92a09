"""What a group would skip or reread in a partition that is proven equal."""

from __future__ import annotations

from mirrorstack.verify.groups.distances import (
    RemainingRecords,
    SkippedAndReread,
    skipped_and_reread,
)

STARTS = (0, 0)


def test_a_group_with_more_records_ahead_on_the_target_rereads_some() -> None:
    assert skipped_and_reread(
        100, 80, RemainingRecords(100, 100), RemainingRecords(120, 80), STARTS
    ) == SkippedAndReread(0, None, 20)


def test_a_group_with_fewer_records_ahead_on_the_target_skips_some() -> None:
    assert skipped_and_reread(
        100, 103, RemainingRecords(100, 100), RemainingRecords(97, 103), STARTS
    ) == SkippedAndReread(3, 100, 0)


def test_offsets_may_differ_between_the_sides() -> None:
    assert skipped_and_reread(
        100, 40, RemainingRecords(10, 105), RemainingRecords(10, 41), STARTS
    ) == SkippedAndReread(0, None, 0)


def test_records_deleted_by_retention_on_the_target_are_not_skipped() -> None:
    assert skipped_and_reread(
        10, 10, RemainingRecords(90, 10), RemainingRecords(50, 50), (0, 50)
    ) == SkippedAndReread(0, None, 0)


def test_records_deleted_by_retention_on_the_source_are_not_reread() -> None:
    assert skipped_and_reread(
        10, 10, RemainingRecords(50, 50), RemainingRecords(90, 10), (50, 0)
    ) == SkippedAndReread(0, None, 0)
