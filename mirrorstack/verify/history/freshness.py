"""How fresh the target is: lag now, the newest heartbeat, and the recovery point objective
(RPO)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from mirrorstack.verify.compare.comparison import PartitionComparison


@dataclass(frozen=True)
class Freshness:
    """Times in milliseconds."""

    heartbeat: int | None
    """The newest heartbeat of MirrorMaker on the target."""
    newest: int | None
    """The latest timestamp of a record on the target."""
    oldest_behind: int | None
    """The earliest timestamp of a record that has not arrived."""
    behind: int
    """How many records have not arrived."""
    rpo_seconds: float | None
    """How old such a record may be; null if no RPO is declared."""
    rpo_met: bool | None
    """Whether none was older when the target's end offsets were taken; null if no RPO is
    declared."""


def measure_freshness(
    compared: Collection[PartitionComparison],
    taken: int,
    rpo_seconds: float | None,
    heartbeat: int | None,
) -> Freshness:
    """`taken`: when the target's end offsets were taken."""
    newest = [
        *(each.newest for each in compared),
        *(each.proven.newest for each in compared if each.proven),
    ]
    tallies = [each.tally for each in compared]
    oldest = min((t.oldest_behind for t in tallies if t.oldest_behind is not None), default=None)
    age = 0.0 if oldest is None else (taken - oldest) / 1000
    return Freshness(
        heartbeat=heartbeat,
        newest=max((stamp for stamp in newest if stamp is not None), default=None),
        oldest_behind=oldest,
        behind=sum(each.behind for each in tallies),
        rpo_seconds=rpo_seconds,
        rpo_met=None if rpo_seconds is None else age <= rpo_seconds,
    )
