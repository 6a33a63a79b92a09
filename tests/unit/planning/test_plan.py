"""A whole stack, derived from settings and from what the clusters hold."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.settings import parse
from mirrorstack.findings import UserError
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


def test_patterns_become_the_topics_that_the_source_holds() -> None:
    found = planned(flow(topics=["order.*"]), east=holding("orders", "orders-2", "clicks"))

    assert found.flows[0].topics == ("orders", "orders-2")
    assert [topic.name for topic in found.target_topics["east-to-west"]] == [
        "east.orders",
        "east.orders-2",
    ]


def test_groups_are_resolved_with_their_exclusions() -> None:
    chosen = {**flow(groups=[".*"]), "exclude-groups": ["test-.*"]}

    found = planned(chosen, east=holding("orders", groups=("billing", "test-1")))

    assert found.flows[0].groups == ("billing",)


def test_a_pattern_that_matches_nothing_is_named() -> None:
    with pytest.raises(UserError, match="Flow east-to-west: clikcs matches no topic on east"):
        planned(flow(topics=["orders", "clikcs"]))


def test_an_excluded_topic_is_not_reported_as_missing() -> None:
    with pytest.raises(
        UserError, match="`exclude` excludes every topic that orders matches on east"
    ):
        planned(flow(exclude=["ord.*"]))


def test_a_topic_that_was_replicated_from_the_target_is_reported_with_the_reason() -> None:
    with pytest.raises(
        UserError, match=r"never replicates what west.bills matches on east.* replicated from"
    ):
        planned(flow(topics=["west.bills"]), east=holding("west.bills"))


def test_a_mistyped_topic_is_named_with_the_one_that_was_meant() -> None:
    with pytest.raises(UserError) as raised:
        planned(flow(topics=["order"]))

    assert "did you mean `orders`?" in raised.value.fix


def test_the_target_gets_the_internal_topics_and_the_source_none() -> None:
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


def test_offset_syncs_may_be_kept_on_the_source() -> None:
    found = planned(flow(**{"offset-syncs": "source"}))

    assert [topic.name for topic in found.internal_topics["east"]] == [
        "mm2-offset-syncs.west.internal"
    ]


def test_in_active_active_each_side_mirrors_the_other_s_heartbeats_from_the_first_preview() -> None:
    there, back = flow(), flow("west", "east")

    found = planned(there, back, west=holding("orders"))

    assert found.flows[0].topics == ("heartbeats", "orders")
    assert found.flows[1].topics == ("heartbeats", "orders")


def test_a_mirrored_topic_is_not_mirrored_back_and_connect_s_own_topics_stay() -> None:
    everything = flow("west", "east", topics=[".*"])

    found = planned(
        flow(), everything, west=holding("clicks", "east.orders", "mirrorstack-west-offsets")
    )

    assert found.flows[1].topics == ("clicks", "heartbeats")


def test_a_name_that_ends_in_heartbeats_is_refused_before_there_is_such_a_topic() -> None:
    with pytest.raises(UserError, match="treats device-heartbeats as a heartbeats topic"):
        planned(flow(naming="identity", topics=["device-heartbeats"]))


def test_a_topic_that_ends_in_heartbeats_is_refused_under_identity_naming() -> None:
    with pytest.raises(UserError, match="treats device-heartbeats as a heartbeats topic"):
        planned(
            flow(naming="identity", topics=["device-heartbeats"]), east=holding("device-heartbeats")
        )
