"""Matches few records in memory, with the same result as `log_diff` on Spark.

The second of two equal records equals the second on the other side.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.verify.compare.buckets import BucketComparison, MatchedRanges
from mirrorstack.verify.compare.classification import (
    MAX_CLASSIFIED,
    MAX_SORTED_PAIRS,
    MatchResult,
    UnmatchedRecord,
    UnmatchedRecords,
    Zone,
    out_of_order,
)
from mirrorstack.verify.reading.records import SOURCE, TARGET


@dataclass(frozen=True)
class RecordDigest:
    """A record; its parts are the hashes of key, value and headers, and the timestamp if it is
    compared."""

    offset: int
    stamp: int
    parts: tuple[int, int, int, int]
    key: bytes | None
    payload: str | None = None

    def unmatched(self, zone: Zone, original: int | None = None) -> UnmatchedRecord:
        return UnmatchedRecord(
            self.offset, zone, self.key, self.stamp, self.parts, original, self.payload
        )


def match(
    buckets: BucketComparison,
    required: int,
    ours: Sequence[RecordDigest],
    theirs: Sequence[RecordDigest],
) -> MatchResult:
    """Both sides in the order of offsets. Records of the source from offset `required` on were
    written after the comparison started."""
    there = _by_parts(theirs)
    taken: Counter[tuple[int, ...]] = Counter()
    originals: dict[tuple[int, ...], int] = {}
    both: list[tuple[RecordDigest, RecordDigest]] = []
    alone: list[RecordDigest] = []
    for each in ours:
        turn = taken[each.parts]
        originals[each.parts] = each.offset
        if turn < len(there[each.parts]):
            both.append((each, there[each.parts][turn]))
            taken[each.parts] += 1
        else:
            alone.append(each)
    matched_offsets = {it.offset for _, it in both}
    matched = buckets.matched | _extent(both)
    unmatched = {
        SOURCE: [
            each.unmatched(
                Zone.LATER if each.offset >= required else _zone(each, matched.source, Zone.AFTER)
            )
            for each in alone
        ],
        TARGET: [
            each.unmatched(Zone.DUPLICATE, originals[each.parts])
            if each.parts in originals
            else each.unmatched(_zone(each, matched.target, Zone.BEFORE))
            for each in theirs
            if each.offset not in matched_offsets
        ],
    }
    totals = Counter((side, each.zone) for side, held in unmatched.items() for each in held)
    named = {side: list(_first_of_each_zone(held)) for side, held in unmatched.items()}
    return MatchResult(UnmatchedRecords(named, totals, _moved(both)), matched)


def _by_parts(held: Sequence[RecordDigest]) -> dict[tuple[int, ...], list[RecordDigest]]:
    result: dict[tuple[int, ...], list[RecordDigest]] = defaultdict(list)
    for each in held:
        result[each.parts].append(each)
    return result


def _extent(both: Sequence[tuple[RecordDigest, RecordDigest]]) -> MatchedRanges:
    if not both:
        return MatchedRanges()
    here, there = [each.offset for each, _ in both], [each.offset for _, each in both]
    return MatchedRanges(
        OffsetRange(min(here), max(here) + 1), OffsetRange(min(there), max(there) + 1), len(both)
    )


def _zone(each: RecordDigest, matched: OffsetRange | None, without: Zone) -> Zone:
    if matched is None:
        return without
    if each.offset < matched.start:
        return Zone.BEFORE
    return Zone.WITHIN if each.offset < matched.end else Zone.AFTER


def _first_of_each_zone(held: Sequence[UnmatchedRecord]) -> Iterator[UnmatchedRecord]:
    named: Counter[Zone] = Counter()
    for each in held:
        named[each.zone] += 1
        if named[each.zone] <= MAX_CLASSIFIED:
            yield each


def _moved(
    both: Sequence[tuple[RecordDigest, RecordDigest]],
) -> tuple[tuple[UnmatchedRecord, int], ...]:
    """The fewest records whose move explains another order on the target."""
    checked = both[:MAX_SORTED_PAIRS]
    return tuple(
        (checked[at][0].unmatched(Zone.WITHIN), checked[at][1].offset)
        for at in out_of_order([there.offset for _, there in checked])
    )
