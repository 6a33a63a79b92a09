"""How many records a change affects, from Connect's offsets and what the source retains."""

from __future__ import annotations

from mirrorstack.changes.replay_estimate import ReplayEstimate, estimate
from mirrorstack.kafka.partitions import TopicPartition

OFFSETS = {
    TopicPartition("orders", 0): 99,
    TopicPartition("orders", 1): 49,
    TopicPartition("clicks", 0): 9,
}
SPANS = {"orders": [(30, 200), (0, 50)], "clicks": [(0, 10)]}


def test_records_that_the_source_no_longer_retains_are_not_replicated_again() -> None:
    assert estimate(OFFSETS, SPANS) == ReplayEstimate(160, 130)
    assert estimate(OFFSETS, SPANS, ["orders"]) == ReplayEstimate(150, 120)
    assert estimate(OFFSETS, SPANS, ["clicks"]) == ReplayEstimate(10, 10)


def test_a_recreated_source_topic_with_fewer_partitions_retains_only_what_they_hold() -> None:
    assert estimate(OFFSETS, {"orders": [(0, 5)]}, ["orders"]) == ReplayEstimate(150, 5)


def test_a_source_whose_retention_removed_all_records_retains_none() -> None:
    assert estimate(OFFSETS, {"clicks": [(400, 500)]}, ["clicks"]) == ReplayEstimate(10, 0)


def test_the_numbers_are_unknown_if_connect_or_the_source_does_not_report_them() -> None:
    assert estimate(None, SPANS) == ReplayEstimate()
    assert estimate(OFFSETS, None) == ReplayEstimate(160)


def test_each_number_has_a_text() -> None:
    known = ReplayEstimate(2000, 1500)
    assert known.replicated_records == "up to 2,000 records replicated so far"
    assert known.replayed_records == "up to 1,500 records"
    assert (
        known.skipped_records == "Up to 500 records that the source no longer retains are skipped"
    )
    assert ReplayEstimate(7, 7).skipped_records == (
        "The source retains all of them, so none is skipped"
    )
    assert ReplayEstimate(7).replayed_records == "up to 7 records replicated so far"
    assert ReplayEstimate(7).skipped_records == (
        "Records that the source no longer retains are skipped"
    )
    assert "Connect did not report how many" in ReplayEstimate().replayed_records
