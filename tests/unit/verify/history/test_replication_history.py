from __future__ import annotations

from itertools import pairwise

from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.history.latency import DAY, HOUR, MINUTE
from mirrorstack.verify.history.replication_history import (
    PartitionTrack,
    current_syncs,
    lag,
    rate,
    sample_times,
    start_time,
)
from mirrorstack.verify.reading.internal_topics import OffsetSync

PARTITION = TopicPartition("orders", 3)
NOON = 1_800_000_000_000


def sync(upstream: int, written: int, downstream: int | None = None) -> OffsetSync:
    return OffsetSync(
        upstream, upstream if downstream is None else downstream, at=0, written=written
    )


def test_offset_syncs_before_a_step_back_are_of_another_topic() -> None:
    syncs = [sync(0, 1), sync(99, 2), sync(0, 3), sync(50, 4)]

    assert current_syncs({PARTITION: syncs}, {PARTITION: 100}) == {PARTITION: syncs[2:]}


def test_offset_syncs_beyond_the_end_offsets_are_ignored() -> None:
    assert current_syncs({PARTITION: [sync(9, 1), sync(10, 2)]}, {PARTITION: 10}) == {
        PARTITION: [sync(9, 1)]
    }
    assert current_syncs({}, {PARTITION: 10}) == {PARTITION: []}


def test_a_busy_minute_after_an_idle_week_is_shown_as_a_minute() -> None:
    quiet = [NOON - 7 * DAY, NOON - 6 * DAY, NOON - 5 * DAY]
    busy = [NOON - 40_000, NOON - 20_000, NOON]

    assert start_time([*quiet, *busy]) == NOON - 40_000


def test_evenly_spread_offset_syncs_are_mostly_shown() -> None:
    hourly = [NOON - hours * HOUR for hours in range(10)]

    assert start_time(hourly) == NOON - 6 * HOUR
    assert start_time([NOON]) == NOON


def test_times_are_even_and_reach_the_end() -> None:
    times = sample_times(NOON, NOON + MINUTE, partitions=3)

    assert times[0] == NOON
    assert times[-1] >= NOON + MINUTE
    assert {after - before for before, after in pairwise(times)} == {1250}


def test_many_partitions_are_looked_up_less_often() -> None:
    assert len(sample_times(NOON, NOON + HOUR, partitions=1_000_000)) == 13


def test_one_moment_has_no_lag_and_no_rate() -> None:
    assert sample_times(NOON, NOON, partitions=3) == []
    assert lag([], []) == ()
    assert rate([], [[sync(0, NOON)]]) == ()


def test_lag_is_what_was_written_and_not_yet_replicated() -> None:
    track = PartitionTrack(
        [sync(0, 10), sync(49, 20), sync(99, 30)], 100, ends=[80, 80, 100, 100, 120]
    )

    # Nothing is replicated before the first offset sync; 50 at 25; after the last, by content.
    assert lag([5, 10, 25, 30, 40], [track]) == (80, 79, 50, 0, 20)


def test_lag_adds_up_over_partitions_and_is_never_negative() -> None:
    late = PartitionTrack([sync(0, 10)], 40, ends=[100])
    early = PartitionTrack([sync(0, 10)], 100, ends=[30])

    assert lag([20], [late, early]) == (60,)


def test_a_partition_without_offset_syncs_lags_by_content() -> None:
    assert lag([10, 20], [PartitionTrack([], 40, ends=[50, 100])]) == (10, 60)


def test_rate_counts_records_between_offset_syncs() -> None:
    syncs = [sync(0, 1000), sync(100, 2000), sync(400, 3000)]

    assert rate([1000, 2000, 3000], [syncs]) == (101.0, 300.0)


def test_rate_ignores_transaction_markers_on_either_side() -> None:
    source_markers = [sync(0, 1000, 0), sync(50, 2000, 3)]
    target_markers = [sync(0, 1000, 0), sync(3, 2000, 50)]

    assert rate([1000, 2000], [source_markers]) == (4.0,)
    assert rate([1000, 2000], [target_markers]) == (4.0,)


def test_rate_starts_with_records_since_the_previous_offset_sync() -> None:
    assert rate([2000, 3000], [[sync(0, 500), sync(90, 2500), sync(95, 9000)]]) == (90.0,)
