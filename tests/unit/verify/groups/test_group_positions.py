"""Positions of consumer groups on both sides."""

from __future__ import annotations

from mirrorstack.config.flows import FlowSettings
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.groups.group_positions import GroupPositions, group_positions
from mirrorstack.verify.reading.internal_topics import Checkpoint
from mirrorstack.verify.reading.scope import Scope, TopicPair

FLOW = FlowSettings.model_validate({"from": "east", "to": "west", "topics": [".*"]})
SOURCE, TARGET = TopicPartition("a", 0), TopicPartition("east.a", 0)
OTHER = TopicPartition("other", 0)


def test_a_committed_offset_on_the_target_takes_precedence_over_a_checkpoint() -> None:
    found = group_positions(
        Scope(FLOW, (TopicPair("a", "east.a", 1),), ("billing", "audit")),
        source={"billing": {SOURCE: 10, OTHER: 5}, "audit": {SOURCE: 7}},
        target={"billing": {TARGET: 8, SOURCE: 99}},
        checkpoints={("billing", TARGET): Checkpoint(10, 9), ("audit", TARGET): Checkpoint(7, 6)},
    )

    assert found.source == {("billing", SOURCE): 10, ("audit", SOURCE): 7}
    assert found.target == {("billing", SOURCE): 8, ("audit", SOURCE): 6}
    assert found.committed == {("billing", SOURCE)}


def test_only_groups_with_an_offset_on_both_sides_can_be_compared() -> None:
    billing, audit = ("billing", SOURCE), ("audit", SOURCE)
    positions = GroupPositions({billing: 1, audit: 2}, {billing: 1}, frozenset({billing}))

    assert positions.on_both_sides(lambda _: True).source == {billing: 1}
    assert positions.on_both_sides(lambda _: False).source == {}
