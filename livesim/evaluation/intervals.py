"""Intervals: Wilson for proportions, bootstrap for means of clusters and ratios; those of suites are in ``crossed``."""

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


def wilson(successes: float, trials: float) -> Interval:
    """Wilson's score interval of a proportion, 95 %.

    Args:
        successes: in [0, trials]; need not be whole, so that an effective sample size can be used.
        trials: above 0.

    Raises:
        ValueError: when the arguments are no proportion.

    Source: Wilson (1927), "Probable inference, the law of succession, and statistical inference".
    """
    if trials <= 0 or not 0 <= successes <= trials:
        raise ValueError(f"{successes!r} of {trials!r} is no proportion")
    share, z = successes / trials, Z95
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return Interval(share, max(0.0, centre - half), min(1.0, centre + half))


def bootstrap_mean(
    values: Sequence[float], clusters: Sequence[Hashable] | None = None, *, draws: int = 2000
) -> Interval:
    """Mean with a percentile bootstrap interval that draws whole clusters.

    Args:
        values: any unit.
        clusters: what each value shares with others; None: every value by itself.
        draws: bootstrap samples; the interval is a function of the arguments alone.

    Raises:
        ValueError: when ``values`` is empty.
    """
    if not values:
        raise ValueError("no values to take a mean of")
    groups = grouped(values, clusters if clusters is not None else range(len(values)))
    return bootstrap_ratio([sum(g) for g in groups], [len(g) for g in groups], stream(0, "bootstrap"), draws=draws)


def bootstrap_ratio(
    tops: Sequence[float], bottoms: Sequence[float], rng: np.random.Generator, *, draws: int = 2000
) -> Interval:
    """The sum of ``tops`` over the sum of ``bottoms``, with a percentile bootstrap interval that draws pairs.

    The mean of the single ratios would weigh small bottoms too much, and could not take one of 0.

    Args:
        tops: any unit.
        bottoms: in the same order, each at least 0.
        rng: of the draws.
        draws: bootstrap samples. Those whose bottoms are all 0 have no ratio and are left out.

    Returns:
        NaN throughout when all bottoms are 0; no ends when there is a single pair, which says nothing of others, or
        when more than one draw in forty has no ratio: so few pairs carry the whole that its spread is unknown.

    Raises:
        ValueError: not as many tops as bottoms.
    """
    if len(tops) != len(bottoms):
        raise ValueError(f"{len(tops)} tops but {len(bottoms)} bottoms")
    over, under = np.asarray(tops, dtype=np.float64), np.asarray(bottoms, dtype=np.float64)
    if under.sum() <= 0:
        return Interval(math.nan, math.nan, math.nan)
    ratio = float(over.sum() / under.sum())
    if len(over) == 1:
        return Interval(ratio, math.nan, math.nan)
    drawn = rng.integers(0, len(over), size=(draws, len(over)))
    below = under[drawn].sum(axis=1)
    known = below > 0
    if known.mean() < 1 - 1 / 40:
        return Interval(ratio, math.nan, math.nan)
    low, high = np.percentile(over[drawn].sum(axis=1)[known] / below[known], (2.5, 97.5))
    return Interval(ratio, float(low), float(high))


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
