"""Names of target topics, and which topics a flow replicates, by MirrorMaker's rules."""

from __future__ import annotations

from itertools import product

import pytest

from mirrorstack.mm2.name_templates import NameTemplate
from mirrorstack.mm2.replication_policy import (
    DEFAULT_TOPICS_EXCLUDE,
    Naming,
    PolicyClass,
    ReplicationPolicy,
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
    assert PREFIXED.is_internal(topic)
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


class TestSeparator:
    POLICY = ReplicationPolicy(Naming.PREFIXED, "east", "west", "_")

    def test_it_is_part_of_every_name(self) -> None:
        assert self.POLICY.target_topic("orders") == "east_orders"
        assert self.POLICY.prefix == "east_"
        assert self.POLICY.checkpoints_topic == "east_checkpoints_internal"
        assert self.POLICY.offset_syncs_topic("target") == "mm2-offset-syncs_east_internal"
        assert self.POLICY.may_be_target_topic("east_orders")
        assert not self.POLICY.may_be_target_topic("east.orders")

    def test_it_decides_what_is_internal_a_heartbeat_or_a_cycle(self) -> None:
        assert not replicated("west_orders", policy=self.POLICY)
        assert replicated("west.orders", policy=self.POLICY)
        assert not replicated("east_checkpoints_internal", policy=self.POLICY)
        assert replicated("north_heartbeats", "orders", policy=self.POLICY)
        assert not replicated("north.heartbeats", "orders", policy=self.POLICY)

    @pytest.mark.parametrize("separator", [".", "-", "_", "--"])
    def test_patterns_and_names_agree(self, separator: str) -> None:
        policy = ReplicationPolicy(Naming.PREFIXED, "east", "west", separator)
        parts = ("west", "east", "mm2", "checkpoints", "internal", "orders")
        names = [separator.join(pair) for pair in product(parts, repeat=3)]

        for name in names:
            assert matches_any(policy.internal_patterns, name) == policy.is_internal(name), name
            assert matches_any([policy.cycle_pattern], name) == policy.is_cycle(name), name

    def test_a_separator_at_the_end_shows_no_source(self) -> None:
        assert not PREFIXED.is_cycle("west.")
        assert not PREFIXED.is_heartbeats("heartbeats.")


class TestOwnPolicy:
    def policy(self, template: str) -> ReplicationPolicy:
        own = PolicyClass("com.example.Own", NameTemplate(template))
        return ReplicationPolicy(Naming.CUSTOM, "east", "west", own=own)

    def test_the_template_gives_the_names(self) -> None:
        policy = self.policy("{source}_{topic}")

        assert policy.java_class == "com.example.Own"
        assert policy.target_topic("orders") == "east_orders"
        assert policy.prefix == "east_"
        assert policy.is_heartbeats("north_heartbeats")
        assert policy.is_cycle("north_west_orders")

    @pytest.mark.parametrize("template", ["{topic}", "dr-{topic}", "{topic}.{source}"])
    def test_a_name_that_does_not_begin_with_the_source_has_no_prefix_of_its_own(
        self, template: str
    ) -> None:
        assert self.policy(template).prefix is None

    def test_heartbeats_without_a_source_are_not_replicated(self) -> None:
        policy = self.policy("{topic}")

        assert not policy.shows_origin
        assert not replicated("heartbeats", policy=policy)
        assert replicated("west.orders", policy=policy)
        assert policy.target_topic("device-heartbeats") == "device-heartbeats"
