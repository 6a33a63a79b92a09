"""What is said at a preview because it is mostly a mistake, and refused by nobody."""

from __future__ import annotations

from typing import Any

from mirrorstack.config.settings import parse
from mirrorstack.kafka.acls import Acl, Operation, ResourcePattern, ResourceType
from mirrorstack.kafka.inventory import Inventory, TopicDescription
from mirrorstack.planning.plan import plan
from mirrorstack.planning.preview_warnings import (
    copies_that_would_be_doubled,
    doubts,
    rings,
    shared_grants,
)


def said(groups: list[str], *, brokers: int | None = None, **held: Inventory) -> list[str]:
    west: dict[str, Any] = {"sandbox": "default"} | ({"brokers": brokers} if brokers else {})
    flow = {"from": "east", "to": "west", "topics": ["orders"], "groups": groups}
    settings = parse(
        {"clusters": {"east": {"sandbox": "default"}, "west": west}, "flows": [flow]}, ""
    )
    seen = {"east": Inventory(1, groups=frozenset({"billing"})), "west": Inventory(1)}
    return list(doubts(settings, seen | held))


def test_a_mistyped_group_is_told_with_the_one_that_was_meant() -> None:
    (doubt,) = said(["biling"])

    assert "groups: biling matches no consumer group on east that admin may see" in doubt
    assert doubt.endswith("Did you mean `billing`?")


def test_a_pattern_that_no_group_matches_is_told() -> None:
    (doubt,) = said(["bill.*", "shop-.*"])

    assert "shop-.* matches no consumer group" in doubt


def test_groups_that_are_there_raise_no_doubt() -> None:
    assert said(["billing", "b.*"]) == []


def test_brokers_that_do_not_answer_are_counted() -> None:
    (doubt,) = said([], brokers=3)

    assert "clusters.west.brokers is 3, and 1 answer" in doubt


def test_as_many_brokers_as_declared_raise_no_doubt() -> None:
    assert said([], brokers=3, west=Inventory(3)) == []


def doubled(*on_the_target: str, empty: bool = False) -> list[str]:
    """What is said of a first deployment, given what the target holds."""
    clusters = {alias: {"sandbox": "default"} for alias in ("east", "west")}
    flow = {"from": "east", "to": "west", "topics": ["orders"]}
    workers = {"west": {"group": "mine"}}
    settings = parse({"clusters": clusters, "flows": [flow], "workers": workers}, "")
    held = {
        "east": Inventory(1, {"orders": TopicDescription("orders", 1)}),
        "west": Inventory(1, {name: TopicDescription(name, 1) for name in on_the_target}),
    }
    return list(
        copies_that_would_be_doubled(
            plan(settings, held), held, lambda _alias, topics: set() if empty else set(topics)
        )
    )


def test_copies_that_hold_records_are_told_where_nobody_knows_how_far_they_are() -> None:
    (doubt,) = doubled("east.orders")

    assert "east.orders on west hold records already" in doubt
    assert "the Connect group mine has no offsets there: all records" in doubt


def test_copies_that_are_new_or_empty_or_whose_offsets_are_known_raise_no_doubt() -> None:
    assert doubled() == []
    assert doubled("east.orders", empty=True) == []
    assert doubled("east.orders", "mine-offsets") == []


def turning(naming: str) -> list[str]:
    clusters = {alias: {"sandbox": "default"} for alias in ("east", "west")}
    flows = [
        {"from": source, "to": target, "topics": ["orders"], "naming": naming}
        for source, target in (("east", "west"), ("west", "east"))
    ]
    return list(rings(parse({"clusters": clusters, "flows": flows}, ""), {}))


def test_a_cycle_is_reported_without_the_policy_pack_too() -> None:
    (doubt,) = turning("identity")

    assert "form a cycle" in doubt
    assert turning("prefixed") == []


def test_grants_that_were_there_before_are_told() -> None:
    read = Acl("east", ResourcePattern(ResourceType.TOPIC, "orders"), Operation.READ, "")

    (doubt,) = shared_grants({"east": [read, read], "west": []})

    assert "on east has Read on Topic orders and 1 more already" in doubt
    assert "`principals.mirror` under `mirrorstack:clusters.east`" in doubt
