"""What begins anew: under other names, with other offsets, or because its copy is made anew.

A copy under a new name is empty, so its connector forgets how far it was and sends everything once
more. That is told before it is done, and once more, with the number, where the stack file says that
it is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mirrorstack.changes.intents import Intents
from mirrorstack.changes.removals import Deleted, Leaving
from mirrorstack.changes.replay_estimate import UNKNOWN, Amount
from mirrorstack.config.intents import Intent
from mirrorstack.findings import Finding


@dataclass(frozen=True)
class Renamed:
    """A connector whose flow has another `naming` from now on."""

    name: str
    topics: tuple[str, ...]
    """Of the source: those whose copies get another name."""
    copy: str
    """The first of these copies, as `west/east.orders`."""
    becomes: str
    """What it is called from now on."""
    amount: Amount = UNKNOWN
    """Of the records that they got."""

    @property
    def again(self) -> str:
        return (
            f"It begins at the earliest record for {len(self.topics)} of its topics, and "
            f"sends again {self.amount.sent_again}. {self.amount.skipped}."
        )


def renamed(each: Renamed, intents: Intents) -> Iterator[Finding]:
    intent = intents.of(each.name)
    if intent != Intent.RESTART:
        refused = f" `{intent}` cannot be: no copy takes its offsets along." if intent else ""
        yield Finding(
            f"Connector {each.name} writes to {each.becomes} what it has written to {each.copy}, "
            f"because `naming` of its flow changes. {each.again}{refused}",
            "keep the flow's `naming`; or, if that is meant, say so in the stack file: "
            f"{intents.say(each.name, Intent.RESTART)}",
        )


def begins_anew_on_purpose(
    leaving: Iterable[Leaving],
    renames: Iterable[Renamed],
    deleted: Iterable[Deleted],
    intents: Intents,
) -> Iterator[Finding]:
    """What is sent again because the stack file says so."""
    told = {
        left.name: f"Connector {left.name} begins at the earliest record, as the stack file says, "
        f"and sends again {left.amount.sent_again}."
        for left in leaving
        if left.moves_to is not None
    }
    told |= {
        each.name: f"Connector {each.name} writes to {each.becomes} what it has written to "
        f"{each.copy}, as the stack file says. {each.again}"
        for each in renames
        if each.name not in told
    }
    told |= {
        copy.name: f"Topic {copy.name} is made anew, as the stack file says, and {copy.connector} "
        f"sends again {copy.amount.sent_again}. {copy.amount.skipped}."
        for copy in deleted
        if copy.partitions is not None
    }
    for name, what in told.items():
        if intents.of(name) == Intent.RESTART:
            yield Finding(what, f"nothing, if that is meant; else take the word for {name} off")
