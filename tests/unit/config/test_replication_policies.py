"""`separator` and `policy` of a flow."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.settings import parse
from tests.unit.config.stacks import FILE, FLOW, error, only_finding, stack

OWN = {"class": "com.example.FlatPolicy", "jar": "lib/flat.jar", "name": "{source}_{topic}"}


def flows(**changes: Any) -> dict[str, Any]:
    return {"flows": [{**FLOW, **changes}]}


def own(**changes: Any) -> dict[str, Any]:
    return flows(naming="custom", policy={**OWN, **changes})


def test_the_separator_reaches_the_policy() -> None:
    (flow,) = parse(stack(**flows(separator="-")), FILE).flows

    assert flow.policy.target_topic("orders") == "east-orders"


def test_a_policy_of_ones_own_names_topics_and_survives_a_round_trip() -> None:
    settings = parse(stack(**own()), FILE)

    assert settings.flows[0].policy.target_topic("orders") == "east_orders"
    assert parse(settings.declared(), FILE) == settings


@pytest.mark.parametrize("separator", ["", "/", "a b", "ä"])
def test_a_separator_has_characters_of_topic_names(separator: str) -> None:
    finding = only_finding(**flows(separator=separator))

    assert finding.path == ("flows", 0, "separator")
    assert finding.fix


@pytest.mark.parametrize(("alias", "separator"), [("us-east", "-"), ("us_east", "_"), ("a-", "--")])
def test_a_separator_that_occurs_in_an_alias_is_an_error_that_names_both(
    alias: str, separator: str
) -> None:
    clusters = {alias: {"sandbox": "default", "cluster": "east"}, "west": {"sandbox": "default"}}

    finding = only_finding(
        clusters=clusters, flows=[{**FLOW, "from": alias, "separator": separator}]
    )

    assert f'"{separator}" occurs in the alias "{alias}" (`from`)' in finding.message
    assert alias in finding.fix


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "{source}"}, "has no {topic}"),
        ({"name": "{topic}{topic}"}, "has {topic} more than once"),
        ({"name": "{cluster}.{topic}"}, "unknown placeholder {cluster}"),
        ({"name": "{source}/{topic}"}, "topic names contain only letters"),
        ({"name": "{source}{topic"}, "has no {topic}"),
        ({"class": "com.example.1st"}, "not the name of a Java class"),
        (
            {"class": "org.apache.kafka.connect.mirror.IdentityReplicationPolicy"},
            "Kafka's own class needs no jar: it is `naming: identity`",
        ),
        ({"jar": ""}, "must have a value"),
    ],
)
def test_each_mistake_in_a_policy_is_one_error(changes: dict[str, str], message: str) -> None:
    finding = only_finding(**own(**changes))

    assert message in finding.message
    assert finding.path[:3] == ("flows", 0, "policy")
    assert finding.fix


def test_custom_naming_and_a_policy_belong_together() -> None:
    assert "flows[0].policy: required by `naming: custom`" in error(**flows(naming="custom"))
    assert "flows[0].policy: not used by `naming: prefixed`" in error(**flows(policy=OWN))
