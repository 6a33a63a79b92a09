"""Topics and workers, derived from the settings and from what the clusters hold."""

from __future__ import annotations

from typing import Any

from mirrorstack.config.settings import parse
from mirrorstack.kafka.inventory import Inventory, TopicDescription
from mirrorstack.planning.plan import Plan, plan


def holding(*topics: str, groups: tuple[str, ...] = (), brokers: int = 1) -> Inventory:
    held = {name: TopicDescription(name, 3, {"retention.ms": "1"}) for name in topics}
    return Inventory(brokers, held, frozenset(groups))


def planned(*flows: dict[str, Any], **clusters: Inventory) -> Plan:
    here = {"east": holding("orders"), "west": holding()} | clusters
    declared = {alias: {"sandbox": "default"} for alias in here}
    return plan(parse({"clusters": declared, "flows": list(flows)}, "stack"), here)


def flow(source: str = "east", target: str = "west", **changes: Any) -> dict[str, Any]:
    return {"from": source, "to": target, "topics": ["orders"], **changes}


def test_patterns_resolve_to_the_topics_of_the_source() -> None:
    found = planned(flow(topics=["order.*"]), east=holding("orders", "orders-2", "clicks"))

    assert found.flows[0].topics == ("orders", "orders-2")
    assert [topic.name for topic in found.target_topics["east-to-west"]] == [
        "east.orders",
        "east.orders-2",
    ]


def test_the_internal_topics_are_on_the_target_only() -> None:
    found = planned(flow(groups=["billing"]))

    assert found.internal_topics["east"] == ()
    assert {topic.name for topic in found.internal_topics["west"]} == {
        "mirrorstack-west-configs",
        "mirrorstack-west-offsets",
        "mirrorstack-west-status",
        "mm2-offset-syncs.east.internal",
        "east.checkpoints.internal",
        "heartbeats",
    }


def test_the_offset_syncs_topic_may_be_on_the_source() -> None:
    found = planned(flow(**{"offset-syncs": "source"}))

    assert [topic.name for topic in found.internal_topics["east"]] == [
        "mm2-offset-syncs.west.internal"
    ]


def test_active_active_replicates_heartbeats_from_the_first_preview() -> None:
    there, back = flow(), flow("west", "east")

    found = planned(there, back, west=holding("orders"))

    assert found.flows[0].topics == ("heartbeats", "orders")
    assert found.flows[1].topics == ("heartbeats", "orders")


def test_target_topics_and_connect_s_internal_topics_are_not_replicated_back() -> None:
    everything = flow("west", "east", topics=[".*"])

    found = planned(
        flow(), everything, west=holding("clicks", "east.orders", "mirrorstack-west-offsets")
    )

    assert found.flows[1].topics == ("clicks", "heartbeats")
