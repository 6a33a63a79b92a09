"""Restarts from earliest need an intent, and are reported with the records they replicate again."""

from __future__ import annotations

from mirrorstack.changes.intents import Intents
from mirrorstack.changes.removals import DeletedTopic
from mirrorstack.changes.replay_estimate import ReplayEstimate
from mirrorstack.changes.restarts import (
    MovedConnector,
    RenamedTopics,
    check_moved_connector,
    check_renamed_topics,
    intended_restarts,
)

MOVED = MovedConnector("a", "old-offsets", "new-offsets", ReplayEstimate(100, 80))
RENAMED = RenamedTopics("a", ("orders",), "west/east.orders", "west/orders", ReplayEstimate(9, 9))
RESTART = Intents({"a": "restart", "west/x": "restart"})


def test_only_restart_allows_a_connector_to_move() -> None:
    assert list(check_moved_connector(MOVED, RESTART)) == []
    (undeclared,) = check_moved_connector(MOVED, Intents({}))
    (resume,) = check_moved_connector(MOVED, Intents({"a": "resume"}))

    assert "would read its offsets from new-offsets, but they are in old-offsets" in (
        undeclared.message
    )
    assert "replicate again up to 80 records" in undeclared.message
    assert "`resume` is not possible" in resume.message


def test_only_restart_allows_topics_to_be_renamed() -> None:
    assert list(check_renamed_topics(RENAMED, RESTART)) == []
    (finding,) = check_renamed_topics(RENAMED, Intents({"a": "discard"}))

    assert "would write to west/orders instead of west/east.orders" in finding.message
    assert "restarts from earliest for 1 topic " in finding.message
    assert "`discard` is not possible" in finding.message


def test_intended_restarts_are_reported_once_for_each_connector_and_topic() -> None:
    recreated = DeletedTopic("west/x", "a", new_partitions=1)
    deleted = DeletedTopic("west/y", "a")

    connector, topic = intended_restarts([MOVED], [RENAMED], [recreated, deleted], RESTART)

    assert connector.message.startswith("Connector a restarts from earliest")
    assert topic.message.startswith("Topic west/x is deleted and recreated")


def test_restarts_without_an_intent_are_not_reported_as_intended() -> None:
    assert list(intended_restarts([MOVED], [RENAMED], [], Intents({}))) == []
