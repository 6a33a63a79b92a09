"""The intents that a stack file declares: each acknowledges one destructive change, once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from mirrorstack.config.intents import Intent
from mirrorstack.findings import Finding
from mirrorstack.text import closest, suggestion


@dataclass(frozen=True)
class Intents:
    declared: Mapping[str, str]
    """By connector, or by target topic as `west/east.orders`."""
    used: Collection[str] = ()
    """Names whose intent an earlier deployment used: it does not apply to the next change."""

    def of(self, name: str) -> str | None:
        return None if name in self.used else self.declared.get(name)

    def declare(self, name: str, intent: Intent) -> str:
        """For a fix: what to write into the stack file."""
        setting = f"declare `mirrorstack:intent: {{{name}: {intent}}}`"
        if name not in self.used:
            return setting
        return f"{setting} again (an earlier deployment used it: remove it and deploy first)"


class ExemptReason(StrEnum):
    """Why a change needs no intent."""

    HEARTBEAT = "heartbeat"
    CHECKPOINT = "checkpoint"
    PROTECTED = "protected"

    @property
    def text(self) -> str:
        return EXEMPT_TEXTS[self]


REMOVE = "remove it from the stack file"
EXEMPT_TEXTS = {
    ExemptReason.HEARTBEAT: (
        "a heartbeat connector needs no intent: its offsets do not matter, and it follows "
        "`heartbeats` of its flow"
    ),
    ExemptReason.CHECKPOINT: (
        "a checkpoint connector that is removed with its flow needs no intent: that of the flow's "
        "source connector applies"
    ),
    ExemptReason.PROTECTED: (
        "the topic stays on the target with its records: it was deployed without `delete-topics`"
    ),
}


@dataclass(frozen=True)
class ExemptChange:
    """A connector or topic that an intent may be declared for, although none is needed."""

    name: str
    reason: str
    """An ExemptReason."""


def used_intents(
    before: Mapping[str, str], now: Mapping[str, str], used: Collection[str]
) -> Iterator[str]:
    """Names that an earlier deployment used an intent for that is still declared, unchanged."""
    for name, intent in now.items():
        if name in used and before.get(name) == intent:
            yield name


def unneeded_intents(
    intents: Intents,
    changed: Collection[str],
    exempt: Mapping[str, str] = MappingProxyType({}),
    unchanged: Collection[str] = (),
) -> Iterator[Finding]:
    """Intents that acknowledge nothing. `changed` and `unchanged` are names of connectors and
    topics; `exempt` maps those that need no intent to the reason."""
    for name, intent in intents.declared.items():
        if name in changed:
            continue
        near = None
        effect = " It announces a change that does not happen."
        if name in intents.used:
            reason = "an earlier deployment already used it"
        elif name in exempt:
            reason, effect = exempt[name], ""
        elif name in unchanged:
            reason = "this deployment does not change it"
        else:
            reason = "no connector or topic of that name is removed or restarted"
            # Names of changes first, even where another one is closer: intents are for changes.
            undeclared = [each for each in changed if each not in intents.declared]
            near = closest(name, undeclared) or closest(name, unchanged)
        yield Finding(
            f"`mirrorstack:intent` declares `{intent}` for {name}, but {reason}.{effect}",
            f"{suggestion(near)} Otherwise {REMOVE}" if near else REMOVE,
            path=("intent", name),
        )
