"""Which topics a route replicates, and under which names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mirrorstack.mm2.name_templates import NameTemplate
from mirrorstack.mm2.replication_policy import Naming, PolicyClass, ReplicationPolicy
from mirrorstack.rules.topic_flow import common, is_opaque, replicated, sample, unescape
from mirrorstack.rules.topology import Route

ROUTE = Route(
    name="a-to-b",
    source=frozenset({"a:1"}),
    target=frozenset({"b:1"}),
    policy=ReplicationPolicy(Naming.PREFIXED, "a", "b"),
    topics=("orders", "clicks"),
)
IDENTITY = replace(ROUTE, policy=ReplicationPolicy(Naming.IDENTITY, "a", "b"))


def with_template(text: str, *topics: str) -> Route:
    own = PolicyClass("com.example.OurPolicy", NameTemplate(text))
    return replace(ROUTE, topics=topics, policy=replace(ROUTE.policy, own=own))


def test_listed_topics_get_the_prefix_of_their_source() -> None:
    assert replicated(ROUTE) == ("a.orders", "a.clicks")
    assert replicated(IDENTITY) == ("orders", "clicks")


@pytest.mark.parametrize("topic", ["b.orders", "x.b.orders", "__consumer_offsets", "mm2.internal"])
def test_internal_topics_and_topics_of_the_target_are_skipped(topic: str) -> None:
    assert replicated(replace(ROUTE, topics=(".*",)), (topic, "orders")) == ("a.orders",)


def test_the_separator_decides_which_topics_come_from_the_target() -> None:
    route = replace(ROUTE, topics=(".*",), policy=replace(ROUTE.policy, separator="_"))

    assert replicated(route, ("b_orders", "b.orders", "mm2_internal")) == ("a_b.orders",)
    assert not replicated(route).contains("a_b_orders")  # type: ignore[union-attr]
    assert replicated(route).contains("a_b.orders")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("template", "named", "skipped"),
    [
        ("{source}_{topic}", "a_orders", ("b_orders", "x_b_orders")),
        ("{topic}-{source}", "orders-a", ("orders-b", "orders-b-x")),
        ("dr.{source}.{topic}.copy", "dr.a.orders.copy", ("dr.b.orders.copy",)),
        ("{topic}.replicated", "orders.replicated", ()),
    ],
)
def test_a_policy_of_ones_own_names_topics_by_its_template(
    template: str, named: str, skipped: tuple[str, ...]
) -> None:
    route = with_template(template, ".*")

    assert replicated(route, ("orders", *skipped)) == (named,)
    every = replicated(route)
    assert not isinstance(every, tuple)
    assert every.contains(named)
    for topic in skipped:
        assert not every.contains(route.policy.template.apply("a", topic))


def test_patterns_are_compared_by_what_they_match() -> None:
    one = replicated(replace(IDENTITY, topics=("orders.*",)))
    other = replicated(replace(IDENTITY, topics=(".*-eu",)))

    assert common(one, other) == "orders-eu"
    assert common(one, ("clicks", "orders")) == "orders"
    assert sample(one) is not None


def test_back_references_are_opaque() -> None:
    assert is_opaque(r"(.)\1")
    assert not is_opaque("orders.*")
    assert unescape(r"a\.b") == "a.b"
