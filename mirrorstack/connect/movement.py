"""Whether records move: judged over time, by the offsets that Connect has committed.

That an offset exists proves only that records moved once. A connector that was changed, or that
lost its way to the source, shows its old offsets and RUNNING tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mirrorstack.kafka.partitions import TopicPartition

Offsets = Mapping[TopicPartition, int]
"""The last mirrored offset of each partition of the source that has one."""

Backlog = Callable[[Offsets], frozenset[str]]
"""Given where partitions stand (-1: at their beginning), the topics with records after that."""

NONE_YET = -1


class Movement:
    """Remembers where topics stood at the first look, and which have been seen to be in order."""

    def __init__(self, partitions: Mapping[str, int] | None, backlog: Backlog | None) -> None:
        self._partitions = partitions or {}
        self._backlog = backlog
        self._began: Offsets | None = None
        self._in_order: set[str] = set()

    def standing(self, offsets: Offsets) -> frozenset[str]:
        """Topics that have records to be mirrored and have not moved since the first look."""
        if self._began is None:
            self._began = dict(offsets)
        began = self._began
        self._in_order |= {p[0] for p, at in offsets.items() if at > began.get(p, NONE_YET)}
        doubtful = {topic for topic, _ in offsets} - self._in_order
        if self._backlog is None or not doubtful:
            return frozenset()
        behind = self._backlog(
            {
                TopicPartition(topic, number): offsets.get(TopicPartition(topic, number), NONE_YET)
                for topic in doubtful
                for number in range(self._partitions.get(topic, 0))
            }
        )
        self._in_order |= doubtful - behind
        return behind
