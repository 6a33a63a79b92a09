"""How many records a change is about: those that are sent again, and those that are skipped.

They are counted in offsets, among which are those of transaction markers and of records that
compaction took away: so it is always `up to`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from mirrorstack.kafka.partitions import TopicPartition

Offsets = Mapping[TopicPartition, int]
"""The last mirrored offset, by topic and partition of the source."""
Spans = Mapping[str, Sequence[Sequence[int]]]
"""What a source holds of each topic: by partition, its first offset and the one after its last."""


@dataclass(frozen=True)
class Amount:
    mirrored: int | None = None
    """How many were mirrored, where Connect could be asked."""
    held: int | None = None
    """How many of them the source still holds, where it could be asked."""

    @property
    def so_far(self) -> str:
        if self.mirrored is None:
            return "as many records as were mirrored so far (Connect could not be asked how many)"
        return f"up to {self.mirrored:,} records that were mirrored so far"

    @property
    def sent_again(self) -> str:
        if self.mirrored is None or self.held is None:
            return self.so_far
        return f"up to {self.held:,} records that were mirrored so far"

    @property
    def skipped(self) -> str:
        """A sentence about a copy that is filled anew."""
        if self.mirrored is None or self.held is None:
            return "What the source does not hold any more is skipped"
        gone = self.mirrored - self.held
        if gone == 0:
            return "The source holds all of them, so none is skipped"
        return f"Up to {gone:,} that the source does not hold any more are skipped"


UNKNOWN = Amount()


def counted(
    offsets: Offsets | None, spans: Spans | None, topics: Collection[str] | None = None
) -> Amount:
    """Of these topics, or of all. What is not among the spans the flow does not mirror any more."""
    if offsets is None:
        return UNKNOWN
    ours = {place: at + 1 for place, at in offsets.items() if topics is None or place[0] in topics}
    held = None if spans is None else sum(_held(*place, ours[place], spans) for place in ours)
    return Amount(sum(ours.values()), held)


def _held(topic: str, partition: int, mirrored: int, spans: Spans) -> int:
    there = spans.get(topic, ())
    if partition >= len(there):
        return 0
    first, after_last = map(int, there[partition])
    return max(0, min(mirrored, after_last) - first)
