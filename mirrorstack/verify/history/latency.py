"""Latency: from a record's timestamp to the offset sync that shows its replication.

Spark reads short offset ranges of the source for the timestamps of the records that offset syncs
refer to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pyspark.sql import functions as F

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.reading.internal_topics import OffsetSync
from mirrorstack.verify.reading.local_frames import local_frame
from mirrorstack.verify.reading.records import RecordReader

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
BUCKETS = (
    *(10, 20, 50, 100, 200, 500, SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND),
    *(MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY),
)
# Connecting takes longer than reading: a few partitions are sampled.
MOST_PARTITIONS = 12
MOST_OFFSETS, MOST_SYNCS = 10_000, 200
"""Of each sampled partition."""
WANTED = "topic string, partition int, offset bigint, written bigint"

OffsetSyncs = Mapping[TopicPartition, Sequence[OffsetSync]]


@dataclass(frozen=True)
class LatencyBucket:
    up_to: int | None
    """Upper bound in milliseconds; null: none."""
    count: int


@dataclass(frozen=True)
class Latency:
    """In milliseconds, from a record's timestamp to the offset sync that shows its replication."""

    samples: int = 0
    median: int | None = None
    p95: int | None = None
    max: int | None = None
    buckets: tuple[LatencyBucket, ...] = ()
    backlog: int = 0
    """Records from before the first offset sync, left out: their age shows when replication
    started, not how fast it is."""
    clock_ahead: int = 0
    """Records with a later timestamp than their offset sync, left out."""
    deleted: int = 0
    """Records that retention or compaction has deleted from the source, left out."""


def measure_latency(
    reader: RecordReader,
    syncs: OffsetSyncs,
    ranges: Mapping[TopicPartition, OffsetRange],
    first: int,
) -> Latency:
    """`first` is when the first offset sync was written."""
    samples = sample(syncs, ranges)
    rows = [
        (*partition, sync.upstream, sync.written)
        for partition, held in samples.items()
        for sync in held
    ]
    deleted = sum(
        sync.upstream < ranges[partition].start
        for partition, held in syncs.items()
        for sync in held
    )
    if not rows:
        return latency([], first, deleted)
    sampled_ranges = {
        partition: OffsetRange(held[0].upstream, held[-1].upstream + 1)
        for partition, held in samples.items()
    }
    wanted = local_frame(reader.spark, rows, WANTED)
    found = (
        reader.read(sampled_ranges)
        .select("topic", "partition", "offset", F.unix_millis("timestamp").alias("stamp"))
        .join(F.broadcast(wanted), on=["topic", "partition", "offset"], how="inner")
        .select("written", "stamp")
        .collect()
    )
    pairs = [(row["written"], row["stamp"]) for row in found]
    return latency(pairs, first, deleted + len(rows) - len(pairs))


def sample(
    syncs: OffsetSyncs, ranges: Mapping[TopicPartition, OffsetRange]
) -> dict[TopicPartition, list[OffsetSync]]:
    """Offset syncs of the newest records in the partitions that have the most of them."""
    recent = {
        partition: [sync for sync in held if sync.upstream >= _since(held, ranges[partition])]
        for partition, held in syncs.items()
    }
    partitions = sorted(
        (partition for partition in recent if recent[partition]), key=lambda p: (-len(syncs[p]), p)
    )
    return {
        partition: recent[partition][:: -(-len(recent[partition]) // MOST_SYNCS)]
        for partition in partitions[:MOST_PARTITIONS]
    }


def _since(syncs: Sequence[OffsetSync], held: OffsetRange) -> int:
    return max(held.start, syncs[-1].upstream + 1 - MOST_OFFSETS)


def latency(samples: Sequence[tuple[int, int]], first: int, deleted: int) -> Latency:
    """Each sample is when an offset sync was written and the timestamp of its record; `first` is
    when the first offset sync was written."""
    ahead = [stamp for written, stamp in samples if stamp > written]
    backlog = [stamp for written, stamp in samples if stamp < first and stamp <= written]
    taken = sorted(written - stamp for written, stamp in samples if first <= stamp <= written)
    counts = Latency(len(taken), backlog=len(backlog), clock_ahead=len(ahead), deleted=deleted)
    if not taken:
        return counts
    return replace(
        counts,
        median=_quantile(taken, 50),
        p95=_quantile(taken, 95),
        max=taken[-1],
        buckets=tuple(
            LatencyBucket(top, sum(low < each and (top is None or each <= top) for each in taken))
            for low, top in zip((-1, *BUCKETS), (*BUCKETS, None), strict=True)
        ),
    )


def _quantile(ordered: Sequence[int], percent: int) -> int:
    return ordered[-(-len(ordered) * percent // 100) - 1]
