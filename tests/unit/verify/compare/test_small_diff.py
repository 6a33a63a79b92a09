"""Stage two without Spark, where unproven records are few."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from mirrorstack.config.flows import FlowSettings
from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare import small_diff
from mirrorstack.verify.compare.buckets import BucketComparison, MatchedRanges
from mirrorstack.verify.compare.classification import Zone
from mirrorstack.verify.compare.small_diff import MOST, are_few, diff_few_records
from mirrorstack.verify.compare.unproven_buckets import UnprovenBuckets
from mirrorstack.verify.reading.records import SOURCE, TARGET, PairReader
from mirrorstack.verify.reading.scope import Scope, TopicPair

FLOW = FlowSettings.model_validate({"from": "east", "to": "west", "topics": ["orders"]})
SCOPE = Scope(FLOW, (TopicPair("orders", "east.orders", 1),))
HERE, THERE = TopicPartition("orders", 0), TopicPartition("east.orders", 0)
FEW = OffsetRange(0, 3)


def unproven(source: OffsetRange, target: OffsetRange) -> UnprovenBuckets:
    buckets = BucketComparison(frozenset({1}), MatchedRanges(), (source,), (target,))
    return UnprovenBuckets({HERE: buckets}, {HERE: 100}, SCOPE, {"orders": 1024})


def message(offset: int, value: bytes, stamp: int = 1024) -> Any:
    return SimpleNamespace(
        offset=lambda: offset,
        key=lambda: b"key",
        value=lambda: value,
        headers=lambda: None,
        timestamp=lambda: (1, stamp),
    )


def test_the_limit_counts_the_offsets_of_both_sides() -> None:
    assert are_few(unproven(OffsetRange(0, MOST - 3), FEW))
    assert not are_few(unproven(OffsetRange(0, MOST), FEW))


def test_records_of_unproven_buckets_are_matched(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = {
        HERE: [message(0, b"a"), message(1, b"b"), message(2, b"x", stamp=0)],
        THERE: [message(7, b"a"), message(8, b"c")],
    }

    def read(_connection: Any, wanted: Any) -> Iterator[tuple[TopicPartition, Any]]:
        return ((partition, each) for partition in wanted for each in sides[partition])

    monkeypatch.setattr(small_diff, "_read", read)
    reader = cast("Any", SimpleNamespace(connection=None))

    (found,) = diff_few_records(PairReader(reader, reader, {}, {}), unproven(FEW, FEW)).values()

    assert found.matched == MatchedRanges(OffsetRange(0, 1), OffsetRange(7, 8), 1)
    assert [each.offset for each in found.unmatched.records[SOURCE]] == [1], "not bucket 0"
    assert found.unmatched.totals == {(SOURCE, Zone.AFTER): 1, (TARGET, Zone.AFTER): 1}
