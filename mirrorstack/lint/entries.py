"""A config with the lines that its keys stand on, and findings that are put on these lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mirrorstack.findings import Finding


@dataclass(frozen=True)
class Placed:
    """A finding, and the line that it is about."""

    line: int
    finding: Finding


@dataclass(frozen=True)
class Entries:
    values: Mapping[str, str]
    lines: Mapping[str, int]
    line: int = 1
    """Where the config begins: for what is missing in it."""

    def placed(self, found: Iterable[Finding]) -> list[Placed]:
        return [Placed(self.lines.get(one.key, self.line), one) for one in found]
