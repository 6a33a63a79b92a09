"""Properties files as java.util.Properties reads them, with the line number of each key.

Connect and MirrorMaker load their files as bytes, so every byte is one Latin-1 character. There are
no comments after a value, blanks at its end belong to it, and a backslash is always an escape.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

BLANKS = " \t\f"
ESCAPES = {"t": "\t", "r": "\r", "n": "\n", "f": "\f"}
HEX = re.compile(r"[0-9A-Fa-f]{4}")
# What would end a key, or make a comment of its line.
KEY_ENDS = re.compile(r"(?<!^\\)(?=[=: ])|^(?=[#!])")
BACKSLASH = r"\\"


@dataclass(frozen=True)
class Property:
    key: str
    value: str
    line: int
    """Where the key begins, from 1."""


class MalformedProperties(ValueError):  # noqa: N818 - printed for the user
    """Java refuses to load the file: a `\\u` is not followed by four hexadecimal digits."""

    def __init__(self, line: int) -> None:
        super().__init__(r"a \u must be followed by four hexadecimal digits")
        self.line = line


def load(content: bytes) -> list[Property]:
    """The entries in the order of the file. Java uses the last of several with the same key."""
    return load_text(content.decode("latin-1"))


def load_text(content: str) -> list[Property]:
    """The same for decoded text, as Java loads it from a Reader."""
    found = []
    for number, line in _logical_lines(content):
        end, start = _split(line)
        try:
            found.append(Property(_unescaped(line[:end]), _unescaped(line[start:]), number))
        except ValueError:
            raise MalformedProperties(number) from None
    return found


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines without comments and blank lines; continued lines are joined, with the first number.

    State by state as in java.util.Properties, whose corners no description covers: a comment may
    follow a line that holds nothing but a backslash, for example.
    """
    line, first, number, position = "", 1, 1, 0
    skipping, continued, escaped, comment = True, False, False, False
    while position < len(text):
        character, here = text[position], number
        position += 1
        ends = character in "\r\n"
        # `\r\n` is one end of a line. Only where it matters does Java look at the `\n`.
        number += ends and text[position - 1 : position + 1] != "\r\n"
        if comment:
            comment = not ends
            continue
        if skipping:
            if character in BLANKS or (ends and not continued):
                continue
            skipping = continued = False
        if not line:
            first = here
            if character in "#!":
                comment = skipping = True
                continue
        if not ends:
            line += character
            escaped = character == "\\" and not escaped
        elif not line:
            skipping = True
        elif escaped and position < len(text):
            line = line[:-1]
            skipping, continued, escaped = True, True, False
            if text[position - 1 : position + 1] == "\r\n":
                position += 1
                number += 1
        else:
            yield first, line[:-1] if escaped else line
            line, skipping, escaped = "", True, False
    if line:
        yield first, line[:-1] if escaped else line


def _split(line: str) -> tuple[int, int]:
    """Where the key ends and where the value begins: after `=`, `:` or blanks, unless escaped."""
    end, escaped = 0, False
    while end < len(line) and (escaped or line[end] not in f"=:{BLANKS}"):
        escaped = line[end] == "\\" and not escaped
        end += 1
    start, separated = end, False
    while start < len(line):
        if line[start] in "=:" and not separated:
            separated = True
        elif line[start] not in BLANKS:
            break
        start += 1
    return end, start


def _unescaped(text: str) -> str:
    plain, position = [], 0
    while position < len(text):
        character = text[position]
        position += 1
        if character != "\\":
            plain.append(character)
            continue
        escape = text[position : position + 1]
        position += 1
        if escape == "u":
            code = HEX.match(text, position)
            if code is None:
                raise ValueError
            plain.append(chr(int(code.group(), 16)))
            position = code.end()
        else:
            plain.append(ESCAPES.get(escape, escape))
    # Two escapes may be the halves of one character.
    return "".join(plain).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def render(properties: Mapping[str, str]) -> str:
    """A file of plain ASCII that Java reads as the same keys and values."""
    return "".join(
        f"{KEY_ENDS.sub(BACKSLASH, _escaped(key))}={_escaped(value)}\n"
        for key, value in properties.items()
    )


def _escaped(text: str) -> str:
    text = text.replace("\\", "\\\\")
    if text.startswith(" "):
        text = "\\" + text
    units = text.encode("utf-16-be")
    codes = (int.from_bytes(units[i : i + 2], "big") for i in range(0, len(units), 2))
    return "".join(chr(code) if 32 <= code < 127 else f"\\u{code:04x}" for code in codes)
