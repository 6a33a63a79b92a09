"""The tables of the page: consumer groups, and the records that differ.

On a phone, where a table would be cut, each row is a card and each cell bears the name of its
column (report.css).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from mirrorstack.verify.compare.differences import Difference
from mirrorstack.verify.groups.group_check import GroupCheck, GroupState
from mirrorstack.verify.report.report import FlowReport, readable
from mirrorstack.verify.report.summary import moment

MOST_RECORDS = 500
GROUP_COLUMNS = (
    *("group", "topic", "partition", "on the source", "on the target"),
    *("would skip", "would read again", "state"),
)
GROUP_NUMBERS = range(3, 7)
RECORD_NUMBERS = range(1, 3)


def groups(places: Iterable[GroupCheck]) -> str:
    rows = [
        _row(look, GROUP_COLUMNS, GROUP_NUMBERS, [escape(cell) for cell in cells])
        for look, *cells in _places(list(places))
    ]
    if not rows:
        return ""
    return f"<h3>Consumer groups</h3>\n{_table('groups', GROUP_COLUMNS, GROUP_NUMBERS, rows)}"


def records(flow: FlowReport) -> str:
    named = [
        each
        for topic in flow.topics
        for partition in topic.partitions
        for each in partition.differences
    ]
    if not named:
        return ""
    columns = ("record", flow.source, flow.target, "key", "time", "what")
    rows = [
        _row("", columns, RECORD_NUMBERS, _record(each)) + _payloads(each, len(columns))
        for each in named[:MOST_RECORDS]
    ]
    left = len(named) - MOST_RECORDS
    more = f"<p>and {left} more, in report.json</p>" if left > 0 else ""
    shown = _table("records", columns, RECORD_NUMBERS, rows)
    return f"<h3>Records that differ</h3>\n{shown}{more}"


def _places(places: list[GroupCheck]) -> Iterator[tuple[str, ...]]:
    """One row for what is safe of a group in a topic, and one for each place that is not; each
    with its look."""
    for group, topic in dict.fromkeys((each.group, each.topic) for each in places):
        held = [each for each in places if (each.group, each.topic) == (group, topic)]
        safe = [each for each in held if each.state is GroupState.SAFE]
        if safe:
            again = sum(each.read_again for each in safe)
            count = f"{len(safe)} of {len(held)}"
            yield "", group, topic, count, "", "", "0", f"{again:,}", "safe"
        for each in held:
            if each.state is not GroupState.SAFE:
                odd = "is-odd" if each.state is GroupState.UNTRANSLATED else "is-bad"
                there = "none" if each.target_offset is None else f"{each.target_offset:,}"
                numbers = f"{each.skipped:,}", f"{each.read_again:,}"
                place = group, topic, str(each.partition), f"{each.source_offset:,}", there
                yield odd, *place, *numbers, each.state


def _record(each: Difference) -> list[str]:
    offsets = ["-" if at is None else f"{at:,}" for at in (each.source_offset, each.target_offset)]
    what = each.kind + (f": {', '.join(each.differs)}" if each.differs else "")
    key = readable(each.key)
    return [
        f"<code>{escape(each.topic)}/{each.partition}</code>",
        *offsets,
        "<i>null</i>" if key is None else f"<code>{escape(key)}</code>",
        moment(each.timestamp),
        escape(what),
    ]


def _payloads(each: Difference, columns: int) -> str:
    """A row of its own, as wide as the table: a value may have 4 KiB."""
    if not each.payloads:
        return ""
    values = "".join(
        f'<div class="payload"><small>{side}:</small> <code>{escape(text)}</code></div>'
        for side, text in each.payloads.items()
    )
    return f'<tr class="payloads"><td colspan="{columns}">{values}</td></tr>'


def _row(look: str, columns: Sequence[str], numbers: range, cells: Sequence[str]) -> str:
    written = [
        f'<td{_number(at, numbers)} data-column="{escape(column)}"><span>{cell}</span></td>'
        for at, (column, cell) in enumerate(zip(columns, cells, strict=True))
    ]
    return f'<tr class="{look}">{"".join(written)}</tr>'


def _table(kind: str, columns: Sequence[str], numbers: range, rows: Iterable[str]) -> str:
    headings = "".join(
        f"<th{_number(at, numbers)}>{escape(column)}</th>" for at, column in enumerate(columns)
    )
    return (
        f'<div class="scroll"><table class="{kind}"><thead><tr>{headings}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _number(at: int, numbers: range) -> str:
    return ' class="number"' if at in numbers else ""
