"""A compacted topic as a table: the last value of each key."""

from __future__ import annotations

from collections.abc import Mapping

from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.offset_ranges import BEGINNING, OffsetRangeReader
from mirrorstack.kafka.partitions import TopicPartition

SECONDS = 60.0
"""Without any record, before it gives up."""


class KeyedTopic:
    """Reads on where it ended: a topic that is not compacted yet may hold many records."""

    def __init__(self, cluster: KafkaCluster, topic: str) -> None:
        self._cluster = cluster
        self._topic = topic
        self._next: dict[TopicPartition, int] = {}
        self._values: dict[bytes, bytes] = {}

    def read(self) -> Mapping[bytes, bytes]:
        """As the topic is now; empty if it does not exist."""
        starts = self._starts()
        if not starts:
            return self._values
        with OffsetRangeReader(self._cluster) as reader:
            for batch in reader.batches(starts, seconds=SECONDS, idle=True):
                for partition, message in batch:
                    self._next[partition] = (message.offset() or 0) + 1
                    self._put(message.key() or b"", message.value())
            if reader.unfinished:
                raise reader.timed_out(SECONDS)
        return self._values

    def _starts(self) -> dict[TopicPartition, int]:
        if not self._next:
            described = self._cluster.describe_topics([self._topic])
            count = described[self._topic].partitions if described else 0
            self._next = {TopicPartition(self._topic, n): BEGINNING for n in range(count)}
        return dict(self._next)

    def _put(self, key: bytes, value: bytes | None) -> None:
        if value is None:
            self._values.pop(key, None)
        else:
            self._values[key] = value
