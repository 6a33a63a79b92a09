"""Removed connectors and deleted topics need an intent. `tests/policies` has a case for each."""

from __future__ import annotations

import pytest

from mirrorstack.changes.intents import Intents
from mirrorstack.changes.removals import (
    DeletedTopic,
    RemovedCheckpointConnector,
    RemovedConnector,
    RetainedTopic,
    check_deleted_topic,
    check_removed_checkpoint_connector,
    check_removed_connector,
    check_retained_topics,
)

REMOVED = RemovedConnector("a-source", "west-offsets")


@pytest.mark.parametrize(
    ("intent", "deletes_offsets", "findings"),
    [
        (None, False, 1),
        ("discard", False, 0),
        ("discard", True, 0),
        ("resume", False, 0),
        ("resume", True, 1),
        ("restart", False, 1),
    ],
)
def test_a_removed_connector_needs_a_possible_intent(
    intent: str | None, deletes_offsets: bool, findings: int
) -> None:
    removed = RemovedConnector("a-source", "west-offsets", deletes_offsets)
    intents = Intents({"a-source": intent} if intent else {})

    assert len(list(check_removed_connector(removed, intents))) == findings


def test_the_finding_names_the_connector_and_both_intents() -> None:
    (finding,) = check_removed_connector(REMOVED, Intents({}))

    assert finding.connector == "a-source"
    assert finding.message.startswith(
        "Connector a-source would be removed, and no intent is declared for it."
    )
    assert "`mirrorstack:intent: {a-source: resume}`" in finding.fix
    assert "`discard` if it is no longer needed" in finding.fix


def test_an_impossible_intent_is_reported_as_such() -> None:
    removed = RemovedConnector("a-source", "west-offsets", deletes_offsets=True)
    (finding,) = check_removed_connector(removed, Intents({"a-source": "resume"}))

    assert "its intent `resume` is not possible" in finding.message
    assert "`delete-topics` deletes its offsets in west-offsets" in finding.fix


@pytest.mark.parametrize("intent", ["resume", "discard"])
def test_a_checkpoint_connector_removed_alone_needs_an_intent(intent: str) -> None:
    removed = RemovedCheckpointConnector("a-checkpoint")

    assert len(list(check_removed_checkpoint_connector(removed, Intents({})))) == 1
    declared = Intents({"a-checkpoint": intent})
    assert list(check_removed_checkpoint_connector(removed, declared)) == []


@pytest.mark.parametrize(("intent", "findings"), [("discard", 0), (None, 0), ("resume", 1)])
def test_the_intent_of_a_removed_connector_covers_its_topics_unless_it_resumes(
    intent: str | None, findings: int
) -> None:
    topic = DeletedTopic("west/x", "a-source")
    intents = Intents({"a-source": intent} if intent else {})

    assert len(list(check_deleted_topic(topic, {"a-source": REMOVED}, intents))) == findings


def test_retained_topics_are_reported_once_for_each_connector() -> None:
    topics = [RetainedTopic(f"west/{number}", "a") for number in range(7)]
    topics.append(RetainedTopic("west/x", "b"))

    first, second = check_retained_topics(topics)

    assert first.message.startswith("west/0, west/1, west/2, west/3, west/4 and 2 more of a stay")
    assert second.connector == "b"
