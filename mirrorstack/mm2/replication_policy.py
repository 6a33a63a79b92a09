"""The names of target topics, and which topics MirrorMaker replicates.

As in DefaultReplicationPolicy, IdentityReplicationPolicy and
MirrorSourceConnector.shouldReplicateTopic of Kafka 4.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from mirrorstack.findings import UserError
from mirrorstack.mm2.java_regex import compile_java

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


@dataclass(frozen=True)
class ReplicationPolicy:
    """The names that one flow gives to topics."""

    naming: Naming
    source: str
    target: str

    @property
    def java_class(self) -> str:
        kind = "Default" if self.naming is Naming.PREFIXED else "Identity"
        return f"{MIRROR_PACKAGE}.{kind}ReplicationPolicy"

    def target_topic(self, topic: str) -> str:
        """The name of a source topic on the target."""
        # Heartbeats are prefixed even with identity naming: MirrorMaker reads their origin from it.
        prefixed = self.naming is Naming.PREFIXED or topic.endswith(HEARTBEATS)
        name = f"{self.source}{SEPARATOR}{topic}" if prefixed else topic
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
        return self.naming is Naming.IDENTITY or topic.startswith(f"{self.source}{SEPARATOR}")

    @property
    def checkpoints_topic(self) -> str:
        """On the target: the translated offsets of the groups."""
        return f"{self.source}{SEPARATOR}checkpoints{SEPARATOR}internal"

    def offset_syncs_topic(self, location: str) -> str:
        """The offset-syncs topic, named after the other cluster than the one that holds it."""
        other = self.target if location == "source" else self.source
        return f"mm2-offset-syncs{SEPARATOR}{other}{SEPARATOR}internal"

    def is_heartbeats(self, topic: str) -> bool:
        """Whether it is `heartbeats`, or a heartbeats topic replicated from another cluster."""
        return topic.rsplit(SEPARATOR, 1)[-1] == HEARTBEATS

    def is_cycle(self, topic: str) -> bool:
        """Whether the topic was replicated from the target, directly or through other clusters."""
        if self.naming is Naming.IDENTITY and not topic.endswith(HEARTBEATS):
            return False  # the name does not show it
        *origins, _ = topic.split(SEPARATOR)
        return self.target in origins


def literal_name(pattern: str) -> str | None:
    """The name that a pattern stands for, with or without escaped dots; None if it is no name.

    To Java a bare dot is any character, but users write names with dots and mean a dot.
    """
    unescaped = pattern.replace(r"\.", ".")
    return unescaped if re.fullmatch(r"[\w.-]*", unescaped) else None


def is_internal(topic: str) -> bool:
    """Whether it is an internal topic of Kafka or MirrorMaker, which is never replicated."""
    of_mirror_maker = (topic.startswith("mm2") and topic.endswith(".internal")) or topic.endswith(
        ".checkpoints.internal"
    )
    return of_mirror_maker or topic.startswith(("__", "."))


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
    wanted = matches_any(topics, topic) and not matches_any(excluded, topic)
    forced = heartbeats and policy.is_heartbeats(topic)
    return (wanted or forced) and not is_internal(topic) and not policy.is_cycle(topic)
