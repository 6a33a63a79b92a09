"""A JSON or YAML document with the line that every key and value stands on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mirrorstack.connect.config import text


@dataclass(frozen=True)
class Located:
    """A value, and where it begins."""

    line: int
    value: Any
    """A scalar; of a mapping or a list, None."""
    keys: Mapping[str, Located] = field(default_factory=dict)
    """Of a mapping, by key; the line is then the key's."""
    items: tuple[Located, ...] = ()
    kind: str = "scalar"
    """`scalar`, `mapping` or `list`."""

    def moved_to(self, line: int) -> Located:
        """The same for its key, which may stand some lines above."""
        return replace(self, line=line)

    def get(self, *path: str) -> Located | None:
        here: Located | None = self
        for key in path:
            here = here.keys.get(key) if here else None
        return here

    def text(self, *path: str) -> str | None:
        """A scalar as Kafka reads it; None where there is none."""
        found = self.get(*path)
        if found is None or found.kind != "scalar" or found.value is None:
            return None
        return text(found.value)

    def plain(self) -> Any:
        """The same without lines."""
        if self.kind == "mapping":
            return {key: value.plain() for key, value in self.keys.items()}
        if self.kind == "list":
            return [item.plain() for item in self.items]
        return self.value

    def at(self, path: tuple[str | int, ...]) -> int:
        """The line of what a path leads to, or of the last part of it that is there."""
        here = self
        for step in path:
            if isinstance(step, int) and step < len(here.items):
                here = here.items[step]
            elif str(step) in here.keys:
                here = here.keys[str(step)]
            else:
                break
        return here.line


class Malformed(ValueError):  # noqa: N818 - it is told to a person
    """What cannot be read at all, and where."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
