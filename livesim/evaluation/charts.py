"""Charts as inline SVG: grouped bars with intervals, and lines. No library, no network, sharp at any size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from livesim.evaluation.intervals import Interval

COLOURS = ("#8d99a6", "#e07a3f", "#e3b341", "#4aa3a2", "#2f6fde", "#8b5fbf", "#b5485d", "#6f8f3a")
WIDTH, BARS_HEIGHT, LINES_HEIGHT = 920, 280, 220  # pixels of a drawing, which scales with the page
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 14, 34


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: value and interval in the chart's unit; NaN: no bar."""

    series: str
    value: Interval


@dataclass(frozen=True, slots=True)
class Line:
    """One line.

    Attributes:
        series: its name.
        x: in rising order.
        y: as many; what is no finite number is left out.
        colour: place in ``COLOURS``; None: by its place among the lines.
    """

    series: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    colour: int | None = None


def bars(groups: Sequence[tuple[str, Sequence[Bar]]]) -> str:
    """Grouped bars from 0 to 100, with the interval as a whisker; the series share one order of colours.

    Args:
        groups: label and bars of each group.
    """
    series = list(dict.fromkeys(bar.series for _, group in groups for bar in group))
    height = BARS_HEIGHT
    scale = (height - TOP - BOTTOM) / 100.0
    parts = [_axis([0.0, 25.0, 50.0, 75.0, 100.0], height)]
    room = (WIDTH - LEFT - RIGHT) / max(1, len(groups))
    thick = min(46.0, room * 0.78 / max(1, len(series)))
    for g, (label, group) in enumerate(groups):
        middle = LEFT + room * (g + 0.5)
        parts.append(
            f'<text class="tick" x="{middle:.1f}" y="{height - 12}" text-anchor="middle">{escape(label)}</text>'
        )
        for bar in group:
            if math.isnan(bar.value.mean):
                continue
            place = series.index(bar.series)
            x = middle + (place - len(series) / 2) * thick
            tall = bar.value.mean * scale
            y = height - BOTTOM - tall
            parts.append(
                f'<rect x="{x + 2:.1f}" y="{y:.1f}" width="{thick - 4:.1f}" height="{max(1.0, tall):.1f}"'
                f' rx="2" fill="{_colour(place)}"><title>{escape(bar.series)}: {_spoken(bar.value)}</title></rect>'
            )
            over = y
            if not math.isnan(bar.value.low):
                over = height - BOTTOM - bar.value.high * scale
                under, centre = height - BOTTOM - bar.value.low * scale, x + thick / 2
                parts.append(
                    f'<path class="whisker" d="M{centre:.1f} {over:.1f}V{under:.1f}'
                    f'M{centre - 4:.1f} {over:.1f}h8M{centre - 4:.1f} {under:.1f}h8"/>'
                )
            if thick >= 18:
                parts.append(
                    f'<text class="value" x="{x + thick / 2:.1f}" y="{max(9.0, over - 4):.1f}"'
                    f' text-anchor="middle">{bar.value.mean:.0f}</text>'
                )
    return _svg(height, parts) + legend(series)


def lines(series: Sequence[Line]) -> str:
    """Lines over the steps of a training; the axis holds 0.

    Args:
        series: in the order of their colours.
    """
    height = LINES_HEIGHT
    points = [(x, y) for line in series for x, y in zip(line.x, line.y, strict=True) if math.isfinite(y)]
    if not points:
        return '<p class="none">nothing was recorded</p>'
    marks = ticks(min(0.0, *(y for _, y in points)), max(0.0, *(y for _, y in points)))
    low, high = marks[0], marks[-1]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    wide = max(right - left, 1.0)

    def place(x: float, y: float) -> tuple[float, float]:
        across = LEFT + (x - left) / wide * (WIDTH - LEFT - RIGHT)
        return across, height - BOTTOM - (y - low) / (high - low) * (height - TOP - BOTTOM)

    parts = [_axis(marks, height)]
    anchors = {left: "start", float((left + right) // 2): "middle", right: "end"} if right > left else {left: "start"}
    for x, anchor in anchors.items():
        across, _ = place(x, low)
        parts.append(
            f'<text class="tick" x="{across:.1f}" y="{height - 12}" text-anchor="{anchor}">step {x:.0f}</text>'
        )
    colours = [_colour(n if line.colour is None else line.colour) for n, line in enumerate(series)]
    for line, colour in zip(series, colours, strict=True):
        path = [place(x, y) for x, y in zip(line.x, line.y, strict=True) if math.isfinite(y)]
        drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in path)
        parts.append(f'<polyline points="{drawn}" stroke="{colour}"><title>{escape(line.series)}</title></polyline>')
        if len(path) <= 24:
            parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colour}"/>' for x, y in path]
    return _svg(height, parts) + legend([line.series for line in series], colours)


def ticks(low: float, high: float) -> list[float]:
    """Four to eight round numbers in even steps that hold ``low`` and ``high`` between their ends."""
    high = high if high > low else low + 1.0
    rough = (high - low) / 4
    size = 10 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= rough)
    first = math.floor(low / step + 1e-9)
    last = math.ceil(high / step - 1e-9)
    return [step * n for n in range(first, last + 1)]


def legend(series: Sequence[str], colours: Sequence[str] | None = None) -> str:
    """Colour and name of each series; colours by place unless given."""
    shown = colours if colours is not None else [_colour(i) for i in range(len(series))]
    marks = "".join(
        f'<span><i style="background:{colour}"></i>{escape(name)}</span>'
        for name, colour in zip(series, shown, strict=True)
    )
    return f'<div class="legend">{marks}</div>'


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _svg(height: int, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img">{"".join(parts)}</svg>'


def _axis(marks: Sequence[float], height: int) -> str:
    parts = []
    for mark in marks:
        y = height - BOTTOM - (height - TOP - BOTTOM) * (mark - marks[0]) / (marks[-1] - marks[0])
        parts.append(
            f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
            f'<text class="tick" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{mark:.4g}</text>'
        )
    return "".join(parts)


def _spoken(value: Interval) -> str:
    if math.isnan(value.low):
        return f"{value.mean:.1f}"
    return f"{value.mean:.1f}, 95 % interval {value.low:.1f} to {value.high:.1f}"
