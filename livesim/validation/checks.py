"""``Check``, ``Curve`` and ``Part``: what one part of the battery found, with its verdicts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from livesim.evaluation.intervals import Interval
from livesim.evaluation.table import Table

NOTHING = Interval(math.nan, math.nan, math.nan)
"""Where nothing could be measured."""


class Verdict(StrEnum):
    """What a check says."""

    HOLDS = "holds"
    FAILS = "FAILS"
    NOT_MODELLED = "not modelled"  # the facts name an effect that the simulator has no input for
    NO_TARGET = "no target"  # measured, but nobody published a figure


@dataclass(frozen=True, slots=True)
class Check:
    """One claim about the simulator.

    Attributes:
        name: what is claimed.
        verdict: whether it holds.
        value: what was measured, with its 95 % interval.
        low: lower end of what is allowed; ``-inf``: open.
        high: upper end; ``inf``: open.
        source: of what is wanted: the section of docs/domain.md, with its tag where rows differ, or who says so.
        note: what a reader must know beside it.
        percent: the value is a share and is shown in per cent.
    """

    name: str
    verdict: Verdict
    value: Interval = NOTHING
    low: float = -math.inf
    high: float = math.inf
    source: str = ""
    note: str = ""
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Curve:
    """An outcome along a lever, or by name: one interval for each place on the x axis, ``words`` under them."""

    name: str
    x: tuple[float, ...]
    values: tuple[Interval, ...]
    x_label: str
    y_label: str
    log: bool = False
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the battery.

    Attributes:
        name: short, also of its picture.
        title: one clause with the design of the measurement.
        checks: in the order of the table.
        curves: drawn beside the checks.
        in_bands: the picture shows each value by its place between the ends of its band.
    """

    name: str
    title: str
    checks: tuple[Check, ...]
    curves: tuple[Curve, ...] = ()
    in_bands: bool = False

    @property
    def failing(self) -> tuple[str, ...]:
        """``part: check`` of everything that does not hold."""
        return tuple(f"{self.name}: {check.name}" for check in self.checks if check.verdict is Verdict.FAILS)

    @property
    def table(self) -> Table:
        """The checks as a grid."""
        columns = ("check", "verdict", "measured", "wanted", "source", "note")
        rows = tuple(
            (c.name, str(c.verdict), shown(c.value, c.percent), _wanted(c), c.source or "-", c.note)
            for c in self.checks
        )
        return Table(f"{self.name}: {self.title}", columns, rows, names=len(columns))


def shown(value: Interval, percent: bool = False) -> str:
    """``"0.113 [0.086, 0.142]"``, or ``"+11.3 % [+8.6, +14.2]"``; ``"-"`` when nothing was measured."""
    if math.isnan(value.mean):
        return "-"
    ends = "" if math.isnan(value.low) else f" [{_short(value.low, percent)}, {_short(value.high, percent)}]"
    return f"{_short(value.mean, percent)}{' %' if percent else ''}{ends}"


def _wanted(check: Check) -> str:
    low, high, percent = check.low, check.high, check.percent
    if math.isnan(low) or (math.isinf(low) and math.isinf(high)):
        return "-"
    if math.isinf(high):
        return f"above {_short(low, percent)}" if low else "up"
    if math.isinf(low):
        return f"below {_short(high, percent)}" if high else "down"
    return _short(low, percent) if low == high else f"{_short(low, percent)} to {_short(high, percent)}"


def _short(value: float, percent: bool) -> str:
    if percent:
        return f"{100 * value:+.1f}"
    return f"{value:.3f}" if abs(value) < 1 else f"{value:.1f}"
