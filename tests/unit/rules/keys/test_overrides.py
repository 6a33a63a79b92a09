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

    with pytest.raises(UserError, match=f"{key} cannot be overridden") as raised:
        check_overrides(overriding(kind, **given), "stack.yaml")

    assert raised.value.fix == f"remove it, and set `{own}` of the flow"


@pytest.mark.parametrize("separator", [".", "_"])
def test_the_separator_cannot_be_changed(separator: str) -> None:
    given = {"replication.policy.separator": separator}

    with pytest.raises(UserError, match=r"separator cannot be changed: .* '\.'"):
        check_overrides(overriding("source", **given), "stack.yaml")
