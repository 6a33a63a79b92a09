"""What earlier runs have found equal need not be read again: a log never changes where it is.

Of each partition a run keeps up to where both sides were equal, record by record. The next run goes
on from there, unless a topic was made again or cut short since.
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
    kept: Mapping[TopicPartition, PartitionProof],
    now: Mapping[str, TopicIdentity],
    scope: Scope,
    limits: OffsetRanges,
) -> dict[TopicPartition, PartitionProof]:
    """Of what was kept, what holds: same topics, and neither side ends before."""
    remote = {pair.topic: pair.target_topic for pair in scope.logs}

    def holds(place: TopicPartition, proven: PartitionProof) -> bool:
        topic, number = place
        there = limits.target.get(TopicPartition(remote.get(topic, ""), number))
        return (
            there is not None
            and proven.identity == now.get(topic)
            and proven.source.end <= limits.source[place].end
            and proven.target.end <= there.end
        )

    return {
        place: each for place, each in kept.items() if place in limits.source and holds(place, each)
    }


def unproven_ranges(
    limits: OffsetRanges, scope: Scope, proven: Mapping[TopicPartition, PartitionProof]
) -> OffsetRanges:
    """What is left to read. Where a side begins later than it was proven, retention took some."""
    if not proven:
        return limits
    remote = {pair.topic: pair.target_topic for pair in scope.topics}
    ends = {place: each.source.end for place, each in proven.items()}
    there = {(remote[topic], n): each.target.end for (topic, n), each in proven.items()}
    newest = {place: each.newest for place, each in proven.items() if each.newest is not None}
    return replace(
        limits,
        source={place: _after(each, ends.get(place, 0)) for place, each in limits.source.items()},
        first={**limits.first, **newest},  # what is left is later, mostly
        target={place: _after(each, there.get(place, 0)) for place, each in limits.target.items()},
    )


def _after(whole: OffsetRange, end: int) -> OffsetRange:
    return OffsetRange(max(whole.start, end), whole.end, begins=end)


def only(limits: OffsetRanges, scope: Scope, places: Iterable[TopicPartition]) -> OffsetRanges:
    """The same, of some partitions; places by their names on the source."""
    wanted = set(places)
    remote = {pair.topic: pair.target_topic for pair in scope.topics}
    there = {(remote[topic], number) for topic, number in wanted}
    return replace(
        limits,
        source={place: each for place, each in limits.source.items() if place in wanted},
        last={place: each for place, each in limits.last.items() if place in wanted},
        target={place: each for place, each in limits.target.items() if place in there},
    )


def extended_proofs(
    compared: Mapping[TopicPartition, PartitionComparison],
    now: Mapping[str, TopicIdentity],
    scope: Scope,
) -> dict[TopicPartition, PartitionProof]:
    """What to keep. Where anything differs nothing is, so that the next run reads it all."""
    logs = {pair.topic for pair in scope.logs}
    return {
        place: found
        for place, each in compared.items()
        if place[0] in logs and place[0] in now and not each.tally.counts
        for found in [_extended(each, now[place[0]])]
        if found is not None
    }


def _extended(compared: PartitionComparison, identity: TopicIdentity) -> PartitionProof | None:
    """Nothing differs, so what has no equal is a head that retention took, or has not arrived: in
    between everything has."""
    before, matched = compared.proven, compared.matched
    if matched.source is None or matched.target is None:
        return before
    fresh = PartitionProof(
        identity,
        matched.source,
        matched.target,
        compared.target_records,
        compared.low,
        compared.high,
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
        low=wrapped(before.low + fresh.low),
        high=wrapped(before.high + fresh.high),
        newest=max(stamps, default=None),
    )
