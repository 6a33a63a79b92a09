"""What a group would skip or read again, where both sides are equal."""

from __future__ import annotations

from mirrorstack.verify.groups.distances import RemainingRecords, skipped_and_again

STARTS = (0, 0)


def test_a_group_with_more_before_it_on_the_target_reads_some_again() -> None:
    assert skipped_and_again(
        100, 80, RemainingRecords(100, 100), RemainingRecords(120, 80), STARTS
    ) == (0, None, 20)


def test_a_group_with_less_before_it_on_the_target_skips_some() -> None:
    assert skipped_and_again(
        100, 103, RemainingRecords(100, 100), RemainingRecords(97, 103), STARTS
    ) == (3, 100, 0)


def test_offsets_need_not_be_the_same_on_both_sides() -> None:
    assert skipped_and_again(
        100, 40, RemainingRecords(10, 105), RemainingRecords(10, 41), STARTS
    ) == (0, None, 0)


def test_what_retention_took_from_the_target_was_not_skipped() -> None:
    assert skipped_and_again(
        10, 10, RemainingRecords(90, 10), RemainingRecords(50, 50), (0, 50)
    ) == (0, None, 0)


def test_what_retention_took_from_the_source_was_not_read() -> None:
    assert skipped_and_again(
        10, 10, RemainingRecords(50, 50), RemainingRecords(90, 10), (50, 0)
    ) == (0, None, 0)
