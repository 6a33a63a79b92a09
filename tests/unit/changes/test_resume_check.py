"""Whether a connector that returns resumes without a gap. `tests/integration` has it on Kafka."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from mirrorstack.changes.resume_check import Gap, InspectedCluster, find_gaps, report_gaps
from mirrorstack.config.flows import FlowSettings
from mirrorstack.findings import UserError
from mirrorstack.kafka.offset_ranges import ConsumedRecord
from mirrorstack.kafka.partitions import TopicPartition

FLOW = FlowSettings.model_validate({"from": "east", "to": "west", "topics": [".*"]})

SOURCE, TARGET = TopicPartition("orders", 0), TopicPartition("east.orders", 0)


class FakeCluster(InspectedCluster):
    """One partition with records by offset; each record's timestamp is its offset on the source."""

    def __init__(self, partition: TopicPartition, first: int, *values: bytes | None) -> None:
        self.partition, self.first = partition, first
        self.records = [
            ConsumedRecord(b"key", value, (), stamp) for stamp, value in enumerate(values, first)
        ]

    def offset_ranges(self, topics: Iterable[str]) -> dict[str, list[tuple[int, int]]]:
        end = self.first + len(self.records)
        return {topic: [(self.first, end)] for topic in topics if topic == self.partition.topic}

    def records_at(
        self, offsets: Mapping[TopicPartition, int]
    ) -> dict[TopicPartition, ConsumedRecord]:
        return {each: self.records[offset - self.first] for each, offset in offsets.items()}

    def offsets_for_times(self, times: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
        there = [record.timestamp for record in self.records]
        return {
            each: next((stamp for stamp in there if stamp >= timestamp), -1)
            for each, timestamp in times.items()
        }

    def partitions_missing_record(
        self,
        expected: Mapping[TopicPartition, ConsumedRecord],
        starts: Mapping[TopicPartition, int],
    ) -> set[TopicPartition]:
        return {
            each
            for each, start in starts.items()
            if expected[each]
            not in [record for record in self.records if record.timestamp >= start]
        }


def gaps(last: int, source: FakeCluster, target: FakeCluster) -> list[Gap]:
    return list(find_gaps(FLOW, {SOURCE: last}, source, target))


EAST = FakeCluster(SOURCE, 0, b"a", b"b", b"c")


def test_there_is_no_gap_if_the_target_topic_has_the_last_replicated_record() -> None:
    assert gaps(1, EAST, FakeCluster(TARGET, 0, b"a", b"b")) == []


def test_a_target_topic_that_ends_earlier_has_a_gap() -> None:
    assert gaps(1, EAST, FakeCluster(TARGET, 0, b"a")) == [Gap("orders", 0, 1)]


def test_a_target_topic_with_other_records_has_a_gap() -> None:
    assert gaps(1, EAST, FakeCluster(TARGET, 0, b"x", b"y", b"z")) == [Gap("orders", 0, 1)]


def test_a_source_that_ends_before_the_last_replicated_record_has_a_gap() -> None:
    found = gaps(7, EAST, FakeCluster(TARGET, 0, b"a"))

    assert found == [Gap("orders", 0, 7, source_end=3)]


def test_nothing_is_concluded_from_a_record_that_the_source_no_longer_retains() -> None:
    assert gaps(1, FakeCluster(SOURCE, 5, b"f"), FakeCluster(TARGET, 0)) == []


def test_nothing_is_concluded_from_a_tombstone_or_an_emptied_target_topic() -> None:
    tombstone = FakeCluster(SOURCE, 0, b"a", None)

    assert gaps(1, tombstone, FakeCluster(TARGET, 0, b"a")) == []
    assert gaps(1, EAST, FakeCluster(TARGET, 9)) == []


def test_an_unknown_topic_or_partition_is_ignored() -> None:
    last = {TopicPartition("other", 0): 1, TopicPartition("orders", 4): 1}

    assert list(find_gaps(FLOW, last, EAST, FakeCluster(TARGET, 0, b"a"))) == []


def error(*gaps: Gap) -> UserError:
    with pytest.raises(UserError) as raised:
        report_gaps(FLOW, gaps)
    return raised.value


def test_a_target_topic_without_the_last_record_is_not_the_one_that_was_written() -> None:
    found = error(Gap("orders", 1, 99), Gap("bills", 0, 5))

    assert "replicated bills up to offset 5 of partition 0" in found.message
    assert "east.bills on west does not have that record" in found.message
    assert "delete east.bills, east.orders on west" in found.fix
    assert found.findings[0].flow == "east-to-west"


def test_a_source_that_ends_before_the_last_record_was_recreated() -> None:
    found = error(Gap("orders", 0, 99, source_end=20))

    assert "up to offset 99 of partition 0" in found.message
    assert "the partition on east ends before that, at 20" in found.message
