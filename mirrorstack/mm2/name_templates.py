"""Templates for the names of target topics, such as `{source}.{topic}`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

SOURCE, TOPIC = "{source}", "{topic}"
ALIAS = "[A-Za-z0-9_-]+"


@dataclass(frozen=True)
class NameTemplate:
    """Has `{topic}` once, `{source}` at most once, and otherwise characters of topic names."""

    text: str

    def affixes(self, source: str) -> tuple[str, str]:
        """What comes before and after the name of a source's topic."""
        before, _, after = self.text.partition(TOPIC)
        return before.replace(SOURCE, source), after.replace(SOURCE, source)

    def apply(self, source: str, topic: str) -> str:
        """The name of a source's topic on the target."""
        before, after = self.affixes(source)
        return f"{before}{topic}{after}"

    @property
    def shows_source(self) -> bool:
        """Whether the source can be read from a name: it is there, and apart from the topic."""
        adjacent = (f"{SOURCE}{TOPIC}", f"{TOPIC}{SOURCE}")
        return SOURCE in self.text and not any(each in self.text for each in adjacent)

    def origin(self, name: str) -> tuple[str, str] | None:
        """The source and the topic that a name shows."""
        found = self._shown.fullmatch(name) if self.shows_source else None
        return (found["source"], found["topic"]) if found else None

    def pattern_from(self, source: str) -> str:
        """A pattern of the names that show a source, directly or through other clusters.

        With text on both sides of the topic no pattern describes the latter: they are left out.
        """
        direct, through = self._pattern(re.escape(source), ".*"), self._pattern(ALIAS, "")
        before, after = self.affixes(source)
        if before and after:
            return direct
        return f"({through})*{direct}" if before else f"{direct}({through})*"

    @cached_property
    def _shown(self) -> re.Pattern[str]:
        # The shortest alias, and so the longest topic, wherever there is a choice.
        return re.compile(self._pattern(f"(?P<source>{ALIAS}?)", "(?P<topic>.+)"))

    def _pattern(self, source: str, topic: str) -> str:
        groups = {SOURCE: source, TOPIC: topic}
        parts = re.split(r"(\{source\}|\{topic\})", self.text)
        return "".join(groups.get(part, re.escape(part)) for part in parts)
