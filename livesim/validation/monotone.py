"""Part "monotone": sales rise with the share of right answers and fall with delay, step by step."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from livesim.validation.budget import Budget, Tick, no_tick
from livesim.validation.checks import Check, Curve, Part, Verdict
from livesim.validation.effects import play
from livesim.validation.levers import METRICS, Arm
from livesim.validation.room import Host, Outcome
from livesim.validation.statistics import change, level

CORRECT = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Shares of right answers."""

DELAYS_S = (1.0, 3.0, 8.0, 15.0, 30.0)
"""Seconds from a request to the first word."""


def measure(budget: Budget, tick: Tick = no_tick) -> Part:
    """Both curves, ``budget.steps`` rooms a step, the same rooms at every step."""
    hosts = [Host(correct=share) for share in CORRECT] + [Host(delay_s=delay_s) for delay_s in DELAYS_S]
    played = []
    for number, host in enumerate(hosts, start=1):
        played.append(play(Arm(host), range(budget.steps)))
        tick(number / len(hosts))
    right, late = played[: len(CORRECT)], played[len(CORRECT) :]
    checks = (*ordered("right answers", CORRECT, right, 1), *ordered("delay", DELAYS_S, late, -1))
    curves = (
        _curve("right answers", CORRECT, right, "share of right answers"),
        _curve("delay", DELAYS_S, late, "seconds until the answer"),
    )
    title = f"{budget.steps} paired rooms of 600 s a step, orders per viewer"
    return Part("monotone", title, checks, curves)


def ordered(name: str, x: Sequence[float], steps: Sequence[Sequence[Outcome]], sign: int) -> list[Check]:
    """Two checks: every step goes the right way, and from end to end the change is certain.

    Args:
        name: of the lever.
        x: its places, ascending.
        steps: the rooms of each place, the same seeds at each.
        sign: 1: sales must rise with it, -1: fall.
    """
    metric = METRICS["orders per viewer"]
    rooms = [[metric(room) for room in step] for step in steps]
    low, high = (0.0, math.inf) if sign > 0 else (-math.inf, 0.0)
    changes = [change(before, after) for before, after in itertools.pairwise(rooms)]
    back = [place for place, found in enumerate(changes) if sign * found.mean <= 0]
    least = min(changes, key=lambda found: sign * found.mean)
    note = "; ".join(f"not from {x[place]:g} to {x[place + 1]:g}" for place in back)
    whole = change(rooms[0], rooms[-1])
    certain = whole.low > 0 if sign > 0 else whole.high < 0
    word = "raises" if sign > 0 else "lowers"
    return [
        Check(
            f"every step of {name} {word} sales",
            Verdict.FAILS if back else Verdict.HOLDS,
            least,
            low,
            high,
            note=note or "the least of the steps",
            percent=True,
        ),
        Check(
            f"{name} {word} sales from end to end",
            Verdict.HOLDS if certain else Verdict.FAILS,
            whole,
            low,
            high,
            note=f"from {x[0]:g} to {x[-1]:g}",
            percent=True,
        ),
    ]


def _curve(name: str, x: Sequence[float], steps: Sequence[Sequence[Outcome]], label: str) -> Curve:
    metric = METRICS["orders per viewer"]
    values = tuple(level([metric(room) for room in step]) for step in steps)
    return Curve(name, tuple(x), values, label, "orders per viewer")
