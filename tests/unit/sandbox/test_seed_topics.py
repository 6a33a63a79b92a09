"""The topics and groups of the test data."""

from __future__ import annotations

from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.sandbox.seed_topics import GROUPS, TOPICS, committed_offsets

BY_NAME = {topic.name: topic for topic in TOPICS}


def test_ledger_differs_from_the_defaults_in_five_settings() -> None:
    assert set(BY_NAME["ledger"].config) == {
        "retention.ms",
        "segment.bytes",
        "compression.type",
        "max.message.bytes",
        "min.insync.replicas",
    }


def test_groups_have_committed_offsets_at_the_start_the_middle_and_the_end() -> None:
    orders = [TopicPartition("orders", partition) for partition in (0, 1)]
    ends = {orders[0]: 100, orders[1]: 51, TopicPartition("audit", 0): 0}
    offsets = {group.name: committed_offsets(group, ends) for group in GROUPS}
    assert offsets["billing"] == {("orders", 0): 0, ("orders", 1): 0}
    assert offsets["fulfilment"] == {("orders", 0): 50, ("orders", 1): 25}
    assert offsets["reporting"] == {("orders", 0): 100, ("orders", 1): 51}


def test_one_group_reads_several_topics() -> None:
    assert any(len(group.progress) > 2 for group in GROUPS)
