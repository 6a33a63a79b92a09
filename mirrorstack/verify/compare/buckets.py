"""Stage one, the comparison: which buckets of a partition are proven equal.

A bucket holds the records of one partition in a range of timestamps (in compacted topics, of key
hashes). Two buckets are equal when their counts and both 64-bit sums of hashes are equal, in any
order. A third sum, of hash times position, proves the order: when everything before a bucket is
complete, its positions are the same on both sides; when k records before it are missing, they are
all smaller by k.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition

WRAP = 1 << 64
MOST_BUCKETS, NARROWEST_MS = 2_048, 1_024
MOST_ROWS = 100_000
MOST_STRETCHES = 16


@dataclass(frozen=True)
class Digest:
    """The records of one side in one bucket. The sums wrap around at 64 bits."""

    count: int
    hash_sum_low: int
    hash_sum_high: int
    positions: int
    ordered: int
    """The sum of hash times position."""
    first: int
    last: int
    """The offsets of its first and its last record."""


@dataclass(frozen=True)
class SideDigests:
    """All digests of a partition on one side."""

    digests: Mapping[int, Digest] = field(default_factory=dict)
    newest: int | None = None
    """The latest timestamp, in milliseconds."""

    @property
    def count(self) -> int:
        return sum(digest.count for digest in self.digests.values())

    @property
    def hash_sum_low(self) -> int:
        return wrapped(sum(digest.hash_sum_low for digest in self.digests.values()))

    @property
    def hash_sum_high(self) -> int:
        return wrapped(sum(digest.hash_sum_high for digest in self.digests.values()))


@dataclass(frozen=True)
class MatchedRanges:
    """The offsets within which records were matched; None while none was."""

    source: OffsetRange | None = None
    target: OffsetRange | None = None
    count: int = 0

    def __or__(self, other: MatchedRanges) -> MatchedRanges:
        return MatchedRanges(
            _around(self.source, other.source),
            _around(self.target, other.target),
            self.count + other.count,
        )


@dataclass(frozen=True)
class BucketComparison:
    """The result of stage one for a partition."""

    unproven: frozenset[int]
    """The buckets that are not proven equal, in content and order."""
    matched: MatchedRanges
    source: tuple[OffsetRange, ...] = ()
    target: tuple[OffsetRange, ...] = ()
    """The offset ranges of unproven buckets on each side: what stage two reads."""


def wrapped(total: int) -> int:
    """As a signed 64-bit number, the way Spark's sums wrap around."""
    return (total + WRAP // 2) % WRAP - WRAP // 2


def compare_buckets(
    source: SideDigests, target: SideDigests, *, ordered: bool = True
) -> BucketComparison:
    """Compares both sides of one partition; `ordered`: whether the order counts."""
    unproven: set[int] = set()
    matched = MatchedRanges()
    ahead = 0  # how many more records the target has, so far
    for bucket in sorted(source.digests.keys() | target.digests.keys()):
        here, there = source.digests.get(bucket), target.digests.get(bucket)
        if (
            here
            and there
            and _same_content(here, there)
            and (not ordered or _same_order(here, there, ahead))
        ):
            matched |= MatchedRanges(_extent(here), _extent(there), here.count)
        else:
            unproven.add(bucket)
        ahead += (there.count if there else 0) - (here.count if here else 0)
    return BucketComparison(
        frozenset(unproven),
        matched,
        stretches([_extent(source.digests[b]) for b in unproven if b in source.digests]),
        stretches([_extent(target.digests[b]) for b in unproven if b in target.digests]),
    )


def _same_content(here: Digest, there: Digest) -> bool:
    return (here.count, here.hash_sum_low, here.hash_sum_high) == (
        there.count,
        there.hash_sum_low,
        there.hash_sum_high,
    )


def _same_order(here: Digest, there: Digest, ahead: int) -> bool:
    moved = (there.positions - here.positions) % WRAP == ahead * here.count % WRAP
    return moved and (there.ordered - here.ordered - ahead * here.hash_sum_low) % WRAP == 0


def _extent(digest: Digest) -> OffsetRange:
    return OffsetRange(digest.first, digest.last + 1)


def stretches(ranges: Iterable[OffsetRange], most: int = MOST_STRETCHES) -> tuple[OffsetRange, ...]:
    """The ranges in order and without overlaps; the closest are joined until there are few."""
    result: list[OffsetRange] = []
    for each in sorted(ranges, key=lambda r: r.start):
        if result and each.start <= result[-1].end:
            result[-1] = OffsetRange(result[-1].start, max(each.end, result[-1].end))
        else:
            result.append(each)
    while len(result) > most:
        gaps = [after.start - before.end for before, after in pairwise(result)]
        closest = gaps.index(min(gaps))
        joined = OffsetRange(result[closest].start, result[closest + 1].end)
        result[closest : closest + 2] = [joined]
    return tuple(result)


def _around(one: OffsetRange | None, other: OffsetRange | None) -> OffsetRange | None:
    if one is None or other is None:
        return one or other
    return OffsetRange(min(one.start, other.start), max(one.end, other.end))


def widths(spans: Mapping[str, int], partitions: int) -> dict[str, int]:
    """The width of a bucket of each topic in milliseconds, given the span of its records.

    A power of two, so that runs agree. Enough buckets that little has to be read again, few enough
    that their digests fit in memory.
    """
    most = max(8, min(MOST_BUCKETS, MOST_ROWS // max(1, partitions)))
    return {
        topic: max(1 << max(0, span // most).bit_length(), NARROWEST_MS)
        for topic, span in spans.items()
    }


def by_partition(
    rows: Iterable[tuple[TopicPartition, int, Digest, int]],
) -> dict[TopicPartition, SideDigests]:
    """The digests of one side; each row is a partition, a bucket, its digest and its newest
    timestamp."""
    digests: dict[TopicPartition, dict[int, Digest]] = defaultdict(dict)
    newest: dict[TopicPartition, int] = {}
    for partition, bucket, digest, stamp in rows:
        digests[partition][bucket] = digest
        newest[partition] = max(stamp, newest.get(partition, stamp))
    return {each: SideDigests(held, newest[each]) for each, held in digests.items()}
