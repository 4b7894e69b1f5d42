"""One picture for each part: every check beside its band, and the curves. matplotlib is imported late."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from livesim.errors import ConfigError
from livesim.evaluation.intervals import Interval
from livesim.validation.checks import Check, Curve, Part, Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {Verdict.HOLDS: "#2f6fde", Verdict.FAILS: "#c0392b", Verdict.NO_TARGET: "#8d99a6"}


def draw(part: Part, path: Path) -> None:
    """Write the picture of a part.

    Args:
        part: as measured.
        path: its suffix says the format (``.png``, ``.svg``).

    Raises:
        ConfigError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ConfigError("a picture needs matplotlib: pip install 'livesim[report]'") from None
    shown = [check for check in part.checks if not math.isnan(check.value.mean) and not _bandless(part, check)]
    panels = 1 + len(part.curves)
    height = max(3.4, 0.24 * len(shown) + 1.2)
    figure = Figure(figsize=(7.0 + 4.4 * len(part.curves), height), layout="constrained")
    axes = figure.subplots(1, panels, squeeze=False, width_ratios=[1.6] + [1.0] * len(part.curves))[0]
    _checks(axes[0], part, shown)
    for place, curve in enumerate(part.curves, start=1):
        _curve(axes[place], curve)
    figure.suptitle(f"{part.name}: {part.title}", fontsize=9, wrap=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)


def _bandless(part: Part, check: Check) -> bool:
    return part.in_bands and not check.high > check.low


def _checks(axes: Axes, part: Part, shown: list[Check]) -> None:
    """One line a check, the first on top."""
    for row, check in enumerate(reversed(shown)):
        value, low, high = check.value, check.low, check.high
        if part.in_bands:
            value = Interval(*((end - low) / (high - low) for end in value))
            low, high = 0.0, 1.0
        elif check.percent:
            value = value.scaled(100.0)
        colour = COLOURS.get(check.verdict, "#8d99a6")
        if math.isfinite(low) and math.isfinite(high):
            axes.plot([low, high], [row, row], color="#dfe4ea", linewidth=7, solid_capstyle="butt", zorder=0)
            if low == high:
                axes.plot([low], [row], "|", color="#8d99a6", markersize=11)
        if not math.isnan(value.low):
            axes.plot([value.low, value.high], [row, row], color=colour, linewidth=1.6)
        axes.plot([value.mean], [row], "o", color=colour, markersize=4)
    axes.set_yticks(range(len(shown)), [check.name for check in reversed(shown)], fontsize=7)
    axes.tick_params(axis="x", labelsize=7)
    if part.in_bands:
        axes.set_xscale("symlog", linthresh=2.0)
        axes.set_xticks([-10, -1, 0, 1, 10], ["-10", "-1", "0", "1", "10"])
        axes.set_xlabel("0 to 1: inside the target's band", fontsize=8)
    elif any(check.percent for check in shown):
        axes.axvline(0.0, color="#8d99a6", linewidth=0.8)
        axes.set_xscale("symlog", linthresh=100.0)
        marks = [-100, -50, 0, 50, 100, 300, 1000]
        axes.set_xticks(marks, [f"{mark:+d}" if mark else "0" for mark in marks])
        axes.set_xlabel("relative change, %", fontsize=8)


def _curve(axes: Axes, curve: Curve) -> None:
    means = [value.mean for value in curve.values]
    low = [max(0.0, value.mean - value.low) if not math.isnan(value.low) else 0.0 for value in curve.values]
    high = [max(0.0, value.high - value.mean) if not math.isnan(value.high) else 0.0 for value in curve.values]
    line = "o" if curve.words else "o-"
    axes.errorbar(curve.x, means, yerr=[low, high], fmt=line, color="#2f6fde", markersize=4, capsize=2, linewidth=1.4)
    if curve.log:
        axes.set_xscale("log", base=2)
        axes.set_xticks(curve.x, [f"{x:g}" for x in curve.x])
    if curve.words:
        axes.set_xticks(curve.x, curve.words, rotation=30, ha="right")
    else:
        axes.set_xlabel(curve.x_label, fontsize=8)
    axes.set_ylim(bottom=min(0.0, *(value.low if not math.isnan(value.low) else value.mean for value in curve.values)))
    axes.set_title(f"{curve.name}: {curve.y_label}" if not curve.words else curve.name, fontsize=8)
    axes.tick_params(labelsize=7)
