"""The findings about a flow, and the state of a partition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mirrorstack.findings import Finding
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.mm2.discovery import Discovery, patterns
from mirrorstack.mm2.replication_policy import matches_any
from mirrorstack.text import and_more
from mirrorstack.verify.compare.comparison import PartitionComparison
from mirrorstack.verify.compare.differences import MOST_SEVERE_FIRST, DifferenceKind
from mirrorstack.verify.groups.group_check import GroupCheck, GroupState
from mirrorstack.verify.history.freshness import Freshness
from mirrorstack.verify.history.silent_loss import LossCause, SilentLoss
from mirrorstack.verify.reading.scope import Scope
from mirrorstack.verify.report import codes
from mirrorstack.verify.report.codes import DIFFERENCE_CODES, VerifyCode, effect, finding
from mirrorstack.verify.report.wording import count_of, duration

# A restart under at-least-once repeats what was in flight. More is a connector that lost its
# offsets.
MOST_DUPLICATED = 0.1
OLDEST_HEARTBEAT_SECONDS = 60.0
EQUAL, BEHIND, EMPTY = "equal", "behind", "empty"
LOSS_CODES = {
    (LossCause.RETENTION, True): VerifyCode.LOST_TO_RETENTION,
    (LossCause.RETENTION, False): VerifyCode.MAYBE_LOST_TO_RETENTION,
    (LossCause.RECREATED, True): VerifyCode.TOPIC_RECREATED,
    (LossCause.RECREATED, False): VerifyCode.TOPIC_MAYBE_RECREATED,
}
LOSS_FIXES = {
    LossCause.RETENTION: "raise retention.ms of the source topic until replication keeps up",
    LossCause.RECREATED: "delete the target topic and restart the flow from earliest",
}


@dataclass(frozen=True)
class FlowResult:
    """All results about one flow."""

    scope: Scope
    compared: Mapping[TopicPartition, PartitionComparison]
    groups: Sequence[GroupCheck]
    losses: Sequence[SilentLoss]
    freshness: Freshness
    taken: int
    """When the target's end offsets were taken, in milliseconds."""
    undeployed: frozenset[str] = frozenset()
    """Topics that match the flow and that it has never replicated."""


def partition_state(compared: PartitionComparison) -> str:
    """The most severe kind of difference, or else `behind`, `equal` or `empty`."""
    for kind in MOST_SEVERE_FIRST:
        if compared.tally.counts.get(kind):
            return kind.value
    if compared.tally.behind:
        return BEHIND
    has_records = compared.source_records or compared.target_records or compared.proven
    return EQUAL if has_records else EMPTY


def flow_findings(result: FlowResult) -> tuple[Finding, ...]:
    """The most severe first."""
    every = [
        *_record_findings(result),
        *_undeployed_topics(result),
        *_empty_topics(result),
        *_silent_losses(result),
        *_group_findings(result),
        *_missing_checkpoints(result),
        *_freshness_findings(result),
    ]
    return tuple(sorted(every, key=lambda each: codes.MOST_SEVERE_FIRST.index(effect(each))))


def _record_findings(result: FlowResult) -> Iterator[Finding]:
    flow = result.scope.flow
    for partition, compared in result.compared.items():
        topic = partition.topic
        if compared.target is None:
            yield finding(
                VerifyCode.PARTITION_MISSING,
                flow.name,
                f"{partition}: the target has no such partition; "
                f"{count_of(compared.source_records, 'record')} missing",
                topic=topic,
            )
            continue
        for kind in MOST_SEVERE_FIRST:
            count = compared.tally.counts.get(kind, 0)
            if not count:
                continue
            message = f"{partition}: {count_of(count, 'record')} {kind}"
            code = DIFFERENCE_CODES[kind]
            if kind is DifferenceKind.DUPLICATED:
                code, suffix = _duplicates(count, compared, exactly_once=flow.exactly_once)
                message += suffix
            yield finding(code, flow.name, message, topic=topic)


def _duplicates(
    count: int, compared: PartitionComparison, *, exactly_once: bool
) -> tuple[VerifyCode, str]:
    if exactly_once:
        return VerifyCode.RECORDS_DUPLICATED, ", although the flow is exactly-once"
    if count > MOST_DUPLICATED * compared.source_records:
        return (
            VerifyCode.RECORDS_DUPLICATED,
            f" of {compared.source_records:,}, more than restarts explain",
        )
    return VerifyCode.DUPLICATES_ALLOWED, "; at-least-once permits it"


def _undeployed_topics(result: FlowResult) -> Iterator[Finding]:
    flow = result.scope.flow
    for topic in sorted(result.undeployed):
        state, fix = "deployed", "run `pulumi up`"
        if flow.discovery is Discovery.LIVE and matches_any(patterns(flow.topics), topic):
            seconds = count_of(flow.discovery_seconds, "second")
            state = "discovered"
            fix = f"verify again: MirrorMaker looks for new topics every {seconds}"
        yield finding(
            VerifyCode.TOPIC_NOT_DEPLOYED,
            flow.name,
            f"{topic}: not {state} yet: it matches {flow.source}->{flow.target}, but has no target "
            "topic and was never replicated",
            fix,
            topic,
        )


def _empty_topics(result: FlowResult) -> Iterator[Finding]:
    for pair in result.scope.topics:
        partitions = [each for p, each in result.compared.items() if p.topic == pair.topic]
        written = any(each.source.end > 0 for each in partitions)
        if written and all(partition_state(each) == EMPTY for each in partitions):
            yield finding(
                VerifyCode.NOTHING_TO_COMPARE,
                result.scope.flow.name,
                f"{pair.topic}: records were written, but neither side has any now",
                topic=pair.topic,
            )


def _silent_losses(result: FlowResult) -> Iterator[Finding]:
    for loss in result.losses:
        where = loss.topic
        if loss.partition is not None:
            where = str(TopicPartition(loss.topic, loss.partition))
        yield finding(
            LOSS_CODES[loss.cause, loss.certain],
            result.scope.flow.name,
            f"{where}: {loss.message}",
            LOSS_FIXES[loss.cause],
            loss.topic,
        )


def _group_findings(result: FlowResult) -> Iterator[Finding]:
    for each in result.groups:
        partition = TopicPartition(each.topic, each.partition)
        code = message = None
        if each.state is GroupState.SKIPS:
            code = VerifyCode.GROUP_SKIPS_RECORDS
            message = (
                f"at target offset {each.target_offset} it would skip "
                f"{count_of(each.skipped, 'record')} that it has not consumed, the first at source "
                f"offset {each.first_skipped}"
            )
        elif each.state is GroupState.PAST_END:
            code = VerifyCode.GROUP_PAST_END
            message = f"its offset {each.target_offset} is past the end of the target"
        if code:
            where = f"group {each.group}, {partition}"
            yield finding(code, result.scope.flow.name, f"{where}: {message}", topic=each.topic)


def _missing_checkpoints(result: FlowResult) -> Iterator[Finding]:
    """One for each group and topic: what is missing for one partition is mostly missing for all."""
    missing: dict[tuple[str, str], list[str]] = {}
    for each in result.groups:
        partition = TopicPartition(each.topic, each.partition)
        if each.state is not GroupState.NO_CHECKPOINT:
            continue
        if partition_state(result.compared[partition]) != EMPTY:
            offsets = missing.setdefault((each.group, each.topic), [])
            offsets.append(f"{partition} (source offset {each.source_offset})")
    for (group, topic), offsets in missing.items():
        yield finding(
            VerifyCode.GROUP_WITHOUT_CHECKPOINT,
            result.scope.flow.name,
            f"group {group}: no checkpoint for {and_more(offsets)}: on the target, "
            "auto.offset.reset decides where its consumers start",
            topic=topic,
        )


def _freshness_findings(result: FlowResult) -> Iterator[Finding]:
    freshness, flow = result.freshness, result.scope.flow
    if freshness.behind:
        age = (result.taken - (freshness.oldest_behind or result.taken)) / 1000
        text = (
            f"{flow.target} is behind by {count_of(freshness.behind, 'record')}, the oldest "
            f"{duration(age)} old"
        )
        if freshness.rpo_met is None:
            yield finding(
                VerifyCode.LAG,
                flow.name,
                f"{text}; records that have not arrived cannot be compared",
                "run it again later, or with a longer --wait; declare `rpo-seconds` to accept lag",
            )
        elif freshness.rpo_met:
            yield finding(
                VerifyCode.LAG_WITHIN_RPO,
                flow.name,
                f"{text}, within the RPO of {freshness.rpo_seconds:.0f} s",
            )
        else:
            yield finding(
                VerifyCode.RPO_EXCEEDED,
                flow.name,
                f"{text}: lag exceeds the RPO of {freshness.rpo_seconds:.0f} s",
            )
    if flow.heartbeats:
        age_of_heartbeat = (
            None if freshness.heartbeat is None else (result.taken - freshness.heartbeat) / 1000
        )
        if age_of_heartbeat is None:
            yield finding(
                VerifyCode.HEARTBEAT_MISSING,
                flow.name,
                f"{flow.target} has no heartbeat of {flow.name}",
            )
        elif age_of_heartbeat > OLDEST_HEARTBEAT_SECONDS:
            yield finding(
                VerifyCode.HEARTBEAT_OLD,
                flow.name,
                f"the newest heartbeat of {flow.name} is {duration(age_of_heartbeat)} old",
            )
