"""``Agreement``: how often two judges give one head the same value, beyond chance too."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

DIGITS = 6
"""Decimals in which two values must agree to be the same."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two judges on one head.

    Attributes:
        pairs: how many were judged by both.
        agree: how many of them got the same value.
        kappa: Cohen's kappa (Cohen 1960) over the values as unordered classes; NaN when chance alone explains all,
            that is when both judges gave one and the same value throughout, or when there are no pairs.
        confusion: (first value, second value) -> count, sorted.
    """

    pairs: int
    agree: int
    kappa: float
    confusion: Mapping[tuple[float, float], int]

    @property
    def percent(self) -> float:
        """Share of equal values, in percent; NaN without pairs."""
        return 100 * self.agree / self.pairs if self.pairs else math.nan


def agreement(pairs: Iterable[tuple[float, float]]) -> Agreement:
    """Compare values pair by pair.

    Args:
        pairs: (value of the first judge, value of the second).
    """
    counts = Counter((round(first, DIGITS), round(second, DIGITS)) for first, second in pairs)
    total = sum(counts.values())
    agree = sum(count for (first, second), count in counts.items() if first == second)
    rows: Counter[float] = Counter()
    columns: Counter[float] = Counter()
    for (first, second), count in counts.items():
        rows[first] += count
        columns[second] += count
    kappa = math.nan
    if total:
        chance = sum(rows[value] * columns[value] for value in rows) / total**2
        kappa = (agree / total - chance) / (1 - chance) if chance < 1 else math.nan
    return Agreement(total, agree, kappa, dict(sorted(counts.items())))


def same(first: float, second: float) -> bool:
    """Whether two values count as agreement."""
    return round(first, DIGITS) == round(second, DIGITS)
