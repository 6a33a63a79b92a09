"""Grants come to rights on names, which a broker can be asked about."""

from __future__ import annotations

from typing import Any

from mirrorstack.config.settings import parse
from mirrorstack.kafka.inventory import Inventory, TopicDescription
from mirrorstack.planning.plan import plan


def rights(**changes: Any) -> dict[str, set[str]]:
    """By cluster, as `Topic orders Read`."""
    flow = {"from": "east", "to": "west", "topics": ["orders-.*"], **changes}
    clusters = {alias: {"sandbox": "default"} for alias in ("east", "west")}
    topics = {name: TopicDescription(name, 1) for name in ("orders-1", "orders-2", "clicks")}
    held = {
        "east": Inventory(1, topics, frozenset({"billing-1", "other"})),
        "west": Inventory(1),
    }
    found = plan(parse({"clusters": clusters, "flows": [flow]}, "stack"), held).permissions
    return {
        alias: {f"{each.type} {each.name} {each.operation}" for each in of_cluster}
        for alias, of_cluster in found.items()
    }


def test_a_prefix_comes_to_the_topics_that_begin_so() -> None:
    found = rights()

    assert found["east"] == {"Topic orders-1 Read", "Topic orders-2 Read"}
    assert {"Topic east.orders-1 Write", "Topic east.orders-2 Write"} < found["west"]


def test_groups_are_those_that_the_source_knows_and_those_that_are_named() -> None:
    found = rights(groups=["billing-.*", "later"])

    assert {"Group billing-1 Describe", "Group later Describe"} < found["east"]
    assert "Group other Describe" not in found["east"]
    assert "Group billing-1 Read" in found["west"]


def test_the_worker_s_topics_count_and_transactional_ids_do_not() -> None:
    found = rights()["west"]

    assert "Topic mirrorstack-west-offsets Write" in found
    assert "Group mirrorstack-west Read" in found
    assert not any("Transactional" in each for each in found)
