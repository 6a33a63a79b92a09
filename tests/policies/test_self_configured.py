"""Connectors that workers get from their own configuration, as in dedicated mode."""

from __future__ import annotations

import pytest
from pulumi_policy import PolicyResource

from mirrorstack.rules import connector_config
from policies.pack import RULES
from policies.resources import FLOW_HEALTH, plain
from tests.policies.harness import FLOW, connector, resource, stack, violations_of, worker
from tests.policies.test_cycles import CONNECTORS, IDENTITY, TURNED


def health(*connectors: PolicyResource, flow: str = "east-to-west") -> PolicyResource:
    """The resource that waits for these connectors of a flow."""
    declared = [
        {
            "name": "MirrorSourceConnector",
            "kind": str(each.props["name"]).rpartition("-")[2],
            "config": plain(each.props["config"]),
        }
        for each in connectors
    ]
    props = {"name": flow, "flow": flow, "connectors": declared}
    return resource(FLOW_HEALTH, {**props, "rest_url": "http://127.0.0.1:8083"}, parent=FLOW)


def test_valid_connectors_violate_no_rule() -> None:
    ignored = {"target_cluster_exactly_once_source_support": "enabled"}
    flow = health(connector(**ignored), connector("Heartbeat"))

    found = {rule.id: violations_of(rule.id, stack(), flow, worker()) for rule in RULES}

    assert {rule: messages for rule, messages in found.items() if messages} == {}


def test_a_rule_about_one_connector_checks_each_of_them() -> None:
    flow = health(connector(key_converter=None), connector("Heartbeat", value_converter=None))

    messages = violations_of(connector_config.byte_array_converters.id, flow)

    assert ["east-to-west-source" in messages[0], "east-to-west-heartbeat" in messages[1]] == [
        True,
        True,
    ]


def test_a_cycle_between_their_flows_is_refused() -> None:
    there = health(connector(**IDENTITY))
    back = health(connector(**IDENTITY, **TURNED), flow="west-to-east")

    assert len(violations_of(CONNECTORS, there, back)) == 1


@pytest.mark.parametrize(("support", "count"), [("enabled", 0), ("disabled", 1)])
def test_they_are_checked_with_the_workers_that_run_them(support: str, count: int) -> None:
    flow = health(connector(exactly_once_support="required"))
    workers = worker(exactly_once_source_support=support)

    assert len(violations_of("exactly-once-support", flow, workers)) == count
