"""The keys of a flow in mm2.properties."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.flows import FlowSettings
from mirrorstack.findings import Finding, UserError
from mirrorstack.rendering.flows import arrow, rendered_flow
from tests.unit.rendering.stacks import flow

FACTORS = {"east": 1, "west": 3}


def keys_and_notes(**changes: Any) -> tuple[dict[str, str], list[Finding]]:
    notes: list[Finding] = []
    return rendered_flow(FlowSettings.model_validate(flow(**changes)), FACTORS, notes), notes


def test_a_flow_has_the_name_of_mirrormaker_s_keys() -> None:
    assert arrow(FlowSettings.model_validate(flow())) == "east->west"


def test_one_set_of_keys_configures_all_connectors() -> None:
    keys, _ = keys_and_notes(groups=["billing"])

    assert keys["enabled"] == "true"
    assert keys["topics"] == "orders,clicks"
    assert keys["groups"] == "billing"
    assert keys["exactly.once.support"] == "requested"


def test_the_offset_syncs_topic_on_the_source_has_the_factor_of_the_source() -> None:
    keys, _ = keys_and_notes(**{"offset-syncs": "source"})

    assert keys["offset-syncs.topic.replication.factor"] == "1"
    assert keys["replication.factor"] == "3"


def test_different_values_for_one_key_are_noted() -> None:
    keys, notes = keys_and_notes(override={"checkpoint": {"tasks.max": "9"}}, groups=["billing"])

    (one,) = [note for note in notes if "tasks.max is 9" in note.message]
    assert one.flow == "east->west"
    assert keys["tasks.max"] != "9"


def test_the_jar_of_an_own_policy_is_noted() -> None:
    own = {"class": "com.example.Own", "jar": "lib/own.jar", "name": "{topic}"}

    keys, notes = keys_and_notes(naming="custom", policy=own, separator="_")

    assert keys["replication.policy.class"] == "com.example.Own"
    assert keys["replication.policy.separator"] == "_"
    (one,) = [note for note in notes if "com.example.Own is in lib/own.jar" in note.message]
    assert "class path" in one.fix


def test_a_secret_is_an_error() -> None:
    with pytest.raises(UserError):
        keys_and_notes(override={"source": {"consumer.ssl.key.password": "hunter2"}})


def test_a_pinned_pattern_is_noted_because_dedicated_mode_discovers_topics() -> None:
    _, pinned = keys_and_notes(topics=["orders-.*"], discovery="pinned")
    _, live = keys_and_notes(topics=["orders-.*"])

    assert any("topics that orders-.* matches later" in note.message for note in pinned)
    assert not any("discovery" in note.message for note in live)
