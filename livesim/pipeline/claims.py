"""The paper's claims at this scale: what was aimed at, what was found, and whether the intervals decide it."""

from __future__ import annotations

import math

from livesim.evaluation.ifeval import results as ifeval
from livesim.evaluation.intervals import Interval
from livesim.evaluation.table import CHANGED_SUITE, ORIGINAL_SUITE, number, says, short
from livesim.pipeline import results
from livesim.pipeline.plan import BASE
from livesim.pipeline.results import MEASURES, Found, Tested, cases, difference, loss, mean

ABOUT = (
    "the paper's claims at this scale; yes or NO: with the whole interval; open: the interval holds both; each one "
    "stands alone, not widened for the number of claims"
)
TIMES = 2.8
"""How much more of its error the paper's model loses by harness edits than its control."""


def render(found: Found) -> str:
    """Tables and claims as text: what the terminal shows."""
    lines = "\n".join(f"- {line}" for line in claims(found))
    return "\n\n".join([*(table.text() for table in results.tables(found)), f"{ABOUT}\n{lines}"])


def claims(found: Found) -> tuple[str, ...]:
    """What was aimed at, whether the intervals decide it, and what was found; nothing of what was not measured."""
    hat, control, base = (found.arm(name) for name in (*found.against, BASE))
    score, measured = MEASURES["score"], results.suites(found)
    lines = []
    if hat is not None and ORIGINAL_SUITE in measured:
        t1 = mean([*cases(hat, ORIGINAL_SUITE, score).values()])
        lines.append(_claim(f"T1 score of {hat.label} at least 94", t1, t1.low >= 94, t1.high < 94))
    if hat is not None and CHANGED_SUITE in measured:
        change = loss(hat, score)
        lines.append(
            _claim(f"T2 score of {hat.label} within 0.5 of T1", change, change.low >= -0.5, change.high < -0.5)
        )
    if control is not None and CHANGED_SUITE in measured:
        change = loss(control, score)
        aim = f"{control.label} loses at least 15 points from T1 to T2"
        lines.append(_claim(aim, change, change.high <= -15, change.low > -15))
    if hat is not None and control is not None:
        for suite in measured:
            gap = difference(hat, control, suite, score)
            lines.append(f"{short(suite)} score: {says(gap, hat.label, control.label)}, {_seeds_of(hat, control)}")
    if hat is not None and base is not None and hat.answers and base.answers:
        first = _first(len(hat.answers))
        for one in ifeval.changes(hat.answers[0], base.answers[0]):
            aim = f"IFEval {one.metric} of {hat.label} not below the base's"
            p = "" if one.p is None else f", p = {one.p:.3g}"
            lines.append(_claim(aim, one.points, one.points.low >= 0, one.points.high < 0) + p + first)
    if hat is not None and control is not None and hat.edits and control.edits:
        lines.append(_edit_claim(hat, control))
    return tuple(lines)


def _claim(aim: str, value: Interval, yes: bool, no: bool) -> str:
    """``yes`` and ``no`` hold for the whole interval; where it has both, or no ends, the claim is open."""
    return f"{aim}: {'yes' if yes else 'NO' if no else 'open'}, {number(value)}"


def _edit_claim(hat: Tested, control: Tested) -> str:
    """Decided by ours - 2.8 x theirs, as if independent, which is cautious: the two share their test tasks."""
    ours, theirs = hat.edits[0].reduction, control.edits[0].reduction
    middle = ours.mean - TIMES * theirs.mean
    low = middle - math.hypot(ours.mean - ours.low, TIMES * (theirs.high - theirs.mean))
    high = middle + math.hypot(ours.high - ours.mean, TIMES * (theirs.mean - theirs.low))
    if theirs.mean <= 0:  # edits that help the control in nothing set no bar: then ours must help at all
        low, high = ours.low, ours.high
    aim = f"harness edits remove at least {TIMES} times as much of the error of {hat.label} as of {control.label}"
    against = f"% against {number(theirs.scaled(100))} %"
    return f"{_claim(aim, ours.scaled(100), low >= 0, high < 0)} {against}{_first(len(hat.edits))}"


def _first(seeds: int) -> str:
    return ", of the first seed" if seeds > 1 else ""


def _seeds_of(first: Tested, second: Tested) -> str:
    count = len(results.shared_seeds(first, second))
    return f"{count} seeds" if count != 1 else "one seed: the luck of its training is not in the interval"
