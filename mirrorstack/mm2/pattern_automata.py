"""Sets of topic names as finite automata: whether two patterns can match the same name.

Topics are created and deleted, so the names that match today prove nothing. Automata decide whether
any name can match both patterns. A pattern that they cannot express (a look-behind, a back
reference) raises UnsupportedPattern, and the caller must assume the worst.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from interegular import FSM, InvalidSyntax, Unsupported, parse_pattern

from mirrorstack.mm2.java_regex import NAME_CHARACTERS, InvalidPattern, compile_java
from mirrorstack.mm2.replication_policy import LONGEST_TOPIC_NAME

# A name, or a name with escaped dots: it matches itself and nothing else.
LITERAL = re.compile(r"(?:[\w-]|\\[.-])+", re.ASCII)
# The library accepts these, but with another meaning than Java.
MISREAD = re.compile(r"[*+?}]\+|\(\?>|\(\?[a-z]*x")
LOOK_AHEAD = re.compile(r"\(\?[=!]")
REPETITION = re.compile(r"(\))?\{(\d+)(?:,(\d*))?\}")


# More names and prefixes than these are not listed: their common prefix takes their place.
MOST_NAMES, MOST_BRANCHES = 16, 8


class UnsupportedPattern(ValueError):  # noqa: N818 - names what is wrong
    """A pattern that is not a regular language, or that the library or Java cannot read."""


@dataclass(frozen=True)
class NameOrPrefix:
    text: str
    is_prefix: bool = False


@dataclass(frozen=True)
class NameSet:
    """A set of names, finite or not."""

    automaton: FSM

    @classmethod
    def matching(cls, pattern: str) -> NameSet:
        """The names that a Java pattern matches; raises UnsupportedPattern."""
        return cls(_automaton(pattern))

    def __and__(self, other: NameSet) -> NameSet:
        return NameSet(self.automaton & other.automaton)

    def __or__(self, other: NameSet) -> NameSet:
        return NameSet(self.automaton | other.automaton)

    def __sub__(self, other: NameSet) -> NameSet:
        return NameSet(self.automaton - other.automaton)

    @classmethod
    def literally(cls, text: str, *, is_prefix: bool = False) -> NameSet:
        """One name, or all names with a prefix."""
        return cls(_automaton(re.escape(text) + (".*" if is_prefix else "")))

    def with_affixes(self, prefix: str, suffix: str) -> NameSet:
        """The same names, each with text before and after it."""
        automaton = self.automaton
        if prefix:
            automaton = _automaton(re.escape(prefix)) + automaton
        return NameSet(automaton + _automaton(re.escape(suffix)) if suffix else automaton)

    def contains(self, name: str) -> bool:
        return bool(self.automaton.accepts(name))

    def minimized(self) -> NameSet:
        """The same names with the fewest states: worth it for a set that is used again."""
        return NameSet(self.automaton.reduce())

    def names_and_prefixes(self) -> list[NameOrPrefix]:
        """A few names and prefixes that cover the set, as tight as can be."""
        automaton = self.automaton.reduce()
        found = list(islice(_branches(automaton, "", automaton.initial, ()), MOST_NAMES + 1))
        if len(found) <= MOST_NAMES:
            return found
        return [NameOrPrefix(_common_prefix(automaton), is_prefix=True)]

    def example(self) -> str | None:
        """One of the shortest names, preferably a readable one; None if the set is empty."""
        for chosen in (self.automaton & _automaton("[a-z].*[a-z0-9]"), self.automaton):
            found = _shortest(chosen)
            if found is not None and len(found) <= LONGEST_TOPIC_NAME:
                return found
        return None


def any_of(patterns: Iterable[str]) -> NameSet:
    """The union, as MirrorMaker's filters match: without patterns, no name."""
    return union(NameSet.matching(pattern) for pattern in patterns)


def union(sets: Iterable[NameSet]) -> NameSet:
    result = NameSet(_automaton("a") - _automaton("a"))
    for each in sets:
        result |= each
    return result


def every_name() -> NameSet:
    return NameSet.matching(".+")


@lru_cache(maxsize=1024)
def _automaton(pattern: str) -> FSM:
    """Over the characters of Kafka names, so that every example is a valid name."""
    try:
        legal: FSM = _parsed(_without_anchors(compile_java(pattern).pattern)) & _legal()
    except (InvalidPattern, Unsupported, InvalidSyntax, RecursionError):
        raise UnsupportedPattern(pattern) from None
    return legal


def _parsed(written: str) -> FSM:
    """Leading look-aheads are handled here: the library's exclude short names."""
    if MISREAD.search(written) or _repetitions(written) > LONGEST_TOPIC_NAME:
        raise Unsupported(written)
    ahead = LOOK_AHEAD.match(written)
    if ahead is None:
        if LOOK_AHEAD.search(written):
            raise Unsupported(written)
        return parse_pattern(written).to_fsm()
    end = _closing(written, ahead.end())
    inside, rest = written[ahead.end() : end], written[end + 1 :]
    if "|" in rest:  # the alternative may be outside of the look-ahead
        raise Unsupported(written)
    begun, whole = _parsed(f"(?:{inside}).*"), _parsed(rest)
    both: FSM = whole - begun if ahead.group() == "(?!" else whole & begun
    return both


def _repetitions(written: str) -> int:
    """How often a part of the pattern is repeated at most: an automaton has a state for each, and
    no name has as many characters. Groups may contain each other, so their counts multiply."""
    of_groups, largest = 1, 1
    for group, least, most in REPETITION.findall(written):
        count = max(int(least), int(most or 0))
        if group:
            of_groups *= max(count, 1)
        else:
            largest = max(largest, count)
    return of_groups * largest


def _closing(written: str, at: int) -> int:
    """The end of the group that is open; in a class, a parenthesis is always escaped."""
    depth = 1
    while True:
        depth += {"(": 1, ")": -1}.get(written[at], 0)
        if depth == 0:
            return at
        at += 2 if written[at] == "\\" else 1


@lru_cache(maxsize=1)
def _legal() -> FSM:
    return parse_pattern("[a-zA-Z0-9._-]+").to_fsm()


def _without_anchors(written: str) -> str:
    """Without the anchors of `^orders$`, which the library does not know: whole names match."""
    if "|" in written or written.endswith("\\$"):
        return written
    return written.removeprefix("^").removesuffix("$")


def _shortest(automaton: FSM) -> str | None:
    """Breadth first: the library's own search keeps every string that it has tried."""
    reached = {automaton.initial: ""}
    waiting = deque([automaton.initial])
    while waiting:
        state = waiting.popleft()
        if state in automaton.finals:
            return reached[state]
        for symbol, following in _steps(automaton, state):
            if following not in reached:
                reached[following] = reached[state] + symbol
                waiting.append(following)
    return None


def _branches(
    automaton: FSM, text: str, state: Any, path: tuple[Any, ...]
) -> Iterator[NameOrPrefix]:
    """The names below a state; a prefix where they repeat, or branch into many."""
    following = _live_steps(automaton, state)
    if state in path or len(following) > MOST_BRANCHES:
        yield NameOrPrefix(text, is_prefix=True)
        return
    if state in automaton.finals:
        yield NameOrPrefix(text)
    for symbol, after in following:
        yield from _branches(automaton, text + symbol, after, (*path, state))


def _common_prefix(automaton: FSM) -> str:
    text, state = "", automaton.initial
    while state not in automaton.finals:
        following = _live_steps(automaton, state)
        if len(following) != 1 or len(text) > LONGEST_TOPIC_NAME:
            break
        text, state = text + following[0][0], following[0][1]
    return text


def _live_steps(automaton: FSM, state: Any) -> list[tuple[str, Any]]:
    """Every character of a name that leads on to a final state."""
    return sorted(
        (symbol, following)
        for transition, following in automaton.map.get(state, {}).items()
        if automaton.islive(following)
        for symbol in automaton.alphabet.by_transition[transition]
        if symbol in NAME_CHARACTERS
    )


def _steps(automaton: FSM, state: Any) -> list[tuple[str, Any]]:
    """The next states, each by its most readable character, in a stable order."""
    found = [
        (min(automaton.alphabet.by_transition[transition], key=_readable), following)
        for transition, following in automaton.map.get(state, {}).items()
    ]
    legal = [(symbol, following) for symbol, following in found if symbol in NAME_CHARACTERS]
    return sorted(legal, key=lambda step: _readable(step[0]))


def _readable(symbol: object) -> tuple[bool, bool, str]:
    return (symbol not in NAME_CHARACTERS, not str(symbol).islower(), str(symbol))
