"""report.html: one page that needs no network, rendered by Jinja2 with autoescape.

The templates are in `templates/`. On a phone each table row becomes a card, and each cell shows the
name of its column (report.css).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from mirrorstack.verify.groups.group_check import GroupCheck, GroupState
from mirrorstack.verify.history.replication_history import History
from mirrorstack.verify.report.codes import Verdict, effect
from mirrorstack.verify.report.history_section import figures, omitted_records
from mirrorstack.verify.report.report import PartitionReport, Report
from mirrorstack.verify.report.summary import (
    MARKS,
    difference_text,
    record_count,
    verdict_sentence,
    written_later,
)
from mirrorstack.verify.report.wording import count_of, moment, readable

STYLE = Path(__file__).with_name("report.css")
COLOURS = {Verdict.EQUAL: "good", Verdict.DIFFERENT: "bad", Verdict.INCONCLUSIVE: "wait"}
FINDING_CLASSES = {
    Verdict.DIFFERENT: "error",
    Verdict.INCONCLUSIVE: "inconclusive",
    Verdict.EQUAL: "warning",
}
SYMBOLS = {
    "equal": "✓",
    "empty": "·",
    "behind": "…",
    "missing": "✗",
    "altered": "≠",
    "unexpected": "+",
    "reordered": "⇅",
    "duplicated": "2x",
}
LONGEST_ALIAS = 13


def page(report: Report) -> str:
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            report=report,
            # Our own file: in HTML, the content of <style> is not escaped.
            style=Markup(STYLE.read_text()),  # noqa: S704
            most_findings=100,
            most_records=500,
        )
    )


def history_html(history: History | None) -> str:
    """The section about lag, rate and latency alone."""
    return _environment().get_template("history.html.j2").render(history=history)


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(__package__, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        number=lambda value: f"{value:,}", moment=moment, readable=readable, offset=_offset
    )
    environment.globals.update(
        count_of=count_of,
        cell_title=cell_title,
        colours=COLOURS,
        difference_text=difference_text,
        effect=effect,
        figures=figures,
        finding_classes=FINDING_CLASSES,
        group_rows=group_rows,
        marks=MARKS,
        omitted_records=omitted_records,
        record_count=record_count,
        short_alias=short_alias,
        symbols=SYMBOLS,
        verdict_sentence=verdict_sentence,
        written_later=written_later,
    )
    return environment


def _offset(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def short_alias(alias: str) -> str:
    return alias if len(alias) <= LONGEST_ALIAS else f"{alias[: LONGEST_ALIAS - 1]}…"


def cell_title(each: PartitionReport) -> str:
    details = [
        f"{each.source_records:,} on the source, {each.target_records:,} on the target",
        *(f"{count:,} {kind}" for kind, count in each.counts.items()),
        f"{each.behind:,} behind" if each.behind else "",
        f"{each.trimmed:,} deleted by retention" if each.trimmed else "",
        f"{each.proven_before:,} proven before" if each.proven_before else "",
    ]
    return f"partition {each.partition}: {each.state}; " + ", ".join(filter(None, details))


@dataclass(frozen=True)
class GroupRow:
    css_class: str
    cells: tuple[str, ...]


def group_rows(checks: Sequence[GroupCheck]) -> Iterator[GroupRow]:
    """One row for the partitions of a topic where a group skips nothing, and one for each other."""
    for group, topic in dict.fromkeys((each.group, each.topic) for each in checks):
        own = [each for each in checks if (each.group, each.topic) == (group, topic)]
        complete = [each for each in own if each.state is GroupState.NOTHING_SKIPPED]
        if complete:
            reconsumed = sum(each.reconsumed for each in complete)
            partitions = f"{len(complete)} of {len(own)}"
            state = GroupState.NOTHING_SKIPPED
            yield GroupRow("", (group, topic, partitions, "", "", "0", f"{reconsumed:,}", state))
        for each in own:
            if each.state is GroupState.NOTHING_SKIPPED:
                continue
            target = "none" if each.target_offset is None else f"{each.target_offset:,}"
            yield GroupRow(
                "is-odd" if each.state is GroupState.NO_CHECKPOINT else "is-bad",
                (
                    *(group, topic, str(each.partition), f"{each.source_offset:,}", target),
                    *(f"{each.skipped:,}", f"{each.reconsumed:,}", each.state),
                ),
            )
