"""Both stages of the comparison, for all partitions of a flow."""

from __future__ import annotations

from collections.abc import Mapping
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
from mirrorstack.verify.compare.classification import classify
from mirrorstack.verify.compare.compacted_diff import diff_compacted
from mirrorstack.verify.compare.differences import DifferenceKind, DifferenceTally
from mirrorstack.verify.compare.digests import ScanResult, scan_compacted, scan_logs
from mirrorstack.verify.compare.log_diff import diff_logs
from mirrorstack.verify.compare.proofs import PartitionProof
from mirrorstack.verify.compare.small_diff import are_few, diff_few_records
from mirrorstack.verify.compare.unproven_buckets import UnprovenBuckets
from mirrorstack.verify.reading.offset_ranges import OffsetRanges
from mirrorstack.verify.reading.records import PairReader, RecordReader
from mirrorstack.verify.reading.scope import Scope

NO_DIGESTS = SideDigests()


@dataclass(frozen=True)
class PartitionComparison:
    """The result for one partition, named as on the source."""

    source: OffsetRange
    target: OffsetRange | None
    """The offsets that were read; None if the target has no such partition."""
    source_records: int
    target_records: int
    """In compacted topics, keys."""
    newest: int | None
    """The latest timestamp on the target, in milliseconds."""
    tally: DifferenceTally = field(default_factory=DifferenceTally)
    matched: MatchedRanges = field(default_factory=MatchedRanges)
    """The offsets within which records were matched."""
    hash_sum_low: int = 0
    hash_sum_high: int = 0
    """The sums of the target's hashes."""
    proven: PartitionProof | None = None
    """What a previous run proved equal; all of the above is about the records after it."""

    @property
    def is_dense(self) -> bool:
        """Whether each offset of the source holds a record: no transaction markers."""
        start, before = self.source.start, self.proven
        if before is not None:
            start = max(start, before.source.end)
            if before.records != before.source.end - before.source.start:
                return False
        return self.source_records == self.source.end - start


@dataclass(frozen=True)
class FlowComparison:
    """Compares the records within offset ranges."""

    spark: SparkSession
    source: RecordReader
    target: RecordReader
    scope: Scope
    ranges: OffsetRanges
    payloads: bool = False

    def run(self) -> dict[TopicPartition, PartitionComparison]:
        result: dict[TopicPartition, PartitionComparison] = {}
        if self.scope.logs.topics:
            result |= self._compare_logs()
        if self.scope.compacted.topics:
            result |= self._compare_compacted()
        return result

    def _compare_logs(self) -> dict[TopicPartition, PartitionComparison]:
        scope = self.scope.logs
        bucket_widths = widths(self.ranges.spans, len(self.ranges.source))
        scan = scan_logs(self._reader, scope, bucket_widths)
        buckets = self._compare_buckets(scope, scan, ordered=True)
        matched = {partition: each.matched for partition, each in buckets.items()}
        tallies: dict[TopicPartition, DifferenceTally] = {}
        if unproven := self._unproven(scope, buckets, bucket_widths):
            source, target = self._ranges(scope)
            results = (
                diff_few_records(self._reader, unproven)
                if are_few(unproven)
                else diff_logs(self.spark, self._reader, unproven)
            )
            matched |= {partition: each.matched for partition, each in results.items()}
            tallies = {
                partition: classify(
                    partition,
                    each.unmatched,
                    each.matched,
                    source[partition],
                    target.get(partition),
                )
                for partition, each in results.items()
            }
        return self._results(scope, scan, tallies, matched)

    def _compare_compacted(self) -> dict[TopicPartition, PartitionComparison]:
        scope = self.scope.compacted
        scan = scan_compacted(self._reader, scope)
        buckets = self._compare_buckets(scope, scan, ordered=False)
        tallies: dict[TopicPartition, DifferenceTally] = {}
        if unproven := self._unproven(scope, buckets, {}):
            tallies = diff_compacted(self.spark, self._reader, unproven, *self._ranges(scope))
        return self._results(scope, scan, tallies, {})

    @property
    def _reader(self) -> PairReader:
        return PairReader(self.source, self.target, self.ranges.source, self.ranges.target)

    def _ranges(
        self, scope: Scope
    ) -> tuple[dict[TopicPartition, OffsetRange], dict[TopicPartition, OffsetRange]]:
        """What is read from both sides, both by partition of the source."""
        source = {p: r for p, r in self.ranges.source.items() if p.topic in scope.by_topic}
        target = {
            scope.on_source(partition): each
            for partition, each in self.ranges.target.items()
            if partition.topic in scope.by_target_topic
        }
        return source, target

    def _compare_buckets(
        self, scope: Scope, scan: ScanResult, *, ordered: bool
    ) -> dict[TopicPartition, BucketComparison]:
        source, _ = self._ranges(scope)
        return {
            partition: compare_buckets(
                scan.source.get(partition, NO_DIGESTS),
                scan.target.get(partition, NO_DIGESTS),
                ordered=ordered,
            )
            for partition in source
        }

    def _unproven(
        self,
        scope: Scope,
        buckets: Mapping[TopicPartition, BucketComparison],
        bucket_widths: Mapping[str, int],
    ) -> UnprovenBuckets | None:
        differing = {partition: each for partition, each in buckets.items() if each.unproven}
        if not differing:
            return None
        return UnprovenBuckets(differing, self.ranges.required, scope, bucket_widths, self.payloads)

    def _results(
        self,
        scope: Scope,
        scan: ScanResult,
        tallies: Mapping[TopicPartition, DifferenceTally],
        matched: Mapping[TopicPartition, MatchedRanges],
    ) -> dict[TopicPartition, PartitionComparison]:
        source, target = self._ranges(scope)

        def tally(partition: TopicPartition) -> DifferenceTally:
            records = scan.source.get(partition, NO_DIGESTS).count
            if partition not in target and records:  # without the partition nothing can arrive
                return DifferenceTally({DifferenceKind.MISSING: records})
            return tallies.get(partition, DifferenceTally())

        return {
            partition: PartitionComparison(
                source=each,
                target=target.get(partition),
                source_records=scan.source.get(partition, NO_DIGESTS).count,
                target_records=scan.target.get(partition, NO_DIGESTS).count,
                newest=scan.target.get(partition, NO_DIGESTS).newest,
                tally=tally(partition),
                matched=matched.get(partition, MatchedRanges()),
                hash_sum_low=scan.target.get(partition, NO_DIGESTS).hash_sum_low,
                hash_sum_high=scan.target.get(partition, NO_DIGESTS).hash_sum_high,
            )
            for partition, each in source.items()
        }
