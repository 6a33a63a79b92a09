"""What is wrong, and how to fix it: one type for rules, checks, linting and errors.

Only the standard library, because the set-up raises user errors before anything is installed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum
from typing import Any

KeyPath = tuple[str | int, ...]
"""The keys and list indexes that lead to a value: `("flows", 0, "to")`."""


def key_text(path: KeyPath) -> str:
    """A path as people write it: `flows[0].to`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).removeprefix(".")


def printable(text: str) -> str:
    """For a terminal: text that quotes a file may contain control characters and lone surrogates.
    Line breaks stay."""
    return "".join(
        character
        if character.isprintable() or character == "\n"
        else character.encode("unicode_escape").decode()
        for character in text
    )


class Severity(StrEnum):
    ERROR = "error"
    """It does not work, or not as written."""
    WARNING = "warning"
    """It may be intended; somebody should check."""
    NOTE = "note"
    """Information that needs no action by itself."""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong. Code reads the fields; the texts are for people and may change."""

    message: str
    """What is wrong, with the key and the value, and why it matters."""
    fix: str = ""
    """What to do about it."""
    _: KW_ONLY
    rule: str = ""
    """The id of the rule that found it."""
    severity: Severity = Severity.ERROR
    path: KeyPath = ()
    """Where in the file or config."""
    file: str = ""
    line: int | None = None
    """Counted from 1."""
    flow: str | None = None
    cluster: str | None = None
    topic: str | None = None
    connector: str | None = None

    @classmethod
    def at(cls, path: KeyPath, message: str, fix: str = "", **fields: Any) -> Finding:
        """A finding about one key, whose message begins with that key: `flows[0].to: ...`."""
        return cls(f"{key_text(path)}: {message}" if path else message, fix, path=path, **fields)

    @property
    def key(self) -> str:
        """The path as text: `flows[0].to`."""
        return key_text(self.path)

    @property
    def text(self) -> str:
        """The message with its location: `stacks/Pulumi.dr.yaml:7: unknown cluster "wset"`."""
        location = f"{self.file}:{self.line}" if self.line is not None else self.file
        return f"{location}: {self.message}" if self.file else self.message

    def __str__(self) -> str:
        return printable(f"{self.text}\nfix: {self.fix}" if self.fix else self.text)


class UserError(Exception):
    """Something that the user can fix. Commands print the findings, without a traceback.

    Any other exception is a defect of Mirrorstack and keeps its traceback.
    """

    def __init__(self, message: str, fix: str = "", **fields: Any) -> None:
        super().__init__(message, fix)
        self.findings: tuple[Finding, ...] = (Finding(message, fix, **fields),)

    @classmethod
    def of(cls, findings: Iterable[Finding], *, file: str = "") -> UserError:
        """One error for several findings; there must be at least one. `file` is the file of those
        that do not name one."""
        found = tuple(each if each.file else replace(each, file=file) for each in findings)
        error = UserError(found[0].message, found[0].fix)
        error.findings = found
        return error

    @property
    def message(self) -> str:
        return self.findings[0].message

    @property
    def fix(self) -> str:
        return self.findings[0].fix

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))

    def report(self) -> str:
        """As every command prints it: `error: ...`, then `fix: ...`, for each finding."""
        return "\n".join(f"{finding.severity}: {finding}" for finding in self.findings)
