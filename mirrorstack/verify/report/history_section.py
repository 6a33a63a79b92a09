"""The part of the page that tells how a flow has been doing: three charts, and their origin."""

from __future__ import annotations

from datetime import UTC, datetime
from html import escape

from mirrorstack.verify.history.replication_history import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    History,
    Latency,
)
from mirrorstack.verify.report.charts import area, bars, histogram
from mirrorstack.verify.report.summary import moment

SPACE = "\N{NO-BREAK SPACE}"
TITLE = "<h3>Lag, rate and latency</h3>"


def history_section(history: History | None) -> str:
    if history is None:
        return (
            f'{TITLE}\n<p class="key">MirrorMaker has left no notes of what it copied, so nothing '
            "is known of the time before this report.</p>"
        )
    charts = _times(history) + _latency(history.latency)
    return f'{TITLE}\n<div class="charts">{charts}</div>\n{_origin(history)}'


def duration(milliseconds: float) -> str:
    """As short as it stays readable: 40 ms, 1.2 s, 5 min, 3 h, 2 d."""
    for size, name in ((DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (SECOND, "s")):
        if milliseconds >= size:
            return f"{milliseconds / size:.3g}{SPACE}{name}"
    return f"{milliseconds:g}{SPACE}ms"


def _times(history: History) -> str:
    if not history.lag or not history.rate:
        return _nothing("Lag and rate", "All notes are of one moment: there is no course to draw.")
    end = history.first + history.tick * len(history.rate)
    times = _clock(history.first, end)
    most, now = max(history.lag), history.lag[-1]
    lag = f"{most:,} at most, {now:,} at the end"
    fastest = max(history.rate)
    total = sum(history.rate) * history.tick / SECOND
    speed = f"{fastest:,.0f}" if fastest >= 10 else f"{fastest:.2g}"
    copied = f"up to {speed} a second, about {total:,.0f} in all"
    return _figure(
        "Lag", lag, area(history.lag, times, ("time, UTC", "offsets"), f"Lag over time: {lag}")
    ) + _figure(
        "Rate",
        copied,
        bars(
            history.rate, times, ("time, UTC", "records/s"), f"Records copied over time: {copied}"
        ),
    )


def _latency(latency: Latency) -> str:
    if not latency.samples:
        return _nothing("Latency", _unmeasured(latency))
    half, most, slowest = (duration(each or 0) for each in _points(latency))
    said = f"half within {half}, 95 % within {most}, the slowest {slowest}"
    held = [at for at, each in enumerate(latency.buckets) if each.count]
    shown = latency.buckets[held[0] : held[-1] + 1]
    low = latency.buckets[held[0] - 1].up_to if held[0] else 0
    edges = ["0" if not low else duration(low)]
    edges += ["more" if each.up_to is None else duration(each.up_to) for each in shown]
    counts = [each.count for each in shown]
    says = f"Latency of {latency.samples:,} records: {said}"
    return _figure(
        "Latency", said, histogram(counts, edges, ("from timestamp to copy", "records"), says)
    )


def _points(latency: Latency) -> tuple[int | None, ...]:
    return latency.half, latency.most, latency.slowest


def _unmeasured(latency: Latency) -> str:
    if latency.backlog:
        return "Nothing that was made since the first note is among the samples."
    return "No sample bears a time that says anything."


def _origin(history: History) -> str:
    """What it is from, and what that leaves out."""
    latency = history.latency
    left = [
        (
            latency.backlog,
            "older than the first note: their age is the backlog's, not the mirror's",
        ),
        (latency.ahead, "stamped later than they were copied, by another clock"),
        (latency.gone, "no longer on the source"),
    ]
    said = [f"{count:,} {why}" for count, why in left if count]
    others = f" ({history.others:,} others are left out)" if history.others else ""
    without = f" Records that are not in it: {'; '.join(said)}." if said else ""
    return (
        f'<p class="key">From {history.notes:,} notes of MirrorMaker between '
        f"{moment(history.first)} and {moment(history.last)}{others}; it keeps only recent ones, "
        "and may write one some seconds after the copy. Lag counts offsets, as Kafka's own tools "
        "do. Latency is measured where there are notes, from the record's own timestamp."
        f"{without}</p>"
    )


def _figure(title: str, said: str, chart: str) -> str:
    return (
        f"<figure><figcaption><b>{title}</b> <span>{escape(said)}</span></figcaption>"
        f"{chart}</figure>"
    )


def _nothing(title: str, why: str) -> str:
    return _figure(title, "", f'<p class="none">{escape(why)}</p>')


def _clock(first: int, last: int) -> list[str]:
    """Begin, middle and end; as exact as the distance asks for."""
    form = "%H:%M:%S" if last - first < HOUR else "%H:%M" if last - first < DAY else "%m-%d %H:%M"
    times = (first, (first + last) // 2, last)
    return [datetime.fromtimestamp(each / 1000, UTC).strftime(form) for each in times]
