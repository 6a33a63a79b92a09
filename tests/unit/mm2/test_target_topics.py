"""Target topics are derived from the source topics."""

from __future__ import annotations

import pytest

from mirrorstack.findings import UserError
from mirrorstack.kafka.inventory import TopicDescription
from mirrorstack.mm2.replication_policy import Naming, ReplicationPolicy
from mirrorstack.mm2.target_topics import target_topics, unwritable_reason

POLICY = ReplicationPolicy(Naming.PREFIXED, "east", "west")


def test_a_target_topic_has_the_alias_in_its_name_and_the_source_s_partitions() -> None:
    (topic,) = target_topics(POLICY, [TopicDescription("orders", 6)], factor=1)

    assert topic.name == "east.orders"
    assert topic.partitions == 6


def test_configs_are_the_source_s_except_those_that_concern_its_brokers() -> None:
    source = TopicDescription(
        "orders", 1, {"cleanup.policy": "compact", "min.insync.replicas": "2"}
    )

    (topic,) = target_topics(POLICY, [source], factor=1)

    assert topic.config == {"cleanup.policy": "compact"}


def test_a_name_that_is_too_long_on_the_target_is_rejected_with_both_lengths() -> None:
    with pytest.raises(UserError, match="250 characters, and Kafka allows 249"):
        POLICY.target_topic("x" * 245)

    assert len(POLICY.target_topic("x" * 244)) == 249


@pytest.mark.parametrize(
    ("factor", "config"),
    [(1, {}), (3, {"min.insync.replicas": "3"}), (1, {"min.insync.replicas": "odd"})],
)
def test_a_topic_with_enough_replicas_can_be_written(factor: int, config: dict[str, str]) -> None:
    assert unwritable_reason(factor, config) is None


def test_a_topic_with_more_min_insync_replicas_than_replicas_cannot_be_written() -> None:
    reason = unwritable_reason(1, {"min.insync.replicas": "2"})

    assert reason is not None
    assert "min.insync.replicas is 2 and the replication factor is 1" in reason


def test_synced_configs_are_declared_as_they_are_on_the_target() -> None:
    source = TopicDescription("orders", 1, {"retention.ms": "2", "segment.ms": "2"})
    held = {
        "east.orders": TopicDescription("east.orders", 1, {"retention.ms": "1", "segment.ms": "1"})
    }

    (new,) = target_topics(POLICY, [source], 1, synced=["retention.ms"])
    (existing,) = target_topics(POLICY, [source], 1, synced=["retention.ms"], held=held)

    assert new.config == {"retention.ms": "2", "segment.ms": "2"}
    assert existing.config == {"retention.ms": "1", "segment.ms": "2"}


def test_a_topic_is_new_if_it_is_missing_or_recreated_with_fewer_partitions() -> None:
    (topic,) = target_topics(POLICY, [TopicDescription("orders", 2)], factor=1)
    larger, smaller = ({"east.orders": TopicDescription("east.orders", n)} for n in (3, 1))

    assert topic.is_new({}, delete_topics=False)
    assert topic.is_new(larger, delete_topics=True)
    assert not topic.is_new(larger, delete_topics=False)
    assert not topic.is_new(smaller, delete_topics=True)
