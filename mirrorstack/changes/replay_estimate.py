"""How many records a change affects: those replicated again, and those skipped.

The numbers are counted in offsets, which include transaction markers and compacted records, so they
are always upper limits: "up to".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from mirrorstack.kafka.partitions import TopicPartition

ConnectorOffsets = Mapping[TopicPartition, int]
"""The offset of the last replicated record, by partition of the source."""
TopicOffsetRanges = Mapping[str, Sequence[Sequence[int]]]
"""What a source retains of each topic: by partition, the first offset and the end offset."""


@dataclass(frozen=True)
class ReplayEstimate:
    replicated: int | None = None
    """Records replicated so far; None where Connect did not report it."""
    retained: int | None = None
    """How many of them the source still has; None where that is not known."""

    @property
    def replicated_records(self) -> str:
        if self.replicated is None:
            return "all records replicated so far (Connect did not report how many)"
        return f"up to {self.replicated:,} records replicated so far"

    @property
    def replayed_records(self) -> str:
        """Those that the connector replicates again if it restarts from earliest."""
        if self.replicated is None or self.retained is None:
            return self.replicated_records
        return f"up to {self.retained:,} records"

    @property
    def skipped_records(self) -> str:
        """A sentence, without its period, about a target topic that is filled from earliest."""
        if self.replicated is None or self.retained is None:
            return "Records that the source no longer retains are skipped"
        gone = self.replicated - self.retained
        if gone == 0:
            return "The source retains all of them, so none is skipped"
        return f"Up to {gone:,} records that the source no longer retains are skipped"


UNKNOWN = ReplayEstimate()


def estimate(
    offsets: ConnectorOffsets | None,
    offset_ranges: TopicOffsetRanges | None,
    topics: Collection[str] | None = None,
) -> ReplayEstimate:
    """For these source topics, or for all. One without offset ranges is no longer replicated."""
    if offsets is None:
        return UNKNOWN
    counts = {
        partition: offset + 1
        for partition, offset in offsets.items()
        if topics is None or partition[0] in topics
    }
    retained = None
    if offset_ranges is not None:
        retained = sum(_retained(*each, counts[each], offset_ranges) for each in counts)
    return ReplayEstimate(sum(counts.values()), retained)


def _retained(topic: str, partition: int, replicated: int, offset_ranges: TopicOffsetRanges) -> int:
    partitions = offset_ranges.get(topic, ())
    if partition >= len(partitions):
        return 0
    first, end = map(int, partitions[partition])
    return max(0, min(replicated, end) - first)
