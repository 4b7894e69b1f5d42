"""Statistics of rooms: relative change of paired rooms, two tests for whole rooms."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from livesim.evaluation.intervals import Interval
from livesim.seeding import stream

DRAWS = 2000
"""Bootstrap samples."""


class Ratio(NamedTuple):
    """What one room adds to a ratio metric, e.g. orders and viewers."""

    top: float
    bottom: float


Rooms: TypeAlias = Sequence[Ratio]


def level(rooms: Rooms) -> Interval:
    """Sum of the tops over the sum of the bottoms, with a percentile bootstrap over rooms."""
    sums = np.array(rooms, dtype=np.float64)
    return _bootstrap(lambda drawn: _ratio(sums[drawn]), len(rooms))


def change(control: Rooms, treated: Rooms) -> Interval:
    """Relative change of a ratio metric, 0.1 for +10 %, with a percentile bootstrap over pairs.

    Args:
        control: one entry a room.
        treated: the same rooms under the other arm, in the same order.

    Raises:
        ValueError: the arms have not the same rooms.
    """
    if len(control) != len(treated) or not control:
        raise ValueError(f"{len(control)} rooms cannot be paired with {len(treated)}")
    old, new = np.array(control, dtype=np.float64), np.array(treated, dtype=np.float64)
    return _bootstrap(lambda drawn: _ratio(new[drawn]) / _ratio(old[drawn]) - 1.0, len(control))


def linearised_test(first: Rooms, second: Rooms) -> float:
    """Two-sided p-value that two sets of rooms have one ratio metric: delta method, normal approximation.

    *Source:* docs/domain.md section 7: ``e_i = Y_i - R N_i``, ``Var(R) = Var(e) / (n mean(N)^2)``.
    """
    means, variances = [], []
    for rooms in (first, second):
        sums = np.array(rooms, dtype=np.float64)
        ratio = float(_ratio(sums))
        rest = sums[:, 0] - ratio * sums[:, 1]
        means.append(ratio)
        variances.append(float(rest.var(ddof=1)) / (len(rooms) * float(sums[:, 1].mean()) ** 2))
    spread = math.sqrt(sum(variances))
    if spread == 0:
        return 1.0 if means[0] == means[1] else 0.0
    return math.erfc(abs(means[0] - means[1]) / spread / math.sqrt(2.0))


def randomisation_test(first: Rooms, second: Rooms, *, seed: int = 0, draws: int = 999) -> float:
    """Two-sided p-value of the same question by shuffling which room had which arm; exact for few rooms."""
    sums = np.array([*first, *second], dtype=np.float64)
    rng = stream(seed, "randomisation")
    drawn = rng.permuted(np.tile(np.arange(len(sums)), (draws, 1)), axis=1)
    cut = len(first)
    gaps = np.abs(_ratio(sums[drawn[:, :cut]]) - _ratio(sums[drawn[:, cut:]]))
    seen = abs(float(_ratio(sums[:cut])) - float(_ratio(sums[cut:])))
    return (1 + int((gaps >= seen - 1e-12).sum())) / (draws + 1)


def _ratio(sums: np.ndarray) -> np.ndarray:
    """Over the last but one axis: rooms; the last one is top and bottom. NaN where the bottom is 0."""
    total = sums.sum(axis=-2)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(total[..., 0] / total[..., 1])


def _bootstrap(statistic: Callable[[np.ndarray], np.ndarray], rooms: int) -> Interval:
    value = float(statistic(np.arange(rooms)))
    if rooms < 2:
        return Interval(value, math.nan, math.nan)
    drawn = statistic(stream(0, "rooms").integers(0, rooms, size=(DRAWS, rooms)))
    low, high = np.nanpercentile(drawn[np.isfinite(drawn)], (2.5, 97.5)) if np.isfinite(drawn).any() else (np.nan,) * 2
    return Interval(value, float(low), float(high))
