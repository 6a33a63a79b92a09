"""What leaves a stack or begins anew: connectors, their offsets, and the copies that they wrote.

Connect keeps the offsets of a connector under its name in the offsets topic of its workers. Under
another name, or with another topic, it begins at the earliest record and mirrors all of them again.
A copy that is deleted is gone with its records. So each of these changes needs a word in the stack
file that says it is meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mirrorstack.changes.intents import Intents
from mirrorstack.changes.replay_estimate import UNKNOWN, Amount
from mirrorstack.config.intents import Intent
from mirrorstack.findings import Finding


@dataclass(frozen=True)
class Leaving:
    """A connector that mirrors records, and what happens to it."""

    name: str
    offsets: str
    """The topic that its offsets are in."""
    moves_to: str | None = None
    """The topic that they are looked for in from now on; None where the connector goes away."""
    offsets_go: bool = False
    """Whether the topic that they are in is deleted."""
    copies: int = 0
    """How many of its copies are deleted with it."""
    amount: Amount = UNKNOWN
    """Of the records that it has mirrored."""


@dataclass(frozen=True)
class Untranslated:
    """A checkpoint connector that goes away while records go on being mirrored."""

    name: str


@dataclass(frozen=True)
class Deleted:
    """A copy on a target that is deleted with its records."""

    name: str
    """As `west/east.orders`."""
    connector: str
    """That wrote it."""
    partitions: int | None = None
    """How many it has when it is made anew; None where it goes for good."""
    becomes: str | None = None
    """What the flow's naming calls the copy from now on, where it changes."""
    amount: Amount = UNKNOWN
    """Of the records that it got."""

    @property
    def comes_back(self) -> bool:
        """Whether its flow goes on writing it, made anew or under another name."""
        return self.partitions is not None or self.becomes is not None


def unmeant(left: Leaving, intents: Intents) -> Iterator[Finding]:
    intent = intents.of(left.name)
    if left.moves_to is not None:
        yield from _moved(left, intents)
    elif intent == Intent.DISCARD or (intent == Intent.RESUME and not left.offsets_go):
        return
    else:
        copies = f", and {left.copies} topics that it wrote are deleted" if left.copies else ""
        back = (
            f"{intents.say(left.name, Intent.RESUME)} if it comes back under this name, whose "
            f"offsets stay in {left.offsets}; `discard` if it is not needed any more"
        )
        gone = (
            f"{intents.say(left.name, Intent.DISCARD)} if it is not needed any more; `resume` "
            f"cannot be, because `delete-topics` deletes its offsets in {left.offsets}"
        )
        yield Finding(
            f"Connector {left.name} goes away, after {left.amount.so_far}{copies}; nothing "
            "says what is to become of it. Records that are written meanwhile are skipped for good "
            "where the source's retention is shorter than the break, and under another name all "
            "that was mirrored is sent again.",
            f"say so in the stack file: {gone if left.offsets_go else back}",
        )


def _moved(left: Leaving, intents: Intents) -> Iterator[Finding]:
    intent = intents.of(left.name)
    if intent != Intent.RESTART:
        refused = f" `{intent}` cannot be: nothing carries them over." if intent else ""
        yield Finding(
            f"Connector {left.name} would look for its offsets in {left.moves_to}, and they are in "
            f"{left.offsets}. It begins at the earliest record, and sends again "
            f"{left.amount.sent_again}.{refused}",
            "keep the workers' `group`; or, if that is meant, say so in the stack file: "
            f"{intents.say(left.name, Intent.RESTART)}",
        )


def untranslated(left: Untranslated, intents: Intents) -> Iterator[Finding]:
    if intents.of(left.name) not in (Intent.RESUME, Intent.DISCARD):
        yield Finding(
            f"Connector {left.name} goes away. No record is sent again or skipped by that, but "
            "nobody translates the groups' offsets any more: after a failover each group reads "
            "again all that it has read from now on.",
            "keep the flow's `groups`; or say so in the stack file: "
            f"{intents.say(left.name, Intent.DISCARD)}",
        )


def deleted(copy: Deleted, leaving: Mapping[str, Leaving], intents: Intents) -> Iterator[Finding]:
    left = leaving.get(copy.connector)
    if left and left.moves_to is None and intents.of(left.name) != Intent.RESUME:
        return  # all is said with what is said about its connector, or asked there
    intent, amount = intents.of(copy.name), copy.amount
    if copy.partitions is not None and intent != Intent.RESTART:
        yield Finding(
            f"Topic {copy.name} is to have {copy.partitions} partitions, fewer than it has: it is "
            f"deleted and made anew, and {copy.connector} sends again {amount.sent_again}. "
            f"{amount.skipped}, and groups begin at their auto.offset.reset.",
            "give the source's topic as many partitions as before; or, if that is meant, say so "
            f"in the stack file: {intents.say(copy.name, Intent.RESTART)}",
        )
    elif copy.partitions is None and intent != Intent.DISCARD:
        yield Finding(
            f"Topic {copy.name} is deleted, because `delete-topics` is true and {_why(copy)}",
            "take `delete-topics` off in a deployment of its own before this one, and it stays; "
            f"or say so in the stack file: {intents.say(copy.name, Intent.DISCARD)}",
        )


def _why(copy: Deleted) -> str:
    amount = copy.amount
    if copy.becomes:
        return (
            f"its flow's `naming` calls it {copy.becomes} from now on. With it go {amount.so_far}; "
            f"{copy.connector} sends again {amount.sent_again}. {amount.skipped}."
        )
    return (
        f"no flow mirrors it any more. With it go {amount.so_far}; if a flow takes it up again, "
        f"{copy.connector} sends them again, and skips what the source does not hold any more."
    )
