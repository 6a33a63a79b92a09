"""Silent loss: what MirrorMaker passes over without a word, and what content alone cannot show.

When retention on the source passes the mirror, the records are gone from the source before they
were copied; MirrorMaker goes on at the source's new start. When a topic is deleted and made again,
it skips up to its old offset, or copies on top of what was there. MirrorMaker's own notes of which
offset is which tell both.
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
    RETENTION = "retention passed the mirror"
    MADE_AGAIN = "the topic was made again"


@dataclass(frozen=True)
class SilentLoss:
    """Records that no comparison can find any more."""

    topic: str
    partition: int
    loss: LossCause
    certain: bool
    """Not where the numbers may also come from transactions that were taken back."""
    sentence: str


def detect_silent_loss(
    place: TopicPartition,
    compared: PartitionComparison,
    syncs: Sequence[OffsetSync],
    end: int,
    *,
    compacted: bool,
) -> list[SilentLoss]:
    """What one partition's notes and bounds tell; `end` is the source's, later than the notes."""
    start = compared.source.start
    syncs = _of_this_copy(syncs)
    last = syncs[-1] if syncs else None
    if last is not None and last.upstream >= end:
        return [
            SilentLoss(
                *place,
                LossCause.MADE_AGAIN,
                True,
                f"MirrorMaker has copied up to offset {last.upstream}, and the source ends at "
                f"{end}: what was copied is of an earlier topic of that name",
            )
        ]
    if _went_back(syncs) and compared.tally.counts.get(DifferenceKind.FOREIGN):
        return [
            SilentLoss(
                *place,
                LossCause.MADE_AGAIN,
                True,
                "MirrorMaker began again at an earlier offset than it had reached, and the target "
                "has records that are not on the source",
            )
        ]
    if _has_foreign_head(compared):
        return [
            SilentLoss(
                *place,
                LossCause.MADE_AGAIN,
                False,
                f"the source begins at offset 0 and has {compared.source_records} records; the "
                "target begins with records that the source never had in this life",
            )
        ]
    return _gone(place, compared, syncs, start, compacted=compacted)


def _of_this_copy(syncs: Sequence[OffsetSync]) -> Sequence[OffsetSync]:
    """Where the target's offsets begin anew, so does the copy: it was filled from the start."""
    begins = [
        number
        for number, (before, after) in enumerate(pairwise(syncs), 1)
        if after.downstream < before.downstream
    ]
    return syncs[begins[-1] :] if begins else syncs


def _went_back(syncs: Sequence[OffsetSync]) -> bool:
    """By itself no loss: after a crash, or when asked to, MirrorMaker sends records once more, and
    the comparison tells them as duplicates."""
    return any(after.upstream < before.upstream for before, after in pairwise(syncs))


def _has_foreign_head(compared: PartitionComparison) -> bool:
    foreign = [each for each in compared.tally.differences if each.kind is DifferenceKind.FOREIGN]
    if compared.target is None or compared.source.start > 0 or not foreign:
        return False
    return foreign[0].target_offset == compared.target.start


def _gone(
    place: TopicPartition,
    compared: PartitionComparison,
    syncs: Sequence[OffsetSync],
    start: int,
    *,
    compacted: bool,
) -> list[SilentLoss]:
    """Offsets that were neither copied nor are on the source any more."""
    if compacted or start == 0:
        return []
    dense = compared.is_dense
    alarms = []
    for before, after in pairwise([*syncs, None]):
        if before is None or before.upstream + 1 >= start:
            continue  # what follows is still there, and was compared
        if after is None:
            # The notes lag behind the records; content says how far the copy really is.
            gap = start - before.upstream - 1 - _copied_since(compared, before)
            where = f"up to offset {start - 1}"
        else:
            gap = (after.upstream - before.upstream) - (after.downstream - before.downstream)
            where = f"between offsets {before.upstream} and {after.upstream}"
        if gap > 0:
            alarms.append(
                SilentLoss(
                    *place,
                    LossCause.RETENTION,
                    dense,
                    f"at least {gap} records {where} were not copied, and retention has taken them "
                    "from the source"
                    + ("" if dense else ", unless transactions were aborted there"),
                )
            )
    return alarms


def _copied_since(compared: PartitionComparison, sync: OffsetSync) -> int:
    """How many records the target has behind the last one that was noted."""
    if compared.target is None:
        return 0
    return max(0, compared.target.end - sync.downstream - 1)


def recreated_topics(before: Mapping[str, str], now: Mapping[str, str]) -> list[tuple[str, str]]:
    """Topics whose id is not what an earlier report has: each with a sentence."""
    return [
        (topic, f"its id was {before[topic]} in the last report, and is {ident}")
        for topic, ident in now.items()
        if topic in before and before[topic] != ident
    ]
