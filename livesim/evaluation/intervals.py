"""Intervals: Wilson for proportions, cluster bootstrap for means; those of suites are in ``crossed``."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from livesim.seeding import stream

Z95 = 1.959963984540054  # 97.5 % point of the normal distribution


class Interval(NamedTuple):
    """A point estimate with the ends of its 95 % interval, in the unit of the values."""

    mean: float
    low: float
    high: float

    def scaled(self, factor: float) -> Interval:
        """The same interval in another unit; ``factor`` is positive."""
        return Interval(self.mean * factor, self.low * factor, self.high * factor)


def wilson(successes: float, trials: float, z: float = Z95) -> Interval:
    """Wilson's score interval of a proportion.

    Args:
        successes: in [0, trials]; need not be whole, so that an effective sample size can be used.
        trials: above 0.
        z: normal quantile; 1.96 gives 95 %.

    Raises:
        ValueError: when the arguments are no proportion.

    Source: Wilson (1927), "Probable inference, the law of succession, and statistical inference".
    """
    if trials <= 0 or not 0 <= successes <= trials:
        raise ValueError(f"{successes!r} of {trials!r} is no proportion")
    share = successes / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return Interval(share, max(0.0, centre - half), min(1.0, centre + half))


def proportion(hits: Sequence[bool]) -> Interval:
    """Share of independent hits with Wilson's interval. Raises ValueError when ``hits`` is empty."""
    return wilson(sum(hits), len(hits))


def bootstrap_mean(
    values: Sequence[float], clusters: Sequence[Hashable] | None = None, *, draws: int = 2000, seed: int = 0
) -> Interval:
    """Mean with a percentile bootstrap interval that draws whole clusters.

    Args:
        values: any unit.
        clusters: what each value shares with others; None: every value by itself.
        draws: bootstrap samples.
        seed: of the draws; the interval is a function of the arguments alone.

    Raises:
        ValueError: when ``values`` is empty.
    """
    if not values:
        raise ValueError("no values to take a mean of")
    groups = grouped(values, clusters if clusters is not None else range(len(values)))
    sums = np.array([sum(g) for g in groups], dtype=np.float64)
    sizes = np.array([len(g) for g in groups], dtype=np.float64)
    mean = float(sums.sum() / sizes.sum())
    if len(groups) == 1:
        return Interval(mean, math.nan, math.nan)  # one cluster says nothing about the others
    drawn = stream(seed, "bootstrap").integers(0, len(groups), size=(draws, len(groups)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return Interval(mean, float(low), float(high))


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which ``share`` (in [0, 1]) of the values lie, linear between neighbours; NaN when none."""
    return float(np.percentile(values, 100 * share)) if values else math.nan


def pass_hat(successes: int, trials: int, k: int) -> float:
    """Unbiased estimate of the chance that ``k`` fresh trials of a task all succeed.

    Args:
        successes: of ``trials`` trials that were run.
        trials: at least ``k``.
        k: at least 1.

    Raises:
        ValueError: when ``k`` trials cannot be drawn from ``trials``.

    Source: pass^k of tau-bench (Yao et al. 2024): C(c, k) / C(n, k).
    """
    if not 1 <= k <= trials:
        raise ValueError(f"pass^{k} needs at least {k} trials of a task and k >= 1, got {trials}")
    return math.comb(successes, k) / math.comb(trials, k)


def mcnemar(first_only: int, second_only: int) -> float:
    """Two-sided p-value of the exact McNemar test.

    Args:
        first_only: pairs in which the first arm alone succeeded.
        second_only: pairs in which the second arm alone did.

    Source: McNemar (1947); exact form: a sign test on the pairs that differ.
    """
    pairs = first_only + second_only
    tail = sum(math.comb(pairs, k) for k in range(min(first_only, second_only) + 1))
    return min(1.0, 2 * tail / (1 << pairs))


def grouped(values: Sequence[float], clusters: Sequence[Hashable]) -> list[list[float]]:
    """The values of each cluster, clusters in order of first appearance. Raises ValueError for unequal lengths."""
    if len(values) != len(clusters):
        raise ValueError(f"{len(values)} values but {len(clusters)} cluster labels")
    groups: dict[Hashable, list[float]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        groups.setdefault(cluster, []).append(value)
    return list(groups.values())
