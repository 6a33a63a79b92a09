"""Where consumer groups are on both sides: committed offsets, or else MirrorMaker's checkpoints."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.local.polling import poll_until
from mirrorstack.verify.reading.flow_endpoints import FlowEndpoints
from mirrorstack.verify.reading.internal_topics import Checkpoint, decode_checkpoints
from mirrorstack.verify.reading.offset_ranges import OffsetRanges
from mirrorstack.verify.reading.scope import Scope

POLL_SECONDS = 2.0
# In addition to two checkpoint intervals: a task may have to start.
START_SECONDS = 10

GroupPartition = tuple[str, TopicPartition]
"""A group and a partition of the source."""


@dataclass(frozen=True)
class GroupPositions:
    """The offset at which each group resumes, on each side; both by partition of the source."""

    source: Mapping[GroupPartition, int]
    target: Mapping[GroupPartition, int]
    committed: frozenset[GroupPartition]
    """Those with a committed offset on the target, so that consumers can simply start."""

    def on_both_sides(self, wanted: Callable[[TopicPartition], bool]) -> GroupPositions:
        """Only groups with an offset on both sides, in some of the partitions."""
        keys = {key for key in self.source.keys() & self.target.keys() if wanted(key[1])}
        return GroupPositions(
            {key: self.source[key] for key in keys},
            {key: self.target[key] for key in keys},
            self.committed & keys,
        )


class _CheckpointsAbsentError(Exception):
    """Some groups still have no checkpoint at the deadline."""


def wait_for_positions(
    endpoints: FlowEndpoints, ranges: OffsetRanges, wait_seconds: float
) -> GroupPositions:
    """Checkpoints are written at intervals: waits for the first ones of groups without any."""
    patience = min(wait_seconds, 2 * endpoints.flow.settings.checkpoint_seconds + START_SECONDS)
    positions = GroupPositions({}, {}, frozenset())

    def all_have_checkpoints() -> bool:
        nonlocal positions
        positions = _current_positions(endpoints)
        return not any(
            ranges.required[partition] > ranges.source[partition].start
            for _, partition in positions.source.keys() - positions.target.keys()
        )

    with suppress(_CheckpointsAbsentError):
        poll_until(
            all_have_checkpoints,
            deadline=time.monotonic() + patience,
            on_timeout=_CheckpointsAbsentError,
            interval=POLL_SECONDS,
        )
    return positions


def _current_positions(endpoints: FlowEndpoints) -> GroupPositions:
    flow, groups = endpoints.flow.settings, endpoints.flow.groups
    return group_positions(
        endpoints.scope,
        endpoints.source.committed_offsets(groups),
        endpoints.target.committed_offsets(groups) if flow.sync_group_offsets else {},
        decode_checkpoints(
            endpoints.read_internal(endpoints.target, flow.policy.checkpoints_topic)
        ),
    )


def group_positions(
    scope: Scope,
    source: Mapping[str, Mapping[TopicPartition, int]],
    target: Mapping[str, Mapping[TopicPartition, int]],
    checkpoints: Mapping[GroupPartition, Checkpoint],
) -> GroupPositions:
    """From the committed offsets of both sides and the checkpoints; a committed offset on the
    target takes precedence over a checkpoint."""
    committed_on_source = {
        (group, partition): offset
        for group, offsets in source.items()
        for partition, offset in offsets.items()
        if partition.topic in scope.by_topic
    }
    translated = {
        (group, scope.on_source(partition)): checkpoint.downstream
        for (group, partition), checkpoint in checkpoints.items()
        if partition.topic in scope.by_target_topic
    }
    committed = {
        (group, scope.on_source(partition)): offset
        for group, offsets in target.items()
        for partition, offset in offsets.items()
        if partition.topic in scope.by_target_topic
    }
    return GroupPositions(committed_on_source, translated | committed, frozenset(committed))
