"""Waiting for the target to catch up: the newest record of each partition, and when it arrives.

A plain consumer reads a few records at the ends of the partitions, without Spark.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from mirrorstack.kafka.admin_client import ClusterClient
from mirrorstack.kafka.offset_ranges import ConsumedRecord, OffsetRange, OffsetRangeReader
from mirrorstack.kafka.partitions import TopicPartition

DEPTH, DEEPER = 20, 50
SECONDS = 60.0
MIN_WAIT_SECONDS = 2.0
"""Without a wait the newest records are still read."""


def newest_records(
    cluster: ClusterClient, ranges: Mapping[TopicPartition, OffsetRange]
) -> dict[TopicPartition, ConsumedRecord]:
    """The last record of each range that has one.

    The last offsets of a partition may be transaction markers and aborted records, so it reads
    further back until there is a record.
    """
    found: dict[TopicPartition, ConsumedRecord] = {}
    depth, left = DEPTH, {each: span for each, span in ranges.items() if span.end > span.start}
    while left:
        starts = {each: max(span.start, span.end - depth) for each, span in left.items()}
        found |= _last_records(cluster, starts, {each: span.end for each, span in left.items()})
        left = {
            each: span
            for each, span in left.items()
            if each not in found and starts[each] > span.start
        }
        depth *= DEEPER
    return found


def _last_records(
    cluster: ClusterClient,
    starts: Mapping[TopicPartition, int],
    ends: Mapping[TopicPartition, int],
) -> dict[TopicPartition, ConsumedRecord]:
    found: dict[TopicPartition, ConsumedRecord] = {}
    with OffsetRangeReader(cluster, ignore_errors=True) as reader:
        for batch in reader.batches(starts, ends, seconds=SECONDS):
            last = dict(batch)
            found |= {partition: ConsumedRecord.of(message) for partition, message in last.items()}
    return found


def wait_until_seen(
    cluster: ClusterClient,
    starts: Mapping[TopicPartition, int],
    wanted: Mapping[TopicPartition, Callable[[ConsumedRecord], bool]],
    seconds: float,
    progress: Callable[[int, int], None],
) -> Collection[TopicPartition]:
    """Wait until each partition has its wanted record; the partitions that did not in time."""
    missing = set(wanted)
    with OffsetRangeReader(cluster, follow=True, ignore_errors=True) as reader:
        for batch in reader.batches(
            {partition: starts[partition] for partition in wanted},
            seconds=max(seconds, MIN_WAIT_SECONDS),
        ):
            seen = {each for each, message in batch if wanted[each](ConsumedRecord.of(message))}
            missing -= seen
            reader.finish(seen)
            progress(len(wanted) - len(missing), len(wanted))
    return [partition for partition in wanted if partition in missing]
