"""Names that Kafka does not allow beside each other."""

from __future__ import annotations

from typing import Any

from mirrorstack.config.settings import parse
from mirrorstack.findings import Finding
from mirrorstack.kafka.inventory import Inventory
from mirrorstack.planning.checks.topic_collisions import topic_collisions
from mirrorstack.planning.plan import plan
from tests.unit.planning.test_plan import flow, holding, planned

EAST = holding("orders", "clicks")


def findings(*flows: Any, west: Inventory) -> list[Finding]:
    made = planned(*flows, east=EAST, west=west)
    return list(topic_collisions(made, {"east": EAST, "west": west}))


def test_a_name_that_differs_only_in_the_separator_is_an_error() -> None:
    (finding,) = findings(flow(topics=["orders"], separator="_"), west=holding("east.orders"))

    assert "east_orders beside east.orders" in finding.message
    assert "such as `-`" in finding.fix
    assert finding.cluster == "west"


def test_internal_topics_count_too() -> None:
    held = holding("mm2-offset-syncs.east.internal", "east.checkpoints.internal")

    (finding,) = findings(flow(topics=["orders"], separator="_", groups=["g"]), west=held)

    assert "mm2-offset-syncs_east_internal beside mm2-offset-syncs.east.internal" in finding.message
    assert "east_checkpoints_internal beside east.checkpoints.internal" in finding.message


def test_names_of_two_flows_collide() -> None:
    held = {"east": EAST, "north": holding("east_orders"), "west": holding()}
    sandbox = {"sandbox": "default"}
    stack = {
        "clusters": {"east": sandbox, "west": sandbox, "north": {**sandbox, "cluster": "east"}},
        "flows": [flow(), flow("north", topics=["east_orders"], naming="identity")],
    }

    (finding,) = topic_collisions(plan(parse(stack, "stack"), held), held)

    assert "east.orders beside east_orders" in finding.message


def test_topics_that_mirrormaker_would_create_count_too() -> None:
    (finding,) = findings(flow(topics=["or.*"], separator="_"), west=holding("east.orders"))

    assert "east_orders beside east.orders" in finding.message


def test_topics_that_exist_already_are_fine() -> None:
    assert findings(flow(topics=["orders"]), west=holding("east.orders")) == []
    assert findings(flow(topics=["orders"], separator="-"), west=holding("east.orders")) == []
