"""The state of a group in a partition."""

from __future__ import annotations

import pytest

from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.groups.distances import SkippedAndReconsumed
from mirrorstack.verify.groups.group_check import GroupState, _check
from mirrorstack.verify.groups.group_positions import GroupPositions

KEY = ("billing", TopicPartition("orders", 0))


@pytest.mark.parametrize(
    ("target_offset", "skipped", "state"),
    [
        (10, 0, GroupState.NOTHING_SKIPPED),
        (10, 2, GroupState.SKIPS),
        (21, 0, GroupState.PAST_END),
        (None, 0, GroupState.NO_CHECKPOINT),
    ],
)
def test_the_state_follows_from_position_and_skipped_records(
    target_offset: int | None, skipped: int, state: GroupState
) -> None:
    target = {} if target_offset is None else {KEY: target_offset}
    positions = GroupPositions({KEY: 10}, target, frozenset(target))

    check = _check(KEY, 10, positions, SkippedAndReconsumed(skipped, 4, 1), end=20)

    assert (check.state, check.target_offset, check.committed) == (
        state,
        target_offset,
        target_offset is not None,
    )
    assert (check.group, check.topic, check.partition) == ("billing", "orders", 0)
