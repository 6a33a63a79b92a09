from __future__ import annotations

from collections.abc import Sequence

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.verify.compare.buckets import (
    WRAP,
    Digest,
    SideDigests,
    compare_buckets,
    stretches,
    widths,
)

WIDTH = 10


def side(records: Sequence[tuple[int, int]]) -> SideDigests:
    """The digests of records, each a hash and a timestamp, at offsets 0, 1, 2 …"""
    buckets: dict[int, list[tuple[int, int]]] = {}
    for position, (hashed, stamp) in enumerate(records):
        buckets.setdefault(stamp // WIDTH, []).append((position, hashed))
    digests = {
        bucket: Digest(
            count=len(held),
            hash_sum_low=_signed(sum(hashed for _, hashed in held)),
            hash_sum_high=_signed(sum(hashed * 31 for _, hashed in held)),
            positions=sum(position for position, _ in held),
            ordered=_signed(sum(hashed * position for position, hashed in held)),
            first=held[0][0],
            last=held[-1][0],
        )
        for bucket, held in buckets.items()
    }
    return SideDigests(digests)


def _signed(number: int) -> int:
    """As a 64-bit sum wraps around."""
    return (number + WRAP // 2) % WRAP - WRAP // 2


RECORDS = [((n * 0x9E3779B97F4A7C15) % WRAP - WRAP // 2, n) for n in range(100)]


def test_equal_records_in_equal_order_leave_no_bucket_unproven() -> None:
    result = compare_buckets(side(RECORDS), side(RECORDS))

    assert not result.unproven
    assert result.matched.source == OffsetRange(0, 100)
    assert result.matched.count == 100


def test_only_the_bucket_of_an_altered_record_is_unproven() -> None:
    altered = [*RECORDS[:42], (RECORDS[42][0] + 1, 42), *RECORDS[43:]]

    assert compare_buckets(side(RECORDS), side(altered)).unproven == {4}


def test_the_buckets_after_a_missing_record_are_proven() -> None:
    result = compare_buckets(side(RECORDS), side(RECORDS[:42] + RECORDS[43:]))

    assert result.unproven == {4}
    assert result.source == (OffsetRange(40, 50),)
    assert result.target == (OffsetRange(40, 49),)


def test_exchanged_records_within_one_bucket_are_detected() -> None:
    swapped = [*RECORDS[:42], RECORDS[43], RECORDS[42], *RECORDS[44:]]

    assert compare_buckets(side(RECORDS), side(swapped)).unproven == {4}


def test_exchanged_records_of_different_buckets_are_detected() -> None:
    swapped = [*RECORDS[:39], RECORDS[40], RECORDS[39], *RECORDS[41:]]

    assert compare_buckets(side(RECORDS), side(swapped)).unproven == {3, 4}


def test_exchanged_records_that_are_alone_in_their_buckets_are_detected() -> None:
    sparse = [(hashed, stamp * WIDTH) for hashed, stamp in RECORDS]
    swapped = [*sparse[:39], sparse[40], sparse[39], *sparse[41:]]

    assert compare_buckets(side(sparse), side(swapped)).unproven == {39, 40}


def test_exchanged_records_after_a_missing_record_are_detected() -> None:
    both = [*RECORDS[:12], *RECORDS[13:42], RECORDS[43], RECORDS[42], *RECORDS[44:]]

    assert compare_buckets(side(RECORDS), side(both)).unproven == {1, 4}


def test_order_is_ignored_in_compacted_topics() -> None:
    assert not compare_buckets(side(RECORDS[:10]), side(RECORDS[:10][::-1]), ordered=False).unproven


def test_a_target_that_starts_later_is_equal_from_there_on() -> None:
    assert compare_buckets(side(RECORDS), side(RECORDS[30:])).unproven == {0, 1, 2}


def test_unproven_ranges_are_joined_until_they_are_few() -> None:
    apart = [OffsetRange(n * 100, n * 100 + 10) for n in range(10)]

    assert stretches([OffsetRange(5, 9), OffsetRange(0, 6)]) == (OffsetRange(0, 9),)
    assert stretches(apart) == tuple(apart)
    assert len(stretches(apart, most=3)) == 3
    assert stretches(apart, most=1) == (OffsetRange(0, 910),)


def test_bucket_widths_follow_the_span_of_a_topic() -> None:
    day = 24 * 3600 * 1000
    chosen = widths({"quick": 0, "slow": 365 * day}, partitions=12)

    assert chosen["quick"] == 1024
    assert 1024 <= 365 * day / chosen["slow"] <= 2048, "many buckets"
    assert widths({"slow": 365 * day}, partitions=10_000)["slow"] > chosen["slow"]


def test_widths_are_powers_of_two_because_spark_finds_the_bucket_by_shifting() -> None:
    spans = {str(span): span for span in (0, 1, 999, 1024, 2_097_151, 2_097_152, 10**12)}

    for width in widths(spans, partitions=12).values():
        assert width.bit_count() == 1, width
