"""What a stack records about itself, and how two records are compared."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest

from mirrorstack.changes.diff import (
    RecordedStack,
    compare,
    connector_record,
    record_stack,
    retained_topics,
    topic_record,
)
from mirrorstack.changes.removals import RemovedConnector, RetainedTopic
from mirrorstack.changes.replay_estimate import ReplayEstimate
from mirrorstack.config.flows import FlowSettings
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.target_topics import TargetTopic
from mirrorstack.mm2.worker_group import ConnectorNaming, WorkerGroup

SOURCE = "east-to-west-source"


def recorded(
    *,
    delete_topics: bool = False,
    connectors: ConnectorNaming = ConnectorNaming.STACK,
    **changes: Any,
) -> RecordedStack:
    """The record of one flow that replicates `orders`."""
    flow = FlowSettings.model_validate(
        {"from": "east", "to": "west", "topics": ["orders"], **changes}
    )
    resolved = ResolvedFlow(flow, ("orders",))
    topics = [TargetTopic(name, 3, 1, {}) for name in resolved.target_topics.values()]
    workers = {"west": WorkerGroup.of("west", [flow], "west", naming=connectors)}
    return record_stack([resolved], {flow.name: topics}, workers, delete_topics=delete_topics)


def no_estimate(_connector: str, _topics: Collection[str] | None, _goes_on: bool) -> ReplayEstimate:
    return ReplayEstimate()


@pytest.mark.parametrize("delete_topics", [True, False])
def test_connectors_and_target_topics_are_recorded_by_name(delete_topics: bool) -> None:
    found = recorded(delete_topics=delete_topics)

    assert found.connectors == {
        SOURCE: {
            "offsets_topic": "west-offsets",
            "delete_topics": delete_topics,
            "heartbeat": "east-to-west-heartbeat",
        }
    }
    assert found.topics == {
        "west/east.orders": {
            "connector": SOURCE,
            "source_topic": "orders",
            "partitions": 3,
            "delete_topics": delete_topics,
        }
    }


@pytest.mark.parametrize(
    ("changes", "expected"),
    [({"groups": ["billing"]}, "east-to-west-checkpoint"), ({}, None)],
)
def test_a_checkpoint_connector_is_recorded_if_the_flow_has_groups(
    changes: dict[str, Any], expected: str | None
) -> None:
    assert recorded(**changes).connectors[SOURCE].get("checkpoint") == expected


def test_no_heartbeat_connector_is_recorded_if_heartbeats_are_off() -> None:
    assert "heartbeat" not in recorded(heartbeats=False).connectors[SOURCE]


def test_an_unchanged_stack_has_no_changes() -> None:
    stack = recorded(heartbeats=False)

    assert compare(stack, stack, no_estimate).names == []


def test_another_naming_renames_the_target_topics() -> None:
    before, after = (recorded(naming=naming) for naming in ("prefixed", "identity"))

    (renamed,) = compare(before, after, no_estimate).renamed_topics

    assert (renamed.connector, renamed.topics) == (SOURCE, ("orders",))
    assert (renamed.old_name, renamed.new_name) == ("west/east.orders", "west/orders")


def test_a_removed_connector_is_estimated_and_counts_its_deleted_topics() -> None:
    def estimate(_connector: str, topics: Collection[str] | None, _goes_on: bool) -> ReplayEstimate:
        return ReplayEstimate(10 if topics is None else 1)

    changes = compare(recorded(delete_topics=True), RecordedStack(), estimate)

    assert changes.removed_connectors == (
        RemovedConnector(SOURCE, "west-offsets", True, 1, ReplayEstimate(10)),
    )
    (topic,) = changes.deleted_topics
    assert (topic.name, topic.estimate) == ("west/east.orders", ReplayEstimate(1))


def test_another_offsets_topic_moves_the_connector() -> None:
    before, after = (
        RecordedStack({"a": connector_record(topic, delete_topics=False)}) for topic in ("x", "y")
    )

    (moved,) = compare(before, after, no_estimate).moved_connectors

    assert (moved.name, moved.offsets_topic, moved.new_offsets_topic) == ("a", "x", "y")


def test_topics_stay_if_delete_topics_was_not_deployed_before() -> None:
    def stack(*topics: str, delete_topics: bool) -> RecordedStack:
        return RecordedStack(
            {"a": connector_record("x", delete_topics=delete_topics)},
            {name: topic_record("a", name, 1, delete_topics=delete_topics) for name in topics},
        )

    before = stack("west/x", "west/y", delete_topics=False)

    assert list(retained_topics(before, stack("west/x", delete_topics=True))) == [
        RetainedTopic("west/y", "a")
    ]
    assert list(retained_topics(before, stack("west/x", delete_topics=False))) == []


def test_workers_that_name_connectors_otherwise_take_over_their_offsets() -> None:
    before, after = recorded(), recorded(connectors=ConnectorNaming.DEDICATED)

    assert after.connectors[SOURCE]["offsets_topic"] == "mm2-offsets.east.internal"
    assert after.connectors[SOURCE]["offsets_name"] == "MirrorSourceConnector"
    assert compare(before, after, no_estimate).moved_connectors == ()
    assert compare(after, before, no_estimate).moved_connectors == ()
