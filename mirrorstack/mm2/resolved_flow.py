"""A flow together with the topics and groups that its patterns match on the source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from mirrorstack.mm2.flow import Flow

FlowT = TypeVar("FlowT", bound=Flow, covariant=True)


@dataclass(frozen=True)
class ResolvedFlow(Generic[FlowT]):
    """A flow, and what its patterns match on the source now."""

    settings: FlowT
    topics: tuple[str, ...]
    """Names on the source."""
    groups: tuple[str, ...] = ()
    inspected_as_mirror: bool = False
    """Whether the stack inspects the source as the mirroring principal, because it does not
    administer that cluster."""

    @cached_property
    def target_topics(self) -> Mapping[str, str]:
        """The name of each topic on the target, by its name on the source."""
        return {topic: self.settings.policy.target_topic(topic) for topic in self.topics}
