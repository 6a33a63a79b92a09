"""Classifies records without a match on the other side: here a record is found to be missing.

On the source such a record is missing; or behind, if no later record has arrived; or it was written
after the comparison started. On the target it is duplicated or unexpected. Two records, one from
each side, that have enough in common are one altered record. What retention deleted from the other
side is not a difference. `compacted_diff` does the same for compacted topics, and `comparison` for
partitions that do not exist on the target.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import MatchedRanges
from mirrorstack.verify.compare.differences import DifferenceKind, DifferenceTally, RecordDifference
from mirrorstack.verify.reading.records import PARTS, SOURCE, TARGET

MAX_CLASSIFIED = 200
"""How many records of a partition, side and zone are classified one by one."""
MAX_SORTED_PAIRS = 200_000
"""How many records of a partition are sorted to find the reordered ones."""


class Zone(StrEnum):
    """Where an unmatched record lies relative to the matched ones of its side."""

    BEFORE = "before"
    WITHIN = "within"
    AFTER = "after"
    LATER = "later"
    """Written to the source after the comparison started."""
    DUPLICATE = "duplicate"
    """On the target, while its equal on the source is matched already."""


@dataclass(frozen=True)
class UnmatchedRecord:
    """A record that has no equal on the other side."""

    offset: int
    zone: Zone
    key: bytes | None
    stamp: int
    """Its timestamp, in milliseconds."""
    parts: tuple[int, int, int, int]
    """The hashes of key, value and headers, and the timestamp."""
    original: int | None = None
    """For a duplicate, the offset of its equal on the source."""
    payload: str | None = None


@dataclass(frozen=True)
class UnmatchedRecords:
    """The records of one partition without an equal: some in detail, all of them counted."""

    records: Mapping[str, Sequence[UnmatchedRecord]] = field(default_factory=dict)
    """By side, in the order of offsets; at most `MAX_CLASSIFIED` of each zone."""
    totals: Mapping[tuple[str, Zone], int] = field(default_factory=dict)
    moved: tuple[tuple[UnmatchedRecord, int], ...] = ()
    """Records in another order on the target, with their offsets there."""


@dataclass(frozen=True)
class MatchResult:
    """The result of stage two for one partition."""

    unmatched: UnmatchedRecords
    matched: MatchedRanges


# Which parts two records must have in common to be one altered record, the most significant first.
# Values and timestamps identify a record; many share a key or headers alone.
COMMON = (
    (0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3), (1, 3), (0, 3), (2, 3), (0, 1), (1, 2),
)  # fmt: skip


def classify(
    partition: TopicPartition,
    unmatched: UnmatchedRecords,
    matched: MatchedRanges,
    source: OffsetRange,
    target: OffsetRange | None,
) -> DifferenceTally:
    """The differences of one partition; `source` and `target` are the offsets that were read."""
    ours = [each for each in unmatched.records.get(SOURCE, ()) if each.zone is not Zone.LATER]
    theirs = [each for each in unmatched.records.get(TARGET, ()) if each.zone is not Zone.DUPLICATE]
    pairs = altered_pairs(ours, theirs)
    last = max([each.offset for each, _ in pairs], default=-1)
    if matched.source is not None:
        last = max(last, matched.source.end - 1)
    paired = {each.offset for each, _ in pairs}, {each.offset for _, each in pairs}
    differences = [altered_difference(partition, *pair) for pair in pairs]
    counts: Counter[DifferenceKind] = Counter(
        {DifferenceKind.ALTERED: len(pairs), DifferenceKind.REORDERED: 0}
    )
    trimmed = behind = 0
    oldest: list[int] = []
    for each in ours:
        if each.offset in paired[0]:
            continue
        if each.zone is Zone.BEFORE and target is not None and target.is_trimmed:
            trimmed += 1
        elif each.offset > last:
            behind += 1
            oldest.append(each.stamp)
        else:
            differences.append(difference(partition, DifferenceKind.MISSING, each, source=True))
            counts[DifferenceKind.MISSING] += 1
    for each in unmatched.records.get(TARGET, ()):
        if each.offset in paired[1]:
            continue
        if each.zone is Zone.DUPLICATE:
            differences.append(difference(partition, DifferenceKind.DUPLICATED, each, source=False))
            counts[DifferenceKind.DUPLICATED] += 1
        elif each.zone is Zone.BEFORE and source.is_trimmed:
            trimmed += 1
        else:
            differences.append(difference(partition, DifferenceKind.UNEXPECTED, each, source=False))
            counts[DifferenceKind.UNEXPECTED] += 1
    for each, there in unmatched.moved:
        moved = difference(partition, DifferenceKind.REORDERED, each, source=True)
        differences.append(replace(moved, target_offset=there))
    counts[DifferenceKind.REORDERED] = len(unmatched.moved)
    more = _unnamed(unmatched, source, target)
    for kind in DifferenceKind:
        counts[kind] += more.counts.get(kind, 0)
    return DifferenceTally(
        counts={kind: count for kind, count in counts.items() if count},
        behind=behind + more.behind,
        oldest_behind=min(oldest, default=None),
        trimmed=trimmed + more.trimmed,
        later=unmatched.totals.get((SOURCE, Zone.LATER), 0),
        differences=tuple(sorted(differences, key=_order)),
    )


def _unnamed(
    unmatched: UnmatchedRecords, source: OffsetRange, target: OffsetRange | None
) -> DifferenceTally:
    """For the records that were counted but not read in detail, by their zone."""
    named = Counter((side, each.zone) for side, held in unmatched.records.items() for each in held)
    left = {key: total - named[key] for key, total in unmatched.totals.items()}
    before = left.get((SOURCE, Zone.BEFORE), 0)
    heads = left.get((TARGET, Zone.BEFORE), 0)
    target_is_trimmed = target is not None and target.is_trimmed
    source_is_trimmed = source.is_trimmed
    unexpected = left.get((TARGET, Zone.WITHIN), 0) + left.get((TARGET, Zone.AFTER), 0)
    return DifferenceTally(
        counts={
            DifferenceKind.MISSING: left.get((SOURCE, Zone.WITHIN), 0)
            + (0 if target_is_trimmed else before),
            DifferenceKind.DUPLICATED: left.get((TARGET, Zone.DUPLICATE), 0),
            DifferenceKind.UNEXPECTED: unexpected + (0 if source_is_trimmed else heads),
        },
        behind=left.get((SOURCE, Zone.AFTER), 0),
        trimmed=(before if target_is_trimmed else 0) + (heads if source_is_trimmed else 0),
    )


def altered_pairs(
    ours: Sequence[UnmatchedRecord], theirs: Sequence[UnmatchedRecord]
) -> list[tuple[UnmatchedRecord, UnmatchedRecord]]:
    """Records of both sides that have enough in common to be one altered record."""
    left_ours, left_theirs = list(ours), list(theirs)
    pairs: list[tuple[UnmatchedRecord, UnmatchedRecord]] = []
    for common in COMMON:
        waiting: dict[tuple[int, ...], deque[UnmatchedRecord]] = defaultdict(deque)
        for each in left_theirs:
            waiting[_part(each, common)].append(each)
        found = [
            (each, waiting[_part(each, common)].popleft())
            for each in left_ours
            if waiting.get(_part(each, common))
        ]
        pairs += found
        gone = {each.offset for each, _ in found}, {each.offset for _, each in found}
        left_ours = [each for each in left_ours if each.offset not in gone[0]]
        left_theirs = [each for each in left_theirs if each.offset not in gone[1]]
    return pairs


def _part(record: UnmatchedRecord, which: Sequence[int]) -> tuple[int, ...]:
    return tuple(record.parts[index] for index in which)


def out_of_order(offsets: Sequence[int]) -> list[int]:
    """Which positions moved. Exchanged records are all returned; when one record moved far, only
    that one and not the many that it passed."""
    moved = _fewest(offsets)
    exchanged = [
        at
        for at, (one, other) in enumerate(zip(offsets, sorted(offsets), strict=True))
        if one != other
    ]
    return exchanged if len(exchanged) <= 2 * len(moved) else moved


def _fewest(offsets: Sequence[int]) -> list[int]:
    """The fewest positions to remove so that the rest ascends."""
    ends: list[int] = []  # the smallest offset that ends an ascent of each length
    holders: list[int] = []
    before: list[int] = []
    for index, offset in enumerate(offsets):
        length = bisect_left(ends, offset)
        ends[length : length + 1] = [offset]
        holders[length : length + 1] = [index]
        before.append(holders[length - 1] if length else -1)
    kept: set[int] = set()
    index = holders[-1] if holders else -1
    while index >= 0:
        kept.add(index)
        index = before[index]
    return [index for index in range(len(offsets)) if index not in kept]


def altered_difference(
    partition: TopicPartition, ours: UnmatchedRecord, theirs: UnmatchedRecord
) -> RecordDifference:
    differs = [
        name
        for name, here, there in zip(PARTS, ours.parts, theirs.parts, strict=True)
        if here != there
    ]
    payloads = {SOURCE: ours.payload, TARGET: theirs.payload}
    return RecordDifference(
        *partition,
        DifferenceKind.ALTERED,
        ours.offset,
        theirs.offset,
        ours.key,
        ours.stamp,
        tuple(differs),
        {side: payload for side, payload in payloads.items() if payload is not None},
    )


def difference(
    partition: TopicPartition, kind: DifferenceKind, each: UnmatchedRecord, *, source: bool
) -> RecordDifference:
    return RecordDifference(
        *partition,
        kind,
        each.offset if source else each.original,
        None if source else each.offset,
        each.key,
        each.stamp,
        payloads={} if each.payload is None else {SOURCE if source else TARGET: each.payload},
    )


_order: Callable[[RecordDifference], tuple[int, int]] = lambda each: (  # noqa: E731
    each.source_offset if each.source_offset is not None else -1,
    each.target_offset if each.target_offset is not None else -1,
)
