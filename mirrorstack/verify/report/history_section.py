"""The charts of the page: lag, rate and latency, with captions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from markupsafe import Markup

from mirrorstack.verify.history.latency import DAY, HOUR, SECOND, Latency
from mirrorstack.verify.history.replication_history import History
from mirrorstack.verify.report.charts import area, bars, histogram
from mirrorstack.verify.report.wording import short_duration


@dataclass(frozen=True)
class Figure:
    """A chart with its caption, or the reason why there is none."""

    title: str
    caption: str = ""
    chart: Markup | None = None
    reason: str = ""


def figures(history: History) -> list[Figure]:
    return [*_over_time(history), _latency(history.latency)]


def omitted_records(latency: Latency) -> list[str]:
    """Which records are not in the latency, and why."""
    reasons = (
        (latency.backlog, "older than the first offset sync: they waited for replication to start"),
        (latency.clock_ahead, "with a timestamp later than their replication, from another clock"),
        (latency.deleted, "no longer on the source"),
    )
    return [f"{count:,} {reason}" for count, reason in reasons if count]


def _over_time(history: History) -> list[Figure]:
    if not history.lag or not history.rate:
        return [
            Figure("Lag and rate", reason="All offset syncs are from one moment: nothing to draw.")
        ]
    times = _clock(history.first, history.first + history.interval * len(history.rate))
    lag = f"{max(history.lag):,} at most, {history.lag[-1]:,} at the end"
    fastest = max(history.rate)
    speed = f"{fastest:,.0f}" if fastest >= 10 else f"{fastest:.2g}"
    total = sum(history.rate) * history.interval / SECOND
    rate = f"up to {speed} records/s, about {total:,.0f} in total"
    return [
        Figure(
            "Lag",
            lag,
            area(history.lag, times, ("time, UTC", "offsets"), f"Lag over time: {lag}"),
        ),
        Figure(
            "Rate",
            rate,
            bars(
                history.rate,
                times,
                ("time, UTC", "records/s"),
                f"Replication rate over time: {rate}",
            ),
        ),
    ]


def _latency(latency: Latency) -> Figure:
    if not latency.samples:
        reason = "No sample has a usable timestamp."
        if latency.backlog:
            reason = "No sample is newer than the first offset sync."
        return Figure("Latency", reason=reason)
    values = (latency.median, latency.p95, latency.max)
    median, p95, slowest = (short_duration(each or 0) for each in values)
    caption = f"median {median}, 95 % within {p95}, maximum {slowest}"
    used = [at for at, each in enumerate(latency.buckets) if each.count]
    shown = latency.buckets[used[0] : used[-1] + 1]
    low = latency.buckets[used[0] - 1].up_to if used[0] else 0
    edges = ["0" if not low else short_duration(low)]
    edges += ["more" if each.up_to is None else short_duration(each.up_to) for each in shown]
    label = f"Latency of {latency.samples:,} records: {caption}"
    axes = ("from timestamp to replication", "records")
    return Figure("Latency", caption, histogram([each.count for each in shown], edges, axes, label))


def _clock(first: int, last: int) -> list[str]:
    """Start, middle and end; as exact as the span requires."""
    form = "%H:%M:%S" if last - first < HOUR else "%H:%M" if last - first < DAY else "%m-%d %H:%M"
    times = (first, (first + last) // 2, last)
    return [datetime.fromtimestamp(each / 1000, UTC).strftime(form) for each in times]
