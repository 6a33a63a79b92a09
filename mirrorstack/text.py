"""Wording that many messages share."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

SHOWN = 5
CUTOFF = 0.6


def closest(word: str, known: Iterable[str], *, cutoff: float = CUTOFF) -> str | None:
    """The known word that was probably meant."""
    return next(iter(difflib.get_close_matches(word, list(known), n=1, cutoff=cutoff)), None)


def did_you_mean(
    word: str, known: Iterable[str], otherwise: str = "", *, cutoff: float = CUTOFF
) -> str:
    """A fix for a mistyped word: "did you mean `topics`?", or `otherwise` if nothing is close."""
    return suggestion(closest(word, known, cutoff=cutoff), otherwise)


def suggestion(near: str | None, otherwise: str = "") -> str:
    """The same where `near` is already known."""
    return f"did you mean `{near}`?" if near else otherwise


def and_more(items: Iterable[str], *, shown: int = SHOWN) -> str:
    """The first few of many: `a, b and 3 more`."""
    every = list(items)
    return " ".join(filter(None, (", ".join(every[:shown]), remaining(len(every), shown))))


def remaining(count: int, shown: int) -> str:
    """`and 3 more`, for lists that are not one line; empty if all are shown."""
    return f"and {count - shown} more" if count > shown else ""
