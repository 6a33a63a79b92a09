"""What a topic is called on the target."""

from __future__ import annotations

from mirrorstack.problem import Problem

SEPARATOR = "."
LONGEST_TOPIC_NAME = 249  # Kafka's own limit


def remote_topic(source_alias: str, topic: str) -> str:
    """The name under MirrorMaker's DefaultReplicationPolicy: alias, separator, topic."""
    name = f"{source_alias}{SEPARATOR}{topic}"
    if len(name) > LONGEST_TOPIC_NAME:
        raise Problem(
            f"Topic {topic} would be called {name} on the target: {len(name)} characters, and "
            f"Kafka allows {LONGEST_TOPIC_NAME}.",
            f"choose a shorter alias than {source_alias}, or leave the topic out of the flow",
        )
    return name
