"""The target topics that MM2 creates, because a live pattern matches: one resource for all.

It lists them, so that a preview shows which ones are new, and a flow of a thousand topics has as
many resources as a flow of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
from pulumi.dynamic import CreateResult, DiffResult, Resource, UpdateResult

from components.cluster_props import PasswordProvider, cluster_props
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.topic_deletion import delete_topics
from mirrorstack.planning.connections import PasswordReference

COMPARED = ("topics", "delete_topics")


class DiscoveredTopicsProvider(PasswordProvider):
    """Records the topics. With `delete_topics` they are deleted together with the flow."""

    def create(self, props: dict[str, Any]) -> CreateResult:
        return CreateResult(f"{props['cluster']['alias']}-discovered-topics", props)

    def diff(self, _id: str, olds: dict[str, Any], news: dict[str, Any]) -> DiffResult:
        return DiffResult(changes=any(olds.get(key) != news.get(key) for key in COMPARED))

    def update(self, _id: str, _olds: dict[str, Any], news: dict[str, Any]) -> UpdateResult:
        return UpdateResult(news)

    def delete(self, _id: str, props: dict[str, Any]) -> None:
        if props["delete_topics"]:
            delete_topics(self.cluster(props["cluster"]), list(props["topics"]))


class TopicCleanupProvider(DiscoveredTopicsProvider):
    """Deletes the topics that the patterns no longer match. `DiscoveredTopics` deletes the rest."""

    def update(self, _id: str, olds: dict[str, Any], news: dict[str, Any]) -> UpdateResult:
        left = sorted(set(olds["topics"]) - set(news["topics"]))
        delete_topics(self.cluster(news["cluster"]), left)
        return UpdateResult(news)

    def delete(self, _id: str, _props: dict[str, Any]) -> None:
        """The setting `delete-topics` was removed, or the flow."""


@dataclass(frozen=True, kw_only=True)
class DiscoveredTopicsArgs:
    cluster: KafkaCluster
    """The target, as the admin."""
    password: PasswordReference
    topics: Mapping[str, int]
    """Target topics, and how many partitions each has on the source."""
    delete_topics: bool = False
    """Whether topics are deleted when they leave the stack."""

    def props(self) -> dict[str, Any]:
        return {
            "cluster": cluster_props(self.cluster, self.password),
            "topics": dict(self.topics),
            "delete_topics": self.delete_topics,
        }


class DiscoveredTopics(Resource, module="mirrorstack", name="DiscoveredTopics"):
    """The target topics of one flow's live patterns, as they are at the deployment."""

    def __init__(
        self, name: str, args: DiscoveredTopicsArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__(DiscoveredTopicsProvider(), name, args.props(), opts)


class TopicCleanup(Resource, module="mirrorstack", name="TopicCleanup"):
    """Deletes target topics that a flow's live patterns no longer match."""

    def __init__(
        self, name: str, args: DiscoveredTopicsArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__(TopicCleanupProvider(), name, args.props(), opts)
