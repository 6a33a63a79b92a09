"""The groups of a flow, looked at on both ends once MirrorMaker has had time to translate them."""

from __future__ import annotations

import time
from collections.abc import Mapping

from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.digests import PairReader
from mirrorstack.verify.compare.proofs import PartitionProof
from mirrorstack.verify.groups.group_check import GroupCheck, check_groups
from mirrorstack.verify.groups.group_positions import GroupPositions, marks
from mirrorstack.verify.reading.flow_endpoints import FlowEndpoints
from mirrorstack.verify.reading.internal_topics import checkpoints
from mirrorstack.verify.reading.offset_ranges import OffsetRanges

POLL_SECONDS = 2.0
# Beyond two intervals of checkpoints: a task may have to start.
MORE_SECONDS = 10


def look_at_groups(
    ends: FlowEndpoints,
    limits: OffsetRanges,
    wait_seconds: float,
    proven: Mapping[TopicPartition, PartitionProof],
) -> list[GroupCheck]:
    """`proven`: of which partitions both sides are known to be equal, and up to where."""
    if not ends.flow.groups:
        return []
    names = {pair.target_topic: pair.topic for pair in ends.scope.topics}
    held = _marks(ends, limits, wait_seconds)
    now = ends.target.latest_offsets(limits.target)  # groups may go on while we compare
    target = {TopicPartition(names[topic], number): end for (topic, number), end in now.items()}
    sides = PairReader(
        ends.source_reader,
        ends.target_reader,
        limits.source,
        limits.target,
    )
    return check_groups(ends.spark, sides, ends.scope, held, target, proven)


def _marks(ends: FlowEndpoints, limits: OffsetRanges, wait_seconds: float) -> GroupPositions:
    """Checkpoints come at intervals: give the first ones time."""
    flow, groups = ends.flow.settings, ends.flow.groups
    patience = min(wait_seconds, 2 * flow.checkpoint_seconds + MORE_SECONDS)
    deadline = time.monotonic() + patience
    while True:
        held = marks(
            ends.scope,
            ends.source.committed_offsets(groups),
            ends.target.committed_offsets(groups) if flow.sync_group_offsets else {},
            checkpoints(ends.internal(ends.target, flow.policy.checkpoints_topic)),
        )
        lacking = [
            place
            for group, place in held.source.keys() - held.target.keys()
            if limits.required[place] > limits.source[place].start
        ]
        if not lacking or time.monotonic() > deadline:
            return held
        time.sleep(POLL_SECONDS)
