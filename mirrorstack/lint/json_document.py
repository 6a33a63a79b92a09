"""JSON with lines. Python's own parser says whether it is JSON, and keeps no lines."""

from __future__ import annotations

import json
import re
from typing import Any

from mirrorstack.lint.document import Located, Malformed

BLANKS = re.compile(r"[ \t\r\n]*")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
SCALAR = re.compile(r"[^ \t\r\n,\]}]+")


def from_json(content: str) -> Located:
    try:
        json.loads(content)
    except json.JSONDecodeError as error:
        raise Malformed(error.lineno, f"{error.msg}, column {error.colno}") from None
    except RecursionError:
        raise Malformed(1, "it is nested too deeply") from None
    return _Reader(content).value()


class _Reader:
    """Reads what is known to be JSON."""

    def __init__(self, content: str) -> None:
        self._content = content
        self._at = 0

    def value(self) -> Located:
        line, first = self._line(), self._peek()
        if first == "{":
            return Located(line, None, self._members(), kind="mapping")
        if first == "[":
            return Located(line, None, items=self._items(), kind="list")
        return Located(line, self._token(STRING if first == '"' else SCALAR))

    def _members(self) -> dict[str, Located]:
        keys: dict[str, Located] = {}
        while self._more("}"):
            line = self._line()
            name = str(self._token(STRING))
            self._peek()
            self._at += 1  # the colon
            keys[name] = self.value().moved_to(line)
        return keys

    def _items(self) -> tuple[Located, ...]:
        found = []
        while self._more("]"):
            found.append(self.value())
        return tuple(found)

    def _more(self, end: str) -> bool:
        """Past the opening bracket or a comma; whether another one follows."""
        if self._peek() != end:
            self._at += 1
        if self._peek() != end:
            return True
        self._at += 1
        return False

    def _token(self, kind: re.Pattern[str]) -> Any:
        self._peek()
        found = kind.match(self._content, self._at)
        assert found is not None  # noqa: S101 - it is JSON
        self._at = found.end()
        return json.loads(found.group())

    def _peek(self) -> str:
        blanks = BLANKS.match(self._content, self._at)
        self._at = blanks.end() if blanks else self._at
        return self._content[self._at]

    def _line(self) -> int:
        self._peek()
        return self._content.count("\n", 0, self._at) + 1
