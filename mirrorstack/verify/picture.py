"""The flow as a picture: two clusters, and what moves from one to the other."""

from __future__ import annotations

from html import escape

from mirrorstack.verify.report import FlowReport, Verdict

LONGEST_NAME = 14
COLOURS = {Verdict.EQUAL: "good", Verdict.DIFFERENT: "bad", Verdict.UNTOLD: "wait"}


def picture(flow: FlowReport) -> str:
    """Inline SVG; its colours are the page's, so that it follows light and dark."""
    partitions = [each for topic in flow.topics for each in topic.partitions]
    here = sum(each.proven_before + each.source_records for each in partitions)
    there = sum(each.proven_before + each.target_records for each in partitions)
    colour = f"var(--{COLOURS[flow.verdict]})"
    promise = "exactly once" if flow.exactly_once else "at least once"
    behind = f"{flow.pulse.behind:,} behind" if flow.pulse.behind else "caught up"
    return f"""<svg class="picture" viewBox="0 0 440 120" role="img"
     aria-label="{escape(flow.source)} is mirrored to {escape(flow.target)}: {flow.verdict}">
<rect x="2" y="20" width="124" height="80" rx="10"/>
<rect x="314" y="20" width="124" height="80" rx="10"/>
{_box(64, flow.source, here)}{_box(376, flow.target, there)}
<path class="arrow" d="M132 60 H298" style="stroke: {colour}"/>
<path d="M296 51 L311 60 L296 69 Z" style="fill: {colour}"/>
<text x="219" y="46">{len(flow.topics)} topics, {len(partitions)} partitions</text>
<text x="219" y="84" class="small">{promise} · {behind}</text>
</svg>"""


def _box(middle: int, alias: str, records: int) -> str:
    name = alias if len(alias) <= LONGEST_NAME else f"{alias[: LONGEST_NAME - 1]}…"
    return (
        f'<text x="{middle}" y="57">{escape(name)}</text>'
        f'<text x="{middle}" y="78" class="small">{records:,} records</text>'
    )
