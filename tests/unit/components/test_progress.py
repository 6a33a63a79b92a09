"""What a provider says while it waits."""

from __future__ import annotations

from components.progress import reporter


def said_of(*moments: tuple[float, str]) -> list[str]:
    """What is shown, given why it is not done yet at which second."""
    shown: list[str] = []
    times = iter([0.0, *(at for at, _ in moments)])
    report = reporter("waiting for x", show=shown.append, clock=lambda: next(times))
    for _, why in moments:
        report(why)
    return shown


def test_what_is_over_soon_needs_no_words() -> None:
    assert said_of((1, "starting"), (19, "still starting")) == []


def test_what_lasts_is_said_every_ten_seconds() -> None:
    said = said_of((5, "a"), (21, "b"), (25, "c"), (32, "d. Perhaps because of e"))

    assert said == ["waiting for x after 21 s: b", "waiting for x after 32 s: d"]


def test_a_reason_of_many_lines_is_one_line_and_not_too_long() -> None:
    (line,) = said_of((20, "one\n    two" + "!" * 500))

    assert line.startswith("waiting for x after 20 s: one two!")
    assert "\n" not in line
    assert len(line) < 210
