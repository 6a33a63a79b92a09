"""Whether a connector that returns to its old offsets resumes without a gap.

Connect keeps a connector's offsets after the connector is removed, and they name source topics
only. If they were last used for other target topics (another naming), or if a topic was recreated
on either side since, resuming would skip records silently. The target topic must have the last
record that the connector replicated; if it does not, the connector must not resume.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from mirrorstack.findings import UserError
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.inventory import TopicDescription
from mirrorstack.kafka.offset_ranges import ConsumedRecord
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.kafka.record_scan import partitions_missing_record, records_at
from mirrorstack.mm2.flow import Flow
from mirrorstack.text import and_more


@dataclass(frozen=True, order=True)
class Gap:
    """A partition in which resuming would skip records."""

    topic: str
    """On the source, like all that follows."""
    partition: int
    offset: int
    """The offset of the last replicated record."""
    source_end: int | None = None
    """The end offset, if it is before that record."""


@dataclass(frozen=True)
class InspectedCluster:
    """A cluster, and the topics that it has."""

    kafka: KafkaCluster
    topics: Mapping[str, TopicDescription]

    def offset_ranges(self, topics: Iterable[str]) -> dict[str, list[tuple[int, int]]]:
        """The first offset and the end offset of each partition of the topics that exist."""
        existing = [topic for topic in sorted(set(topics)) if topic in self.topics]
        return self.kafka.offset_ranges(
            {topic: self.topics[topic].partitions for topic in existing}
        )

    def records_at(
        self, offsets: Mapping[TopicPartition, int]
    ) -> dict[TopicPartition, ConsumedRecord]:
        return records_at(self.kafka, offsets)

    def offsets_for_times(self, times: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
        """The first offset at or after each timestamp; -1 where there is none."""
        return self.kafka.offsets_for_times(times)

    def partitions_missing_record(
        self,
        expected: Mapping[TopicPartition, ConsumedRecord],
        starts: Mapping[TopicPartition, int],
    ) -> set[TopicPartition]:
        """The partitions that do not have the expected record at or after the start."""
        return partitions_missing_record(self.kafka, expected, starts)


def check_resume(
    flow: Flow,
    last: Mapping[TopicPartition, int],
    topics: Collection[str],
    source: InspectedCluster,
    target: InspectedCluster,
) -> None:
    """Raises a UserError where the flow's source connector would resume with a gap.

    `last`: the offset of the last record that it has replicated, by partition of the source.
    `topics` are the source topics whose target topics exist and are not recreated.
    """
    kept = {partition: offset for partition, offset in last.items() if partition.topic in topics}
    report_gaps(flow, find_gaps(flow, kept, source, target))


def find_gaps(
    flow: Flow,
    last: Mapping[TopicPartition, int],
    source: InspectedCluster,
    target: InspectedCluster,
) -> Iterator[Gap]:
    """`last`: the offset of the last replicated record, by partition of the source."""
    offset_ranges = source.offset_ranges(partition.topic for partition in last)
    retained: dict[TopicPartition, int] = {}
    for partition, offset in last.items():
        topic, number = partition
        if number >= len(offset_ranges.get(topic, ())):
            continue
        start, end = offset_ranges[topic][number]
        if offset >= end:
            yield Gap(topic, number, offset, source_end=end)
        elif offset >= start:
            retained[partition] = offset
    targets = {
        partition: TopicPartition(flow.policy.target_topic(partition.topic), partition.partition)
        for partition in retained
    }
    expected = {
        targets[partition]: record
        for partition, record in source.records_at(retained).items()
        if record.value is not None  # a compacted topic may have dropped the tombstone
    }
    target_ranges = target.offset_ranges(partition.topic for partition in expected)
    timestamps = {
        partition: record.timestamp
        for partition, record in expected.items()
        if partition.partition < len(target_ranges[partition.topic])
        and not _is_emptied(*target_ranges[partition.topic][partition.partition])
    }
    starts = target.offsets_for_times(timestamps)
    missing = {partition for partition, offset in starts.items() if offset < 0}
    readable = {partition: offset for partition, offset in starts.items() if offset >= 0}
    missing |= target.partitions_missing_record(expected, readable)
    for partition, target_partition in targets.items():
        if target_partition in missing:
            yield Gap(*partition, retained[partition])


def _is_emptied(start: int, end: int) -> bool:
    """By retention: whether it had the record cannot be determined."""
    return start == end > 0


def report_gaps(flow: Flow, gaps: Iterable[Gap]) -> None:
    found = sorted(gaps)
    if not found:
        return
    first = found[0]
    topics = list(dict.fromkeys(flow.policy.target_topic(gap.topic) for gap in found))
    if first.source_end is not None:
        reason = (
            f"the partition on {flow.source} ends before that, at {first.source_end}: the topic "
            "was recreated. MirrorMaker would skip the records up to that offset"
        )
    else:
        reason = (
            f"{topics[0]} on {flow.target} does not have that record: it was written under another "
            "naming, or the topic was recreated on either side. MirrorMaker would resume after it "
            "and leave a gap"
        )
    raise UserError(
        f"Flow {flow.name} was deployed before, and replicated {first.topic} up to offset "
        f"{first.offset} of partition {first.partition}, but {reason}.",
        f"restore the flow's previous naming; or delete {and_more(topics)} on {flow.target} to "
        "replicate from earliest",
        flow=flow.name,
        topic=first.topic,
    )
