"""Names of target topics, and which topics a flow replicates, by MirrorMaker's rules."""

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


def replicated(
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


def test_names_that_end_in_heartbeats_are_prefixed_even_with_identity_naming() -> None:
    assert IDENTITY.target_topic("device-heartbeats") == "east.device-heartbeats"


def test_offset_syncs_are_named_after_the_other_cluster() -> None:
    assert PREFIXED.offset_syncs_topic("source") == "mm2-offset-syncs.west.internal"
    assert PREFIXED.offset_syncs_topic("target") == "mm2-offset-syncs.east.internal"


def test_a_topic_from_the_target_is_not_replicated_back_directly_or_through_others() -> None:
    assert not replicated("west.orders")
    assert not replicated("north.west.orders")
    assert replicated("north.orders")


def test_identity_naming_does_not_detect_a_cycle() -> None:
    assert replicated("west.orders", policy=IDENTITY)


@pytest.mark.parametrize(
    "topic",
    ["__consumer_offsets", ".hidden", "mm2-offset-syncs.west.internal", "a.checkpoints.internal"],
)
def test_internal_topics_are_never_replicated(topic: str) -> None:
    assert is_internal(topic)
    assert not replicated(topic, excluded=())


@pytest.mark.parametrize("topic", ["orders-internal", "orders.internal", "checkpoints"])
def test_topics_with_similar_names_are_replicated(topic: str) -> None:
    assert replicated(topic)


def test_heartbeats_are_replicated_with_any_topics_unless_switched_off() -> None:
    assert replicated("heartbeats", "orders")
    assert replicated("north.heartbeats", "orders")
    assert not replicated("heartbeats", "orders", heartbeats=False)


def test_patterns_match_whole_names_and_no_pattern_matches_nothing() -> None:
    assert not matches_any(["order"], "orders")
    assert matches_any(["clicks", "order."], "orders")
    assert not matches_any([], "orders")


def test_an_excluded_topic_is_not_replicated() -> None:
    assert not replicated("orders-old", "orders.*", excluded=(".*-old",))
