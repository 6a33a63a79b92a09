"""Target topics that MM2 creates, as one resource."""

from __future__ import annotations

from typing import Any

import pytest

from components import discovered_topics
from components.discovered_topics import (
    DiscoveredTopics,
    DiscoveredTopicsArgs,
    DiscoveredTopicsProvider,
    TopicCleanup,
    TopicCleanupProvider,
)
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.planning.connections import PasswordReference
from tests.unit.components.declaring import declare
from tests.unit.planning.fake_clusters import sandbox_connection

CLUSTER = KafkaCluster("west", sandbox_connection("default", "west", "admin"), "start it")
REFERENCE = PasswordReference(sandbox="default", cluster="west", principal="admin")


def args(*topics: str, delete: bool = True, partitions: int = 3) -> DiscoveredTopicsArgs:
    return DiscoveredTopicsArgs(
        cluster=CLUSTER,
        password=REFERENCE,
        topics=dict.fromkeys(topics, partitions),
        delete_topics=delete,
    )


@pytest.fixture
def deleted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setattr(discovered_topics, "delete_topics", lambda _, names: found.extend(names))
    monkeypatch.setattr(DiscoveredTopicsProvider, "cluster", lambda *_: CLUSTER)
    return found


def test_the_topics_are_listed_with_their_partitions_and_without_a_password() -> None:
    declared = declare(lambda: DiscoveredTopics("it", args("east.a", "east.b")))
    inputs = declared.resources["it"].inputs

    assert inputs["topics"] == {"east.a": 3, "east.b": 3}
    assert CLUSTER.connection.password not in str(inputs)


def test_new_topics_and_partitions_are_a_change() -> None:
    provider = DiscoveredTopicsProvider()
    before = args("east.a").props()

    def changes(after: dict[str, Any]) -> bool | None:
        return provider.diff("id", before, after).changes

    assert changes(args("east.a").props()) is False
    assert changes(args("east.a", "east.b").props()) is True
    assert changes(args("east.a", partitions=4).props()) is True


def test_numbers_from_the_state_are_no_change() -> None:
    before = {**args("east.a").props(), "topics": {"east.a": 3.0}}

    assert not DiscoveredTopicsProvider().diff("id", before, args("east.a").props()).changes


def test_an_update_deletes_nothing_before_the_connectors_have_changed(deleted: list[str]) -> None:
    provider = DiscoveredTopicsProvider()
    provider.update("id", args("east.a", "east.b").props(), args("east.a").props())

    assert deleted == []


def test_topics_are_deleted_with_the_flow_only_if_that_was_deployed(deleted: list[str]) -> None:
    provider = DiscoveredTopicsProvider()

    provider.delete("id", args("east.a", delete=False).props())
    assert deleted == []

    provider.delete("id", args("east.a").props())
    assert deleted == ["east.a"]


def test_the_cleanup_deletes_topics_that_are_no_longer_selected(deleted: list[str]) -> None:
    provider = TopicCleanupProvider()

    provider.update("id", args("east.a", "east.b").props(), args("east.a").props())
    provider.delete("id", args("east.a").props())

    assert deleted == ["east.b"]


def test_the_cleanup_is_a_resource_of_its_own() -> None:
    declared = declare(lambda: TopicCleanup("it", args("east.a")))

    assert declared.resources["it"].type == "pulumi-python:dynamic/mirrorstack:TopicCleanup"
