"""All changes of a deployment: their round trip through Pulumi's state, and the checks of them."""

from __future__ import annotations

import json

from mirrorstack.changes.deployment_changes import (
    CHANGE_KEYS,
    DeploymentChanges,
    check_connectors,
    check_intents,
    check_topics,
    report_restarts,
)
from mirrorstack.changes.intents import ExemptChange, Intents
from mirrorstack.changes.removals import DeletedTopic, RemovedCheckpointConnector, RemovedConnector
from mirrorstack.changes.replay_estimate import ReplayEstimate
from mirrorstack.changes.restarts import MovedConnector, RenamedTopics

CHANGES = DeploymentChanges(
    removed_connectors=(RemovedConnector("a", "x", True, 2, ReplayEstimate(10)),),
    moved_connectors=(MovedConnector("b", "x", "y"),),
    removed_checkpoints=(RemovedCheckpointConnector("c-checkpoint"),),
    deleted_topics=(
        DeletedTopic("west/1", "b", 1, estimate=ReplayEstimate(10, 5)),
        DeletedTopic("west/2", "b", new_name="west/3"),
    ),
    renamed_topics=(RenamedTopics("b", ("2",), "west/2", "west/3"),),
    exempt=(ExemptChange("d-heartbeat", "heartbeat"),),
)


def test_changes_are_the_same_after_a_round_trip_through_the_state() -> None:
    state = CHANGES.to_state()
    # Pulumi's engine returns every number as a float.
    engine = json.loads(json.dumps(state), parse_int=float)

    assert tuple(state) == CHANGE_KEYS
    assert DeploymentChanges.from_state(engine) == CHANGES


def test_an_absent_or_empty_state_has_no_changes() -> None:
    assert DeploymentChanges.from_state({}) == DeploymentChanges()
    assert DeploymentChanges.from_state(dict.fromkeys(CHANGE_KEYS)) == DeploymentChanges()


def test_every_change_is_reported_without_intents_and_a_moved_connector_only_once() -> None:
    found = [finding.connector for finding in check_connectors(CHANGES, Intents({}))]

    assert found == ["a", "b", "c-checkpoint"]
    assert [each.topic for each in check_topics(CHANGES, Intents({}))] == ["west/1", "west/2"]


def test_nothing_is_reported_if_every_change_has_its_intent() -> None:
    intents = Intents(
        {
            "a": "discard",
            "b": "restart",
            "c-checkpoint": "discard",
            "west/1": "restart",
            "west/2": "discard",
        }
    )

    assert list(check_connectors(CHANGES, intents)) == []
    assert list(check_topics(CHANGES, intents)) == []
    assert list(check_intents(CHANGES, intents, ())) == []
    assert len(list(report_restarts(CHANGES, intents))) == 2


def test_an_intent_for_an_exempt_change_is_reported_with_the_reason() -> None:
    (finding,) = check_intents(CHANGES, Intents({"d-heartbeat": "discard"}), ())

    assert "a heartbeat connector needs no intent" in finding.message
