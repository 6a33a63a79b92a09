"""What one form of a declaration cannot say as another one did."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Note:
    """Something that is not said as in the original, and why."""

    where: str
    """The flow, the cluster or the connector."""
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"
