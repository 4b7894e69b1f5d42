"""The curve of an evolution: points by step with their gains, what was rolled back, and how many rules there were."""

from __future__ import annotations

import math
from pathlib import Path

from livesim.errors import ConfigError
from livesim.evolution.trail import Trail, Verdict
from livesim.whole import drafted


def draw(trail: Trail, path: Path) -> None:
    """Write the curve as a picture.

    Args:
        trail: at least the baseline.
        path: its suffix says the format (``.png``, ``.svg``).

    Raises:
        ConfigError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ConfigError("a chart needs matplotlib: pip install 'livesim[report]'") from None
    figure = Figure(figsize=(8.0, 4.6), layout="constrained")
    axes = figure.subplots()
    rules = axes.twinx()
    numbers = [step.number for step in trail.steps]
    rules.bar(numbers, [step.size.rules for step in trail.steps], color="#dfe4ea", width=0.6, zorder=0)
    rules.set_ylabel("rule lines in the harness")
    rules.set_ylim(0, 2.5 * max(1, *(step.size.rules for step in trail.steps)))
    axes.set_zorder(rules.get_zorder() + 1)
    axes.patch.set_visible(False)
    kept = trail.published
    at = [step.number for step in kept]
    for label, values, colour in (
        ("accuracy", [step.means.accuracy for step in kept], "#4aa3a2"),
        ("effectiveness", [step.means.effectiveness for step in kept], "#e3b341"),
    ):
        axes.plot(at, values, color=colour, linewidth=1.2, linestyle="--", label=label)
    axes.plot(at, [step.means.points for step in kept], color="#2f6fde", linewidth=2.2, marker="o", label="points")
    back = [step for step in trail.steps if step.verdict is Verdict.ROLLED_BACK]
    if back:
        marks = [step.means.points for step in back]
        axes.plot([s.number for s in back], marks, "o", mfc="white", mec="#c0392b", label="rolled back")
    of = {step.number: step.means.points for step in trail.steps}
    sure = [step for step in trail.steps[1:] if not math.isnan(step.gain[1])]
    if sure:
        # The interval is of the gain over the base: it stands where base and gain put it.
        middles = [of[step.base] + step.gain[0] for step in sure]
        ends = [[step.gain[0] - step.gain[1] for step in sure], [step.gain[2] - step.gain[0] for step in sure]]
        label = "95 % interval of the gain"
        axes.errorbar(
            [s.number for s in sure], middles, ends, fmt="none", ecolor="#5b6675", capsize=3, zorder=1.5, label=label
        )
    best = trail.best
    axes.annotate(
        f"{best.means.points:.1f}",
        (best.number, best.means.points),
        textcoords="offset points",
        xytext=(-6, 6),  # beside the whisker
        ha="right",
    )
    axes.set_xticks(numbers)
    axes.set_xlabel("step")
    axes.set_ylabel("dev set, 0 to 100")
    axes.set_ylim(0, 105)
    axes.set_title(f"Harness evolution of {trail.agent}, weights frozen")
    axes.legend(loc="lower right", fontsize=8, framealpha=0.9)
    with drafted(path) as draft:
        figure.savefig(draft, dpi=130)
