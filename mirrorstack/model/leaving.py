"""Connectors that leave a stack or lose their offsets: what becomes of the records.

Connect keeps the offsets of a connector under its name in the offsets topic of its workers. Under
another name, or with another topic, it begins at the earliest record and mirrors all of them again.
So a change of either needs a word in the stack file that says it is meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from mirrorstack.problem import Problem


class Intent(StrEnum):
    """What is to become of a connector that leaves, or that does not find its offsets again."""

    RESUME = "resume"
    """It comes back later, and goes on from the offsets that stay on the target."""
    RESTART = "restart"
    """It begins at the earliest record: all are mirrored again."""
    DISCARD = "discard"
    """It is not needed any more."""


@dataclass(frozen=True)
class Leaving:
    """A connector that mirrors records, and what happens to it."""

    name: str
    offsets: str
    """The topic that its offsets are in."""
    moves_to: str | None = None
    """The topic that they are looked for in from now on; None where the connector goes away."""
    mirrored: int | None = None
    """How many records it has mirrored, at the most, where Connect could be asked: offsets, among
    which are those of transaction markers and of records that compaction took away."""


def leaving(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Leaving]:
    """`before` and `after` have the offsets topic of each connector."""
    for name, offsets in before.items():
        if after.get(name) != offsets:
            yield Leaving(name, offsets, after.get(name))


def unmeant(left: Leaving, intents: Mapping[str, str]) -> Iterator[Problem]:
    intent = intents.get(left.name)
    if left.moves_to is None:
        if intent not in (Intent.RESUME, Intent.DISCARD):
            yield Problem(
                f"Connector {left.name} goes away, after {_records(left)}; nothing says what is to "
                "become of it. Records that are written meanwhile are skipped for good where the "
                "source's retention is shorter than the break, and under another name all that "
                "was mirrored is sent again.",
                f"say so in the stack file: `mirrorstack:intent: {{{left.name}: resume}}` if it "
                f"comes back under this name, whose offsets stay in {left.offsets}; `discard` if "
                "it is not needed any more",
            )
    elif intent != Intent.RESTART:
        refused = f" `{intent}` cannot be: nothing carries them over." if intent else ""
        yield Problem(
            f"Connector {left.name} would look for its offsets in {left.moves_to}, and they are in "
            f"{left.offsets}. It begins at the earliest record, and sends again {_records(left)}."
            f"{refused}",
            "keep the workers' `group`; or, if that is meant, say so in the stack file: "
            f"`mirrorstack:intent: {{{left.name}: restart}}`",
        )


def _records(left: Leaving) -> str:
    if left.mirrored is None:
        return "as many records as were mirrored so far (Connect could not be asked how many)"
    return f"up to {left.mirrored:,} records that were mirrored so far"
