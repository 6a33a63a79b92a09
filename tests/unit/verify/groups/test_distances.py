"""What a group would skip or re-consume in a partition that is proven equal."""

from __future__ import annotations

from mirrorstack.verify.groups.distances import (
    RemainingRecords,
    SkippedAndReconsumed,
    skipped_and_reconsumed,
)

STARTS = (0, 0)


def test_a_group_with_more_records_ahead_on_the_target_consumes_some_again() -> None:
    assert skipped_and_reconsumed(
        100, 80, RemainingRecords(100, 100), RemainingRecords(120, 80), STARTS
    ) == SkippedAndReconsumed(0, None, 20)


def test_a_group_with_fewer_records_ahead_on_the_target_skips_some() -> None:
    assert skipped_and_reconsumed(
        100, 103, RemainingRecords(100, 100), RemainingRecords(97, 103), STARTS
    ) == SkippedAndReconsumed(3, 100, 0)


def test_offsets_may_differ_between_the_sides() -> None:
    assert skipped_and_reconsumed(
        100, 40, RemainingRecords(10, 105), RemainingRecords(10, 41), STARTS
    ) == SkippedAndReconsumed(0, None, 0)


def test_records_deleted_by_retention_on_the_target_are_not_skipped() -> None:
    assert skipped_and_reconsumed(
        10, 10, RemainingRecords(90, 10), RemainingRecords(50, 50), (0, 50)
    ) == SkippedAndReconsumed(0, None, 0)


def test_records_deleted_by_retention_on_the_source_are_not_reconsumed() -> None:
    assert skipped_and_reconsumed(
        10, 10, RemainingRecords(50, 50), RemainingRecords(90, 10), (50, 0)
    ) == SkippedAndReconsumed(0, None, 0)
