"""A part that the project needs on this machine: found, downloaded or built."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.console import Console, Step
from mirrorstack.findings import UserError


@dataclass(frozen=True)
class InstalledPart:
    path: Path
    version: str
    origin: str
    """How it was installed, for example `official download`."""
    warning: str = ""


class Unavailable(Exception):  # noqa: N818 - not an error yet: the next method is tried
    """One method of installing a part failed; the text is the reason, in one line."""


@dataclass(frozen=True)
class InstallMethod:
    """One method of installing a part."""

    label: str
    run: Callable[[Step], None]


class Part(ABC):
    """Something the project needs on this machine.

    `find` is quick and changes nothing; the `methods` are tried in order until `find` succeeds.
    """

    name: str
    why: str
    """What it is needed for; printed when it is not available."""
    fix: str
    """What to do when it is not available."""

    @abstractmethod
    def find(self) -> InstalledPart | None: ...

    def methods(self) -> Sequence[InstallMethod]:
        return ()

    def check(self, found: InstalledPart) -> str:
        """The error of an installed part, or nothing. Called by `doctor`, so it may be slow."""
        return ""

    def paths_to_remove(self, found: InstalledPart) -> Sequence[Path]:
        """What to remove so that the next set-up installs a broken part again."""
        return [found.path]

    def why_missing(self) -> str:
        """Why `find` found nothing, if there is more to say than "not installed"."""
        return ""


def ensure(part: Part, console: Console) -> InstalledPart:
    """Find the part, or install it by the first method that works."""
    with console.step(part.name) as step:
        found = part.find()
        reasons = [reason] if found is None and (reason := part.why_missing()) else []
        methods = list(part.methods()) if found is None else []
        for method in methods:
            step.progress(method.label)
            try:
                method.run(step)
            except Unavailable as reason:
                reasons.append(f"{method.label}: {reason}")
                if method is not methods[-1]:
                    console.say(f"  {part.name}, {reasons[-1].splitlines()[0]}")
                continue
            found = part.find()
            if found is not None:
                break
            reasons.append(f"{method.label}: succeeded, but {part.name} was not found after it")
        if found is None:
            raise _not_available(part, reasons)
        step.done(f"{found.version}, {found.origin}")
        if found.warning:
            console.say(f"  note: {found.warning}")
        return found


def _not_available(part: Part, reasons: list[str]) -> UserError:
    tried = "".join(f"\n    - {reason}" for reason in reasons)
    return UserError(f"{part.name}: not available; {part.why}{tried}", part.fix)
