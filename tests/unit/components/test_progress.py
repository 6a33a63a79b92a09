"""Progress lines of a provider."""

from __future__ import annotations

from components.progress import reporter


def lines_of(*moments: tuple[float, str]) -> list[str]:
    """The lines that are shown, given reasons and the seconds at which they are reported."""
    shown: list[str] = []
    times = iter([0.0, *(at for at, _ in moments)])
    report = reporter("waiting for x", show=shown.append, clock=lambda: next(times))
    for _, why in moments:
        report(why)
    return shown


def test_a_short_wait_is_not_reported() -> None:
    assert lines_of((1, "starting"), (19, "still starting")) == []


def test_a_long_wait_is_reported_every_ten_seconds() -> None:
    said = lines_of((5, "a"), (21, "b"), (25, "c"), (32, "d. e"))

    assert said == ["waiting for x after 21 s: b", "waiting for x after 32 s: d. e"]


def test_a_reason_is_shortened_to_one_line() -> None:
    (line,) = lines_of((20, "one\n    two" + "!" * 500))

    assert line.startswith("waiting for x after 20 s: one two!")
    assert "\n" not in line
    assert len(line) < 210
