"""Which offsets of both sides are compared.

1. The end offsets of the source, read-committed: every record before them must be on the target.
2. The target gets time to catch up; then its end offsets are taken.
3. The end offsets of the source again: whatever the target holds by then, the source has held
   before, so no record that arrives during the comparison is reported as unexpected.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.offset_ranges import ConsumedRecord, OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.reading.catch_up import DEPTH, newest_records, wait_until_seen
from mirrorstack.verify.reading.scope import Scope


@dataclass(frozen=True)
class OffsetRanges:
    """By partition; the target's partitions bear the names of target topics."""

    source: Mapping[TopicPartition, OffsetRange]
    required: Mapping[TopicPartition, int]
    """The end offsets of the source at the start: records before them must be on the target."""
    target: Mapping[TopicPartition, OffsetRange]
    """Only partitions that exist."""
    first: Mapping[TopicPartition, int]
    last: Mapping[TopicPartition, int]
    """Approximate timestamps, in milliseconds, of the first and the last record on the source; they
    decide how wide buckets are."""
    taken: int = 0
    """When the target's end offsets were taken, in milliseconds: a record that had not arrived by
    then is behind, however long the comparison takes."""
    awaited: tuple[TopicPartition, ...] = ()
    """Partitions of the target that did not catch up in time."""

    @property
    def spans(self) -> dict[str, int]:
        """By source topic, how many milliseconds its records span."""
        spans = {partition.topic: 0 for partition in self.source}
        for partition, stamp in self.last.items():
            began = self.first.get(partition, stamp)
            spans[partition.topic] = max(spans[partition.topic], stamp - began)
        return spans


def determine_offset_ranges(
    scope: Scope,
    source: KafkaCluster,
    target: KafkaCluster,
    seconds: float,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> OffsetRanges:
    """Waits at most `seconds` for the target to catch up."""
    partitions = scope.partitions
    target_topics = target.describe_topics(list(scope.by_target_topic))
    replicated = [
        each
        for each in map(scope.on_target, partitions)
        if each.topic in target_topics and each.partition < target_topics[each.topic].partitions
    ]
    before = target.latest_offsets(replicated)
    target_starts = target.earliest_offsets(replicated)
    required, starts = source.latest_offsets(partitions), source.earliest_offsets(partitions)
    ranges = {each: OffsetRange(starts[each], required[each]) for each in partitions}
    last = newest_records(source, ranges)
    missing = wait_until_seen(
        target,
        {each: max(target_starts[each], before[each] - DEPTH) for each in replicated},
        {
            each: _is_equal_to(
                last[scope.on_source(each)], scope.by_target_topic[each.topic].timestamps
            )
            for each in replicated
            if scope.on_source(each) in last
        },
        seconds,
        progress,
    )
    taken = int(time.time() * 1000)
    target_ends = target.latest_offsets(replicated)
    latest = source.latest_offsets(partitions)
    return OffsetRanges(
        source={each: OffsetRange(starts[each], latest[each]) for each in partitions},
        required=required,
        target={each: OffsetRange(target_starts[each], target_ends[each]) for each in replicated},
        first=source.first_timestamps(partitions),
        last={partition: each.timestamp for partition, each in last.items()},
        taken=taken,
        awaited=tuple(missing),
    )


def _is_equal_to(wanted: ConsumedRecord, timestamps: bool) -> Callable[[ConsumedRecord], bool]:
    def is_equal(record: ConsumedRecord) -> bool:
        same = record.content == wanted.content
        return same and (not timestamps or record.timestamp == wanted.timestamp)

    return is_equal
