"""Between which offsets both sides are compared.

A snapshot of the source's committed ends comes first: what lies before it must be on the target.
Then the target gets time to catch up, and its own ends are taken. Last, the source's ends again:
whatever the target holds by then, the source has held before, so nothing that arrives during the
comparison is taken for foreign.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.offset_ranges import OffsetRange, Record
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.reading.catch_up import DEPTH, newest_records, wait_until_seen
from mirrorstack.verify.reading.scope import Scope, TopicPair


@dataclass(frozen=True)
class OffsetRanges:
    """By partition; places bear the names of their own side."""

    source: Mapping[TopicPartition, OffsetRange]
    """All that may be compared."""
    required: Mapping[TopicPartition, int]
    """The source's ends when it all began: what lies before must be on the target."""
    target: Mapping[TopicPartition, OffsetRange]
    """Partitions that are not there are missing."""
    first: Mapping[TopicPartition, int]
    last: Mapping[TopicPartition, int]
    """The timestamps, in milliseconds, of the first and the last record on the source, or about:
    buckets are made to fit."""
    taken: int = 0
    """When the target's ends were asked for, in milliseconds: what had not arrived by then is
    behind, however long it takes to read all of it."""
    awaited: tuple[TopicPartition, ...] = ()
    """Where the target did not catch up in time; names of the target."""

    @property
    def spans(self) -> dict[str, int]:
        """By topic on the source, how many milliseconds its records span."""
        spans = {topic: 0 for topic, _ in self.source}
        for (topic, number), stamp in self.last.items():
            began = self.first.get(TopicPartition(topic, number), stamp)
            spans[topic] = max(spans[topic], stamp - began)
        return spans


def bounds(
    scope: Scope,
    source: KafkaCluster,
    target: KafkaCluster,
    seconds: float,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> OffsetRanges:
    """Wait at most so many seconds for the target to catch up."""
    places = [
        TopicPartition(pair.topic, number)
        for pair in scope.topics
        for number in range(pair.partitions)
    ]
    remote = {pair.topic: pair.target_topic for pair in scope.topics}
    there = target.describe_topics(list(remote.values()))
    mirrored = [
        TopicPartition(remote[topic], number)
        for topic, number in places
        if remote[topic] in there and number < there[remote[topic]].partitions
    ]
    before = target.latest_offsets(mirrored)
    begins = target.earliest_offsets(mirrored)
    required, starts = source.latest_offsets(places), source.earliest_offsets(places)
    ranges = {place: OffsetRange(starts[place], required[place]) for place in places}
    last = newest_records(source, ranges)
    stamped = {pair.target_topic for pair in scope.topics if pair.timestamps}
    missing = wait_until_seen(
        target,
        {place: max(begins[place], before[place] - DEPTH) for place in mirrored},
        {
            place: _is_it(last[pair_place], place[0] in stamped)
            for place, pair_place in _by_remote(scope.topics, mirrored).items()
            if pair_place in last
        },
        seconds,
        progress,
    )
    taken = int(time.time() * 1000)
    target_ends = target.latest_offsets(mirrored)
    latest = source.latest_offsets(places)
    return OffsetRanges(
        source={place: OffsetRange(starts[place], latest[place]) for place in places},
        required=required,
        target={place: OffsetRange(begins[place], target_ends[place]) for place in mirrored},
        first=source.first_timestamps(places),
        last={place: each.timestamp for place, each in last.items()},
        taken=taken,
        awaited=tuple(missing),
    )


def _is_it(wanted: Record, stamped: bool) -> Callable[[Record], bool]:
    def look(seen: Record) -> bool:
        same = seen.content == wanted.content
        return same and (not stamped or seen.timestamp == wanted.timestamp)

    return look


def _by_remote(
    pairs: tuple[TopicPair, ...], places: list[TopicPartition]
) -> dict[TopicPartition, TopicPartition]:
    names = {pair.target_topic: pair.topic for pair in pairs}
    return {
        TopicPartition(remote, number): TopicPartition(names[remote], number)
        for remote, number in places
    }
