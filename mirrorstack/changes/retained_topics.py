"""What leaves a stack without a word: copies that stay on the target, connectors without records.

Pulumi deletes by what its state says, and the state of a topic says whether it outlives the stack.
So `delete-topics` counts for topics that leave in a later deployment, and not in the same one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from mirrorstack.findings import Finding

SHOWN = 5


class Because(StrEnum):
    """Why no word is needed."""

    HEARTBEAT = "heartbeat"
    CHECKPOINT = "checkpoint"
    PROTECTED = "protected"

    @property
    def why(self) -> str:
        return WHY[self]


WHY = {
    Because.HEARTBEAT: (
        "a heartbeat connector needs no word: it has no offsets that matter, and comes and goes "
        "with its flow and `heartbeats`"
    ),
    Because.CHECKPOINT: (
        "a checkpoint connector that goes with its flow needs no word: what is said about the "
        "flow's source connector counts"
    ),
    Because.PROTECTED: (
        "that topic stays on the target with its records: it was deployed without `delete-topics`"
    ),
}


@dataclass(frozen=True)
class Wordless:
    """What a word may be written for, though none is needed."""

    name: str
    because: str


@dataclass(frozen=True)
class Kept:
    """A copy that no flow writes any more, and that `delete-topics` comes too late for."""

    name: str
    connector: str


def kept(copies: Iterable[Kept]) -> Iterator[Finding]:
    """One message for each connector."""
    by_connector: dict[str, list[str]] = {}
    for copy in copies:
        by_connector.setdefault(copy.connector, []).append(copy.name)
    for connector, names in by_connector.items():
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        yield Finding(
            f"{', '.join(names[:SHOWN])}{more} of {connector} stay on the target with their "
            "records, though `delete-topics` is true: it is not deployed yet, so the deployed "
            "state still protects them. Once they have left, no deployment deletes them.",
            "if they are to go, put them back, deploy `delete-topics: true`, and take them off in "
            "a deployment after that; or delete them by hand",
        )
