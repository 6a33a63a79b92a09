"""The shared way to say "have it / fetch it / build it"."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.console import Console, Step
from mirrorstack.findings import UserError


@dataclass(frozen=True)
class Found:
    """A part that is there: where, which version, and how it came to be there."""

    path: Path
    version: str
    source: str
    warning: str = ""


class Unavailable(Exception):  # noqa: N818 - an answer, not an error: the next way is tried
    """One way of getting a part did not work; the text says why, in one line."""


@dataclass(frozen=True)
class Way:
    """One way of getting a part: what to call it, and what to do."""

    label: str
    take: Callable[[Step], None]


class Part(ABC):
    """Something the project needs on the machine.

    `have` only looks and is quick; `ways` are tried in order until one of them makes `have` answer.
    """

    name: str
    why: str
    """What it is needed for; shown when it cannot be had."""
    fix: str
    """What to type when it cannot be had."""

    @abstractmethod
    def have(self) -> Found | None: ...

    def ways(self) -> Sequence[Way]:
        return ()

    def examine(self, found: Found) -> str:
        """What is wrong with a part that is there; `mirrorstack doctor` asks, so it may be slow."""
        return ""

    def to_remove(self, found: Found) -> Sequence[Path]:
        """What to remove so that the set-up gets a part anew that has something wrong with it."""
        return [found.path]

    def wrong(self) -> str:
        """Why `have` answered nothing, when that says more than "it is not there"."""
        return ""


def ensure(part: Part, console: Console) -> Found:
    """The part, taken from wherever it can be had first; one Problem when from nowhere."""
    with console.step(part.name) as step:
        found = part.have()
        reasons = [why] if found is None and (why := part.wrong()) else []
        ways = list(part.ways()) if found is None else []
        for way in ways:
            step.progress(way.label)
            try:
                way.take(step)
            except Unavailable as reason:
                reasons.append(f"{way.label}: {reason}")
                if way is not ways[-1]:
                    console.say(f"  {part.name}, {reasons[-1].splitlines()[0]}")
                continue
            found = part.have()
            if found is not None:
                break
            reasons.append(f"{way.label}: ran to its end, yet {part.name} is still not there")
        if found is None:
            raise _cannot_be_had(part, reasons)
        step.done(f"{found.version}, {found.source}")
        if found.warning:
            console.say(f"  note: {found.warning}")
        return found


def _cannot_be_had(part: Part, reasons: list[str]) -> UserError:
    tried = "".join(f"\n    - {reason}" for reason in reasons)
    return UserError(f"{part.name} cannot be had; {part.why}.{tried}", part.fix)
