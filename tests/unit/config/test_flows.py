"""One flow of a stack file."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.settings import parse
from mirrorstack.findings import Finding
from tests.unit.config.stacks import FILE, FLOW, only_finding, stack


def finding(**changes: Any) -> Finding:
    return only_finding(flows=[{**FLOW, **changes}])


def test_a_flow_is_named_by_its_source_and_target() -> None:
    (flow,) = parse(stack(), FILE).flows

    assert flow.name == "east-to-west"
    assert flow.topics == ("orders",)
    assert flow.policy.target_topic("orders") == "east.orders"


def test_a_pattern_must_be_a_java_regular_expression() -> None:
    found = finding(topics=["orders", "or(ders"])

    assert found.message == (
        'flows[0].topics[1]: "or(ders": not a valid Java regular expression: '
        "a group is not closed with )"
    )


def test_a_pattern_with_a_comma_is_an_error_because_mirror_maker_would_split_it() -> None:
    assert "MirrorMaker splits its lists at every comma" in finding(topics=["a{1,2}"]).message


@pytest.mark.parametrize(
    ("name", "message", "fix"),
    [
        ("min.insync.replicas", "depends on the brokers of one cluster", "remove it"),
        ("retention.msec", '"retention.msec": unknown topic config', "mean `retention.ms`?"),
        ("zzz", "unknown topic config", "such as retention.ms"),
    ],
)
def test_only_configs_of_topics_can_be_synced(name: str, message: str, fix: str) -> None:
    found = finding(**{"sync-configs": [name]})

    assert found.path == ("flows", 0, "sync-configs", 0)
    assert message in found.message
    assert fix in found.fix


def test_the_former_throughput_profile_is_the_default_now() -> None:
    found = finding(profile="throughput")

    assert found.message == (
        'flows[0].profile: "throughput": no longer a profile: its sizes are the default now'
    )
    assert found.fix == "remove `profile`"


def test_an_unknown_profile_is_an_error_with_the_known_ones() -> None:
    found = finding(profile="frugl")

    assert found.message == 'flows[0].profile: must be default or frugal, not "frugl"'
    assert found.fix == "did you mean `frugal`?"


def test_values_of_overrides_may_be_written_as_numbers_and_booleans() -> None:
    flow = {**FLOW, "override": {"source": {"tasks.max": 3, "enabled": True}}}

    assert parse(stack(flows=[flow]), FILE).flows[0].override.source == {
        "tasks.max": "3",
        "enabled": "true",
    }
