"""Both stages: what the records of a flow come to, partition by partition."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pyspark.sql import SparkSession

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import (
    BucketComparison,
    MatchedRanges,
    SideDigests,
    compare_buckets,
    widths,
)
from mirrorstack.verify.compare.classification import tally
from mirrorstack.verify.compare.compacted_diff import diff_compacted
from mirrorstack.verify.compare.differences import DifferenceKind, DifferenceTally
from mirrorstack.verify.compare.digests import PairReader, ScanResult, log_digests, table_digests
from mirrorstack.verify.compare.log_diff import diff_logs
from mirrorstack.verify.compare.proofs import PartitionProof
from mirrorstack.verify.compare.small_diff import are_few, diff_few_records
from mirrorstack.verify.compare.suspects import Suspects
from mirrorstack.verify.reading.offset_ranges import OffsetRanges
from mirrorstack.verify.reading.records import RecordReader
from mirrorstack.verify.reading.scope import Scope, TopicPair

NOTHING = SideDigests()


@dataclass(frozen=True)
class PartitionComparison:
    """What came of one partition; its name is the source's."""

    source: OffsetRange
    target: OffsetRange | None
    """Which offsets were read; None where the target has no such partition."""
    source_records: int
    target_records: int
    """Of compacted topics, keys."""
    newest: int | None
    """The latest timestamp on the target, in milliseconds."""
    tally: DifferenceTally = field(default_factory=DifferenceTally)
    matched: MatchedRanges = field(default_factory=MatchedRanges)
    """Within which offsets records were found on both sides."""
    low: int = 0
    high: int = 0
    """The sums of the target's hashes."""
    proven: PartitionProof | None = None
    """What an earlier run had found equal; what was read, and all of the above, came after it."""

    @property
    def is_dense(self) -> bool:
        """Whether each of the source's offsets holds a record: no marks of transactions."""
        start, before = self.source.start, self.proven
        if before is not None:
            start = max(start, before.source.end)
            if before.records != before.source.end - before.source.start:
                return False
        return self.source_records == self.source.end - start


@dataclass(frozen=True)
class FlowComparison:
    """Compares what lies within bounds."""

    spark: SparkSession
    source: RecordReader
    target: RecordReader
    scope: Scope
    bounds: OffsetRanges
    payloads: bool = False
    say: Callable[[str], None] = lambda text: None

    def run(self) -> dict[TopicPartition, PartitionComparison]:
        result: dict[TopicPartition, PartitionComparison] = {}
        if self.scope.logs:
            self.say("reading topics in which every record counts")
            result |= self._logs()
        if self.scope.tables:
            self.say("reading compacted topics")
            result |= self._tables()
        return result

    def _logs(self) -> dict[TopicPartition, PartitionComparison]:
        pairs = self.scope.logs
        chosen = widths(self.bounds.spans, len(self.bounds.source))
        seen = log_digests(self._sides, pairs, chosen)
        judged = self._judged(pairs, seen, ordered=True)
        matched = {place: each.matched for place, each in judged.items()}
        tallies: dict[TopicPartition, DifferenceTally] = {}
        if suspects := self._suspects(pairs, judged, chosen):
            self.say(f"looking at what differs in {len(suspects.judged)} partitions")
            source, target = self._read(pairs)
            looked = (
                diff_few_records(self._sides, suspects)
                if are_few(suspects)
                else diff_logs(self.spark, self._sides, suspects)
            )
            matched |= {place: each.matched for place, each in looked.items()}
            tallies = {
                place: tally(place, each.unmatched, each.matched, source[place], target.get(place))
                for place, each in looked.items()
            }
        return self._compared(pairs, seen, tallies, matched)

    def _tables(self) -> dict[TopicPartition, PartitionComparison]:
        pairs = self.scope.tables
        seen = table_digests(self._sides, pairs)
        judged = self._judged(pairs, seen, ordered=False)
        tallies: dict[TopicPartition, DifferenceTally] = {}
        if suspects := self._suspects(pairs, judged, {}):
            self.say(f"looking at what differs in {len(suspects.judged)} compacted partitions")
            read = self._read(pairs)
            tallies = diff_compacted(self.spark, self._sides, suspects, *read)
        return self._compared(pairs, seen, tallies, {})

    @property
    def _sides(self) -> PairReader:
        return PairReader(
            self.source,
            self.target,
            self.bounds.source,
            self.bounds.target,
        )

    def _read(
        self, pairs: tuple[TopicPair, ...]
    ) -> tuple[dict[TopicPartition, OffsetRange], dict[TopicPartition, OffsetRange]]:
        """What is read of both sides, under the source's names."""
        names = {pair.target_topic: pair.topic for pair in pairs}
        source = {p: r for p, r in self.bounds.source.items() if p[0] in names.values()}
        target = {
            TopicPartition(names[remote], number): each
            for (remote, number), each in self.bounds.target.items()
            if remote in names
        }
        return source, target

    def _judged(
        self, pairs: tuple[TopicPair, ...], seen: ScanResult, *, ordered: bool
    ) -> dict[TopicPartition, BucketComparison]:
        source, _ = self._read(pairs)
        return {
            place: compare_buckets(
                seen.source.get(place, NOTHING), seen.target.get(place, NOTHING), ordered=ordered
            )
            for place in source
        }

    def _suspects(
        self,
        pairs: tuple[TopicPair, ...],
        judged: Mapping[TopicPartition, BucketComparison],
        chosen: Mapping[str, int],
    ) -> Suspects | None:
        differing = {place: each for place, each in judged.items() if each.suspects}
        if not differing:
            return None
        return Suspects(differing, self.bounds.required, pairs, chosen, self.payloads)

    def _compared(
        self,
        pairs: tuple[TopicPair, ...],
        seen: ScanResult,
        tallies: Mapping[TopicPartition, DifferenceTally],
        matched: Mapping[TopicPartition, MatchedRanges],
    ) -> dict[TopicPartition, PartitionComparison]:
        source, target = self._read(pairs)

        def tallied(place: TopicPartition) -> DifferenceTally:
            lost = seen.source.get(place, NOTHING).count
            if place not in target and lost:  # nothing will ever arrive there
                return DifferenceTally({DifferenceKind.MISSING: lost})
            return tallies.get(place, DifferenceTally())

        return {
            place: PartitionComparison(
                source=each,
                target=target.get(place),
                source_records=seen.source.get(place, NOTHING).count,
                target_records=seen.target.get(place, NOTHING).count,
                newest=seen.target.get(place, NOTHING).newest,
                tally=tallied(place),
                matched=matched.get(place, MatchedRanges()),
                low=seen.target.get(place, NOTHING).low,
                high=seen.target.get(place, NOTHING).high,
            )
            for place, each in source.items()
        }
