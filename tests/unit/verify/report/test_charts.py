from __future__ import annotations

from xml.etree import ElementTree

import pytest
from markupsafe import Markup

from mirrorstack.verify.report.charts import HEIGHT, WIDTH, area, bars, ceiling, histogram, short


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
def test_a_chart_has_a_label_and_stays_within_its_frame(svg: str) -> None:
    chart = drawn(svg)

    assert chart.get("role") == "img"
    assert chart.get("aria-label") in ("Lag", "Rate", "Latency")
    for each in chart.iter("rect"):
        x, y, width, height = (float(each.get(key, "")) for key in ("x", "y", "width", "height"))
        assert min(x, y, width, height) >= 0
        assert x + width <= WIDTH
        assert y + height <= HEIGHT
    points = [p for line in chart.iter("polyline") for p in line.get("points", "").split()]
    assert all(0 <= float(at) <= WIDTH for at in (p.split(",")[0] for p in points))


def test_a_higher_value_is_drawn_higher() -> None:
    svg = drawn(bars([10, 40, 20], ["a", "b"], ("time", "records/s"), "Rate"))

    low, high, middle = (float(each.get("height", "")) for each in svg.iter("rect"))
    assert (high / low, high / middle) == (4, 2)


def test_axes_have_units() -> None:
    texts = [each.text for each in drawn(area([3], ["12:00"], ("time", "offsets"), "x")).iter()]

    assert {"time", "offsets", "12:00", "0"} <= set(texts)


@pytest.mark.parametrize(
    ("value", "top"), [(0, 4), (1, 4), (9, 12), (13, 16), (20_094, 24_000), (0.25, 0.32), (99, 100)]
)
def test_an_axis_ends_at_a_round_number(value: float, top: float) -> None:
    assert ceiling(value) == pytest.approx(top)


def test_numbers_on_an_axis_are_short() -> None:
    assert [short(each) for each in (0, 0.5, 250, 17_500, 4e6, 2e9)] == [
        *("0", "0.5", "250", "17.5k", "4M", "2G")
    ]


def test_labels_are_escaped_and_the_chart_is_marked_safe() -> None:
    chart = area([1], ["<b>"], ("<i>", "offsets"), '"Lag"')

    assert isinstance(chart, Markup)
    assert "<b>" not in chart
    assert "<i>" not in chart
    assert drawn(chart).get("aria-label") == '"Lag"'
