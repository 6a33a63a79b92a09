"""JSON with line numbers. Python's parser decides what is valid JSON; it keeps no positions."""

from __future__ import annotations

import json
import re
from typing import Any

from mirrorstack.lint.document import (
    MAX_DEPTH,
    DocumentNode,
    LineIndex,
    MalformedDocument,
    scalar,
)

BLANKS = re.compile(r"[ \t\r\n]*")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
SCALAR = re.compile(r"[^ \t\r\n,\]}]+")


def parse_json(content: str) -> DocumentNode:
    try:
        # The reader converts integers: it knows the line of one that has too many digits.
        json.loads(content, parse_int=str)
    except json.JSONDecodeError as error:
        # Some of Python's messages end in " at", before the position.
        reason = error.msg.removesuffix(" at")
        raise MalformedDocument(error.lineno, f"{reason}, column {error.colno}") from None
    except RecursionError:
        raise MalformedDocument(1, f"nested deeper than {MAX_DEPTH} levels") from None
    return _Reader(content).value()


class _Reader:
    """Reads content that is known to be valid JSON."""

    def __init__(self, content: str) -> None:
        self._content = content
        self._lines = LineIndex(content)
        self._position = 0
        self._depth = 0

    def value(self) -> DocumentNode:
        line, first = self._line(), self._peek()
        if first not in ("{", "["):
            return scalar(line, self._token(STRING if first == '"' else SCALAR))
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise MalformedDocument(line, f"nested deeper than {MAX_DEPTH} levels")
        if first == "{":
            node = DocumentNode(line, None, self._members(), kind="mapping")
        else:
            node = DocumentNode(line, None, items=self._items(), kind="list")
        self._depth -= 1
        return node

    def _members(self) -> dict[str, DocumentNode]:
        members: dict[str, DocumentNode] = {}
        while self._has_more("}"):
            line = self._line()
            name = str(self._token(STRING))
            self._peek()
            self._position += 1  # the colon
            members[name] = self.value().with_line(line)
        return members

    def _items(self) -> tuple[DocumentNode, ...]:
        items = []
        while self._has_more("]"):
            items.append(self.value())
        return tuple(items)

    def _has_more(self, end: str) -> bool:
        """Moves past the opening bracket or a comma; whether another element follows."""
        if self._peek() != end:
            self._position += 1
        if self._peek() != end:
            return True
        self._position += 1
        return False

    def _token(self, pattern: re.Pattern[str]) -> Any:
        line = self._line()
        match = pattern.match(self._content, self._position)
        assert match is not None  # noqa: S101 - the content is valid JSON
        self._position = match.end()
        try:
            return json.loads(match.group())
        except ValueError:
            raise MalformedDocument(line, "an integer has too many digits") from None

    def _peek(self) -> str:
        blanks = BLANKS.match(self._content, self._position)
        self._position = blanks.end() if blanks else self._position
        return self._content[self._position]

    def _line(self) -> int:
        self._peek()
        return self._lines.line_at(self._position)
