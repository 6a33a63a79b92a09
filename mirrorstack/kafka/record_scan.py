"""Reading a few records of many partitions: Connect's offsets, and where a record is missing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping

from confluent_kafka import Message

from mirrorstack.kafka.admin_client import ClusterClient
from mirrorstack.kafka.offset_ranges import ConsumedRecord, OffsetRangeReader
from mirrorstack.kafka.partitions import TopicPartition

SECONDS = 60.0
MAX_RECORDS = 20_000
"""How many records of a partition are searched at most."""


def connect_offsets(
    cluster: ClusterClient, topic: str, partitions: int, connector: str
) -> dict[TopicPartition, int]:
    """By source partition, the offset of the last record that a connector has replicated.

    From Connect's offsets topic: Connect may not be running, or may not have the connector.
    """
    offsets: dict[TopicPartition, int] = {}

    def collect(_partition: TopicPartition, message: Message) -> bool:
        name, source = json.loads(message.key() or b"[null, null]")
        if name == connector and source:
            partition = TopicPartition(source["topic"], int(source["partition"]))
            value = json.loads(message.value() or b"null")
            if value is None:
                offsets.pop(partition, None)  # the offset was reset
            else:
                offsets[partition] = int(value["offset"])
        return False

    _scan(cluster, {TopicPartition(topic, number): 0 for number in range(partitions)}, collect)
    return offsets


def records_at(
    cluster: ClusterClient, offsets: Mapping[TopicPartition, int]
) -> dict[TopicPartition, ConsumedRecord]:
    """The records at these offsets that still exist; compaction may have deleted some."""
    found: dict[TopicPartition, ConsumedRecord] = {}

    def collect(partition: TopicPartition, message: Message) -> bool:
        if message.offset() == offsets[partition]:
            found[partition] = ConsumedRecord.of(message)
        return True

    _scan(cluster, offsets, collect)
    return found


def partitions_missing_record(
    cluster: ClusterClient,
    wanted: Mapping[TopicPartition, ConsumedRecord],
    starts: Mapping[TopicPartition, int],
) -> set[TopicPartition]:
    """The partitions that do not hold their wanted record from some offset on.

    A partition with too many records to search is not among them: it is inconclusive.
    """
    searched: Counter[TopicPartition] = Counter()

    def is_found(partition: TopicPartition, message: Message) -> bool:
        searched[partition] += 1
        is_last = searched[partition] >= MAX_RECORDS
        return is_last or wanted[partition].content == ConsumedRecord.of(message).content

    return _scan(cluster, starts, is_found)


def _scan(
    cluster: ClusterClient,
    starts: Mapping[TopicPartition, int],
    is_done: Callable[[TopicPartition, Message], bool],
) -> set[TopicPartition]:
    """Read each partition until `is_done`; the partitions of which the end was reached."""
    if not starts:
        return set()
    with OffsetRangeReader(cluster) as reader:
        for batch in reader.batches(starts, seconds=SECONDS):
            done: set[TopicPartition] = set()
            for partition, message in batch:
                if partition not in done and is_done(partition, message):
                    done.add(partition)
            reader.finish(done)
            reader.ended -= done
        if reader.unfinished:
            raise reader.timed_out(SECONDS)
        return reader.ended
