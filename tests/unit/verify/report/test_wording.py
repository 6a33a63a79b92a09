"""Numbers, times and keys as texts."""

from __future__ import annotations

from mirrorstack.verify.report.wording import (
    LONGEST_KEY,
    NO_BREAK,
    count_of,
    duration,
    moment,
    readable,
    short_duration,
)


def test_durations_are_in_the_largest_suitable_unit() -> None:
    seconds = (5, 300, 7200, 864_000)
    milliseconds = (40, 1_234, 300_000, 3 * 3_600_000, 2 * 86_400_000)

    assert [duration(each) for each in seconds] == ["5 s", "5 minutes", "2 hours", "10 days"]
    assert [short_duration(each).replace(NO_BREAK, " ") for each in milliseconds] == [
        *("40 ms", "1.23 s", "5 min", "3 h", "2 d")
    ]


def test_one_is_singular() -> None:
    assert [count_of(each, "record") for each in (0, 1, 1234)] == [
        *("0 records", "1 record", "1,234 records")
    ]


def test_a_moment_is_in_utc() -> None:
    assert moment(1_800_000_000_000) == "2027-01-15 08:00:00 UTC"
    assert moment(None) == "-"


def test_keys_are_readable_whatever_they_hold() -> None:
    assert readable(None) is None
    assert readable(b"\xff\x00") == "\\xff\x00"
    assert readable(b"k" * 200) == "k" * LONGEST_KEY + "…"
