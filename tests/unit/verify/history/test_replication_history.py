from __future__ import annotations

from itertools import pairwise

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.history.measurements import MOST_NOTES, MOST_OFFSETS, sampled
from mirrorstack.verify.history.replication_history import (
    DAY,
    HOUR,
    MINUTE,
    PartitionTrack,
    beginning,
    lag,
    latency,
    moments,
    rate,
    told,
)
from mirrorstack.verify.reading.internal_topics import OffsetSync

PLACE = TopicPartition("orders", 3)
NOON = 1_800_000_000_000


def note(upstream: int, noted: int, downstream: int | None = None) -> OffsetSync:
    return OffsetSync(upstream, upstream if downstream is None else downstream, at=0, noted=noted)


def test_notes_from_before_a_step_back_are_about_another_topic() -> None:
    notes = [note(0, 1), note(99, 2), note(0, 3), note(50, 4)]

    assert told({PLACE: notes}, {PLACE: 100}) == {PLACE: notes[2:]}


def test_notes_about_what_came_after_the_snapshot_are_left_out() -> None:
    assert told({PLACE: [note(9, 1), note(10, 2)]}, {PLACE: 10}) == {PLACE: [note(9, 1)]}
    assert told({}, {PLACE: 10}) == {PLACE: []}


def test_a_busy_minute_after_a_quiet_week_is_drawn_as_a_minute() -> None:
    quiet = [NOON - 7 * DAY, NOON - 6 * DAY, NOON - 5 * DAY]
    busy = [NOON - 40_000, NOON - 20_000, NOON]

    assert beginning([*quiet, *busy]) == NOON - 40_000


def test_notes_that_are_spread_evenly_are_mostly_drawn() -> None:
    hourly = [NOON - hours * HOUR for hours in range(10)]

    assert beginning(hourly) == NOON - 6 * HOUR
    assert beginning([NOON]) == NOON


def test_times_are_even_and_reach_the_end() -> None:
    times = moments(NOON, NOON + MINUTE, partitions=3)

    assert times[0] == NOON
    assert times[-1] >= NOON + MINUTE
    assert {after - before for before, after in pairwise(times)} == {1250}


def test_many_partitions_are_asked_less_often() -> None:
    assert len(moments(NOON, NOON + HOUR, partitions=1_000_000)) == 13


def test_one_moment_has_no_course() -> None:
    assert moments(NOON, NOON, partitions=3) == []
    assert lag([], []) == ()
    assert rate([], [[note(0, NOON)]]) == ()


def test_lag_is_what_was_written_and_not_yet_copied() -> None:
    track = PartitionTrack(
        [note(0, 10), note(49, 20), note(99, 30)], 100, written=[80, 80, 100, 100, 120]
    )

    # Before the first note nothing was copied; at 25 the notes say 50; after the last, content.
    assert lag([5, 10, 25, 30, 40], [track]) == (80, 79, 50, 0, 20)


def test_lag_adds_up_over_partitions_and_is_never_negative() -> None:
    late = PartitionTrack([note(0, 10)], 40, written=[100])
    early = PartitionTrack([note(0, 10)], 100, written=[30])

    assert lag([20], [late, early]) == (60,)


def test_a_partition_that_was_never_noted_lags_by_what_content_lacks() -> None:
    assert lag([10, 20], [PartitionTrack([], 40, written=[50, 100])]) == (10, 60)


def test_rate_counts_what_lies_between_notes() -> None:
    notes = [note(0, 1000), note(100, 2000), note(400, 3000)]

    assert rate([1000, 2000, 3000], [notes]) == (101.0, 300.0)


def test_rate_counts_no_marks_of_transactions_on_either_side() -> None:
    source_marks = [note(0, 1000, 0), note(50, 2000, 3)]
    target_marks = [note(0, 1000, 0), note(3, 2000, 50)]

    assert rate([1000, 2000], [source_marks]) == (4.0,)
    assert rate([1000, 2000], [target_marks]) == (4.0,)


def test_rate_begins_with_what_was_copied_since_the_note_before() -> None:
    assert rate([2000, 3000], [[note(0, 500), note(90, 2500), note(95, 9000)]]) == (90.0,)


def test_latency_is_from_the_record_s_timestamp_to_the_note() -> None:
    samples = [(NOON + 1000 + each, NOON + 1000) for each in range(1, 101)]

    found = latency(samples, NOON, gone=0)

    assert (found.samples, found.half, found.most, found.slowest) == (100, 50, 95, 100)
    assert [(each.up_to, each.count) for each in found.buckets if each.count] == [
        (10, 10),
        (20, 10),
        (50, 30),
        (100, 50),
    ]


def test_records_from_before_the_first_note_measure_the_backlog() -> None:
    found = latency([(NOON + 10, NOON - DAY), (NOON + 10, NOON + 5)], NOON, gone=2)

    assert (found.samples, found.backlog, found.gone, found.slowest) == (1, 1, 2, 5)


def test_records_from_the_future_measure_a_clock() -> None:
    found = latency([(NOON, NOON + DAY)], NOON, gone=0)

    assert (found.samples, found.ahead, found.backlog) == (0, 1, 0)
    assert (found.half, found.buckets) == (None, ())


def test_what_took_longer_than_any_bound_is_counted_too() -> None:
    found = latency([(NOON + 9 * DAY, NOON)], NOON, gone=0)

    assert (found.buckets[-1].up_to, found.buckets[-1].count) == (None, 1)


def test_the_newest_records_of_the_busiest_partitions_are_looked_at() -> None:
    long = [note(at * 100, NOON + at) for at in range(1000)]
    notes = {TopicPartition("orders", number): long[: 900 + number] for number in range(100)}

    found = sampled(notes, dict.fromkeys(notes, OffsetRange(0, 100_000)))

    assert sorted(found) == [("orders", number) for number in range(88, 100)]
    assert found[TopicPartition("orders", 99)][-1] == long[998]
    assert long[998].upstream - found[TopicPartition("orders", 99)][0].upstream < MOST_OFFSETS


def test_not_every_note_of_a_crowd_is_looked_at() -> None:
    (found,) = sampled(
        {PLACE: [note(at, NOON + at) for at in range(9000)]}, {PLACE: OffsetRange(0, 9000)}
    ).values()

    assert MOST_NOTES / 2 < len(found) <= MOST_NOTES


def test_what_retention_has_taken_is_not_read() -> None:
    notes = {PLACE: [note(10, NOON), note(60, NOON)], TopicPartition("audit", 0): []}
    ranges = {PLACE: OffsetRange(50, 100), TopicPartition("audit", 0): OffsetRange(0, 0)}

    assert sampled(notes, ranges) == {PLACE: [note(60, NOON)]}
