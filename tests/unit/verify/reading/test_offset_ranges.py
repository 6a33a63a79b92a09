"""Offset ranges of a comparison."""

from __future__ import annotations

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.reading.offset_ranges import OffsetRanges

ORDERS, MORE, AUDIT = (
    TopicPartition("orders", 0),
    TopicPartition("orders", 1),
    TopicPartition("audit", 0),
)


def test_the_span_of_a_topic_is_that_of_its_longest_partition() -> None:
    whole = OffsetRange(0, 9)
    ranges = OffsetRanges(
        source={ORDERS: whole, MORE: whole, AUDIT: whole},
        required={},
        target={},
        first={ORDERS: 100, MORE: 100},
        last={ORDERS: 150, MORE: 400},
    )

    assert ranges.spans == {"orders": 300, "audit": 0}
