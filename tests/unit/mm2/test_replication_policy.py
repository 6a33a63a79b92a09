"""Names on the target, and which topics a flow mirrors: MirrorMaker's rules."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.replication_policy import (
    DEFAULT_TOPICS_EXCLUDE,
    Naming,
    ReplicationPolicy,
    is_internal,
    is_replicated,
    matches_any,
)

PREFIXED = ReplicationPolicy(Naming.PREFIXED, "east", "west")
IDENTITY = ReplicationPolicy(Naming.IDENTITY, "east", "west")


def mirrored(
    topic: str,
    *topics: str,
    policy: ReplicationPolicy = PREFIXED,
    excluded: tuple[str, ...] = DEFAULT_TOPICS_EXCLUDE,
    heartbeats: bool = True,
) -> bool:
    return is_replicated(
        policy, topic, topics=topics or (".*",), excluded=excluded, heartbeats=heartbeats
    )


def test_prefixed_naming_shows_the_source_and_identity_does_not() -> None:
    assert PREFIXED.target_topic("orders") == "east.orders"
    assert IDENTITY.target_topic("orders") == "orders"


def test_whatever_ends_in_heartbeats_is_prefixed_even_under_identity_naming() -> None:
    assert IDENTITY.target_topic("device-heartbeats") == "east.device-heartbeats"


def test_offset_syncs_are_named_after_the_other_cluster() -> None:
    assert PREFIXED.offset_syncs_topic("source") == "mm2-offset-syncs.west.internal"
    assert PREFIXED.offset_syncs_topic("target") == "mm2-offset-syncs.east.internal"


def test_a_topic_that_came_from_the_target_is_not_sent_back_at_any_distance() -> None:
    assert not mirrored("west.orders")
    assert not mirrored("north.west.orders")
    assert mirrored("north.orders")


def test_identity_naming_cannot_see_a_cycle() -> None:
    assert mirrored("west.orders", policy=IDENTITY)


@pytest.mark.parametrize(
    "topic",
    ["__consumer_offsets", ".hidden", "mm2-offset-syncs.west.internal", "a.checkpoints.internal"],
)
def test_internal_topics_are_never_mirrored(topic: str) -> None:
    assert is_internal(topic)
    assert not mirrored(topic, excluded=())


@pytest.mark.parametrize("topic", ["orders-internal", "orders.internal", "checkpoints"])
def test_topics_that_only_sound_internal_are_mirrored(topic: str) -> None:
    assert mirrored(topic)


def test_heartbeats_are_mirrored_whatever_the_flow_lists_unless_switched_off() -> None:
    assert mirrored("heartbeats", "orders")
    assert mirrored("north.heartbeats", "orders")
    assert not mirrored("heartbeats", "orders", heartbeats=False)


def test_patterns_match_whole_names_and_no_pattern_matches_nothing() -> None:
    assert not matches_any(["order"], "orders")
    assert matches_any(["clicks", "order."], "orders")
    assert not matches_any([], "orders")


def test_an_exclusion_outweighs_a_match() -> None:
    assert not mirrored("orders-old", "orders.*", excluded=(".*-old",))
