"""How a flow has been doing: lag and rate over time, and how long records take.

MirrorMaker notes now and then which offset on the source is which on the target. When it wrote a
note is when it had copied that record, or a little later; so its notes tell how far it was at any
time. They are in a compacted topic: what is left of them is the recent past.

Here are the decisions. `measuring` asks Kafka and Spark for what they need.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.reading.internal_topics import OffsetSync

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
SPANS = (MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY)
MOST_TICKS, FEWEST_TICKS = 48, 12
# Each tick asks once for each partition.
MOST_QUESTIONS = 20_000
BUCKETS = (
    *(10, 20, 50, 100, 200, 500, SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND),
    *(MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY),
)


@dataclass(frozen=True)
class Bucket:
    up_to: int | None
    """In milliseconds; None: no bound."""
    count: int


@dataclass(frozen=True)
class Latency:
    """From a record's timestamp to MirrorMaker's note that it was copied, in milliseconds."""

    samples: int = 0
    half: int | None = None
    """No sample of the faster half took longer."""
    most: int | None = None
    """No sample but the slowest 5 % took longer."""
    slowest: int | None = None
    buckets: tuple[Bucket, ...] = ()
    backlog: int = 0
    """Records from before the first note: their age says when the mirror began, not how fast it
    is."""
    ahead: int = 0
    """Records that bear a later time than the note that they were copied."""
    gone: int = 0
    """Records that retention or compaction has taken from the source since."""


@dataclass(frozen=True)
class History:
    """What MirrorMaker's notes tell; times in milliseconds."""

    notes: int
    """How many this is from."""
    others: int
    """How many there are besides: from before, or about what came after the comparison began."""
    first: int
    last: int
    """When the notes were written."""
    tick: int
    """From one value to the next; 0 where there is too little to draw."""
    lag: tuple[int, ...] = ()
    """Offsets that the source had and the target had not: at `first`, a tick later, and so on."""
    rate: tuple[float, ...] = ()
    """Records a second, from each of these times to the next."""
    latency: Latency = field(default_factory=Latency)


@dataclass(frozen=True)
class PartitionTrack:
    """One partition: how far it was copied, and how far written."""

    notes: Sequence[OffsetSync]
    reached: int
    """Up to which offset the target has it now, by content."""
    written: Sequence[int]
    """Where the source ended at each of the times."""


def told(
    notes: Mapping[TopicPartition, Sequence[OffsetSync]], ends: Mapping[TopicPartition, int]
) -> dict[TopicPartition, list[OffsetSync]]:
    """The notes that are about what is there now: after a step back, only what follows, as the
    topic may be another one; and none of what came after the ends were asked for."""
    return {place: _this_life(notes.get(place, ()), end) for place, end in ends.items()}


def _this_life(notes: Sequence[OffsetSync], end: int) -> list[OffsetSync]:
    back = [
        at for at, (one, next_) in enumerate(pairwise(notes), 1) if next_.upstream < one.upstream
    ]
    return [note for note in notes[back[-1] if back else 0 :] if note.upstream < end]


def beginning(noted: Iterable[int]) -> int:
    """Which note to begin with: a flow that slept for a week is not to be drawn as one long line.
    The first within the shortest span, up to the last note, that has half of the notes."""
    times = sorted(noted)
    wide = (
        bisect_left(times, times[-1] - span)
        for span in SPANS
        if 2 * (len(times) - bisect_left(times, times[-1] - span)) >= len(times)
    )
    return times[next(wide, 0)]


def moments(first: int, until: int, partitions: int) -> list[int]:
    """The times to draw, evenly from the first to the last; none where there is no time between."""
    if until <= first:
        return []
    ticks = min(MOST_TICKS, max(FEWEST_TICKS, MOST_QUESTIONS // max(1, partitions)))
    tick = -(-(until - first) // ticks)
    return list(range(first, until + tick, tick))


def lag(times: Sequence[int], tracks: Iterable[PartitionTrack]) -> tuple[int, ...]:
    """Over all partitions."""
    held = list(tracks)
    return tuple(
        sum(max(0, track.written[at] - _copied(track, time)) for track in held)
        for at, time in enumerate(times)
    )


def _copied(track: PartitionTrack, time: int) -> int:
    """What lies before the first note was copied before, or never there. After the last one,
    content knows better: that note may be about an earlier record than the last."""
    if not track.notes or time >= track.notes[-1].noted:
        return track.reached
    before = bisect_right(track.notes, time, key=lambda note: note.noted)
    return track.notes[before - 1].upstream + 1 if before else track.notes[0].upstream


def rate(times: Sequence[int], notes: Iterable[Sequence[OffsetSync]]) -> tuple[float, ...]:
    """Records a second from each time to the next."""
    if len(times) < 2:
        return ()
    tick = times[1] - times[0]
    counts = [0] * (len(times) - 1)
    for each in notes:
        for before, note in zip([None, *each], each, strict=False):
            at = max(0, -(-(note.noted - times[0]) // tick) - 1)
            if times[0] <= note.noted <= times[-1]:
                counts[at] += _between(before, note)
    return tuple(round(count * SECOND / tick, 2) for count in counts)


def _between(before: OffsetSync | None, note: OffsetSync) -> int:
    """Marks of transactions and what they took back are offsets too, on one side or the other: the
    smaller of both distances has fewer of them."""
    if before is None:
        return 1
    return max(0, min(note.upstream - before.upstream, note.downstream - before.downstream))


def latency(samples: Sequence[tuple[int, int]], began: int, gone: int) -> Latency:
    """Of notes and the timestamps of the records that they are about; `began` is the first note."""
    ahead = [stamp for noted, stamp in samples if stamp > noted]
    backlog = [stamp for noted, stamp in samples if stamp < began and stamp <= noted]
    taken = sorted(noted - stamp for noted, stamp in samples if began <= stamp <= noted)
    counts = Latency(len(taken), backlog=len(backlog), ahead=len(ahead), gone=gone)
    if not taken:
        return counts
    return replace(
        counts,
        half=_quantile(taken, 50),
        most=_quantile(taken, 95),
        slowest=taken[-1],
        buckets=tuple(
            Bucket(top, sum(low < each and (top is None or each <= top) for each in taken))
            for low, top in zip((-1, *BUCKETS), (*BUCKETS, None), strict=True)
        ),
    )


def _quantile(ordered: Sequence[int], percent: int) -> int:
    return ordered[-(-len(ordered) * percent // 100) - 1]
