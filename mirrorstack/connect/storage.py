"""Where the workers of a Connect group keep their state: three compacted topics."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ConnectStorage:
    """The internal topics of one Connect group."""

    group: str
    configs_topic: str
    offsets_topic: str
    status_topic: str

    @classmethod
    def named_after(cls, group: str) -> ConnectStorage:
        return cls(group, f"{group}-configs", f"{group}-offsets", f"{group}-status")

    @property
    def partitions(self) -> dict[str, int]:
        """By topic. Connect requires one for configs; more for the others spread the load."""
        return {self.configs_topic: 1, self.offsets_topic: 5, self.status_topic: 5}


@dataclass(frozen=True)
class OffsetsLocation:
    """Where Connect keeps the offsets of a connector: under its name, in a topic of its group."""

    topic: str
    connector: str
