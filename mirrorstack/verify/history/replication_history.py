"""Lag and rate over time, from MirrorMaker's offset syncs.

MirrorMaker writes from time to time which source offset is which target offset; the record had been
replicated by then. The topic is compacted, so what is left covers the recent past. For lag, the
brokers look up the end offsets of the source at each time; no record is read.
"""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.history.latency import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    Latency,
    OffsetSyncs,
    measure_latency,
)
from mirrorstack.verify.reading.internal_topics import OffsetSync
from mirrorstack.verify.reading.records import RecordReader

SPANS = (MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY)
MOST_INTERVALS, FEWEST_INTERVALS = 48, 12
# Each time is one lookup for each partition.
MOST_LOOKUPS = 20_000


@dataclass(frozen=True)
class History:
    """Times in milliseconds."""

    offset_syncs: int
    """How many this is from."""
    omitted: int
    """Offset syncs that are left out: from before, or written after the comparison started."""
    first: int
    last: int
    """When the first and the last offset sync were written."""
    interval: int
    """From one value to the next; 0 if all offset syncs are from one moment."""
    lag: tuple[int, ...] = ()
    """Offsets that the source had and the target had not: at `first`, an interval later, and so
    on."""
    rate: tuple[float, ...] = ()
    """Records per second, from each of these times to the next."""
    latency: Latency = field(default_factory=Latency)


@dataclass(frozen=True)
class PartitionTrack:
    """How far one partition was replicated, and how far written, over time."""

    syncs: Sequence[OffsetSync]
    reached: int
    """The source offset that the target has reached now, by content."""
    ends: Sequence[int]
    """The end offset of the source at each of the times."""


@dataclass(frozen=True)
class HistoryMeasurement:
    """Of one flow; by partition of the source."""

    source: KafkaCluster
    reader: RecordReader
    ranges: Mapping[TopicPartition, OffsetRange]
    """What the source holds."""
    behind: Mapping[TopicPartition, int]
    """How many records of each partition have not arrived."""

    def history(self, every_sync: OffsetSyncs) -> History | None:
        """None if there are no offset syncs."""
        ends = {partition: each.end for partition, each in self.ranges.items()}
        syncs = current_syncs(every_sync, ends)
        written = [sync.written for held in syncs.values() for sync in held]
        if not written:
            return None
        first, last = start_time(written), max(written)
        # Records that have not arrived are behind until now, however old the last offset sync is.
        until = int(time.time() * 1000) if any(self.behind.values()) else last
        recent = {
            partition: [sync for sync in held if sync.written >= first]
            for partition, held in syncs.items()
        }
        count = sum(len(held) for held in recent.values())
        active = [each for each in syncs if recent[each] or self.behind.get(each)]
        times = sample_times(first, until, len(active))
        return History(
            offset_syncs=count,
            omitted=sum(len(every_sync.get(each, ())) for each in self.ranges) - count,
            first=first,
            last=last,
            interval=times[1] - times[0] if times else 0,
            lag=lag(times, self._tracks({each: syncs[each] for each in active}, times)),
            rate=rate(times, syncs.values()),
            latency=measure_latency(self.reader, recent, self.ranges, min(written)),
        )

    def _tracks(self, syncs: OffsetSyncs, times: Sequence[int]) -> list[PartitionTrack]:
        ends = self.source.end_offsets_at(list(syncs), times)
        return [
            PartitionTrack(
                held,
                self.ranges[partition].end - self.behind.get(partition, 0),
                [_at_most(each.get(partition), self.ranges[partition].end) for each in ends],
            )
            for partition, held in syncs.items()
        ]


def _at_most(offset: int | None, end: int) -> int:
    """Records after the end offsets of the comparison are ignored."""
    return end if offset is None else min(offset, end)


def current_syncs(
    syncs: OffsetSyncs, ends: Mapping[TopicPartition, int]
) -> dict[TopicPartition, list[OffsetSync]]:
    """Only offset syncs about the current topics: after a step back only what follows, because the
    topic may have been recreated; and none beyond the end offsets."""
    return {
        partition: _since_restart(syncs.get(partition, ()), end) for partition, end in ends.items()
    }


def _since_restart(syncs: Sequence[OffsetSync], end: int) -> list[OffsetSync]:
    back = [
        at for at, (one, after) in enumerate(pairwise(syncs), 1) if after.upstream < one.upstream
    ]
    return [sync for sync in syncs[back[-1] if back else 0 :] if sync.upstream < end]


def start_time(written: Iterable[int]) -> int:
    """Where the charts start, so that an idle week does not fill them: the first offset sync within
    the shortest span, up to the last one, that holds half of them."""
    times = sorted(written)
    starts = (
        bisect_left(times, times[-1] - span)
        for span in SPANS
        if 2 * (len(times) - bisect_left(times, times[-1] - span)) >= len(times)
    )
    return times[next(starts, 0)]


def sample_times(first: int, until: int, partitions: int) -> list[int]:
    """Evenly from first to last; empty if there is no time between them."""
    if until <= first:
        return []
    intervals = min(MOST_INTERVALS, max(FEWEST_INTERVALS, MOST_LOOKUPS // max(1, partitions)))
    interval = -(-(until - first) // intervals)
    return list(range(first, until + interval, interval))


def lag(times: Sequence[int], tracks: Iterable[PartitionTrack]) -> tuple[int, ...]:
    """The sum over all partitions, at each time."""
    held = list(tracks)
    return tuple(
        sum(max(0, track.ends[at] - _replicated(track, moment)) for track in held)
        for at, moment in enumerate(times)
    )


def _replicated(track: PartitionTrack, moment: int) -> int:
    """Records before the first offset sync were replicated earlier or never there. After the last
    one the content is more exact: that offset sync may refer to an earlier record than the last."""
    if not track.syncs or moment >= track.syncs[-1].written:
        return track.reached
    before = bisect_right(track.syncs, moment, key=lambda sync: sync.written)
    return track.syncs[before - 1].upstream + 1 if before else track.syncs[0].upstream


def rate(times: Sequence[int], syncs: Iterable[Sequence[OffsetSync]]) -> tuple[float, ...]:
    """Records per second from each time to the next."""
    if len(times) < 2:
        return ()
    interval = times[1] - times[0]
    counts = [0] * (len(times) - 1)
    for each in syncs:
        for before, sync in zip([None, *each], each, strict=False):
            at = max(0, -(-(sync.written - times[0]) // interval) - 1)
            if times[0] <= sync.written <= times[-1]:
                counts[at] += _records_between(before, sync)
    return tuple(round(count * SECOND / interval, 2) for count in counts)


def _records_between(before: OffsetSync | None, sync: OffsetSync) -> int:
    """Transaction markers and aborted records have offsets too, on either side: the smaller of both
    distances contains fewer of them."""
    if before is None:
        return 1
    return max(0, min(sync.upstream - before.upstream, sync.downstream - before.downstream))
