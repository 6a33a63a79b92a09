"""The outcomes of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class DifferenceKind(StrEnum):
    """How one record differs."""

    MISSING = "missing"
    """On the source but not on the target, although later records have arrived."""
    DUPLICATED = "duplicated"
    """More often on the target than on the source."""
    ALTERED = "altered"
    """On both sides, but not equal."""
    REORDERED = "reordered"
    """On both sides, in another order."""
    UNEXPECTED = "unexpected"
    """On the target but not on the source."""


MOST_SEVERE_FIRST = (
    DifferenceKind.MISSING,
    DifferenceKind.ALTERED,
    DifferenceKind.UNEXPECTED,
    DifferenceKind.REORDERED,
    DifferenceKind.DUPLICATED,
)


@dataclass(frozen=True)
class RecordDifference:
    """One record that differs."""

    topic: str
    partition: int
    kind: DifferenceKind
    source_offset: int | None
    target_offset: int | None
    key: bytes | None
    timestamp: int
    """In milliseconds; the source's if the source has the record."""
    differs: tuple[str, ...] = ()
    """Which parts of an altered record differ: key, value, headers, timestamp."""
    payloads: Mapping[str, str] = field(default_factory=dict)
    """The value on each side; only with `--payloads`."""


@dataclass(frozen=True)
class DifferenceTally:
    """The differences of one partition."""

    counts: Mapping[DifferenceKind, int] = field(default_factory=dict)
    behind: int = 0
    """Records that have not been replicated yet: lag, not loss."""
    oldest_behind: int | None = None
    """The earliest timestamp among them."""
    trimmed: int = 0
    """Records at the start that retention has deleted from one side only."""
    later: int = 0
    """Records written to the source after the comparison started and not yet on the target."""
    differences: tuple[RecordDifference, ...] = ()
    """The first of the records that differ."""
