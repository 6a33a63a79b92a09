"""What a stack file says about what leaves the stack: each word is good for one deployment."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from mirrorstack.config.intents import Intent
from mirrorstack.findings import Finding


@dataclass(frozen=True)
class Intents:
    said: Mapping[str, str]
    """By what it is about: a connector, or a topic as `west/east.orders`."""
    spent: Collection[str] = ()
    """Those that an earlier deployment made use of: they are no word about the next one."""

    def of(self, name: str) -> str | None:
        return None if name in self.spent else self.said.get(name)

    def say(self, name: str, intent: Intent) -> str:
        """For a fix: what to write."""
        key = f"`mirrorstack:intent: {{{name}: {intent}}}`"
        if name not in self.spent:
            return key
        return f"{key} anew (an earlier deployment made use of it: take it off, and deploy, first)"


def spent(
    before: Mapping[str, str], now: Mapping[str, str], used: Collection[str]
) -> Iterator[str]:
    """What was used before and still stands there, unchanged. `used` are names."""
    for name, word in now.items():
        if name in used and before.get(name) == word:
            yield name


def left_over(
    intents: Intents,
    leaving: Collection[str],
    wordless: Mapping[str, str] = MappingProxyType({}),
    staying: Collection[str] = (),
) -> Iterator[Finding]:
    """Words about what is not leaving. `leaving` and `staying` are names; `wordless` are those of
    what needs no word, with the reason."""
    for name, word in intents.said.items():
        if name in leaving:
            continue
        near: list[str] = []
        reads = " Who reads the file takes it for something that is about to happen."
        if name in intents.spent:
            why = "an earlier deployment made use of it"
        elif name in wordless:
            why, reads = wordless[name], ""
        elif name in staying:
            why = "it stays as it is"
        else:
            why = "nothing of that name goes away or begins anew"
            near = _meant(name, [each for each in leaving if each not in intents.said], staying)
        yield Finding(
            f"`mirrorstack:intent` says `{word}` for {name}, and {why}.{reads}",
            (f"did you mean `{near[0]}`? Else " if near else "") + "take it off the stack file",
        )


def _meant(name: str, leaving: Collection[str], staying: Collection[str]) -> list[str]:
    """Rather what leaves than what resembles it more: words are written for what leaves."""
    return difflib.get_close_matches(name, leaving, n=1) or difflib.get_close_matches(
        name, staying, n=1
    )
