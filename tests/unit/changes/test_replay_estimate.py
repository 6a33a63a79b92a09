"""How many records a change is about, by Connect's offsets and by what the source still holds."""

from __future__ import annotations

from mirrorstack.changes.replay_estimate import Amount, counted
from mirrorstack.kafka.partitions import TopicPartition

OFFSETS = {
    TopicPartition("orders", 0): 99,
    TopicPartition("orders", 1): 49,
    TopicPartition("clicks", 0): 9,
}
SPANS = {"orders": [(30, 200), (0, 50)], "clicks": [(0, 10)]}


def test_what_the_source_has_let_go_is_not_sent_again() -> None:
    assert counted(OFFSETS, SPANS) == Amount(160, 130)
    assert counted(OFFSETS, SPANS, ["orders"]) == Amount(150, 120)
    assert counted(OFFSETS, SPANS, ["clicks"]) == Amount(10, 10)


def test_a_source_topic_that_was_made_anew_holds_none_of_what_it_held_in_other_partitions() -> None:
    assert counted(OFFSETS, {"orders": [(0, 5)]}, ["orders"]) == Amount(150, 5)


def test_a_source_that_has_let_everything_go_holds_nothing() -> None:
    assert counted(OFFSETS, {"clicks": [(400, 500)]}, ["clicks"]) == Amount(10, 0)


def test_who_could_not_be_asked_leaves_the_number_open() -> None:
    assert counted(None, SPANS) == Amount()
    assert counted(OFFSETS, None) == Amount(160)


def test_each_number_has_its_words() -> None:
    some = Amount(2000, 1500)
    assert some.so_far == "up to 2,000 records that were mirrored so far"
    assert some.sent_again == "up to 1,500 records that were mirrored so far"
    assert some.skipped == "Up to 500 that the source does not hold any more are skipped"
    assert Amount(7, 7).skipped == "The source holds all of them, so none is skipped"
    assert Amount(7).sent_again == "up to 7 records that were mirrored so far"
    assert Amount(7).skipped == "What the source does not hold any more is skipped"
    assert "could not be asked how many" in Amount().sent_again
