"""One verification of a stack: every flow of it, from the questions to the report."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from mirrorstack.console import Console
from mirrorstack.kafka.stack import StackClusters
from mirrorstack.model.clusters import Role
from mirrorstack.model.grants import ResolvedFlow
from mirrorstack.model.naming import HEARTBEATS
from mirrorstack.model.plan import plan
from mirrorstack.model.settings import StackSettings
from mirrorstack.problem import Problem
from mirrorstack.verify.asking import Asking, Place, Topic
from mirrorstack.verify.assembly import topic_reports
from mirrorstack.verify.bounds import Bounds, bounds
from mirrorstack.verify.comparison import Compared, Comparison
from mirrorstack.verify.digests import Sides
from mirrorstack.verify.groups import GroupPlace, Marks, check_groups, marks
from mirrorstack.verify.history import History
from mirrorstack.verify.internals import Sync, checkpoints, heartbeats, syncs
from mirrorstack.verify.measuring import Measuring
from mirrorstack.verify.progress import shown
from mirrorstack.verify.records import Range, Reader
from mirrorstack.verify.report import FlowReport, Pulse, Report
from mirrorstack.verify.scope import Scope, scope
from mirrorstack.verify.sentinel import Alarm, Loss, made_again, watch
from mirrorstack.verify.verdict import Found, remarks

POLL_SECONDS = 2.0


@dataclass(frozen=True)
class Wishes:
    """What the person asked for."""

    wait_seconds: float = 60.0
    """For the target to catch up."""
    rpo_seconds: float | None = None
    payloads: bool = False


def verify(
    spark: SparkSession,
    settings: StackSettings,
    clusters: StackClusters,
    stack: str,
    wishes: Wishes,
    console: Console,
    remembered: Mapping[str, Mapping[str, str]] | None = None,
) -> Report:
    """Compare every flow; `remembered` are the topics' ids of the last report, by flow."""
    began, taken = time.monotonic(), int(time.time() * 1000)
    flows = plan(settings, clusters.inventories()).flows
    reports = [
        _told(FlowVerification(spark, settings, clusters, flow, wishes, console), known)
        for flow in flows
        for known in [(remembered or {}).get(flow.settings.name, {})]
    ]
    return Report(stack, taken, round(time.monotonic() - began, 1), tuple(reports))


def _told(flow: FlowVerification, remembered: Mapping[str, str]) -> FlowReport:
    """What goes wrong in Spark, as one message."""
    try:
        return flow.run(remembered)
    except (PySparkException, Py4JError) as error:
        reasons = [line.strip() for line in str(error).splitlines() if "Caused by" in line]
        reason = reasons[-1] if reasons else str(error).strip().splitlines()[0]
        raise Problem(
            f"Flow {flow.flow.settings.name} could not be read to the end: {reason}",
            "run it again: partitions may have been trimmed, or a broker away, meanwhile; who "
            "looks needs the operation Read on the topics of both clusters",
        ) from error


@dataclass(frozen=True)
class FlowVerification:
    """One flow. Asks both clusters as who looks after them, or else as the mirror."""

    spark: SparkSession
    settings: StackSettings
    clusters: StackClusters
    flow: ResolvedFlow
    wishes: Wishes
    console: Console

    def run(self, remembered: Mapping[str, str]) -> FlowReport:
        where = f"{self.flow.settings.source} to {self.flow.settings.target}"
        with self.console.step(f"{where}: waiting for the target to catch up") as step:
            limits = bounds(
                self._scope,
                self._source,
                self._target,
                self.wishes.wait_seconds,
                lambda done, of: step.progress(f"{done} of {of} partitions"),
            )
            late = len(limits.awaited)
            step.done(f"{late} partitions are behind" if late else "it has")
        with self.console.step(f"{where}: comparing records") as step, shown(self.spark, step):
            compared = self._comparison(limits).run()
            step.done(f"{sum(each.source_records for each in compared.values()):,} on the source")
        with self.console.step(f"{where}: groups and heartbeats") as step, shown(self.spark, step):
            groups = self._groups(limits)
            alarms = self._alarms(compared, remembered)
            pulse = self._pulse(compared)
            history = self._history(limits, compared)
        taken = int(time.time() * 1000)
        found = Found(self._scope, compared, groups, alarms, pulse, taken)
        flow = self.flow.settings
        return FlowReport(
            flow.name,
            flow.source,
            flow.target,
            flow.exactly_once,
            topic_reports(self._scope, self._held, compared),
            tuple(groups),
            tuple(alarms),
            pulse,
            remarks(found),
            history,
        )

    def _asking(self, alias: str) -> Asking:
        administer = self.settings.clusters[alias].administer
        return Asking(self.clusters.cluster(alias, Role.ADMIN if administer else Role.MIRROR))

    @cached_property
    def _source(self) -> Asking:
        return self._asking(self.flow.settings.source)

    @cached_property
    def _target(self) -> Asking:
        return self._asking(self.flow.settings.target)

    @cached_property
    def _held(self) -> dict[str, Topic]:
        return self._source.topics(self.flow.topics)

    @cached_property
    def _scope(self) -> Scope:
        flow = replace(self.flow, topics=tuple(t for t in self.flow.topics if t in self._held))
        remote = [flow.settings.policy.remote(topic) for topic in flow.topics]
        return scope(
            flow,
            {name: topic.partitions for name, topic in self._held.items()},
            self._source.configs(flow.topics),
            self._target.configs(remote),
        )

    def _comparison(self, limits: Bounds) -> Comparison:
        return Comparison(
            self.spark,
            self._source.cluster.connection,
            self._target.cluster.connection,
            self._scope,
            limits,
            self.wishes.payloads,
        )

    def _groups(self, limits: Bounds) -> list[GroupPlace]:
        if not self.flow.groups:
            return []
        names = {pair.remote: pair.topic for pair in self._scope.topics}
        held = self._marks(limits)
        ends = self._target.ends(limits.target)  # groups may go on while we compare
        target = {(names[topic], number): end for (topic, number), end in ends.items()}
        sides = Sides(
            Reader(self.spark, self._source.cluster.connection),
            Reader(self.spark, self._target.cluster.connection),
            limits.source,
            limits.target,
        )
        return check_groups(self.spark, sides, self._scope, held, target)

    def _marks(self, limits: Bounds) -> Marks:
        """Checkpoints come at intervals: give the first ones time."""
        flow = self.flow.settings
        patience = min(self.wishes.wait_seconds, 2 * flow.checkpoint_seconds + 10)
        deadline = time.monotonic() + patience
        while True:
            held = marks(
                self._scope,
                self._source.commits(self.flow.groups),
                self._target.commits(self.flow.groups) if flow.sync_group_offsets else {},
                checkpoints(self._internal(self._target, flow.policy.checkpoints_topic)),
            )
            lacking = [
                place
                for group, place in held.source.keys() - held.target.keys()
                if limits.required[place] > limits.source[place].start
            ]
            if not lacking or time.monotonic() > deadline:
                return held
            time.sleep(POLL_SECONDS)

    def _internal(self, asking: Asking, topic: str) -> DataFrame:
        """All that a topic of MirrorMaker's holds; nothing where it is not there."""
        known = asking.topics([topic])
        places = [(topic, number) for number in range(known[topic].partitions if known else 0)]
        starts, ends = asking.starts(places), asking.ends(places)
        reader = Reader(self.spark, asking.cluster.connection)
        return reader.read({place: Range(starts[place], ends[place]) for place in places})

    @cached_property
    def _notes(self) -> dict[Place, list[Sync]]:
        flow = self.flow.settings
        at = self._source if flow.offset_syncs == "source" else self._target
        return syncs(self._internal(at, flow.policy.offset_syncs_topic(flow.offset_syncs)))

    def _history(self, limits: Bounds, compared: Mapping[Place, Compared]) -> History | None:
        lacking = {place: each.tally.behind + each.tally.later for place, each in compared.items()}
        reader = Reader(self.spark, self._source.cluster.connection)
        return Measuring(self._source, reader, limits.source, lacking).history(self._notes)

    def _alarms(
        self, compared: Mapping[Place, Compared], remembered: Mapping[str, str]
    ) -> list[Alarm]:
        noted = self._notes
        ends = self._source.ends(compared)  # after the notes, which go on while we compare
        compacted = {pair.topic for pair in self._scope.tables}
        now = {name: topic.id for name, topic in self._held.items()}
        return [
            *(
                Alarm(topic, -1, Loss.MADE_AGAIN, True, sentence)
                for topic, sentence in made_again(remembered, now)
            ),
            *(
                alarm
                for place, each in compared.items()
                for alarm in watch(
                    place, each, noted.get(place, ()), ends[place], compacted=place[0] in compacted
                )
            ),
        ]

    def _pulse(self, compared: Mapping[Place, Compared]) -> Pulse:
        flow, rpo = self.flow.settings, self.wishes.rpo_seconds
        beats = heartbeats(self._internal(self._target, HEARTBEATS)) if flow.heartbeats else {}
        stamps = [each.newest for each in compared.values() if each.newest is not None]
        tallies = [each.tally for each in compared.values()]
        oldest = min(
            (t.oldest_behind for t in tallies if t.oldest_behind is not None), default=None
        )
        age = 0.0 if oldest is None else time.time() - oldest / 1000
        return Pulse(
            heartbeat=beats.get((flow.source, flow.target)),
            newest=max(stamps, default=None),
            oldest_behind=oldest,
            behind=sum(each.behind for each in tallies),
            rpo_seconds=rpo,
            rpo_met=None if rpo is None else age <= rpo,
        )
