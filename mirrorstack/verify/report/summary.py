"""The report in a terminal."""

from __future__ import annotations

from datetime import UTC, datetime

from mirrorstack.console import table
from mirrorstack.verify.compare.differences import Difference
from mirrorstack.verify.groups.group_check import GroupCheck
from mirrorstack.verify.report.report import (
    FlowReport,
    PartitionReport,
    Report,
    TopicReport,
    Verdict,
    Weight,
    counted_records,
    readable,
)

SHOWN = 20
MARKS = {Weight.FAILURE: "✗", Weight.UNTOLD: "?", Weight.WARNING: "!"}
SENTENCES = {
    Verdict.EQUAL: "The copy is equal to the original.",
    Verdict.DIFFERENT: "The copy differs from the original.",
    Verdict.UNTOLD: "Whether the copy is equal could not be told.",
}
LATE = "What has arrived is equal to the original, and the rest is later than the RPO allows."
BEFORE = "Before a +: proven equal by earlier runs, and not read again; --full reads everything."


def summary(report: Report) -> str:
    """For people: topics, groups, what differs, and the verdict last, where the eye is."""
    pieces = [piece for flow in report.flows for piece in _flow(flow)]
    if any(each.proven_before for each in report.partitions):
        pieces.append(BEFORE)
    if later := sum(each.later for each in report.partitions):
        pieces.append(came_later(later))
    return "\n\n".join([*pieces, sentence(report)])


def sentence(report: Report) -> str:
    """The verdict."""
    return LATE if report.is_only_late else SENTENCES[report.verdict]


def came_later(count: int) -> str:
    return (
        f"{counted_records(count)} came to the source after the comparison began and had not "
        "arrived: the next one will look."
    )


def _flow(flow: FlowReport) -> list[str]:
    headings = ("TOPIC", "PARTITIONS", flow.source.upper(), flow.target.upper(), "STATE")
    pieces = [table(headings, [_topic(topic) for topic in flow.topics])]
    if flow.groups:
        pieces.append(table(("GROUP", "PLACES", "READ AGAIN", "STATE"), _groups(flow.groups)))
    named = [
        each
        for topic in flow.topics
        for partition in topic.partitions
        for each in partition.differences
    ]
    if named:
        rows = [_difference(each) for each in named[:SHOWN]]
        headings = ("RECORD", flow.source.upper(), flow.target.upper(), "KEY", "WHAT")
        more = f"\nand {len(named) - SHOWN} more: see report.html" if len(named) > SHOWN else ""
        pieces.append(table(headings, rows) + more)
    if flow.remarks:
        lines = [f"{MARKS[each.weight]} {each.sentence}" for each in flow.remarks[:SHOWN]]
        if len(flow.remarks) > SHOWN:
            lines.append(f"  and {len(flow.remarks) - SHOWN} more: see report.html")
        pieces.append("\n".join(lines))
    return pieces


def _topic(topic: TopicReport) -> tuple[str, ...]:
    return (
        topic.topic,
        str(len(topic.partitions)),
        counted(topic, sum(each.source_records for each in topic.partitions)),
        counted(topic, sum(each.target_records for each in topic.partitions)),
        states(topic.partitions),
    )


def counted(topic: TopicReport, records: int) -> str:
    """What was read now, and what was proven before."""
    before = sum(each.proven_before for each in topic.partitions)
    return f"{before:,} + {records:,}" if before else f"{records:,}"


def states(partitions: tuple[PartitionReport, ...]) -> str:
    """`equal`, or what is not, and where."""
    by_state: dict[str, list[str]] = {}
    for each in partitions:
        by_state.setdefault(each.state, []).append(str(each.partition))
    if set(by_state) <= {"equal", "empty"}:
        return "equal" if "equal" in by_state else "empty"
    odd = {name: held for name, held in by_state.items() if name not in ("equal", "empty")}
    return "; ".join(f"{name} in {', '.join(held)}" for name, held in odd.items())


def _groups(places: tuple[GroupCheck, ...]) -> list[tuple[str, ...]]:
    names = dict.fromkeys(each.group for each in places)
    rows: list[tuple[str, ...]] = []
    for name in names:
        held = [each for each in places if each.group == name]
        counted = dict.fromkeys(each.state for each in held)
        rows.append(
            (
                name,
                str(len(held)),
                f"{sum(each.read_again for each in held):,}",
                ", ".join(f"{word} {sum(each.state == word for each in held)}" for word in counted),
            )
        )
    return rows


def _difference(each: Difference) -> tuple[str, ...]:
    what = each.kind + (f": {', '.join(each.differs)}" if each.differs else "")
    payloads = "".join(f"\n    {side}: {text!r}" for side, text in each.payloads.items())
    return (
        f"{each.topic}/{each.partition}",
        "-" if each.source_offset is None else str(each.source_offset),
        "-" if each.target_offset is None else str(each.target_offset),
        readable(each.key) or ("null" if each.key is None else "empty"),
        what + payloads,
    )


def moment(milliseconds: int | None) -> str:
    if milliseconds is None:
        return "-"
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
