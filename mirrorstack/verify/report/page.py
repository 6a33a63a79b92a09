"""The report as one page that needs no network: verdict first, then where, then which records."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path

from mirrorstack.verify.report.history_section import history_section
from mirrorstack.verify.report.report import (
    FlowReport,
    Freshness,
    PartitionReport,
    Report,
    TopicReport,
    Verdict,
    Weight,
)
from mirrorstack.verify.report.summary import MARKS, came_later, counted, moment, sentence
from mirrorstack.verify.report.tables import groups, records
from mirrorstack.verify.report.topology_diagram import topology_diagram

STYLE = Path(__file__).with_name("report.css")
CLASSES = {Verdict.EQUAL: "equal", Verdict.DIFFERENT: "different", Verdict.UNTOLD: "untold"}
LINES = {Weight.FAILURE: "failure", Weight.UNTOLD: "waiting", Weight.WARNING: "warning"}
SYMBOLS = {
    "equal": "✓",
    "empty": "·",
    "behind": "…",
    "missing": "✗",
    "altered": "≠",
    "foreign": "+",
    "reordered": "⇅",
    "duplicated": "2x",
}
MOST_REMARKS = 100


def page(report: Report) -> str:
    flows = "\n".join(_flow(flow) for flow in report.flows)
    count = sum(each.source_records for each in report.partitions)
    before = sum(each.proven_before for each in report.partitions)
    earlier = f" {before:,} more were proven equal by earlier runs." if before else ""
    later = sum(each.later for each in report.partitions)
    meanwhile = f" {came_later(later)}" if later else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(report.stack)}: {report.verdict}</title>
<style>
{STYLE.read_text()}</style>
</head>
<body>
<header class="verdict {CLASSES[report.verdict]}">
<h1>{sentence(report)}</h1>
<p>Stack <b>{escape(report.stack)}</b>, {moment(report.taken)}: {count:,} records of the source
were compared by content in {report.seconds:,.0f} s.{earlier}{meanwhile}</p>
</header>
{flows}
<footer>Key, value, headers, timestamp, partition and order were compared; offsets differ by design.
Of compacted topics, the last record of each key. Records that have not arrived are lag, not loss.
Made by <code>mirrorstack verify -s {escape(report.stack)}</code>.</footer>
</body>
</html>
"""


def _flow(flow: FlowReport) -> str:
    pieces = [
        f"<h2>{escape(flow.source)} to {escape(flow.target)}: {flow.verdict}</h2>",
        topology_diagram(flow),
        _remarks(flow),
        _tiles(flow.pulse),
        history_section(flow.history),
        _heat(flow.topics),
        groups(flow.groups),
        records(flow),
    ]
    promise = ' class="exactly-once"' if flow.exactly_once else ""
    return f"<section{promise}>\n" + "\n".join(piece for piece in pieces if piece) + "\n</section>"


def _remarks(flow: FlowReport) -> str:
    if not flow.remarks:
        return ""
    lines = [
        f'<li class="{LINES[each.weight]}">{MARKS[each.weight]} '
        f"<span>{escape(each.sentence)}</span></li>"
        for each in flow.remarks[:MOST_REMARKS]
    ]
    if len(flow.remarks) > MOST_REMARKS:
        lines.append(f"<li>and {len(flow.remarks) - MOST_REMARKS} more, in report.json</li>")
    return f'<ul class="remarks">{"".join(lines)}</ul>'


def _tiles(pulse: Freshness) -> str:
    rpo = "not declared"
    if pulse.rpo_seconds is not None:
        rpo = f"{pulse.rpo_seconds:.0f} s {'met' if pulse.rpo_met else 'missed'}"
    tiles = (
        (f"{pulse.behind:,}", "records behind"),
        (moment(pulse.newest), "newest record on the target"),
        (moment(pulse.heartbeat), "newest heartbeat"),
        (rpo, "recovery point objective"),
    )
    cells = [f'<div class="tile"><b>{value}</b><span>{name}</span></div>' for value, name in tiles]
    return f'<div class="tiles">{"".join(cells)}</div>'


def _heat(topics: Iterable[TopicReport]) -> str:
    rows = "\n".join(_topic(topic) for topic in topics)
    key = " &nbsp; ".join(f"{symbol}&nbsp;{name}" for name, symbol in SYMBOLS.items())
    return f'<h3>Partitions</h3>\n<div class="heat">{rows}</div>\n<p class="key">{key}</p>'


def _topic(topic: TopicReport) -> str:
    records = counted(topic, sum(each.source_records for each in topic.partitions))
    unit = "keys, compacted" if topic.compacted else "records"
    note = "" if topic.timestamps else ", timestamps not compared"
    cells = "".join(_cell(each) for each in topic.partitions)
    return (
        f'<div class="topic"><div class="name"><code>{escape(topic.topic)}</code>'
        f"<small>{records} {unit}{note}</small></div>"
        f'<div class="cells">{cells}</div></div>'
    )


def _cell(each: PartitionReport) -> str:
    counts = ", ".join(f"{count} {kind}" for kind, count in each.counts.items())
    more = [
        f"{each.source_records:,} against {each.target_records:,}",
        counts,
        f"{each.behind:,} behind" if each.behind else "",
        f"{each.trimmed:,} taken by retention" if each.trimmed else "",
        f"{each.proven_before:,} proven before" if each.proven_before else "",
    ]
    title = f"partition {each.partition}: {each.state}; " + ", ".join(text for text in more if text)
    return (
        f'<div class="cell is-{escape(each.state)}" title="{escape(title)}">'
        f"{SYMBOLS.get(each.state, '?')}<small>{each.partition}</small></div>"
    )
