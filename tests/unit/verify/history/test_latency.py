"""Latency from offset syncs and record timestamps."""

from __future__ import annotations

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.history.latency import DAY, MOST_OFFSETS, MOST_SYNCS, latency, sample
from mirrorstack.verify.reading.internal_topics import OffsetSync

PARTITION = TopicPartition("orders", 3)
NOON = 1_800_000_000_000


def sync(upstream: int, written: int) -> OffsetSync:
    return OffsetSync(upstream, upstream, at=0, written=written)


def test_latency_is_from_the_record_s_timestamp_to_the_sync() -> None:
    samples = [(NOON + 1000 + each, NOON + 1000) for each in range(1, 101)]

    found = latency(samples, NOON, deleted=0)

    assert (found.samples, found.median, found.p95, found.max) == (100, 50, 95, 100)
    assert [(each.up_to, each.count) for each in found.buckets if each.count] == [
        (10, 10),
        (20, 10),
        (50, 30),
        (100, 50),
    ]


def test_records_older_than_the_first_offset_sync_count_as_backlog() -> None:
    found = latency([(NOON + 10, NOON - DAY), (NOON + 10, NOON + 5)], NOON, deleted=2)

    assert (found.samples, found.backlog, found.deleted, found.max) == (1, 1, 2, 5)


def test_records_with_a_later_timestamp_are_left_out() -> None:
    found = latency([(NOON, NOON + DAY)], NOON, deleted=0)

    assert (found.samples, found.clock_ahead, found.backlog) == (0, 1, 0)
    assert (found.median, found.buckets) == (None, ())


def test_a_latency_above_all_bounds_is_counted() -> None:
    found = latency([(NOON + 9 * DAY, NOON)], NOON, deleted=0)

    assert (found.buckets[-1].up_to, found.buckets[-1].count) == (None, 1)


def test_the_newest_records_of_the_busiest_partitions_are_sampled() -> None:
    long = [sync(at * 100, NOON + at) for at in range(1000)]
    syncs = {TopicPartition("orders", number): long[: 900 + number] for number in range(100)}

    found = sample(syncs, dict.fromkeys(syncs, OffsetRange(0, 100_000)))

    assert sorted(found) == [("orders", number) for number in range(88, 100)]
    assert found[TopicPartition("orders", 99)][-1] == long[998]
    assert long[998].upstream - found[TopicPartition("orders", 99)][0].upstream < MOST_OFFSETS


def test_many_offset_syncs_are_thinned_out() -> None:
    (found,) = sample(
        {PARTITION: [sync(at, NOON + at) for at in range(9000)]}, {PARTITION: OffsetRange(0, 9000)}
    ).values()

    assert MOST_SYNCS / 2 < len(found) <= MOST_SYNCS


def test_records_deleted_by_retention_are_not_read() -> None:
    syncs = {PARTITION: [sync(10, NOON), sync(60, NOON)], TopicPartition("audit", 0): []}
    ranges = {PARTITION: OffsetRange(50, 100), TopicPartition("audit", 0): OffsetRange(0, 0)}

    assert sample(syncs, ranges) == {PARTITION: [sync(60, NOON)]}
