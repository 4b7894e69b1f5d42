"""An evolution in words: one table of steps, and per step what was changed, why, and what it did."""

from __future__ import annotations

import math

from livesim.evaluation.counted import counted
from livesim.evolution.trail import Step, Trail

SHOWN = 4
"""Kinds of failure and categories named of a step."""


def table(trail: Trail) -> str:
    """The steps, one a line."""
    lines = ["step  base  points  score   acc   eff  tools skills  rules  verdict"]
    lines += [line(step) for step in trail.steps]
    return "\n".join(lines)


def line(step: Step) -> str:
    """One step as a line of the table."""
    m = step.means
    figures = f"{m.points:6.1f} {m.score:6.1f} {m.accuracy:5.1f} {m.effectiveness:5.1f} {m.tool_rationality:6.1f}"
    why = f": {step.why}" if step.why else ""
    return (
        f"{step.number:4d} {step.base:5d}  {figures} {m.skill_selection:6.1f} {step.size.rules:6d}  {step.verdict}{why}"
    )


def markdown(trail: Trail) -> str:
    """The whole evolution for people."""
    first, last = trail.steps[0].means, trail.published[-1].means
    parts = [
        f"# Harness evolution of {trail.agent}",
        f"{first.points:.1f} -> {last.points:.1f} points on the dev set (mean of the four heads, {first.episodes} "
        f"episodes), accuracy {first.accuracy:.1f} -> {last.accuracy:.1f}, effectiveness {first.effectiveness:.1f} -> "
        f"{last.effectiveness:.1f}. Weights frozen. Stopped: {trail.stopped or 'not yet'}.",
        "The edits were chosen by these very episodes, so the gain on others is smaller: `livesim edit-test` measures "
        "it. Each step's interval is for that step alone.",
        f"```\n{table(trail)}\n```",
    ]
    for step in trail.steps:
        parts.append(_step(step))
    return "\n\n".join(parts) + "\n"


def _step(step: Step) -> str:
    lines = [f"## Step {step.number}: {step.verdict}"]
    if step.edits:
        low, high = step.gain[1:]
        ends = "no interval" if math.isnan(low) else f"95 % interval of the gain {low:+.1f} to {high:+.1f}"
        lines.append(f"{step.why} ({ends}), from step {step.base}.")
        lines += [f"- {edit.why} [{edit.what}; by {edit.by}]" for edit in step.edits]
    worst = [f"{c.category} {c.gain:+.1f} ({c.cases})" for c in step.changes[:SHOWN] if c.gain < 0]
    if worst:
        lines.append(f"Lost most: {', '.join(worst)}.")
    if step.failing:
        lines.append("Still failing:")
    for failing in step.failing[:SHOWN]:
        cases = "; ".join(f'"{comment}"' for comment in failing.comments[:2])
        lines.append(f"- {failing.name}, {counted(failing.cases, 'case')}: {failing.hypothesis}. {cases}")
    return "\n".join(lines)
