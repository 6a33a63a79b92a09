"""Whether replication makes progress: judged over time, by the offsets that Connect has committed.

That an offset exists proves only that records were replicated once. A connector that was changed,
or that cannot reach the source any more, shows its old offsets and RUNNING tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mirrorstack.kafka.partitions import TopicPartition, all_partitions

Offsets = Mapping[TopicPartition, int]
"""The last replicated offset of each source partition that has one."""

BacklogQuery = Callable[[Offsets], frozenset[str]]
"""Given the last replicated offsets (-1: none), the topics with records after them."""

NONE_YET = -1


class ReplicationProgress:
    """Knows the offsets at the first check, and which topics have made progress since or have
    nothing left to replicate."""

    def __init__(self, partitions: Mapping[str, int] | None, backlog: BacklogQuery | None) -> None:
        self._partitions = partitions or {}
        self._backlog = backlog
        self._first: Offsets | None = None
        self._in_order: set[str] = set()

    def stalled_topics(self, offsets: Offsets) -> frozenset[str]:
        """Topics with records to replicate whose offsets have not changed since the first check."""
        if self._first is None:
            self._first = dict(offsets)
        first = self._first
        self._in_order |= {
            each.topic for each, at in offsets.items() if at > first.get(each, NONE_YET)
        }
        unchanged = {topic for topic, _ in offsets} - self._in_order
        if self._backlog is None or not unchanged:
            return frozenset()
        counts = {topic: self._partitions.get(topic, 0) for topic in unchanged}
        behind = self._backlog(
            {each: offsets.get(each, NONE_YET) for each in all_partitions(counts)}
        )
        self._in_order |= unchanged - behind
        return behind
