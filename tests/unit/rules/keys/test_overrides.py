"""Keys that a stack file overrides are judged where they stand in it."""

from __future__ import annotations

import pytest

from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.findings import UserError
from mirrorstack.rules.keys.overrides import check_overrides


def overriding(kind: str, **keys: str) -> StackSettings:
    given = {key.replace("_", "."): value for key, value in keys.items()}
    flow = {"from": "east", "to": "west", "topics": ["orders"], "override": {kind: given}}
    clusters = {alias: {"sandbox": "default"} for alias in ("east", "west")}
    return parse({"clusters": clusters, "flows": [flow]}, "stack.yaml")


def test_a_mistyped_key_is_named_with_its_place_in_the_file() -> None:
    with pytest.raises(UserError) as raised:
        check_overrides(overriding("source", refresh_topics_enable="true"), "stack.yaml")

    said = str(raised.value)
    assert "stack.yaml: mirrorstack:flows.0.override.source: " in said
    assert "refresh.topics.enabled" in said


def test_a_value_that_kafka_does_not_take_is_refused() -> None:
    with pytest.raises(UserError, match=r"flows.0.override.checkpoint: .*'soon'"):
        check_overrides(
            overriding("checkpoint", emit_checkpoints_interval_seconds="soon"), "stack.yaml"
        )


def test_keys_that_are_known_pass() -> None:
    check_overrides(overriding("source", refresh_topics_interval_seconds="5"), "stack.yaml")


def test_others_that_are_wrong_are_counted() -> None:
    with pytest.raises(UserError, match="1 more to correct: `mirrorstack lint"):
        check_overrides(overriding("source", refresh_topics_enable="true", nope="1"), "stack.yaml")


def test_what_the_flow_has_a_word_for_cannot_be_overridden() -> None:
    with pytest.raises(UserError, match="topics is what the flow says with `topics`"):
        check_overrides(overriding("source", topics=".*"), "stack.yaml")
