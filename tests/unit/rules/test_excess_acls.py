"""Grants that nothing needs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mirrorstack.config.settings import parse
from mirrorstack.rules.excess_acls import Given, derived, principal_in, wider

READ = Given("east", "User:mirror", "Read", "Topic", "orders", "Literal")
BILLING = Given("east", "User:mirror", "Describe", "Group", "billing-eu", "Literal")


def found(given: Given, *others: Given, **more: Any) -> list[str]:
    flow = {
        "from": "east",
        "to": "west",
        "topics": ["orders", "a[bc]"],
        "groups": ["billing-[a-z]+"],
    }
    clusters = {alias: {"sandbox": "default"} for alias in ("east", "west")}
    settings = parse({"clusters": clusters, "flows": [{**flow, **more}]}, "stack")
    needed = derived(settings, {"east-to-west": ("orders", "ab")}, [given, *others])
    return [problem.message for problem in wider(given, needed)]


@pytest.mark.parametrize(
    "given",
    [
        READ,
        replace(READ, name="ab"),
        BILLING,
        Given("west", "User:mirror", "Write", "Topic", "east.", "Prefixed"),
        Given("west", "User:mirror", "Write", "Topic", "east.orders", "Literal"),
        Given("west", "User:mirror", "Read", "Group", "mirrorstack-west", "Literal"),
    ],
)
def test_what_a_flow_needs_and_less_passes(given: Given) -> None:
    assert found(given) == []


@pytest.mark.parametrize(
    "given",
    [
        replace(READ, name="payments"),
        replace(READ, name="ac"),
        replace(READ, name="orders", pattern="Prefixed"),
        replace(READ, name="*"),
        replace(READ, operation="Write"),
        replace(READ, operation="All"),
        replace(READ, type="Cluster", name="kafka-cluster", operation="Describe"),
        replace(BILLING, name="payroll"),
        Given("west", "User:mirror", "Write", "Topic", "e", "Prefixed"),
    ],
)
def test_what_no_flow_needs_is_named(given: Given) -> None:
    (what,) = found(given)

    assert given.sentence in what


def test_exactly_once_needs_transactions_and_without_it_they_are_too_much() -> None:
    given = Given(
        "west", "User:mirror", "Write", "TransactionalID", "mirrorstack-west-", "Prefixed"
    )

    assert found(given) == []
    assert len(found(given, **{"exactly-once": False})) == 1


def test_who_mirror_maker_is_stands_in_its_login() -> None:
    assert principal_in('x.ScramLoginModule required username="m" password="${file:a:b}";') == "m"
    assert principal_in("") is None
