"""The flow as a picture: two clusters, and what moves from one to the other."""

from __future__ import annotations

from html import escape

from mirrorstack.verify.report.report import FlowReport, Verdict

LONGEST_NAME = 13
COLOURS = {Verdict.EQUAL: "good", Verdict.DIFFERENT: "bad", Verdict.UNTOLD: "wait"}


def topology_diagram(flow: FlowReport) -> str:
    """Inline SVG; its colours are the page's, so that it follows light and dark.

    It is as wide as a phone, so that its words can be read there, too.
    """
    partitions = [each for topic in flow.topics for each in topic.partitions]
    here = sum(each.proven_before + each.source_records for each in partitions)
    there = sum(each.proven_before + each.target_records for each in partitions)
    colour = f"var(--{COLOURS[flow.verdict]})"
    promise = "exactly once" if flow.exactly_once else "at least once"
    behind = f"{flow.pulse.behind:,} behind" if flow.pulse.behind else "caught up"
    return f"""<svg class="picture" viewBox="0 0 360 110" role="img"
     aria-label="{escape(flow.source)} is mirrored to {escape(flow.target)}: {flow.verdict}">
<rect x="2" y="10" width="114" height="90" rx="10"/>
<rect x="244" y="10" width="114" height="90" rx="10"/>
{_box(59, flow.source, here)}{_box(301, flow.target, there)}
<path class="arrow" d="M122 56 H230" style="stroke: {colour}"/>
<path d="M228 47 L242 56 L228 65 Z" style="fill: {colour}"/>
<text x="180" y="25">{_counted(len(flow.topics), "topic")}</text>
<text x="180" y="43">{_counted(len(partitions), "partition")}</text>
<text x="180" y="79" class="small">{promise}</text>
<text x="180" y="96" class="small">{behind}</text>
</svg>"""


def _box(middle: int, alias: str, records: int) -> str:
    name = alias if len(alias) <= LONGEST_NAME else f"{alias[: LONGEST_NAME - 1]}…"
    return (
        f'<text x="{middle}" y="44">{escape(name)}</text>'
        f'<text x="{middle}" y="66" class="small">{records:,}</text>'
        f'<text x="{middle}" y="83" class="small">records</text>'
    )


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
