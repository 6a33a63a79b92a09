"""Numbers, times and keys as the report shows them."""

from __future__ import annotations

from datetime import UTC, datetime

from mirrorstack.verify.history.latency import DAY, HOUR, MINUTE, SECOND

LONGEST_KEY = 120
NO_BREAK = "\N{NO-BREAK SPACE}"


def count_of(count: int, what: str) -> str:
    """`1 record`, `1,234 records`."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def moment(milliseconds: int | None) -> str:
    if milliseconds is None:
        return "-"
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def duration(seconds: float) -> str:
    """In the largest unit of which there are at least two: `5 s`, `5 minutes`, `2 hours`."""
    for unit, length in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{seconds:,.0f} s"


def short_duration(milliseconds: float) -> str:
    """For charts: `40 ms`, `1.2 s`, `5 min`, `3 h`, `2 d`."""
    for size, name in ((DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (SECOND, "s")):
        if milliseconds >= size:
            return f"{milliseconds / size:.3g}{NO_BREAK}{name}"
    return f"{milliseconds:g}{NO_BREAK}ms"


def readable(key: bytes | None) -> str | None:
    """A key as text; bytes that are not UTF-8 are escaped."""
    if key is None:
        return None
    text = key.decode(errors="backslashreplace")
    return text if len(text) <= LONGEST_KEY else f"{text[:LONGEST_KEY]}…"
