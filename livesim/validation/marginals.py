"""Part "marginals": what viewers do on their own against the targets; the calibration report as checks."""

from __future__ import annotations

from livesim.evaluation.calibration import Calibration, calibrate
from livesim.evaluation.calibration import Verdict as Fit
from livesim.validation.budget import Budget, Tick, no_tick
from livesim.validation.checks import Check, Part, Verdict
from livesim.validation.levers import ROOM

_VERDICTS = {Fit.WITHIN: Verdict.HOLDS, Fit.OPEN: Verdict.HOLDS, Fit.OUTSIDE: Verdict.FAILS}


def measure(budget: Budget, tick: Tick = no_tick) -> Part:
    """The calibration report of ``livesim.evaluation.calibration``, one check a marginal."""
    report = calibrate(None, range(budget.streams), config=ROOM)
    tick(1.0)
    return as_part(report)


def as_part(report: Calibration) -> Part:
    """A calibration report as checks: what has no target is shown, and fails nothing."""
    checks = tuple(
        Check(
            row.name,
            _VERDICTS.get(row.verdict, Verdict.NO_TARGET),
            row.measured,
            row.target.low,
            row.target.high,
            source=f"domain 1-3 [{row.target.tag}]" if row.target.tag else "",
        )
        for row in report.rows
    )
    title = f"{len(report.seeds)} streams of {report.horizon_s:.0f} s, {report.viewers} viewers, nobody answers"
    return Part("marginals", title, checks, in_bands=True)
