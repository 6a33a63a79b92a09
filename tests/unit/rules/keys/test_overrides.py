"""Overrides of a stack file, checked with their paths."""

from __future__ import annotations

import pytest

from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.rules.keys.overrides import check_overrides, override_findings
from mirrorstack.rules.keys.rules import KeyRule


def overriding(kind: str, **keys: str) -> StackSettings:
    given = {key.replace("_", "."): value for key, value in keys.items()}
    flow = {"from": "east", "to": "west", "topics": ["orders"], "override": {kind: given}}
    clusters = {alias: {"sandbox": "default"} for alias in ("east", "west")}
    return parse({"clusters": clusters, "flows": [flow]}, "stack.yaml")


def test_a_mistyped_key_is_found_with_its_place_in_the_file() -> None:
    (finding,) = check_overrides(overriding("source", refresh_topics_enable="true"))

    assert finding.message.startswith("flows[0].override.source: refresh.topics.enable")
    assert finding.path == ("flows", 0, "override", "source", "refresh.topics.enable")
    assert "refresh.topics.enabled" in finding.fix


def test_a_value_that_kafka_does_not_take_is_an_error() -> None:
    (finding,) = check_overrides(overriding("checkpoint", emit_checkpoints_interval_seconds="soon"))

    assert "flows[0].override.checkpoint: " in finding.message
    assert "soon" in finding.message


def test_known_keys_are_no_findings() -> None:
    assert check_overrides(overriding("source", refresh_topics_interval_seconds="5")) == []


def test_all_errors_are_found_at_once() -> None:
    assert len(check_overrides(overriding("source", refresh_topics_enable="true", nope="1"))) == 2


def test_a_number_is_read_as_text() -> None:
    flow = {"from": "east", "to": "west", "override": {"source": {"tasks.max": 2, "nope": 30}}}

    assert [finding.path[-1] for finding in override_findings([flow])] == ["nope"]


@pytest.mark.parametrize(
    ("kind", "key", "own"),
    [
        ("source", "topics", "topics"),
        ("source", "topics.exclude", "exclude"),
        ("checkpoint", "groups", "groups"),
        ("checkpoint", "groups.exclude", "exclude-groups"),
        ("source", "source.cluster.alias", "from"),
        ("heartbeat", "target.cluster.alias", "to"),
        ("source", "replication.policy.class", "naming"),
        ("checkpoint", "offset-syncs.topic.location", "offset-syncs"),
    ],
)
def test_a_key_that_the_flow_sets_itself_cannot_be_overridden(
    kind: str, key: str, own: str
) -> None:
    value = "org.apache.kafka.connect.mirror.IdentityReplicationPolicy"
    given = {key: value if key == "replication.policy.class" else "source"}

    (finding,) = check_overrides(overriding(kind, **given))

    assert f"{key} cannot be overridden" in finding.message
    assert finding.fix == f"remove it, and set `{own}` of the flow"
    assert finding.rule == KeyRule.KEY_SET_BY_FLOW


@pytest.mark.parametrize("value", ["true", "false"])
def test_the_separator_of_internal_topics_cannot_be_changed(value: str) -> None:
    given = {"replication.policy.internal.topic.separator.enabled": value}

    (finding,) = check_overrides(overriding("source", **given))

    assert "separator.enabled cannot be changed" in finding.message
    assert finding.rule == KeyRule.KEY_SET_BY_FLOW
