"""Reads only what is new: a log never changes, so what a previous run proved equal stays equal.

For each partition a run stores the offsets up to which both sides were equal, record by record. The
next run resumes from there, unless a topic was recreated or truncated since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import wrapped
from mirrorstack.verify.compare.comparison import PartitionComparison
from mirrorstack.verify.compare.proofs import PartitionProof
from mirrorstack.verify.reading.offset_ranges import OffsetRanges
from mirrorstack.verify.reading.scope import Scope, TopicIdentity


def valid_proofs(
    stored: Mapping[TopicPartition, PartitionProof],
    identities: Mapping[str, TopicIdentity],
    scope: Scope,
    ranges: OffsetRanges,
) -> dict[TopicPartition, PartitionProof]:
    """The stored proofs that still hold: the same topics, and neither side ends earlier."""

    def holds(partition: TopicPartition, proof: PartitionProof) -> bool:
        if partition not in ranges.source or partition.topic not in scope.logs.by_topic:
            return False
        target = ranges.target.get(scope.on_target(partition))
        return (
            target is not None
            and proof.identity == identities.get(partition.topic)
            and proof.source.end <= ranges.source[partition].end
            and proof.target.end <= target.end
        )

    return {partition: each for partition, each in stored.items() if holds(partition, each)}


def unproven_ranges(
    ranges: OffsetRanges, scope: Scope, proofs: Mapping[TopicPartition, PartitionProof]
) -> OffsetRanges:
    """What is left to read. A side that starts later than its proof ends has lost records to
    retention."""
    if not proofs:
        return ranges
    ends = {partition: each.source.end for partition, each in proofs.items()}
    target_ends = {
        scope.on_target(partition): each.target.end for partition, each in proofs.items()
    }
    newest = {
        partition: each.newest for partition, each in proofs.items() if each.newest is not None
    }
    return replace(
        ranges,
        source={p: _after(each, ends.get(p, 0)) for p, each in ranges.source.items()},
        first={**ranges.first, **newest},  # what is left is mostly later
        target={p: _after(each, target_ends.get(p, 0)) for p, each in ranges.target.items()},
    )


def _after(whole: OffsetRange, end: int) -> OffsetRange:
    return OffsetRange(max(whole.start, end), whole.end, begins=end)


def restrict(
    ranges: OffsetRanges, scope: Scope, partitions: Iterable[TopicPartition]
) -> OffsetRanges:
    """The same ranges, for some partitions of the source only."""
    wanted = set(partitions)
    replicated = scope.all_on_target(wanted)
    return replace(
        ranges,
        source={p: each for p, each in ranges.source.items() if p in wanted},
        last={p: each for p, each in ranges.last.items() if p in wanted},
        target={p: each for p, each in ranges.target.items() if p in replicated},
    )


def extended_proofs(
    compared: Mapping[TopicPartition, PartitionComparison],
    identities: Mapping[str, TopicIdentity],
    scope: Scope,
) -> dict[TopicPartition, PartitionProof]:
    """What to store. A partition with any difference has no proof, so the next run reads it all."""
    logs = scope.logs.by_topic
    return {
        partition: proof
        for partition, each in compared.items()
        if partition.topic in logs and partition.topic in identities and not each.tally.counts
        for proof in [_extended(each, identities[partition.topic])]
        if proof is not None
    }


def _extended(compared: PartitionComparison, identity: TopicIdentity) -> PartitionProof | None:
    """Without a difference, records without an equal are deleted by retention at the start or have
    not arrived at the end: everything in between is equal."""
    before, matched = compared.proven, compared.matched
    if matched.source is None or matched.target is None:
        return before
    fresh = PartitionProof(
        identity,
        matched.source,
        matched.target,
        compared.target_records,
        compared.hash_sum_low,
        compared.hash_sum_high,
        compared.newest,
    )
    if before is None:
        return fresh
    stamps = [stamp for stamp in (before.newest, fresh.newest) if stamp is not None]
    return replace(
        fresh,
        source=OffsetRange(before.source.start, fresh.source.end),
        target=OffsetRange(before.target.start, fresh.target.end),
        records=before.records + fresh.records,
        hash_sum_low=wrapped(before.hash_sum_low + fresh.hash_sum_low),
        hash_sum_high=wrapped(before.hash_sum_high + fresh.hash_sum_high),
        newest=max(stamps, default=None),
    )
