"""Records that MirrorMaker lost without an error, and that no comparison can see.

When retention on the source overtakes replication, the records are deleted from the source before
they are replicated; MirrorMaker resumes at the source's new start. When a topic is deleted and
recreated, MirrorMaker skips up to its old offset, or appends to the records of the old topic. The
offset syncs show both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.comparison import PartitionComparison
from mirrorstack.verify.compare.differences import DifferenceKind
from mirrorstack.verify.reading.internal_topics import OffsetSync


class LossCause(StrEnum):
    RETENTION = "retention"
    """Retention on the source deleted records before they were replicated."""
    RECREATED = "recreated-topic"
    """The source topic was deleted and recreated."""


@dataclass(frozen=True)
class SilentLoss:
    topic: str
    partition: int | None
    """Null: the whole topic."""
    cause: LossCause
    certain: bool
    """Not if aborted transactions would explain the numbers as well."""
    message: str


def detect_silent_loss(
    partition: TopicPartition,
    compared: PartitionComparison,
    syncs: Sequence[OffsetSync],
    end: int,
    *,
    compacted: bool,
) -> list[SilentLoss]:
    """In one partition; `end` is the source's end offset, taken after the offset syncs were
    read."""
    syncs = _of_current_target(syncs)
    last = syncs[-1] if syncs else None

    def recreated(certain: bool, message: str) -> list[SilentLoss]:
        return [SilentLoss(*partition, LossCause.RECREATED, certain, message)]

    if last is not None and last.upstream >= end:
        return recreated(
            True,
            f"MirrorMaker has replicated up to source offset {last.upstream}, but the source ends "
            f"at {end}: the replicated records are from an earlier topic of this name",
        )
    if _went_back(syncs) and compared.tally.counts.get(DifferenceKind.UNEXPECTED):
        return recreated(
            True,
            "MirrorMaker restarted from an earlier offset, and the target has records that are not "
            "on the source",
        )
    if _starts_with_unexpected(compared):
        return recreated(
            False,
            f"the source starts at offset 0 and has {compared.source_records} records, but the "
            "target starts with records that are not on the source",
        )
    return _lost_to_retention(partition, compared, syncs, compacted=compacted)


def _of_current_target(syncs: Sequence[OffsetSync]) -> Sequence[OffsetSync]:
    """Where downstream offsets restart, the target topic was recreated and filled again."""
    starts = [
        number
        for number, (before, after) in enumerate(pairwise(syncs), 1)
        if after.downstream < before.downstream
    ]
    return syncs[starts[-1] :] if starts else syncs


def _went_back(syncs: Sequence[OffsetSync]) -> bool:
    """No loss by itself: after a crash, or when asked to, MirrorMaker sends records again, which
    the comparison reports as duplicated."""
    return any(after.upstream < before.upstream for before, after in pairwise(syncs))


def _starts_with_unexpected(compared: PartitionComparison) -> bool:
    unexpected = [
        each for each in compared.tally.differences if each.kind is DifferenceKind.UNEXPECTED
    ]
    if compared.target is None or compared.source.start > 0 or not unexpected:
        return False
    return unexpected[0].target_offset == compared.target.start


def _lost_to_retention(
    partition: TopicPartition,
    compared: PartitionComparison,
    syncs: Sequence[OffsetSync],
    *,
    compacted: bool,
) -> list[SilentLoss]:
    """Offsets that were not replicated and are no longer on the source."""
    start = compared.source.start
    if compacted or start == 0:
        return []
    dense = compared.is_dense
    losses = []
    for before, after in pairwise([*syncs, None]):
        if before is None or before.upstream + 1 >= start:
            continue  # what follows is still on the source and was compared
        if after is None:
            # Offset syncs lag behind the records; the content shows how far replication is.
            gap = start - before.upstream - 1 - _replicated_since(compared, before)
            where = f"up to offset {start - 1}"
        else:
            gap = (after.upstream - before.upstream) - (after.downstream - before.downstream)
            where = f"between offsets {before.upstream} and {after.upstream}"
        if gap > 0:
            unless = "" if dense else ", unless transactions were aborted there"
            losses.append(
                SilentLoss(
                    *partition,
                    LossCause.RETENTION,
                    dense,
                    f"retention deleted at least {gap} records {where} from the source before they "
                    f"were replicated{unless}",
                )
            )
    return losses


def _replicated_since(compared: PartitionComparison, sync: OffsetSync) -> int:
    """How many records the target has after the last one with an offset sync."""
    if compared.target is None:
        return 0
    return max(0, compared.target.end - sync.downstream - 1)


def detect_recreated_topics(
    previous: Mapping[str, str], current: Mapping[str, str]
) -> list[SilentLoss]:
    """Topics whose id is not the one in the previous report."""
    return [
        SilentLoss(
            topic,
            None,
            LossCause.RECREATED,
            True,
            f"the topic id was {previous[topic]} in the previous report and is {ident} now",
        )
        for topic, ident in current.items()
        if topic in previous and previous[topic] != ident
    ]
