"""What stage two reads."""

from __future__ import annotations

from typing import Any, cast

from mirrorstack.config.flows import FlowSettings
from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import BucketComparison, MatchedRanges
from mirrorstack.verify.compare.unproven_buckets import UnprovenBuckets, _layers, first_and_last
from mirrorstack.verify.reading.records import PairReader
from mirrorstack.verify.reading.scope import Scope, TopicPair

FLOW = FlowSettings.model_validate({"from": "east", "to": "west", "topics": ["orders"]})
SCOPE = Scope(FLOW, (TopicPair("orders", "east.orders", 2),))
HERE, THERE = TopicPartition("orders", 0), TopicPartition("east.orders", 0)
OTHER = TopicPartition("orders", 1)
LOW, HIGH, WHOLE = OffsetRange(0, 5), OffsetRange(50, 60), OffsetRange(0, 100)


def unproven(source: tuple[OffsetRange, ...], target: tuple[OffsetRange, ...]) -> UnprovenBuckets:
    buckets = BucketComparison(frozenset({1}), MatchedRanges(), source, target)
    return UnprovenBuckets({HERE: buckets}, {HERE: 100}, SCOPE, {"orders": 1024})


def reader() -> PairReader:
    unused = cast("Any", None)
    return PairReader(unused, unused, {HERE: WHOLE, OTHER: WHOLE}, {THERE: WHOLE})


def test_several_ranges_of_a_partition_take_several_reads() -> None:
    first, second = _layers(reader(), unproven((LOW, HIGH), (LOW,)), whole=False)

    assert (first.source_ranges, first.target_ranges) == ({HERE: LOW}, {THERE: LOW})
    assert (second.source_ranges, second.target_ranges) == ({HERE: HIGH}, {})


def test_compacted_partitions_are_read_completely() -> None:
    (layer,) = _layers(reader(), unproven((LOW,), (LOW,)), whole=True)

    assert (layer.source_ranges, layer.target_ranges) == ({HERE: WHOLE}, {THERE: WHOLE})


def test_the_last_offset_of_a_range_is_inclusive() -> None:
    assert first_and_last(HIGH) == (50, 59)
    assert first_and_last(None) == (None, None)
