"""The names of target topics, and which topics MirrorMaker replicates.

As in DefaultReplicationPolicy, IdentityReplicationPolicy and
MirrorSourceConnector.shouldReplicateTopic of Kafka 4.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from mirrorstack.findings import UserError
from mirrorstack.mm2.java_regex import compile_java
from mirrorstack.mm2.name_templates import SOURCE, TOPIC, NameTemplate

SEPARATOR = "."
HEARTBEATS = "heartbeats"
LONGEST_TOPIC_NAME = 249  # Kafka's own limit
# The defaults of `topics.exclude` and `groups.exclude`. A configured list replaces the default, so
# it has to repeat it.
DEFAULT_TOPICS_EXCLUDE = (r"mm2.*\.internal", r".*\.replica", "__.*")
DEFAULT_GROUPS_EXCLUDE = ("console-consumer-.*", "connect-.*", "__.*")
MIRROR_PACKAGE = "org.apache.kafka.connect.mirror"


class Naming(StrEnum):
    """How target topics are named."""

    PREFIXED = "prefixed"
    """`east.orders`: the name shows the source, and MirrorMaker breaks cycles."""
    IDENTITY = "identity"
    """`orders`: the name does not show the source, and nothing breaks a cycle."""
    CUSTOM = "custom"
    """By a class of one's own, which may show the source or not."""


@dataclass(frozen=True)
class PolicyClass:
    """A ReplicationPolicy that is not Kafka's: its class, and the names that it gives."""

    java_class: str
    template: NameTemplate
    reads_origin: bool = True
    """Whether it reads the source from a name that shows it, as the template promises."""


@dataclass(frozen=True)
class ReplicationPolicy:
    """The names that one flow gives to topics."""

    naming: Naming
    source: str
    target: str
    separator: str = SEPARATOR
    """Between the parts of a name; with a class of one's own, of MirrorMaker's internal topics."""
    own: PolicyClass | None = None
    """The class of `Naming.CUSTOM`."""

    @property
    def java_class(self) -> str:
        if self.own is not None:
            return self.own.java_class
        kind = "Default" if self.naming is Naming.PREFIXED else "Identity"
        return f"{MIRROR_PACKAGE}.{kind}ReplicationPolicy"

    @cached_property
    def template(self) -> NameTemplate:
        if self.own is not None:
            return self.own.template
        return self._prefixed if self.naming is Naming.PREFIXED else NameTemplate(TOPIC)

    @property
    def shows_origin(self) -> bool:
        """Whether a name shows the source, so that MirrorMaker breaks cycles."""
        return self.template.shows_source and (self.own is None or self.own.reads_origin)

    def without_origin(self) -> ReplicationPolicy:
        """The same names, from which the policy's own class reads no source."""
        return replace(self, own=self.own and replace(self.own, reads_origin=False))

    @property
    def affixes(self) -> tuple[str, str]:
        """What the flow adds before and after the name of a topic."""
        return self.template.affixes(self.source)

    @property
    def prefix(self) -> str | None:
        """The prefix that the flow's target topics have, and those of no other source."""
        return self.prefix_of(self.source)

    def prefix_of(self, alias: str) -> str | None:
        """The prefix by which topics of a cluster are known, if they have one."""
        starts = self.shows_origin and self.template.text.startswith(SOURCE)
        return self.template.affixes(alias)[0] if starts else None

    @property
    def renames_heartbeats(self) -> bool:
        """Whether a topic whose name ends in `heartbeats` is prefixed, although others are not:
        IdentityReplicationPolicy takes it for heartbeats, and shows their source."""
        return self.naming is Naming.IDENTITY

    @property
    def replicates_heartbeats(self) -> bool:
        """Whether heartbeats of the source have a name of their own on the target. Otherwise they
        would be mixed with those that are emitted there."""
        return self.renames_heartbeats or self.shows_origin

    def target_topic(self, topic: str) -> str:
        """The name of a source topic on the target."""
        name = self._template_of(topic).apply(self.source, topic)
        if len(name) > LONGEST_TOPIC_NAME:
            raise UserError(
                f"Topic {topic} would be named {name} on {self.target}: {len(name)} characters, "
                f"and Kafka allows {LONGEST_TOPIC_NAME}.",
                f"choose a shorter alias than {self.source}, or exclude the topic from the flow",
                topic=topic,
            )
        return name

    def may_be_target_topic(self, topic: str) -> bool:
        """Whether a topic on the target could be one that the flow writes, by its name."""
        before, after = self.affixes
        return topic.startswith(before) and topic.endswith(after)

    @property
    def checkpoints_topic(self) -> str:
        """On the target: the translated offsets of the groups."""
        return f"{self.source}{self.separator}checkpoints{self.separator}internal"

    def offset_syncs_topic(self, location: str) -> str:
        """The offset-syncs topic, named after the other cluster than the one that holds it."""
        other = self.target if location == "source" else self.source
        return f"mm2-offset-syncs{self.separator}{other}{self.separator}internal"

    @property
    def internal_patterns(self) -> tuple[str, ...]:
        """The same as `is_internal`, as patterns."""
        separator = re.escape(self.separator)
        checkpoints = f"{separator}checkpoints{separator}internal"
        return (f"mm2.*{separator}internal", f".*{checkpoints}", "__.*", r"\..*")

    def is_internal(self, topic: str) -> bool:
        """Whether it is an internal topic of Kafka or MirrorMaker, which is never replicated."""
        internal = f"{self.separator}internal"
        return (
            (topic.startswith("mm2") and topic.endswith(internal))
            or topic.endswith(f"{self.separator}checkpoints{internal}")
            or topic.startswith(("__", "."))
        )

    def is_heartbeats(self, topic: str) -> bool:
        """Whether it is `heartbeats`, or a heartbeats topic replicated from another cluster."""
        return self._origins(topic)[-1] == HEARTBEATS

    def is_cycle(self, topic: str) -> bool:
        """Whether the topic was replicated from the target, directly or through other clusters."""
        return self.target in self._origins(topic)[:-1]

    @property
    def cycle_pattern(self) -> str:
        """The same as `is_cycle`, as a pattern."""
        if self.own is not None:
            return self.template.pattern_from(self.target)
        separator = re.escape(self.separator)
        return f"(.*{separator})?{re.escape(self.target)}{separator}.*"

    @property
    def _prefixed(self) -> NameTemplate:
        return NameTemplate(f"{SOURCE}{self.separator}{TOPIC}")

    def _template_of(self, topic: str) -> NameTemplate:
        renamed = self.renames_heartbeats and topic.endswith(HEARTBEATS)
        return self._prefixed if renamed else self.template

    def _origins(self, topic: str) -> list[str]:
        """The clusters that a name shows, the latest first; at the end the name on the first."""
        found: list[str] = []
        while origin := self._origin(topic):
            source, topic = origin
            found.append(source)
        return [*found, topic]

    def _origin(self, topic: str) -> tuple[str, str] | None:
        if self.own is not None:
            return self.template.origin(topic) if self.shows_origin else None
        if not self._template_of(topic).shows_source:
            return None
        source, _, rest = topic.partition(self.separator)
        # Java ignores empty parts at the end, so that `west.` shows no source.
        return (source, rest) if rest.replace(self.separator, "") else None


def literal_name(pattern: str) -> str | None:
    """The name that a pattern stands for, with or without escaped dots; None if it is no name.

    To Java a bare dot is any character, but users write names with dots and mean a dot.
    """
    unescaped = pattern.replace(r"\.", ".")
    return unescaped if re.fullmatch(r"[\w.-]*", unescaped) else None


def matches_any(patterns: Iterable[str], name: str) -> bool:
    """As MirrorMaker's filters match: against whole names; without patterns nothing matches."""
    return any(compile_java(pattern).fullmatch(name) for pattern in patterns)


def is_replicated(
    policy: ReplicationPolicy,
    topic: str,
    *,
    topics: Iterable[str],
    excluded: Iterable[str],
    heartbeats: bool,
) -> bool:
    """Whether a flow replicates a topic of its source."""
    if policy.is_heartbeats(topic) and not policy.replicates_heartbeats:
        return False
    wanted = matches_any(topics, topic) and not matches_any(excluded, topic)
    forced = heartbeats and policy.is_heartbeats(topic)
    return (wanted or forced) and not policy.is_internal(topic) and not policy.is_cycle(topic)
