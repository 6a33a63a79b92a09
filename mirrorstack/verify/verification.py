"""One verification of a stack: all flows, from the offset ranges to the report."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.settings import StackSettings
from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.mm2.replication_policy import HEARTBEATS
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.plan import plan
from mirrorstack.verify.compare.comparison import FlowComparison, PartitionComparison
from mirrorstack.verify.compare.incremental import (
    extended_proofs,
    restrict,
    unproven_ranges,
    valid_proofs,
)
from mirrorstack.verify.groups.group_check import check_groups
from mirrorstack.verify.history.freshness import Freshness, measure_freshness
from mirrorstack.verify.history.replication_history import History, HistoryMeasurement
from mirrorstack.verify.history.silent_loss import (
    SilentLoss,
    detect_recreated_topics,
    detect_silent_loss,
)
from mirrorstack.verify.reading.flow_endpoints import FlowEndpoints
from mirrorstack.verify.reading.internal_topics import decode_heartbeats
from mirrorstack.verify.reading.offset_ranges import OffsetRanges, determine_offset_ranges
from mirrorstack.verify.reading.session import show_progress
from mirrorstack.verify.report.files import PreviousRun
from mirrorstack.verify.report.report import FlowReport, Report, topic_reports
from mirrorstack.verify.report.verdict import FlowResult, flow_findings

PartitionComparisons = Mapping[TopicPartition, PartitionComparison]


@dataclass(frozen=True)
class VerifyOptions:
    wait_seconds: float = 60.0
    """How long the target may take to catch up."""
    rpo_seconds: float | None = None
    """Overrides what each flow declares."""
    payloads: bool = False
    """Whether the report shows the values of records that differ."""

    def rpo(self, flow: FlowSettings) -> float | None:
        return flow.rpo_seconds if self.rpo_seconds is None else self.rpo_seconds


def verify(
    spark: SparkSession,
    settings: StackSettings,
    clusters: StackClusters,
    stack: str,
    options: VerifyOptions,
    console: Console,
    previous: PreviousRun | None = None,
) -> Report:
    """Compares every flow of the stack."""
    began, started = time.monotonic(), int(time.time() * 1000)
    flows = plan(settings, clusters.inventories()).flows
    reports = [
        _run(
            FlowVerification(
                FlowEndpoints(spark, settings, clusters, flow),
                options,
                console,
                previous or PreviousRun(),
            )
        )
        for flow in flows
    ]
    return Report(stack, started, round(time.monotonic() - began, 1), tuple(reports))


def _run(verification: FlowVerification) -> FlowReport:
    """Errors of Spark become one message."""
    try:
        return verification.run()
    except (PySparkException, Py4JError) as error:
        reasons = [line.strip() for line in str(error).splitlines() if "Caused by" in line]
        reason = reasons[-1] if reasons else str(error).strip().splitlines()[0]
        flow = verification.endpoints.flow.settings
        raise UserError(
            f"Flow {flow.name} could not be read completely: {reason}",
            "run it again: retention may have deleted records, or a broker was unavailable, during "
            "the comparison; the principal needs Read on the topics of both clusters",
            flow=flow.name,
        ) from error


def _record_counts(compared: PartitionComparisons) -> str:
    now = sum(each.source_records for each in compared.values())
    before = sum(each.proven.records for each in compared.values() if each.proven)
    return f"{now:,} on the source" + (f", {before:,} proven before" if before else "")


@dataclass(frozen=True)
class FlowVerification:
    """The verification of one flow."""

    endpoints: FlowEndpoints
    options: VerifyOptions
    console: Console
    previous: PreviousRun

    def run(self) -> FlowReport:
        endpoints, flow = self.endpoints, self.endpoints.flow.settings
        label = f"{flow.source}->{flow.target}"
        with self.console.step(f"{label}: waiting for the target to catch up") as step:
            ranges = determine_offset_ranges(
                endpoints.scope,
                endpoints.source,
                endpoints.target,
                self.options.wait_seconds,
                lambda done, of: step.counted(done, of, "partitions"),
            )
            late = len(ranges.awaited)
            step.done(
                f"{late} of {len(ranges.target)} partitions are behind" if late else "caught up"
            )
        with (
            self.console.step(f"{label}: comparing records") as step,
            show_progress(endpoints.spark, step, "partitions of both sides"),
        ):
            compared = self._compare(ranges)
            step.done(_record_counts(compared))
        with (
            self.console.step(f"{label}: checking groups and heartbeats") as step,
            show_progress(endpoints.spark, step, "tasks"),
        ):
            proofs = extended_proofs(compared, endpoints.identities, endpoints.scope)
            groups = check_groups(endpoints, ranges, self.options.wait_seconds, proofs)
            losses = self._silent_losses(compared)
            freshness = self._freshness(ranges, compared)
            history = self._history(ranges, compared)
        result = FlowResult(
            endpoints.scope,
            compared,
            groups,
            losses,
            freshness,
            ranges.taken,
            endpoints.undeployed_topics,
        )
        return FlowReport(
            flow.name,
            flow.source,
            flow.target,
            flow.exactly_once,
            topic_reports(endpoints.scope, endpoints.source_topics, compared, proofs),
            tuple(sorted(endpoints.undeployed_topics)),
            tuple(groups),
            tuple(losses),
            freshness,
            flow_findings(result),
            history,
        )

    def _compare(self, ranges: OffsetRanges) -> dict[TopicPartition, PartitionComparison]:
        """Compares what is new; where it differs, the whole partition: a duplicate may be of a
        record that was proven before."""
        scope = self.endpoints.scope
        stored = self.previous.proofs.get(self.endpoints.flow.settings.name, {})
        proofs = valid_proofs(stored, self.endpoints.identities, scope, ranges)
        left = unproven_ranges(ranges, scope, proofs)
        compared = {
            partition: replace(each, proven=proofs.get(partition))
            for partition, each in self._comparison(left).run().items()
        }
        if again := [partition for partition in proofs if compared[partition].tally.counts]:
            compared |= self._comparison(restrict(ranges, scope, again)).run()
        return {
            partition: replace(
                each,
                source=ranges.source[partition],
                target=ranges.target.get(scope.on_target(partition)),
            )
            for partition, each in compared.items()
        }

    def _comparison(self, ranges: OffsetRanges) -> FlowComparison:
        topics = {partition.topic for partition in ranges.source}
        return FlowComparison(
            self.endpoints.spark,
            self.endpoints.source_reader,
            self.endpoints.target_reader,
            self.endpoints.scope.only(lambda pair: pair.topic in topics),
            ranges,
            self.options.payloads,
        )

    def _history(self, ranges: OffsetRanges, compared: PartitionComparisons) -> History | None:
        behind = {
            partition: each.tally.behind + each.tally.later for partition, each in compared.items()
        }
        source, reader = self.endpoints.source, self.endpoints.source_reader
        measurement = HistoryMeasurement(source, reader, ranges.source, behind)
        return measurement.history(self.endpoints.offset_syncs)

    def _silent_losses(self, compared: PartitionComparisons) -> list[SilentLoss]:
        syncs = self.endpoints.offset_syncs
        # Taken after the offset syncs, because replication continues while we compare.
        ends = self.endpoints.source.latest_offsets(compared)
        previous_ids = self.previous.topic_ids.get(self.endpoints.flow.settings.name, {})
        topic_ids = {name: topic.id for name, topic in self.endpoints.source_topics.items()}
        compacted = self.endpoints.scope.compacted.by_topic
        return [
            *detect_recreated_topics(previous_ids, topic_ids),
            *(
                loss
                for partition, each in compared.items()
                for loss in detect_silent_loss(
                    partition,
                    each,
                    syncs.get(partition, ()),
                    ends[partition],
                    compacted=partition.topic in compacted,
                )
            ),
        ]

    def _freshness(self, ranges: OffsetRanges, compared: PartitionComparisons) -> Freshness:
        flow = self.endpoints.flow.settings
        heartbeats: Mapping[tuple[str, str], int] = {}
        if flow.heartbeats:
            records = self.endpoints.read_internal(self.endpoints.target, HEARTBEATS)
            heartbeats = decode_heartbeats(records)
        return measure_freshness(
            compared.values(),
            ranges.taken,
            self.options.rpo(flow),
            heartbeats.get((flow.source, flow.target)),
        )
