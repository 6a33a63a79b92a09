"""A parsed JSON or YAML document with line numbers, and configs with the line of each key."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from mirrorstack.connect.config import value_text
from mirrorstack.findings import Finding, KeyPath

MAX_DEPTH = 100
MAX_NODES = 100_000
MAX_INTEGER_BITS = 10_000
"""Python refuses to print integers with more than 4300 digits."""


class MalformedDocument(ValueError):  # noqa: N818 - the name says what it is
    """Content that cannot be parsed, and its line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


@dataclass(frozen=True)
class DocumentNode:
    """A value and the line on which it starts."""

    line: int
    value: Any
    """A scalar; None for a mapping or a list."""
    members: Mapping[str, DocumentNode] = field(default_factory=dict)
    """The values of a mapping by key; each has the line of its key."""
    items: tuple[DocumentNode, ...] = ()
    kind: Literal["scalar", "mapping", "list"] = "scalar"

    def with_line(self, line: int) -> DocumentNode:
        return replace(self, line=line)

    def get(self, *path: str) -> DocumentNode | None:
        node: DocumentNode | None = self
        for key in path:
            node = node.members.get(key) if node else None
        return node

    def text(self, *path: str) -> str | None:
        """A scalar as Kafka reads it; None if it is absent or not a scalar."""
        node = self.get(*path)
        if node is None or node.kind != "scalar" or node.value is None:
            return None
        return value_text(node.value)

    def to_python(self) -> Any:
        """The value without line numbers."""
        if self.kind == "mapping":
            return {key: value.to_python() for key, value in self.members.items()}
        if self.kind == "list":
            return [item.to_python() for item in self.items]
        return self.value

    def line_of(self, path: KeyPath) -> int:
        """The line of the value at a path, or of its closest ancestor that exists."""
        node = self
        for step in path:
            if isinstance(step, int) and step < len(node.items):
                node = node.items[step]
            elif str(step) in node.members:
                node = node.members[str(step)]
            else:
                break
        return node.line


@dataclass(frozen=True)
class LocatedConfig:
    """A flat config with the line of each key."""

    values: Mapping[str, str]
    lines: Mapping[str, int]
    line: int = 1
    """Where the config starts: the location of findings about missing keys."""

    def locate(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings with the lines of the keys that they are about."""
        return [replace(one, line=self.lines.get(one.key, self.line)) for one in findings]


class LineIndex:
    """Line numbers by position; line starts are computed once, so that lookups are cheap."""

    def __init__(self, content: str) -> None:
        self._starts = [0]
        position = content.find("\n")
        while position >= 0:
            self._starts.append(position + 1)
            position = content.find("\n", position + 1)

    def line_at(self, position: int) -> int:
        return bisect_right(self._starts, position)


def scalar(line: int, value: Any) -> DocumentNode:
    """A scalar node; refuses integers that Python cannot print."""
    if isinstance(value, int) and value.bit_length() > MAX_INTEGER_BITS:
        raise MalformedDocument(line, "an integer has too many digits")
    return DocumentNode(line, value)
