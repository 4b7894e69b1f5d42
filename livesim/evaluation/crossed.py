"""Means over cases that share tasks and harness variants: two-way clustered variance, Student's t interval."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeAlias

from livesim.evaluation.intervals import Z95, Interval, grouped, wilson

Bounds: TypeAlias = tuple[float, float]
"""The lowest and the highest value that a case can have."""

NOTHING = 1e-9
"""An interval that is narrower than this part of what there can be comes from rounding, not from cases."""


class Place(NamedTuple):
    """What a case shares with others.

    Attributes:
        task: cases of one task have the same stream and viewers, under whatever harness.
        variant: cases of one variant meet the same changed harness; None: the original one, which nobody drew.
        kind: what was changed; each kind has a fixed share of the cases, so what differs between kinds is no noise.
    """

    task: int
    variant: str | None
    kind: str


class Estimate(NamedTuple):
    """A mean, the variance of that mean (NaN: unknown), and the degrees of freedom of this variance."""

    mean: float
    variance: float
    freedom: float

    def with_source(self, variance: float, freedom: float) -> Estimate:
        """The same mean with a second, independent source of variance; freedom by Satterthwaite (1946)."""
        whole = self.variance + variance
        parts = self.variance**2 / max(1.0, self.freedom) + variance**2 / freedom
        return Estimate(self.mean, whole, whole**2 / parts if parts else min(self.freedom, freedom))

    def interval(self, bounds: Bounds, independent: int) -> Interval:
        """Student's t interval, 95 %, cut off at the bounds.

        Where nothing varied, no variance tells how much others would differ: then as large a share of them may as is
        compatible with none among the ``independent`` cases (Wilson), each by as much as the bounds allow.

        Args:
            bounds: the lowest and the highest value that there can be.
            independent: cases that share nothing, at least 1.
        """
        low, high = bounds
        if math.isnan(self.variance):
            return Interval(self.mean, math.nan, math.nan)
        half = t95(self.freedom) * math.sqrt(self.variance)
        if half < NOTHING * (high - low):
            share = wilson(0, independent).high
            return Interval(self.mean, self.mean - (self.mean - low) * share, self.mean + (high - self.mean) * share)
        return Interval(self.mean, max(self.mean - half, low), min(self.mean + half, high))


def estimate(values: Sequence[float], places: Sequence[Place]) -> Estimate:
    """Mean of the cases; its variance is that over tasks, plus that over variants, minus that over single cases.

    So two cases of one task, or of one variant, need not be independent. What one kind of change has on average over
    another is left out of the variance where each kind has two variants or more. One task or one variant alone says
    nothing about others: then the variance is unknown.

    Args:
        values: one a case, any unit.
        places: of the cases, in the same order.

    Raises:
        ValueError: no values, or not as many as places.

    Source: Cameron, Gelbach and Miller (2011), "Robust inference with multiway clustering"; each way has its factor
    n / (n - 1), and the sum is at least the larger of the two ways, as it can come out too small.
    """
    if not values or len(values) != len(places):
        raise ValueError(f"{len(values)} values but {len(places)} places")
    middle = statistics.fmean(values)
    tasks = [place.task for place in places]
    variants = _variants(places)
    if min(len({*tasks}), len({*variants})) < 2:
        return Estimate(middle, math.nan, 0)
    kinds = [place.kind for place in places]
    if min(Counter(dict(zip(variants, kinds, strict=True)).values()).values()) < 2:
        kinds = [""] * len(places)  # a lone variant does not tell how much those of its kind differ
    centres = {
        kind: statistics.fmean(group) for kind, group in zip(dict.fromkeys(kinds), grouped(values, kinds), strict=True)
    }
    rests = [value - centres[kind] for value, kind in zip(values, kinds, strict=True)]
    over_tasks = _squares(rests, tasks, [""] * len(rests))
    over_variants = _squares(rests, variants, kinds)
    over_cases = _squares(rests, range(len(rests)), kinds)
    total = max(over_tasks + over_variants - over_cases, over_tasks, over_variants)
    freedom = min(len({*tasks}) - 1, len({*variants}) - len(centres))
    return Estimate(middle, total / len(values) ** 2, freedom)


def mean(values: Sequence[float], places: Sequence[Place], bounds: Bounds) -> Interval:
    """Mean with its 95 % interval.

    Args:
        values: one a case, within ``bounds``.
        places: of the cases, in the same order.
        bounds: the lowest and the highest value that there can be.

    Raises:
        ValueError: see ``estimate``.
    """
    return estimate(values, places).interval(bounds, _independent(places))


def mean_over_seeds(rows: Sequence[Sequence[float]], places: Sequence[Place], bounds: Bounds) -> Interval:
    """Mean over the cases and over the seeds of training, with an interval over both.

    With one seed the interval is over the cases alone, and says nothing about the luck of a training.

    Args:
        rows: for each case its values, one a seed, in the same order of seeds.
        places: of the cases.
        bounds: the lowest and the highest value that there can be.

    Raises:
        ValueError: see ``estimate``.
    """
    return _over_seeds(rows, places).interval(bounds, _independent(places))


def share(hits: Sequence[bool], places: Sequence[Place]) -> Interval:
    """Share of hits with Wilson's interval for as many cases as would tell as much if they shared nothing.

    Raises:
        ValueError: see ``estimate``.
    """
    return share_over_seeds([(hit,) for hit in hits], places)


def share_over_seeds(rows: Sequence[Sequence[bool]], places: Sequence[Place]) -> Interval:
    """As ``share``, over the cases and over the seeds of training; arguments and errors as in ``mean_over_seeds``."""
    found = _over_seeds(rows, places)
    if math.isnan(found.variance):
        return Interval(found.mean, math.nan, math.nan)
    spread = found.mean * (1 - found.mean)
    if spread == 0:  # nothing tells how alike cases that share something are: then as alike as can be
        size = float(_independent(places))
    else:
        most = sum(map(len, rows))
        size = min(most, 1 + spread / found.variance) if found.variance > 0 else most
    return wilson(found.mean * size, size)


def _over_seeds(rows: Sequence[Sequence[float]], places: Sequence[Place]) -> Estimate:
    """The mean over cases and seeds; with several seeds their spread is a second source of variance."""
    found = estimate([statistics.fmean(row) for row in rows], places)
    seeds = [statistics.fmean(column) for column in zip(*rows, strict=True)]
    if len(seeds) > 1:
        found = found.with_source(statistics.variance(seeds) / len(seeds), len(seeds) - 1)
    return found


_T95 = (12.706, 4.303, 3.182, 2.776, 2.571)
"""97.5 % points of Student's t with 1 to 5 degrees of freedom."""


def t95(freedom: float) -> float:
    """97.5 % point of Student's t, within 0.002; part of a degree of freedom counts as none.

    Args:
        freedom: degrees of freedom, at least 1; fewer count as 1.

    Source: Abramowitz and Stegun, 26.7.5, three terms.
    """
    n, z = max(1, int(freedom)), Z95
    if n <= len(_T95):
        return _T95[n - 1]
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / n + second / n**2 + third / n**3


def _variants(places: Sequence[Place]) -> list[Hashable]:
    """The variant of every case; under the original harness each case has its own, so that nothing is shared."""
    return [number if place.variant is None else place.variant for number, place in enumerate(places)]


def _independent(places: Sequence[Place]) -> int:
    """As many cases as share nothing for certain: the tasks, or the variants if there are fewer."""
    return min(len({place.task for place in places}), len({*_variants(places)}))


def _squares(rests: Sequence[float], clusters: Sequence[Hashable], kinds: Sequence[Hashable]) -> float:
    """Sum of the squared totals of the clusters, which lie within kinds, each kind with its n / (n - 1)."""
    totals: dict[tuple[Hashable, Hashable], float] = {}
    for rest, cluster, kind in zip(rests, clusters, kinds, strict=True):
        totals[kind, cluster] = totals.get((kind, cluster), 0.0) + rest
    sizes = Counter(kind for kind, _ in totals)
    return sum(total**2 * sizes[kind] / (sizes[kind] - 1) for (kind, _), total in totals.items())
