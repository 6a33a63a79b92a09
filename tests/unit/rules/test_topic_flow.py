"""Which topics a route replicates, and under which names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mirrorstack.mm2.replication_policy import Naming
from mirrorstack.rules.topic_flow import common, is_opaque, replicated, sample, unescape
from mirrorstack.rules.topology import Route

ROUTE = Route(
    name="a-to-b",
    source=frozenset({"a:1"}),
    target=frozenset({"b:1"}),
    source_alias="a",
    target_alias="b",
    naming=Naming.PREFIXED,
    topics=("orders", "clicks"),
)


def test_listed_topics_get_the_prefix_of_their_source() -> None:
    assert replicated(ROUTE) == ("a.orders", "a.clicks")
    assert replicated(replace(ROUTE, naming=Naming.IDENTITY)) == ("orders", "clicks")


@pytest.mark.parametrize("topic", ["b.orders", "x.b.orders", "__consumer_offsets", "mm2.internal"])
def test_internal_topics_and_topics_of_the_target_are_skipped(topic: str) -> None:
    assert replicated(replace(ROUTE, topics=(".*",)), (topic, "orders")) == ("a.orders",)


def test_patterns_are_compared_by_what_they_match() -> None:
    one = replicated(replace(ROUTE, topics=("orders.*",), naming=Naming.IDENTITY))
    other = replicated(replace(ROUTE, topics=(".*-eu",), naming=Naming.IDENTITY))

    assert common(one, other) == "orders-eu"
    assert common(one, ("clicks", "orders")) == "orders"
    assert sample(one) is not None


def test_back_references_are_opaque() -> None:
    assert is_opaque(r"(.)\1")
    assert not is_opaque("orders.*")
    assert unescape(r"a\.b") == "a.b"
