"""The report in a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from mirrorstack.console import table
from mirrorstack.findings import Finding
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.text import remaining
from mirrorstack.verify.compare.differences import RecordDifference
from mirrorstack.verify.groups.group_check import GroupCheck, GroupState
from mirrorstack.verify.report.codes import Verdict, effect
from mirrorstack.verify.report.report import FlowReport, PartitionReport, Report, TopicReport
from mirrorstack.verify.report.wording import count_of, readable

SHOWN = 20
MARKS = {Verdict.DIFFERENT: "✗", Verdict.INCONCLUSIVE: "?", Verdict.EQUAL: "!"}
SENTENCES = {
    Verdict.EQUAL: "Source and target are equal.",
    Verdict.DIFFERENT: "Source and target differ.",
    Verdict.INCONCLUSIVE: "The verification is inconclusive.",
}
ONLY_LATE = "All replicated records match; lag exceeds the RPO."
PROVEN_BEFORE = (
    "Before a +: proven equal by previous runs and not read again; --full reads everything."
)


def summary(report: Report) -> str:
    """Topics, groups, records that differ, findings, and the verdict in the last line."""
    pieces = [piece for flow in report.flows for piece in _flow(flow)]
    if any(each.proven_before for each in report.partitions):
        pieces.append(PROVEN_BEFORE)
    if later := sum(each.later for each in report.partitions):
        pieces.append(written_later(later))
    return "\n\n".join([*pieces, verdict_sentence(report)])


def verdict_sentence(report: Report) -> str:
    return ONLY_LATE if report.is_only_late else SENTENCES[report.verdict]


def written_later(count: int) -> str:
    were = "was" if count == 1 else "were"
    return (
        f"{count_of(count, 'record')} {were} written to the source after the comparison started "
        "and had not arrived; the next run compares them."
    )


def _flow(flow: FlowReport) -> list[str]:
    headings = ("TOPIC", "PARTITIONS", flow.source.upper(), flow.target.upper(), "STATE")
    pieces = [table(headings, [_topic(topic) for topic in flow.topics])]
    if flow.groups:
        pieces.append(table(("GROUP", "PARTITIONS", "RE-CONSUMED", "STATE"), _groups(flow.groups)))
    if flow.differences:
        rows = [_difference(each) for each in flow.differences[:SHOWN]]
        headings = ("PARTITION", flow.source.upper(), flow.target.upper(), "KEY", "DIFFERENCE")
        pieces.append(table(headings, rows) + _more(flow.differences, "\n"))
    if flow.findings:
        lines = [line for each in flow.findings[:SHOWN] for line in _finding(each)]
        pieces.append("\n".join(lines) + _more(flow.findings, "\n  "))
    return pieces


def _more(items: Sequence[object], before: str) -> str:
    more = remaining(len(items), SHOWN)
    return f"{before}{more}: see report.html" if more else ""


def _finding(each: Finding) -> Iterable[str]:
    yield f"{MARKS[effect(each)]} {each.message}"
    if each.fix:
        yield f"  fix: {each.fix}"


def _topic(topic: TopicReport) -> tuple[str, ...]:
    return (
        topic.topic,
        str(len(topic.partitions)),
        record_count(topic, sum(each.source_records for each in topic.partitions)),
        record_count(topic, sum(each.target_records for each in topic.partitions)),
        states(topic.partitions),
    )


def record_count(topic: TopicReport, records: int) -> str:
    """What was proven before, and what was read now: `10,000 + 25`."""
    before = sum(each.proven_before for each in topic.partitions)
    return f"{before:,} + {records:,}" if before else f"{records:,}"


def states(partitions: tuple[PartitionReport, ...]) -> str:
    """`equal`, or each other state with its partitions."""
    by_state: dict[str, list[str]] = {}
    for each in partitions:
        by_state.setdefault(each.state, []).append(str(each.partition))
    if set(by_state) <= {"equal", "empty"}:
        return "equal" if "equal" in by_state else "empty"
    others = {name: held for name, held in by_state.items() if name not in ("equal", "empty")}
    return "; ".join(f"{name} in {', '.join(held)}" for name, held in others.items())


def _groups(checks: tuple[GroupCheck, ...]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for group in dict.fromkeys(each.group for each in checks):
        own = [each for each in checks if each.group == group]
        rows.append(
            (
                group,
                str(len(own)),
                f"{sum(each.reconsumed for each in own):,}",
                _group_states([each.state for each in own]),
            )
        )
    return rows


def _group_states(found: Sequence[GroupState]) -> str:
    """`nothing-skipped`, or `skips in 1 of 3, past-end in 2 of 3` partitions."""
    counts = Counter(found)
    if len(counts) == 1:
        return found[0]
    return ", ".join(f"{state} in {count} of {len(found)}" for state, count in counts.items())


def _difference(each: RecordDifference) -> tuple[str, ...]:
    payloads = "".join(f"\n    {side}: {text!r}" for side, text in each.payloads.items())
    return (
        str(TopicPartition(each.topic, each.partition)),
        "-" if each.source_offset is None else str(each.source_offset),
        "-" if each.target_offset is None else str(each.target_offset),
        readable(each.key) or ("null" if each.key is None else "empty"),
        difference_text(each) + payloads,
    )


def difference_text(each: RecordDifference) -> str:
    """`missing`, `altered: value, headers`."""
    return each.kind + (f": {', '.join(each.differs)}" if each.differs else "")
