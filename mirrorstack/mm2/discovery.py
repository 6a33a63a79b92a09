"""Which topics a flow selects: by name, or by a pattern that may match more topics later."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from mirrorstack.mm2.replication_policy import literal_name


class Discovery(StrEnum):
    """What happens with topics that a pattern matches after a deployment."""

    LIVE = "live"
    """MirrorMaker creates and replicates them by itself."""
    PINNED = "pinned"
    """They are replicated after the next deployment, whose preview lists them."""


def named(selected: Iterable[str]) -> tuple[str, ...]:
    """The entries of `topics` or `groups` that are names."""
    return tuple(name for entry in selected if (name := literal_name(entry)) is not None)


def patterns(selected: Iterable[str]) -> tuple[str, ...]:
    """The entries that are patterns."""
    return tuple(entry for entry in selected if literal_name(entry) is None)


def as_patterns(selected: Iterable[str]) -> tuple[str, ...]:
    """The entries as MirrorMaker reads them, with names escaped: `a.b` would match `a-b`."""
    return tuple(
        entry if (name := literal_name(entry)) is None else quoted(name) for entry in selected
    )


def quoted(name: str) -> str:
    """A pattern that matches a name and nothing else."""
    return re.escape(name).replace(r"\-", "-")
