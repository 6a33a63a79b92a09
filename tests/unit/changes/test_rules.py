"""The rules read the inputs of the deployment record. `tests/policies` has a case for each rule."""

from __future__ import annotations

from mirrorstack.changes.rules import (
    RULES,
    RecordedChanges,
    intended_connector_removal,
    no_unused_intents,
)

INPUTS = {
    "connectors": {"b-source": {"checkpoint": "b-checkpoint"}},
    "topics": {"west/x": {}},
    "removed_connectors": [{"name": "a-source", "offsets_topic": "west-offsets"}],
    "intent": {"a-source": "discard", "b-checkpoint": "resume"},
}


def record(**inputs: object) -> RecordedChanges:
    return RecordedChanges({**INPUTS, **inputs}, plain=lambda value: value)


def test_every_rule_has_an_id_of_its_own() -> None:
    assert len({each.id for each in RULES}) == len(RULES)


def test_the_names_of_the_next_deployment_include_checkpoint_connectors_and_topics() -> None:
    assert list(record().names()) == ["b-source", "b-checkpoint", "west/x"]


def test_an_intent_allows_one_removal_and_is_not_applied_again() -> None:
    used = record(used_intents=["a-source"])

    assert list(intended_connector_removal.check(record())) == []
    assert len(list(intended_connector_removal.check(used))) == 1


def test_an_intent_for_an_unchanged_connector_is_reported() -> None:
    (finding,) = no_unused_intents.check(record())

    assert "b-checkpoint, but this deployment does not change it" in finding.message
