"""Positions of consumer groups on both sides."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from mirrorstack.config.flows import FlowSettings
from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.verify.groups import group_positions as module
from mirrorstack.verify.groups.group_positions import (
    POLL_SECONDS,
    START_SECONDS,
    GroupPositions,
    group_positions,
    wait_for_positions,
)
from mirrorstack.verify.reading.internal_topics import Checkpoint
from mirrorstack.verify.reading.offset_ranges import OffsetRanges
from mirrorstack.verify.reading.scope import Scope, TopicPair

FLOW = FlowSettings.model_validate({"from": "east", "to": "west", "topics": [".*"]})
SOURCE, TARGET = TopicPartition("a", 0), TopicPartition("east.a", 0)
OTHER = TopicPartition("other", 0)
SCOPE = Scope(FLOW, (TopicPair("a", "east.a", 1),), ("billing", "audit"))


def test_a_committed_offset_on_the_target_takes_precedence_over_a_checkpoint() -> None:
    found = group_positions(
        SCOPE,
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


class TestWaiting:
    """The group `billing` has a committed offset on the source and none on the target."""

    @pytest.fixture
    def endpoints(self) -> Any:
        flow = ResolvedFlow(FLOW, ("a",), ("billing",))
        source = SimpleNamespace(committed_offsets=lambda _groups: {"billing": {SOURCE: 10}})
        target = SimpleNamespace(committed_offsets=lambda _groups: {})
        return SimpleNamespace(
            flow=flow, scope=SCOPE, source=source, target=target, read_internal=lambda *_: None
        )

    def checkpoints_are(
        self, monkeypatch: pytest.MonkeyPatch, *reads: dict[tuple[str, TopicPartition], Checkpoint]
    ) -> None:
        """One read after the other; the last repeats."""
        left: Iterator[Any] = iter(reads)
        monkeypatch.setattr(module, "decode_checkpoints", lambda _: next(left, reads[-1]))

    def test_the_first_checkpoint_of_a_group_ends_the_wait(
        self, monkeypatch: pytest.MonkeyPatch, clock: list[float], endpoints: Any
    ) -> None:
        self.checkpoints_are(monkeypatch, {}, {}, {("billing", TARGET): Checkpoint(10, 9)})

        found = wait_for_positions(endpoints, ranges(required=100), wait_seconds=60)

        assert found.target == {("billing", SOURCE): 9}
        assert clock == [POLL_SECONDS] * 2

    @pytest.mark.parametrize(
        ("wait_seconds", "expected"),
        [(6, 6), (10_000, 2 * FLOW.checkpoint_seconds + START_SECONDS)],
    )
    def test_without_checkpoints_the_source_is_returned_after_the_wait(
        self,
        monkeypatch: pytest.MonkeyPatch,
        clock: list[float],
        endpoints: Any,
        wait_seconds: float,
        expected: float,
    ) -> None:
        self.checkpoints_are(monkeypatch, {})

        found = wait_for_positions(endpoints, ranges(required=100), wait_seconds)

        assert (found.source, found.target) == ({("billing", SOURCE): 10}, {})
        assert expected - POLL_SECONDS <= sum(clock) <= expected + POLL_SECONDS

    def test_a_partition_without_records_is_not_awaited(
        self, monkeypatch: pytest.MonkeyPatch, clock: list[float], endpoints: Any
    ) -> None:
        self.checkpoints_are(monkeypatch, {})

        wait_for_positions(endpoints, ranges(required=0), wait_seconds=60)

        assert clock == []

    def test_a_request_that_times_out_is_not_taken_for_the_end_of_the_wait(
        self, monkeypatch: pytest.MonkeyPatch, endpoints: Any
    ) -> None:
        def times_out(_groups: object) -> None:
            raise TimeoutError

        monkeypatch.setattr(endpoints.source, "committed_offsets", times_out)

        with pytest.raises(TimeoutError):
            wait_for_positions(endpoints, ranges(required=100), wait_seconds=60)


def ranges(*, required: int) -> OffsetRanges:
    read = {SOURCE: OffsetRange(0, required)}
    return OffsetRanges(read, {SOURCE: required}, {}, first={}, last={})
