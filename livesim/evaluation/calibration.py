"""Measured against target: how far the marginals of a viewer simulator lie from what is known of real rooms."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from livesim.errors import ConfigError
from livesim.evaluation.intervals import Interval
from livesim.evaluation.marginals import Marginals, observe
from livesim.evaluation.table import Table
from livesim.types import Intent
from livesim.world.audience import ViewerSource
from livesim.world.viewers import BURST_SHARES, SHARES, ViewerConfig


class Verdict(StrEnum):
    """How a measured value lies to its target."""

    WITHIN = "within"  # the whole interval lies in the band
    OPEN = "open"  # the interval holds both: more seeds are needed to tell; or there is none, from a single seed
    OUTSIDE = "outside"  # the whole interval lies outside of the band
    UNKNOWN = "no target"  # nobody published one
    SILENT = "no data"  # the simulator shows nothing of it, e.g. a replay no stays


@dataclass(frozen=True, slots=True)
class Target:
    """What is known of real rooms.

    Attributes:
        value: the figure; NaN when none is known.
        low: end of the band that counts as met.
        high: likewise.
        tag: how sure it is: ``P`` primary, ``S`` secondary, ``W`` vendor, ``A`` assumption, ``D`` computed.
    """

    value: float
    low: float
    high: float
    tag: str


def _share(value: float, slack: float = 0.02, tag: str = "A") -> Target:
    return Target(value, max(0.0, value - slack), min(1.0, value + slack), tag)


def _intents(shares: Mapping[Intent, float]) -> dict[str, Target]:
    return {f"share of {intent}": _share(share) for intent, share in shares.items()}


_UNKNOWN = Target(math.nan, math.nan, math.nan, "")

TARGETS: Mapping[str, Target] = {
    **_intents(SHARES),
    "two wants in a comment": _share(0.08, 0.03),
    "questions that name no item": _share(0.35, 0.05),
    "questions about another item": _share(0.25, 0.05),
    "duplicates": _UNKNOWN,
    "viewers present": Target(20.0, 5.0, 100.0, "W"),
    "comments a minute": _UNKNOWN,
    "comments a minute per 30 viewers": Target(2.0, 0.5, 5.0, "A"),
    "viewers who comment": Target(0.02, 0.005, 0.03, "A"),
    "rush factor": Target(5.0, 4.0, 8.0, "A"),
    "median stay": Target(22.0, 19.0, 25.0, "A"),
    "mean stay": Target(60.0, 50.0, 70.0, "A"),
    "stays over 60 s": _share(0.24, 0.03, "D"),
    "stays over 5 min": _share(0.03, 0.01, "D"),
    "viewers who click": _share(0.12, 0.02),
    "cart after click": _share(0.25, 0.05),
    "order after click": _share(0.15, 0.04),
    "payment after order": _share(0.92, 0.05),
}
"""Targets of an ordinary room, in the order of the report. *Source:* docs/domain.md sections 1 to 3.

Bands are ours: two percentage points for shares of intents, the published range where there is one, about a sixth of
the value elsewhere.
"""

RUSH_TARGETS: Mapping[str, Target] = {**TARGETS, **_intents(BURST_SHARES)}
"""The same for the minutes of a flash sale; only the shares of intents are known to differ."""


@dataclass(frozen=True, slots=True)
class Row:
    """One marginal: what was measured (95 % interval over seeds), what was aimed at, and from how many samples."""

    name: str
    measured: Interval
    target: Target
    samples: int

    @property
    def verdict(self) -> Verdict:
        """Where the interval of the measured value lies to the target's band."""
        if math.isnan(self.measured.mean):
            return Verdict.SILENT
        if math.isnan(self.target.value):
            return Verdict.UNKNOWN
        low, high = self.measured.low, self.measured.high
        if self.target.low <= low and high <= self.target.high:
            return Verdict.WITHIN
        return Verdict.OUTSIDE if high < self.target.low or low > self.target.high else Verdict.OPEN


@dataclass(frozen=True, slots=True)
class Calibration:
    """The report on one viewer simulator."""

    viewers: str
    seeds: tuple[int, ...]
    horizon_s: float
    rows: tuple[Row, ...]

    def row(self, name: str) -> Row:
        """The row of a marginal. Raises KeyError when there is none."""
        for row in self.rows:
            if row.name == name:
                return row
        raise KeyError(name)

    @property
    def outside(self) -> tuple[str, ...]:
        """Marginals that miss their target for certain."""
        return tuple(row.name for row in self.rows if row.verdict is Verdict.OUTSIDE)

    @property
    def table(self) -> Table:
        """The report as a grid."""
        return Table(
            f"{self.viewers}: {len(self.seeds)} streams of {self.horizon_s:.0f} s without a host",
            ("marginal", "verdict", "measured", "target", "band", "source", "samples"),
            tuple(_cells(row) for row in self.rows),
            names=2,
        )


def calibrate(
    viewers: ViewerSource,
    seeds: Sequence[int],
    *,
    config: ViewerConfig | None = None,
    horizon_s: float = 1800.0,
    targets: Mapping[str, Target] = TARGETS,
) -> Calibration:
    """The marginals of a viewer simulator against their targets.

    Each seed is a stream of its own room of eight items in which nobody answers, and a second one with an announced
    flash sale; the interval of each row comes from a bootstrap over seeds. There is one row a target, each with a 95 %
    interval of its own: of many rows that are right, one may be outside by chance.

    Args:
        viewers: as in ``gym.make(..., viewers=...)``; an instance is reset for each seed.
        seeds: at least one; twenty give useful intervals.
        config: numbers of parametric viewers; None: the defaults.
        horizon_s: seconds of each stream, more than 690 for the rush to be measured.
        targets: what to aim at.

    Raises:
        ConfigError: no seeds, or no time.
        ViewerError: the viewers cannot be made, or failed.
    """
    if not seeds or not horizon_s > 0:
        raise ConfigError(f"a calibration needs seeds and time, got {len(seeds)} seeds and {horizon_s!r} s")
    found = Marginals()
    for seed in seeds:
        observe(viewers, config or ViewerConfig(), seed, horizon_s, found)
    rows = []
    for marginal, target in targets.items():
        measured, samples = found.measured(marginal)
        rows.append(Row(marginal, measured, target, samples))
    return Calibration(_name(viewers), tuple(seeds), horizon_s, tuple(rows))


def _name(viewers: ViewerSource) -> str:
    if viewers is None:
        return "parametric"
    return str(viewers) if isinstance(viewers, str) else getattr(viewers, "__name__", type(viewers).__name__)


def _cells(row: Row) -> tuple[str, ...]:
    measured, target = row.measured, row.target
    shown = "-"
    if not math.isnan(measured.mean):
        shown = _short(measured.mean)
        if not math.isnan(measured.low):
            shown += f" [{_short(measured.low)}, {_short(measured.high)}]"
    known = not math.isnan(target.value)
    aim, band = (_short(target.value), f"{_short(target.low)} to {_short(target.high)}") if known else ("-", "-")
    return row.name, str(row.verdict), shown, aim, band, target.tag or "-", str(row.samples)


def _short(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 1 else f"{value:.1f}"
