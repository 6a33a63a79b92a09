"""What a cluster holds at a moment: its brokers, topics and consumer groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class TopicDescription:
    """A topic as it is on a cluster."""

    name: str
    partitions: int
    overrides: Mapping[str, str] = field(default_factory=dict)
    """The configs that are set on the topic itself."""
    id: str = ""
    """Kafka's topic id, where it was asked for: a recreated topic has another one."""


@dataclass(frozen=True)
class Inventory:
    """What one principal may describe of a cluster."""

    brokers: int
    topics: Mapping[str, TopicDescription] = field(default_factory=dict)
    groups: frozenset[str] = frozenset()
    principal: str = "admin"
    """Who asked: what it may not describe is absent here."""
    bootstrap_servers: str = ""
    cluster_id: str = ""
