"""ACLs that no flow needs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mirrorstack.config.settings import parse
from mirrorstack.rules.excess_acls import acls_needed, no_excess_acls, user_name
from mirrorstack.rules.subjects import DeclaredAcl, MirrorAcl

READ = DeclaredAcl("east", "User:mirror", "Read", "Topic", "orders", "Literal")
BILLING = DeclaredAcl("east", "User:mirror", "Describe", "Group", "billing-eu", "Literal")


def found(given: DeclaredAcl, *others: DeclaredAcl, **more: Any) -> list[str]:
    flow = {
        "from": "east",
        "to": "west",
        "topics": ["orders", "a[bc]"],
        "groups": ["billing-[a-z]+"],
    }
    clusters = {alias: {"sandbox": "default"} for alias in ("east", "west")}
    settings = parse({"clusters": clusters, "flows": [{**flow, **more}]}, "stack")
    required = acls_needed(settings, {"east-to-west": ("orders", "ab")}, [given, *others])
    return [finding.message for finding in no_excess_acls.findings(MirrorAcl(given, required))]


@pytest.mark.parametrize(
    "given",
    [
        READ,
        replace(READ, name="ab"),
        replace(READ, name="ac"),  # a live pattern matches it, when it is created
        BILLING,
        DeclaredAcl("west", "User:mirror", "Write", "Topic", "east.", "Prefixed"),
        DeclaredAcl("west", "User:mirror", "Write", "Topic", "east.orders", "Literal"),
        DeclaredAcl("west", "User:mirror", "Read", "Group", "mirrorstack-west", "Literal"),
    ],
)
def test_an_acl_that_a_flow_needs_passes(given: DeclaredAcl) -> None:
    assert found(given) == []


@pytest.mark.parametrize(
    "given",
    [
        replace(READ, name="payments"),
        replace(READ, name="ad"),
        replace(READ, name="orders", pattern="Prefixed"),
        replace(READ, name="*"),
        replace(READ, operation="Write"),
        replace(READ, operation="All"),
        replace(READ, type="Cluster", name="kafka-cluster", operation="Describe"),
        replace(BILLING, name="payroll"),
        DeclaredAcl("west", "User:mirror", "Write", "Topic", "e", "Prefixed"),
    ],
)
def test_an_acl_that_no_flow_needs_is_found(given: DeclaredAcl) -> None:
    (what,) = found(given)

    assert f"User:mirror is allowed {given.operation} on {given.type} {given.name}" in what


def test_acls_on_transactional_ids_are_excess_without_exactly_once() -> None:
    given = DeclaredAcl(
        "west", "User:mirror", "Write", "TransactionalID", "mirrorstack-west-", "Prefixed"
    )

    assert found(given) == []
    assert len(found(given, **{"exactly-once": False})) == 1


def test_the_user_name_is_read_from_a_jaas_config() -> None:
    assert user_name('x.ScramLoginModule required username="m" password="${file:a:b}";') == "m"
    assert user_name("") is None
