"""What may be wrong with a copy: the words of the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class DifferenceKind(StrEnum):
    """How one record differs."""

    MISSING = "missing"
    """On the source, and not on the target, where later records have arrived."""
    DUPLICATED = "duplicated"
    """More often on the target than on the source."""
    ALTERED = "altered"
    """On both sides, and not the same."""
    REORDERED = "reordered"
    """On both sides, in another order."""
    FOREIGN = "foreign"
    """On the target, and not on the source."""


@dataclass(frozen=True)
class Difference:
    """One record that differs."""

    topic: str
    partition: int
    kind: DifferenceKind
    source_offset: int | None
    target_offset: int | None
    key: bytes | None
    timestamp: int
    """In milliseconds; the source's where the source has the record."""
    differs: tuple[str, ...] = ()
    """Which parts of an altered record: key, value, headers, timestamp."""
    payloads: Mapping[str, str] = field(default_factory=dict)
    """By side, the value; only when asked for."""


@dataclass(frozen=True)
class DifferenceTally:
    """What came of comparing one partition."""

    counts: Mapping[DifferenceKind, int] = field(default_factory=dict)
    behind: int = 0
    """Records that have not arrived yet: lag, not loss."""
    oldest_behind: int | None = None
    """The earliest timestamp among them."""
    trimmed: int = 0
    """Records at the head that only one side still holds, because retention took the other's."""
    later: int = 0
    """Records that came to the source after the snapshot, and are not on the target yet."""
    differences: tuple[Difference, ...] = ()
    """The first of those that differ, by name."""
