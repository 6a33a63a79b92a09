"""Charts as inline SVG: no script, no network, colours from the page's style sheet.

They are drawn about as large as they are shown, on a phone as on a desktop, so that text keeps its
size. The SVG is marked as safe HTML; all texts in it are escaped here.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

from markupsafe import Markup, escape

WIDTH, HEIGHT = 320, 190
LEFT, RIGHT, TOP, BOTTOM = 44, 16, 24, 36
ACROSS, DOWN = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
FLOOR = TOP + DOWN
LINES = 4
MOST_LABELS = 6
WHOLE, ROUND = (4, 8, 12), (1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10)

Axes = tuple[str, str]
"""The labels of the horizontal and the vertical axis, with units."""


def area(values: Sequence[float], labels: Sequence[str], axes: Axes, label: str) -> Markup:
    """A value at each time; `labels` are spread from the first to the last."""
    top = ceiling(max(values))
    step = ACROSS / max(1, len(values) - 1)
    points = [(LEFT + at * step, _height(value, top)) for at, value in enumerate(values)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    body = (
        f'<polygon class="fill" points="{LEFT},{FLOOR} {line} {points[-1][0]:.1f},{FLOOR}"/>'
        f'<polyline class="line" points="{line}"/>'
    )
    return _chart(top, _spread(labels), body, axes, label)


def bars(values: Sequence[float], labels: Sequence[str], axes: Axes, label: str) -> Markup:
    """A value for each interval; `labels` are spread from the first to the last."""
    return _chart(ceiling(max(values)), _spread(labels), _bars(values, 0.5), axes, label)


def histogram(counts: Sequence[int], edges: Sequence[str], axes: Axes, label: str) -> Markup:
    """A bar for each bucket; `edges` are the bounds between and around them."""
    wide = ACROSS / len(counts)
    every = -(-len(edges) // MOST_LABELS)
    marks = [
        _mark(LEFT + at * wide, edge, "end" if at == len(counts) else "middle")
        for at, edge in enumerate(edges)
        if at % every == 0
    ]
    return _chart(ceiling(max(counts)), "".join(marks), _bars(counts, 2), axes, label)


def ceiling(value: float) -> float:
    """The next round number above all values. Its quarters, which label the axis, are short, and
    whole numbers where the value is above 1."""
    if value <= 0:
        return WHOLE[0]
    if 1 <= value <= WHOLE[-1]:
        return next(each for each in WHOLE if each >= value)
    power = 10.0 ** floor(log10(value))
    return next(power * each for each in ROUND if power * each >= value)


def short(value: float) -> str:
    """A number that fits beside an axis."""
    for size, name in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if value >= size:
            return f"{value / size:g}{name}"
    return f"{value:g}"


def _height(value: float, top: float) -> float:
    return FLOOR - DOWN * value / top


def _bars(values: Sequence[float], gap: float) -> str:
    top, wide = ceiling(max(values)), ACROSS / len(values)
    return "".join(
        f'<rect class="bar" x="{LEFT + at * wide + gap / 2:.1f}" y="{_height(value, top):.1f}" '
        f'width="{wide - gap:.1f}" height="{FLOOR - _height(value, top):.1f}"/>'
        for at, value in enumerate(values)
        if value
    )


def _spread(labels: Sequence[str]) -> str:
    """The first label starts, and the last ends, where the axis does."""
    last = max(1, len(labels) - 1)
    anchors = {0: "start", last: "end"}
    return "".join(
        _mark(LEFT + ACROSS * at / last, label, anchors.get(at, "middle"))
        for at, label in enumerate(labels)
    )


def _mark(x: float, text: str, anchor: str) -> str:
    # A label at the end of the axis may reach into the margin.
    x += RIGHT if anchor == "end" else 0
    return f'<text x="{x:.1f}" y="{FLOOR + 17}" style="text-anchor: {anchor}">{escape(text)}</text>'


def _chart(top: float, marks: str, body: str, axes: Axes, label: str) -> Markup:
    across, up = axes
    grid = "".join(_line(top * at / LINES, top) for at in range(LINES + 1))
    return Markup(  # noqa: S704 - all texts are escaped
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(label)}">{grid}{body}{marks}'
        f'<text class="unit" x="0" y="11" style="text-anchor: start">{escape(up)}</text>'
        f'<text class="unit" x="{LEFT + ACROSS / 2}" y="{HEIGHT - 4}">{escape(across)}</text></svg>'
    )


def _line(value: float, top: float) -> str:
    y = _height(value, top)
    return (
        f'<path class="grid" d="M{LEFT} {y:.1f} H{LEFT + ACROSS}"/>'
        f'<text x="{LEFT - 6}" y="{y + 4:.1f}" style="text-anchor: end">{short(value)}</text>'
    )
