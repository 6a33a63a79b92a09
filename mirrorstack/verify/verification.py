"""One verification of a stack: every flow of it, from the questions to the report."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

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
    only,
    unproven_ranges,
    valid_proofs,
)
from mirrorstack.verify.compare.proofs import ProofsByFlow
from mirrorstack.verify.groups.check import look_at_groups
from mirrorstack.verify.history.measurements import HistoryMeasurement
from mirrorstack.verify.history.replication_history import History
from mirrorstack.verify.history.silent_loss import (
    LossCause,
    SilentLoss,
    detect_silent_loss,
    recreated_topics,
)
from mirrorstack.verify.reading.flow_endpoints import FlowEndpoints
from mirrorstack.verify.reading.internal_topics import heartbeats
from mirrorstack.verify.reading.offset_ranges import OffsetRanges, bounds
from mirrorstack.verify.reading.spark_progress import shown
from mirrorstack.verify.report.assembly import topic_reports
from mirrorstack.verify.report.report import FlowReport, Freshness, Report
from mirrorstack.verify.report.verdict import FlowResult, remarks


@dataclass(frozen=True)
class VerifyOptions:
    """What the person asked for."""

    wait_seconds: float = 60.0
    """For the target to catch up."""
    rpo_seconds: float | None = None
    """Instead of what each flow declares."""
    payloads: bool = False

    def rpo(self, flow: FlowSettings) -> float | None:
        return flow.rpo_seconds if self.rpo_seconds is None else self.rpo_seconds


@dataclass(frozen=True)
class PreviousRun:
    """What is known from the last run, by flow."""

    ids: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The topics' ids."""
    proven: ProofsByFlow = field(default_factory=dict)
    """What need not be read again."""


def verify(
    spark: SparkSession,
    settings: StackSettings,
    clusters: StackClusters,
    stack: str,
    wishes: VerifyOptions,
    console: Console,
    memory: PreviousRun | None = None,
) -> Report:
    """Compare every flow."""
    began, taken = time.monotonic(), int(time.time() * 1000)
    flows = plan(settings, clusters.inventories()).flows
    reports = [
        _told(
            FlowVerification(
                FlowEndpoints(spark, settings, clusters, flow),
                wishes,
                console,
                memory or PreviousRun(),
            )
        )
        for flow in flows
    ]
    return Report(stack, taken, round(time.monotonic() - began, 1), tuple(reports))


def _told(flow: FlowVerification) -> FlowReport:
    """What goes wrong in Spark, as one message."""
    try:
        return flow.run()
    except (PySparkException, Py4JError) as error:
        reasons = [line.strip() for line in str(error).splitlines() if "Caused by" in line]
        reason = reasons[-1] if reasons else str(error).strip().splitlines()[0]
        raise UserError(
            f"Flow {flow.ends.flow.settings.name} could not be read to the end: {reason}",
            "run it again: partitions may have been trimmed, or a broker away, meanwhile; who "
            "looks needs the operation Read on the topics of both clusters",
        ) from error


def _counted(compared: Mapping[TopicPartition, PartitionComparison]) -> str:
    now = sum(each.source_records for each in compared.values())
    before = sum(each.proven.records for each in compared.values() if each.proven)
    return f"{now:,} on the source" + (f", {before:,} proven before" if before else "")


@dataclass(frozen=True)
class FlowVerification:
    """One flow."""

    ends: FlowEndpoints
    wishes: VerifyOptions
    console: Console
    memory: PreviousRun

    def run(self) -> FlowReport:
        where = f"{self.ends.flow.settings.source} to {self.ends.flow.settings.target}"
        with self.console.step(f"{where}: waiting for the target to catch up") as step:
            limits = bounds(
                self.ends.scope,
                self.ends.source,
                self.ends.target,
                self.wishes.wait_seconds,
                lambda done, of: step.counted(done, of, "partitions"),
            )
            late = len(limits.awaited)
            step.done(f"{late} of {len(limits.target)} partitions have not" if late else "it has")
        with (
            self.console.step(f"{where}: comparing records") as step,
            shown(self.ends.spark, step, "partitions of both sides"),
        ):
            compared = self._compared(limits)
            step.done(_counted(compared))
        with (
            self.console.step(f"{where}: groups and heartbeats") as step,
            shown(self.ends.spark, step, "tasks"),
        ):
            proven = extended_proofs(compared, self.ends.now, self.ends.scope)
            groups = look_at_groups(self.ends, limits, self.wishes.wait_seconds, proven)
            alarms = self._alarms(compared)
            pulse = self._pulse(limits, compared)
            history = self._history(limits, compared)
        found = FlowResult(self.ends.scope, compared, groups, alarms, pulse, limits.taken)
        flow = self.ends.flow.settings
        return FlowReport(
            flow.name,
            flow.source,
            flow.target,
            flow.exactly_once,
            topic_reports(
                self.ends.scope,
                self.ends.held,
                compared,
                proven,
            ),
            tuple(groups),
            tuple(alarms),
            pulse,
            remarks(found),
            history,
        )

    def _compared(self, limits: OffsetRanges) -> dict[TopicPartition, PartitionComparison]:
        """What is new; where it differs, everything: a copy may be of what was proven before."""
        kept = self.memory.proven.get(self.ends.flow.settings.name, {})
        proven = valid_proofs(kept, self.ends.now, self.ends.scope, limits)
        left = unproven_ranges(limits, self.ends.scope, proven)
        found = {
            place: replace(each, proven=proven.get(place))
            for place, each in self._comparison(left).run().items()
        }
        if again := [place for place in proven if found[place].tally.counts]:
            found |= self._comparison(only(limits, self.ends.scope, again)).run()
        names = {pair.topic: pair.target_topic for pair in self.ends.scope.topics}
        return {
            TopicPartition(topic, number): replace(
                each,
                source=limits.source[TopicPartition(topic, number)],
                target=limits.target.get(TopicPartition(names[topic], number)),
            )
            for (topic, number), each in found.items()
        }

    def _comparison(self, limits: OffsetRanges) -> FlowComparison:
        wanted = {topic for topic, _ in limits.source}
        topics = tuple(pair for pair in self.ends.scope.topics if pair.topic in wanted)
        return FlowComparison(
            self.ends.spark,
            self.ends.source_reader,
            self.ends.target_reader,
            replace(self.ends.scope, topics=topics),
            limits,
            self.wishes.payloads,
        )

    def _history(
        self, limits: OffsetRanges, compared: Mapping[TopicPartition, PartitionComparison]
    ) -> History | None:
        lacking = {place: each.tally.behind + each.tally.later for place, each in compared.items()}
        source, reader = self.ends.source, self.ends.source_reader
        return HistoryMeasurement(source, reader, limits.source, lacking).history(self.ends.notes)

    def _alarms(self, compared: Mapping[TopicPartition, PartitionComparison]) -> list[SilentLoss]:
        noted = self.ends.notes
        remembered = self.memory.ids.get(self.ends.flow.settings.name, {})
        ends = self.ends.source.latest_offsets(
            compared
        )  # after the notes, which go on while we compare
        compacted = {pair.topic for pair in self.ends.scope.tables}
        now = {name: topic.id for name, topic in self.ends.held.items()}
        return [
            *(
                SilentLoss(topic, -1, LossCause.MADE_AGAIN, True, sentence)
                for topic, sentence in recreated_topics(remembered, now)
            ),
            *(
                alarm
                for place, each in compared.items()
                for alarm in detect_silent_loss(
                    place, each, noted.get(place, ()), ends[place], compacted=place[0] in compacted
                )
            ),
        ]

    def _pulse(
        self, limits: OffsetRanges, compared: Mapping[TopicPartition, PartitionComparison]
    ) -> Freshness:
        flow = self.ends.flow.settings
        rpo = self.wishes.rpo(flow)
        beats = (
            heartbeats(self.ends.internal(self.ends.target, HEARTBEATS)) if flow.heartbeats else {}
        )
        seen = [
            *(each.newest for each in compared.values()),
            *(each.proven.newest for each in compared.values() if each.proven),
        ]
        tallies = [each.tally for each in compared.values()]
        oldest = min(
            (t.oldest_behind for t in tallies if t.oldest_behind is not None), default=None
        )
        age = 0.0 if oldest is None else (limits.taken - oldest) / 1000
        return Freshness(
            heartbeat=beats.get((flow.source, flow.target)),
            newest=max((stamp for stamp in seen if stamp is not None), default=None),
            oldest_behind=oldest,
            behind=sum(each.behind for each in tallies),
            rpo_seconds=rpo,
            rpo_met=None if rpo is None else age <= rpo,
        )
