"""What topics are called on the target, and which ones MirrorMaker touches at all.

The rules are those of MirrorMaker's DefaultReplicationPolicy and IdentityReplicationPolicy and of
MirrorSourceConnector.shouldReplicateTopic, in Kafka 4.3.
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
# MirrorMaker's default; a list of our own must contain it, because it replaces the default.
DEFAULT_TOPICS_EXCLUDE = (r"mm2.*\.internal", r".*\.replica", "__.*")
DEFAULT_GROUPS_EXCLUDE = ("console-consumer-.*", "connect-.*", "__.*")
MIRROR_PACKAGE = "org.apache.kafka.connect.mirror"


class Naming(StrEnum):
    """How a mirrored topic is named on the target."""

    PREFIXED = "prefixed"
    """`east.orders`: it shows where it came from, and cycles are noticed."""
    IDENTITY = "identity"
    """`orders`: nothing shows where it came from, and nothing breaks a cycle."""


@dataclass(frozen=True)
class ReplicationPolicy:
    """The names of one flow."""

    naming: Naming
    source: str
    target: str

    @property
    def java_class(self) -> str:
        kind = "Default" if self.naming is Naming.PREFIXED else "Identity"
        return f"{MIRROR_PACKAGE}.{kind}ReplicationPolicy"

    def target_topic(self, topic: str) -> str:
        """The topic's name on the target."""
        # Heartbeats keep their origin even under identity naming: by it, MirrorMaker measures.
        prefixed = self.naming is Naming.PREFIXED or topic.endswith(HEARTBEATS)
        name = f"{self.source}{SEPARATOR}{topic}" if prefixed else topic
        if len(name) > LONGEST_TOPIC_NAME:
            raise UserError(
                f"Topic {topic} would be called {name} on {self.target}: {len(name)} characters, "
                f"and Kafka allows {LONGEST_TOPIC_NAME}.",
                f"choose a shorter alias than {self.source}, or leave the topic out of the flow",
            )
        return name

    def may_be_remote(self, topic: str) -> bool:
        """Whether a topic on the target could be a mirrored one, by its name."""
        return self.naming is Naming.IDENTITY or topic.startswith(f"{self.source}{SEPARATOR}")

    @property
    def checkpoints_topic(self) -> str:
        """On the target: where each group would go on there."""
        return f"{self.source}{SEPARATOR}checkpoints{SEPARATOR}internal"

    def offset_syncs_topic(self, location: str) -> str:
        """Which offset on the target is which on the source; named after the other cluster."""
        other = self.target if location == "source" else self.source
        return f"mm2-offset-syncs{SEPARATOR}{other}{SEPARATOR}internal"

    def is_heartbeats(self, topic: str) -> bool:
        """`heartbeats`, or a heartbeats topic that was mirrored from elsewhere."""
        return topic.rsplit(SEPARATOR, 1)[-1] == HEARTBEATS

    def is_cycle(self, topic: str) -> bool:
        """Whether the topic came from the target, at whatever distance."""
        if self.naming is Naming.IDENTITY and not topic.endswith(HEARTBEATS):
            return False  # the name does not tell
        *origins, _ = topic.split(SEPARATOR)
        return self.target in origins


def literal_name(pattern: str) -> str | None:
    """What a pattern says when it is a name, with escaped dots or without; None where it is not.

    To Java a bare dot is any character. People write names with dots, and mean a dot.
    """
    unescaped = pattern.replace(r"\.", ".")
    return unescaped if re.fullmatch(r"[\w.-]*", unescaped) else None


def is_internal(topic: str) -> bool:
    """Topics of Kafka, Connect and MirrorMaker itself, which are never mirrored."""
    of_mirror_maker = (topic.startswith("mm2") and topic.endswith(".internal")) or topic.endswith(
        ".checkpoints.internal"
    )
    return of_mirror_maker or topic.startswith(("__", "."))


def matches_any(patterns: Iterable[str], name: str) -> bool:
    """As MirrorMaker's filters match: each pattern against the whole name; no pattern, no match."""
    return any(compile_java(pattern).fullmatch(name) for pattern in patterns)


def is_replicated(
    policy: ReplicationPolicy,
    topic: str,
    *,
    topics: Iterable[str],
    excluded: Iterable[str],
    heartbeats: bool,
) -> bool:
    """Whether a flow mirrors a topic that exists on its source."""
    wanted = matches_any(topics, topic) and not matches_any(excluded, topic)
    forced = heartbeats and policy.is_heartbeats(topic)
    return (wanted or forced) and not is_internal(topic) and not policy.is_cycle(topic)
