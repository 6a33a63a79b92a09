"""Where consumer groups are, on both sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.reading.internal_topics import Checkpoint
from mirrorstack.verify.reading.scope import Scope

GroupPartition = tuple[str, TopicPartition]
"""A group in a partition, under the partition's name on the source."""


@dataclass(frozen=True)
class GroupPositions:
    """Where groups are: by group, and by partition under the source's names."""

    source: Mapping[GroupPartition, int]
    target: Mapping[GroupPartition, int]
    committed: frozenset[GroupPartition]

    def among(self, is_wanted: Callable[[TopicPartition], bool]) -> GroupPositions:
        """Those on both sides, in some of the partitions."""
        keys = {key for key in self.source.keys() & self.target.keys() if is_wanted(key[1])}
        return GroupPositions(
            {key: self.source[key] for key in keys},
            {key: self.target[key] for key in keys},
            self.committed & keys,
        )


def marks(
    scope: Scope,
    source: Mapping[str, Mapping[TopicPartition, int]],
    target: Mapping[str, Mapping[TopicPartition, int]],
    translated: Mapping[GroupPartition, Checkpoint],
) -> GroupPositions:
    """From what groups have committed on both sides, and from MirrorMaker's checkpoints."""
    names = {pair.target_topic: pair.topic for pair in scope.topics}
    here = {
        (group, place): offset
        for group, held in source.items()
        for place, offset in held.items()
        if place[0] in names.values()
    }
    noted = {
        (group, TopicPartition(names[remote], number)): checkpoint.downstream
        for (group, (remote, number)), checkpoint in translated.items()
        if remote in names
    }
    committed = {
        (group, TopicPartition(names[remote], number)): offset
        for group, held in target.items()
        for (remote, number), offset in held.items()
        if remote in names
    }
    return GroupPositions(here, noted | committed, frozenset(committed))
