"""What a cluster holds."""

from __future__ import annotations

from mirrorstack.kafka.inventory import Inventory, TopicDescription


def test_an_empty_cluster_has_no_topics_and_groups() -> None:
    assert Inventory(brokers=1) == Inventory(1, {}, frozenset(), "admin", "", "")


def test_topics_with_other_ids_differ() -> None:
    assert TopicDescription("orders", 1, id="a") != TopicDescription("orders", 1, id="b")
