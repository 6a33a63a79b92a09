"""Pydantic's errors as findings in the terms of stack files."""

from __future__ import annotations

import pytest

from mirrorstack.config.validation import show_value
from tests.unit.config.stacks import FLOW, only_finding


def test_an_unknown_key_comes_with_the_key_that_was_meant() -> None:
    finding = only_finding(flows=[{**FLOW, "topic": ["orders"]}])

    assert finding.message == "flows[0].topic: unknown key"
    assert finding.fix == "did you mean `topics`?"


def test_an_unknown_key_that_resembles_none_comes_with_the_known_ones() -> None:
    finding = only_finding(clusters={"east": {"sandbox": "a", "zzz": 1}, "west": {"sandbox": "a"}})

    assert finding.message == "clusters.east.zzz: unknown key"
    assert "known keys: sandbox, cluster, bootstrap-servers, security" in finding.fix


def test_a_cluster_may_be_named_like_a_key_of_clusters() -> None:
    clusters = {
        "security": {"sandbox": "a", "cluster": "east", "brokres": 1},
        "west": {"sandbox": "a"},
    }

    finding = only_finding(clusters=clusters, flows=[{**FLOW, "from": "security"}])

    assert finding.fix == "did you mean `brokers`?"


def test_a_nested_unknown_key_comes_with_the_key_that_was_meant() -> None:
    assert only_finding(flows=[{**FLOW, "override": {"sorce": {}}}]).fix == "did you mean `source`?"


def test_a_mistyped_key_is_one_mistake_and_not_a_missing_key_as_well() -> None:
    flow = {"from": "east", "to": "west", "topcis": ["orders"]}

    assert only_finding(flows=[flow]).fix == "did you mean `topics`?"


def test_a_missing_key_is_named() -> None:
    finding = only_finding(flows=[{"from": "east", "to": "west"}])

    assert finding.message == "flows[0].topics: required key is missing"
    assert finding.fix == "add `topics`"


def test_an_invalid_item_does_not_make_its_list_too_short() -> None:
    assert only_finding(flows=[{**FLOW, "topics": [""]}]).path == ("flows", 0, "topics", 0)


@pytest.mark.parametrize(
    ("key", "value", "rule", "fix"),
    [
        (
            "naming",
            "prefix",
            'must be prefixed, identity or custom, not "prefix"',
            "mean `prefixed`?",
        ),
        ("naming", "Identity", "must be prefixed, identity or custom", "did you mean `identity`?"),
        (
            "naming",
            3,
            "must be prefixed, identity or custom, not 3",
            "write prefixed, identity or custom",
        ),
        ("state", "pause", "must be running, paused or stopped", "did you mean `paused`?"),
        ("offset-syncs", "sorce", "must be source or target", "did you mean `source`?"),
        ("topics", "orders", 'must be a list, not "orders"', "such as [orders, clicks]"),
        ("topics", [], "must have at least one entry", "add one entry"),
        ("tasks", 0, "must be at least 1, not 0", "write 1 or more"),
        ("tasks", 5000, "must be at most 1000, not 5000", "write 1000 or less"),
        ("tasks", 1.5, "must be an integer, not 1.5", "write an integer"),
        ("heartbeats", "maybe", 'must be true or false, not "maybe"', "write true or false"),
        ("rpo-seconds", "soon", 'must be a number, not "soon"', "write a number"),
        ("rpo-seconds", float("inf"), "must be a finite number", "write a finite number"),
        ("from", "e" * 101, "must have at most 100 characters", "shorten it"),
        ("override", [], "must be a mapping, not []", "write keys and values below it"),
    ],
)
def test_an_invalid_value_is_shown_with_what_is_valid(
    key: str, value: object, rule: str, fix: str
) -> None:
    finding = only_finding(flows=[{**FLOW, key: value}])

    assert finding.message.startswith(f"flows[0].{key}: {rule}")
    assert fix in finding.fix
    assert finding.path == ("flows", 0, key)


def test_a_value_of_a_key_that_holds_secrets_is_not_shown() -> None:
    override = {"source": {"sasl.jaas.config": ["hunter2"]}}

    finding = only_finding(flows=[{**FLOW, "override": override}])

    assert finding.message == "flows[0].override.source.sasl.jaas.config: must be text"


def test_values_are_shown_on_one_line_and_cut_if_they_are_long() -> None:
    assert show_value("a\nb") == '"a\\nb"'
    assert len(show_value("x" * 1000)) < 120
    assert show_value(10**5000) == "a value of type int"
