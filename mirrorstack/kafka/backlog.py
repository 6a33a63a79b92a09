"""Which topics hold committed records after given offsets: read, because offsets cannot tell.

The end of a partition may be a transaction's marker or records that were aborted, and the offsets
before it may have been compacted away: the difference of two offsets says nothing about records.
"""

from __future__ import annotations

from collections.abc import Mapping

from mirrorstack.kafka.admin_client import ClusterClient
from mirrorstack.kafka.offset_ranges import BEGINNING, OffsetRangeReader
from mirrorstack.kafka.partitions import TopicPartition

SECONDS = 20.0


def topics_with_backlog(
    cluster: ClusterClient, last_offsets: Mapping[TopicPartition, int]
) -> frozenset[str]:
    """The topics of which some partition holds a committed record after its last offset.

    An offset of -1 means from the beginning of the partition. A partition that cannot be read in
    time, or at all, counts as holding more: nothing has shown that it does not.
    """
    if not last_offsets:
        return frozenset()
    starts = {
        partition: offset + 1 if offset >= 0 else BEGINNING
        for partition, offset in last_offsets.items()
    }
    more: set[str] = set()
    with OffsetRangeReader(cluster, ignore_errors=True) as reader:
        for batch in reader.batches(starts, seconds=SECONDS):
            more |= {partition.topic for partition, _ in batch}
            reader.finish([each for each in reader.unfinished if each.topic in more])
        return frozenset(more | {topic for topic, _ in reader.unfinished})
