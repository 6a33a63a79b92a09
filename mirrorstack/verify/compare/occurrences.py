"""Stage two for a few records that are all at hand: which of them have an equal on the other side.

The second of two equal records is the second on the other side. What `differences` finds with Spark
among any number, this finds among few; the same tests hold for both.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.verify.compare.buckets import BucketComparison, MatchedRanges
from mirrorstack.verify.compare.classification import (
    MOST_PAIRS,
    NAMED,
    MatchResult,
    UnmatchedRecord,
    UnmatchedRecords,
    Zone,
    out_of_order,
)
from mirrorstack.verify.reading.records import SOURCE, TARGET


@dataclass(frozen=True)
class RecordDigest:
    """A record that was read; its parts are hashes of its key, value and headers, and its
    timestamp, if that is compared."""

    offset: int
    stamp: int
    parts: tuple[int, int, int, int]
    key: bytes | None
    payload: str | None = None

    def seen(self, zone: Zone, original: int | None = None) -> UnmatchedRecord:
        return UnmatchedRecord(
            self.offset, zone, self.key, self.stamp, self.parts, original, self.payload
        )


def match(
    judged: BucketComparison,
    required: int,
    ours: Sequence[RecordDigest],
    theirs: Sequence[RecordDigest],
) -> MatchResult:
    """Both sides in the order of offsets; records of the source from `required` on came later."""
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
    met = {it.offset for _, it in both}
    matched = judged.matched | _extent(both)
    sightings = {
        SOURCE: [
            each.seen(
                Zone.LATER if each.offset >= required else _zone(each, matched.source, Zone.AFTER)
            )
            for each in alone
        ],
        TARGET: [
            each.seen(Zone.COPY, originals[each.parts])
            if each.parts in originals
            else each.seen(_zone(each, matched.target, Zone.BEFORE))
            for each in theirs
            if each.offset not in met
        ],
    }
    totals = Counter((side, each.zone) for side, held in sightings.items() for each in held)
    named = {side: list(_first_of_each_zone(held)) for side, held in sightings.items()}
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
        if named[each.zone] <= NAMED:
            yield each


def _moved(
    both: Sequence[tuple[RecordDigest, RecordDigest]],
) -> tuple[tuple[UnmatchedRecord, int], ...]:
    """Records that are in another order on the target: the fewest that explain it."""
    looked = both[:MOST_PAIRS]
    return tuple(
        (looked[at][0].seen(Zone.WITHIN), looked[at][1].offset)
        for at in out_of_order([there.offset for _, there in looked])
    )
