"""What is said at a preview because it is mostly a mistake, and refused by nobody."""

from __future__ import annotations

from typing import Any

from mirrorstack.model.doubts import doubts
from mirrorstack.model.plan import Inventory
from mirrorstack.model.settings import parse


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
