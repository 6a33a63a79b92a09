"""What the findings of a flow come to, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.comparison import PartitionComparison
from mirrorstack.verify.compare.differences import DifferenceKind
from mirrorstack.verify.groups.group_check import GroupCheck, GroupState
from mirrorstack.verify.history.silent_loss import SilentLoss
from mirrorstack.verify.reading.scope import Scope
from mirrorstack.verify.report.report import Freshness, Remark, Weight, counted_records

GRAVEST = (
    DifferenceKind.MISSING,
    DifferenceKind.ALTERED,
    DifferenceKind.FOREIGN,
    DifferenceKind.REORDERED,
    DifferenceKind.DUPLICATED,
)
# A restart under at-least-once repeats what was under way. More is a connector that lost its place.
MOST_DUPLICATED = 0.1
OLDEST_HEARTBEAT_SECONDS = 60.0
EQUAL, BEHIND, EMPTY = "equal", "behind", "empty"


@dataclass(frozen=True)
class FlowResult:
    """All that was found out about one flow."""

    scope: Scope
    compared: Mapping[TopicPartition, PartitionComparison]
    groups: Sequence[GroupCheck]
    alarms: Sequence[SilentLoss]
    pulse: Freshness
    taken: int


def state(compared: PartitionComparison) -> str:
    """A partition in one word."""
    for kind in GRAVEST:
        if compared.tally.counts.get(kind):
            return kind.value
    if compared.tally.behind:
        return BEHIND
    held = compared.source_records or compared.target_records or compared.proven
    return EQUAL if held else EMPTY


def remarks(found: FlowResult) -> tuple[Remark, ...]:
    """The gravest first."""
    every = [
        *_records(found),
        *_emptiness(found),
        *_alarms(found.alarms),
        *_groups(found),
        *_freshness(found),
    ]
    order = list(Weight)
    return tuple(sorted(every, key=lambda remark: order.index(remark.weight)))


def _records(found: FlowResult) -> Iterator[Remark]:
    for (topic, number), compared in found.compared.items():
        where = f"{topic}/{number}"
        if compared.target is None:
            yield Remark(
                Weight.FAILURE,
                f"{where}: the target has no such partition; {compared.source_records} records "
                "are missing",
            )
            continue
        counts = dict(compared.tally.counts)
        duplicated = counts.pop(DifferenceKind.DUPLICATED, 0)
        if counts:
            words = ", ".join(f"{counts[kind]} {kind}" for kind in GRAVEST if kind in counts)
            yield Remark(Weight.FAILURE, f"{where}: {words}")
        if duplicated:
            yield _duplicates(where, duplicated, compared, found.scope.flow.exactly_once)


def _duplicates(
    where: str, count: int, compared: PartitionComparison, exactly_once: bool
) -> Remark:
    if exactly_once:
        return Remark(Weight.FAILURE, f"{where}: {count} duplicated, under exactly-once")
    if count > MOST_DUPLICATED * compared.source_records:
        return Remark(
            Weight.FAILURE,
            f"{where}: {count} duplicated of {compared.source_records}: more than restarts explain",
        )
    return Remark(Weight.WARNING, f"{where}: {count} duplicated, as at-least-once may")


def _emptiness(found: FlowResult) -> Iterator[Remark]:
    for pair in found.scope.topics:
        held = [each for (topic, _), each in found.compared.items() if topic == pair.topic]
        wrote = any(each.source.end > 0 for each in held)
        if wrote and all(state(each) == EMPTY for each in held):
            yield Remark(
                Weight.UNTOLD,
                f"{pair.topic}: records were written, and neither side shows any: there is "
                "nothing to compare",
            )


def _alarms(alarms: Sequence[SilentLoss]) -> Iterator[Remark]:
    for alarm in alarms:
        weight = Weight.FAILURE if alarm.certain else Weight.WARNING
        where = f"{alarm.topic}/{alarm.partition}" if alarm.partition >= 0 else alarm.topic
        yield Remark(weight, f"{where}: {alarm.loss}: {alarm.sentence}")


def _groups(found: FlowResult) -> Iterator[Remark]:
    for each in found.groups:
        where = f"group {each.group} in {each.topic}/{each.partition}"
        if each.state is GroupState.SKIPS:
            yield Remark(
                Weight.FAILURE,
                f"{where}: at offset {each.target_offset} it would skip {each.skipped} records "
                f"that it has not read, the first at offset {each.first_skipped} of the source",
            )
        elif each.state is GroupState.PAST_THE_END:
            yield Remark(
                Weight.FAILURE,
                f"{where}: its offset {each.target_offset} is past the end of the target",
            )
        elif (
            each.state is GroupState.UNTRANSLATED
            and state(found.compared[TopicPartition(each.topic, each.partition)]) != EMPTY
        ):
            yield Remark(
                Weight.WARNING,
                f"{where}: it is at offset {each.source_offset} of the source and has no "
                "checkpoint: on the target its consumers start where auto.offset.reset says",
            )


def _freshness(found: FlowResult) -> Iterator[Remark]:
    pulse, flow = found.pulse, found.scope.flow
    if pulse.behind:
        late = (found.taken - (pulse.oldest_behind or found.taken)) / 1000
        text = (
            f"{flow.target} is behind by {counted_records(pulse.behind)}, the oldest "
            f"{duration(late)} old"
        )
        if pulse.rpo_met is None:
            yield Remark(Weight.UNTOLD, f"{text}: what has not arrived cannot be compared")
        elif pulse.rpo_met:
            yield Remark(Weight.WARNING, f"{text}, within the RPO of {pulse.rpo_seconds:.0f} s")
        else:
            yield Remark(Weight.FAILURE, f"{text}: the RPO of {pulse.rpo_seconds:.0f} s is missed")
    if flow.heartbeats:
        age = None if pulse.heartbeat is None else (found.taken - pulse.heartbeat) / 1000
        if age is None:
            yield Remark(Weight.WARNING, f"no heartbeat of {flow.name} is on {flow.target}")
        elif age > OLDEST_HEARTBEAT_SECONDS:
            yield Remark(
                Weight.WARNING, f"the newest heartbeat of {flow.name} is {duration(age)} old"
            )


def duration(seconds: float) -> str:
    """As people say it."""
    for unit, length in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{seconds:,.0f} s"
