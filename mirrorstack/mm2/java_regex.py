"""Regular expressions of Java, with which MirrorMaker matches topic and group names.

MirrorMaker compiles its filters with java.util.regex and matches whole names. Python's `re` reads
some patterns differently, so a pattern is parsed here by Java's rules and written again by
Python's. Patterns that Java rejects are rejected; so are the few that have no equivalent in Python.
"""

from __future__ import annotations

import re
from functools import lru_cache

# The characters of Kafka names. A character class stands for those of them that are in it, so that
# Java's unions and intersections of classes are plain sets.
NAME_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")
DIGITS = frozenset("0123456789")
LOWER = frozenset("abcdefghijklmnopqrstuvwxyz")
UPPER = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
WORDS = DIGITS | LOWER | UPPER | {"_"}
PUNCTUATION = frozenset("._-")
SHORTHAND = {
    "d": DIGITS,
    "w": WORDS,
    "s": frozenset[str](),
    "h": frozenset[str](),
    "v": frozenset[str](),
}
PROPERTIES = {
    "Lower": LOWER,
    "Upper": UPPER,
    "Alpha": LOWER | UPPER,
    "Digit": DIGITS,
    "Alnum": LOWER | UPPER | DIGITS,
    "Punct": PUNCTUATION,
    "Graph": NAME_CHARACTERS,
    "Print": NAME_CHARACTERS,
    "ASCII": NAME_CHARACTERS,
    "XDigit": DIGITS | frozenset("abcdefABCDEF"),
    "L": LOWER | UPPER,
    "IsAlphabetic": LOWER | UPPER,
    "N": DIGITS,
    "Lu": UPPER,
    "Ll": LOWER,
    "Nd": DIGITS,
    "Space": frozenset[str](),
    "Blank": frozenset[str](),
    "Cntrl": frozenset[str](),
}

MOST_REPETITIONS = 2**31 - 1
"""Java counts with an int."""


class InvalidPattern(ValueError):  # noqa: N818 - names what is wrong
    """A pattern that Java rejects, or that has no equivalent in Python."""


@lru_cache(maxsize=4096)
def compile_java(pattern: str) -> re.Pattern[str]:
    """A Python pattern that matches the same topic and group names."""
    reader = _PatternReader(pattern)
    try:
        translated = reader.alternatives()
        if reader.rest():
            raise InvalidPattern(f"unmatched ) at position {reader.at}")
        return re.compile(translated)
    except re.error as error:
        raise InvalidPattern(str(error)) from None
    except RecursionError:
        raise InvalidPattern("groups or character classes are nested too deeply") from None


class _PatternReader:
    """A recursive-descent reader of one pattern; each method returns Python's notation."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def rest(self) -> str:
        return self.text[self.at :]

    def peek(self, token: str) -> bool:
        return self.text.startswith(token, self.at)

    def take(self, token: str) -> bool:
        if self.peek(token):
            self.at += len(token)
            return True
        return False

    def next(self, what: str) -> str:
        if self.at >= len(self.text):
            raise InvalidPattern(f"the pattern ends where {what} is expected")
        self.at += 1
        return self.text[self.at - 1]

    def until(self, token: str, what: str) -> str:
        end = self.text.find(token, self.at)
        if end < 0:
            raise InvalidPattern(f"{what} at position {self.at} is not closed with {token}")
        taken, self.at = self.text[self.at : end], end + len(token)
        return taken

    def alternatives(self) -> str:
        written = self.sequence()
        while self.take("|"):
            written += "|" + self.sequence()
        return written

    def sequence(self) -> str:
        written = ""
        while self.rest() and not self.peek("|") and not self.peek(")"):
            if self.text[self.at] in "*+?":
                raise InvalidPattern(f"dangling {self.text[self.at]} at position {self.at}")
            written += self.atom() + self.quantifier()
        return written

    def atom(self) -> str:
        character = self.next("a character")
        if character == "(":
            return self.group()
        if character == "[":
            return _written(self.character_class())
        if character == "\\":
            return self.escape()
        if character == "{":
            raise InvalidPattern(f"illegal repetition at position {self.at - 1}")
        return character if character in ".^$" else re.escape(character)

    def quantifier(self) -> str:
        if self.take("{"):
            count = self.until("}", "the repetition")
            if not re.fullmatch(r"[0-9]+(,[0-9]*)?", count):
                raise InvalidPattern(f"illegal repetition {{{count}}}")
            if any(_is_too_large(number) for number in count.split(",")):
                raise InvalidPattern(f"a repetition is larger than {MOST_REPETITIONS:,}")
            written = f"{{{count}}}"
        else:
            written = next((mark for mark in "*+?" if self.take(mark)), "")
        if written:
            written += next((mark for mark in "?+" if self.take(mark)), "")
        return written

    def group(self) -> str:
        opening = "("
        if self.take("?"):
            opening = self.group_kind()
            if opening.endswith(")"):
                return opening
        written = self.alternatives()
        if not self.take(")"):
            raise InvalidPattern("a group is not closed with )")
        return f"{opening}{written})"

    def group_kind(self) -> str:
        for kind in (":", "=", "!", ">", "<=", "<!"):
            if self.take(kind):
                return f"(?{kind}"
        if self.take("<"):
            name = self.until(">", "the name of a group")
            if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", name):
                raise InvalidPattern(f"{name!r} is not a name for a group")
            return f"(?P<{name}>"
        flags = re.match(r"[imsux]+(?=[:)])", self.rest())
        if flags is None:
            raise InvalidPattern(f"(?{self.rest()[:1]} is no kind of group")
        self.at += len(flags.group())
        letters = flags.group().replace("u", "")
        if self.take(":"):
            return f"(?{letters}:"
        if self.at != len(flags.group()) + 2:
            raise InvalidPattern("flags such as (?i) are supported only at the start or as (?i:…)")
        self.take(")")
        return f"(?{letters})"

    def escape(self) -> str:
        if self.take("Q"):
            quoted, _, after = self.rest().partition("\\E")
            self.at = len(self.text) - len(after)
            return f"(?:{re.escape(quoted)})"
        character = self.next("what is escaped")
        if character in "bBA":
            return f"\\{character}"
        if character in "zZ":
            return r"\Z"
        if character in "123456789":
            return f"(?:\\{character})"
        if character == "k" and self.take("<"):
            return f"(?P={self.until('>', 'the name of a group')})"
        return _written(self.escaped_set(character))

    def escaped_set(self, character: str) -> frozenset[str]:
        """The characters of a name that an escape such as \\d, \\p{Alnum} or \\. stands for."""
        if character.lower() in SHORTHAND:
            found = SHORTHAND[character.lower()]
            return found if character.islower() else NAME_CHARACTERS - found
        if character in "pP":
            name = self.until("}", "a property") if self.take("{") else self.next("a property")
            if name not in PROPERTIES:
                raise InvalidPattern(f"\\{character}{{{name}}} is not supported")
            return PROPERTIES[name] if character == "p" else NAME_CHARACTERS - PROPERTIES[name]
        if character.isalnum():
            raise InvalidPattern(f"\\{character} is no escape that is known")
        return frozenset(character)

    def character_class(self) -> frozenset[str]:
        """`[a-z&&[^b]]` as a set; the opening bracket is read already."""
        negated = self.take("^")
        result: frozenset[str] | None = None
        union: frozenset[str] = frozenset()
        first = True
        while first or not self.peek("]"):
            if self.take("&&"):
                result = union if result is None else result & union
                union = frozenset()
            elif self.take("["):
                union |= self.character_class()
            else:
                union |= self.range()
            first = False
        self.take("]")
        whole = union if result is None else result & union
        return NAME_CHARACTERS - whole if negated else whole

    def range(self) -> frozenset[str]:
        character = self.next("a closing ]")
        if character == "\\":
            start = self.escaped_set(self.next("what is escaped"))
            if len(start) != 1:
                return start
            (character,) = start
        if not self.peek("-") or self.peek("-]") or self.peek("-[") or self.peek("-&&"):
            return frozenset(character)
        self.take("-")
        end = self.next("the end of a range")
        if end == "\\":
            end = next(iter(self.escaped_set(self.next("what is escaped"))))
        if end < character:
            raise InvalidPattern(f"illegal range {character}-{end}")
        return frozenset(map(chr, range(ord(character), ord(end) + 1)))


def _written(characters: frozenset[str]) -> str:
    """A set of characters in Python's notation; the empty set matches nothing."""
    if not characters:
        return r"(?!)"
    if len(characters) == 1:
        return re.escape(next(iter(characters)))
    return "[" + "".join(re.escape(character) for character in sorted(characters)) + "]"


def _is_too_large(number: str) -> bool:
    # Python refuses to read numbers with thousands of digits.
    return len(number) > len(str(MOST_REPETITIONS)) or int(number or 0) > MOST_REPETITIONS
