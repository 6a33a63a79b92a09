"""A flow together with the topics and groups that it selects on the source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from mirrorstack.mm2.discovery import Discovery, named, patterns
from mirrorstack.mm2.flow import Flow
from mirrorstack.mm2.replication_policy import matches_any

FlowT = TypeVar("FlowT", bound=Flow, covariant=True)


@dataclass(frozen=True)
class ResolvedFlow(Generic[FlowT]):
    """A flow, and what it selects on the source now."""

    settings: FlowT
    topics: tuple[str, ...]
    """Names on the source."""
    groups: tuple[str, ...] = ()
    inspected_as_mirror: bool = False
    """Whether the stack inspects the source as the mirroring principal, because it does not
    administer that cluster."""
    worker_topics: tuple[str, ...] = ()
    """Topics on the source in which Connect workers of this stack keep their state: they are never
    replicated."""

    @cached_property
    def target_topics(self) -> Mapping[str, str]:
        """The name of each topic on the target, by its name on the source."""
        return {topic: self.settings.policy.target_topic(topic) for topic in self.topics}

    @cached_property
    def live_patterns(self) -> tuple[str, ...]:
        """Patterns whose matches MirrorMaker discovers by itself."""
        flow = self.settings
        return patterns(flow.topics) if flow.discovery is Discovery.LIVE else ()

    @cached_property
    def discovered(self) -> frozenset[str]:
        """Topics that only a live pattern selects: MirrorMaker creates their target topics.
        Heartbeats are replicated whatever the patterns are."""
        declared, policy = named(self.settings.topics), self.settings.policy
        return frozenset(
            topic
            for topic in self.topics
            if topic not in declared
            and not policy.is_heartbeats(topic)
            and matches_any(self.live_patterns, topic)
        )
