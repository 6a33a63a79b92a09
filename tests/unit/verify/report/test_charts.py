from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from mirrorstack.verify.history.replication_history import History, latency
from mirrorstack.verify.report.charts import HEIGHT, WIDTH, area, bars, ceiling, histogram, short
from mirrorstack.verify.report.history_section import SPACE, duration, history_section

NOON = 1_800_000_000_000
SAMPLES = [(NOON + 1000 + each, NOON + 1000) for each in range(1, 301)]
PAST = History(
    notes=300,
    others=12,
    first=NOON,
    last=NOON + 4000,
    tick=1000,
    lag=(9000, 4000, 10, 0, 0),
    rate=(5000.0, 3990.0, 10.0, 0.0),
    latency=latency(SAMPLES, NOON, gone=0),
)


def drawn(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314 - our own


@pytest.mark.parametrize(
    "svg",
    [
        area([0, 5, 3], ["12:00", "12:01"], ("time", "offsets"), "Lag"),
        area([7], ["12:00"], ("time", "offsets"), "Lag"),
        area([0, 0], ["12:00", "12:01"], ("time", "offsets"), "Lag"),
        bars([0.0, 0.25, 1e9], ["12:00", "12:01"], ("time", "records/s"), "Rate"),
        histogram([1] * 17, [str(each) for each in range(18)], ("ms", "records"), "Latency"),
    ],
)
def test_a_chart_is_a_picture_with_words_and_stays_within_its_frame(svg: str) -> None:
    topology_diagram = drawn(svg)

    assert topology_diagram.get("role") == "img"
    assert topology_diagram.get("aria-label") in ("Lag", "Rate", "Latency")
    for each in topology_diagram.iter("rect"):
        x, y, width, height = (float(each.get(key, "")) for key in ("x", "y", "width", "height"))
        assert min(x, y, width, height) >= 0
        assert x + width <= WIDTH
        assert y + height <= HEIGHT
    points = [
        p for line in topology_diagram.iter("polyline") for p in line.get("points", "").split()
    ]
    assert all(0 <= float(at) <= WIDTH for at in (p.split(",")[0] for p in points))


def test_what_is_higher_is_drawn_higher() -> None:
    svg = drawn(bars([10, 40, 20], ["a", "b"], ("time", "records/s"), "Rate"))

    low, high, middle = (float(each.get("height", "")) for each in svg.iter("rect"))
    assert (high / low, high / middle) == (4, 2)


def test_axes_bear_their_units() -> None:
    words = [each.text for each in drawn(area([3], ["12:00"], ("time", "offsets"), "x")).iter()]

    assert {"time", "offsets", "12:00", "0"} <= set(words)


@pytest.mark.parametrize(
    ("value", "top"), [(0, 4), (1, 4), (9, 12), (13, 16), (20_094, 24_000), (0.25, 0.32), (99, 100)]
)
def test_an_axis_ends_at_a_round_number(value: float, top: float) -> None:
    assert ceiling(value) == pytest.approx(top)


def test_numbers_beside_an_axis_are_short() -> None:
    assert [short(each) for each in (0, 0.5, 250, 17_500, 4e6, 2e9)] == [
        *("0", "0.5", "250", "17.5k", "4M", "2G")
    ]


def test_durations_are_in_the_unit_that_people_would_use() -> None:
    told = [duration(each) for each in (40, 1_234, 300_000, 3 * 3_600_000, 2 * 86_400_000)]

    assert [each.replace(SPACE, " ") for each in told] == ["40 ms", "1.23 s", "5 min", "3 h", "2 d"]


def test_the_page_tells_what_the_charts_are_from() -> None:
    section = history_section(PAST).replace(SPACE, " ")

    assert section.count("<svg") == 3
    assert "9,000 at most, 0 at the end" in section
    assert "up to 5,000 a second, about 9,000 in all" in section
    assert "half within 150 ms, 95 % within 285 ms, the slowest 300 ms" in section
    assert "From 300 notes of MirrorMaker between 2027-01-15 08:00:00 UTC" in section
    assert "12 others are left out" in section


def test_what_was_left_out_of_the_latency_is_told() -> None:
    samples = [(NOON, NOON - 5), (NOON, NOON + 5)]

    section = history_section(replace(PAST, latency=latency(samples, NOON, gone=3)))

    assert section.count("<svg") == 2
    assert "Nothing that was made since the first note" in section
    assert "1 older than the first note" in section
    assert "1 stamped later than they were copied" in section
    assert "3 no longer on the source" in section


def test_a_slow_flow_is_not_said_to_stand_still() -> None:
    assert "up to 0.02 a second" in history_section(replace(PAST, rate=(0.0, 0.02, 0.0, 0.0)))


def test_one_note_is_no_course_but_may_be_a_latency() -> None:
    one = replace(PAST, tick=0, lag=(), rate=(), last=NOON)

    assert history_section(one).count("<svg") == 1
    assert "there is no course to draw" in history_section(one)


def test_no_notes_are_told_and_draw_nothing() -> None:
    assert "<svg" not in history_section(None)
    assert "has left no notes" in history_section(None)


def test_nothing_on_the_page_runs_or_is_fetched() -> None:
    assert not re.search(r"<script|https?://|url\(|href|src=", history_section(PAST))
