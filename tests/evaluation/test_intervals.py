"""Intervals against values worked out by hand or printed in textbooks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from livesim.evaluation.intervals import (
    Interval,
    bootstrap_mean,
    bootstrap_ratio,
    pass_hat,
    percentile,
    wilson,
)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # centre (k + z^2/2) / (n + z^2), z^2 = 3.8414588: worked out to four digits
        (81, 263, 0.2553, 0.3662),  # Newcombe (1998), table I
        (15, 148, 0.0624, 0.1605),  # same table
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_wilson_gives_the_published_limits(successes: int, trials: int, low: float, high: float) -> None:
    found = wilson(successes, trials)
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


def test_wilson_of_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="no proportion"):
        wilson(0, 0)
    with pytest.raises(ValueError, match="no proportion"):
        wilson(3, 2)


def test_bootstrap_of_clusters_is_as_wide_as_the_clusters_are_few() -> None:
    # Two clusters of one value each: a draw of two is (a,a) 1/4, mixed 1/2, (b,b) 1/4: the interval is the whole range.
    found = bootstrap_mean([0.0] * 50 + [1.0] * 50, ["a"] * 50 + ["b"] * 50)
    assert found == Interval(0.5, 0.0, 1.0)
    alone = bootstrap_mean([0.0] * 50 + [1.0] * 50)
    # standard error of the mean of 100 coin flips is .05: 95 % are within .098
    assert alone.mean == 0.5
    assert alone.high - alone.low == pytest.approx(2 * 1.96 * 0.05, abs=0.03)


def test_bootstrap_weighs_clusters_by_their_size() -> None:
    assert bootstrap_mean([1.0, 1.0, 1.0, 0.0], ["a", "a", "a", "b"]).mean == 0.75


def test_bootstrap_is_a_function_of_its_arguments() -> None:
    values = [float(i % 7) for i in range(40)]
    assert bootstrap_mean(values) == bootstrap_mean(values)
    assert bootstrap_mean(values) != bootstrap_mean(values, draws=1000)


def test_one_cluster_has_a_mean_but_no_interval() -> None:
    found = bootstrap_mean([0.0, 1.0], ["a", "a"])
    assert found.mean == 0.5
    assert math.isnan(found.low)
    assert math.isnan(found.high)


def test_a_ratio_of_sums_is_no_mean_of_ratios() -> None:
    found = bootstrap_ratio([4.0, 0.0, 2.0, 6.0], [1.0, 1.0, 0.0, 4.0], np.random.default_rng(0))
    assert found.mean == 2.0  # 12 of 6, where 4, 0 and 1.5 would mean 1.83 and the third pair has no ratio
    assert found.low < 2.0 < found.high
    same = bootstrap_ratio([2.0, 4.0, 6.0] * 20, [1.0, 2.0, 3.0] * 20, np.random.default_rng(0))
    assert same == Interval(2.0, 2.0, 2.0)


def test_a_ratio_that_hangs_on_few_pairs_has_no_ends() -> None:
    alone = bootstrap_ratio([1.0], [2.0], np.random.default_rng(0))
    assert (alone.mean, math.isnan(alone.low), math.isnan(alone.high)) == (0.5, True, True)
    # a third of the draws do not hold the one pair that counts: (1 - 1/40)^40 = 0.36
    hanging = bootstrap_ratio([1.0, *[0.0] * 39], [2.0, *[0.0] * 39], np.random.default_rng(0))
    assert (hanging.mean, math.isnan(hanging.low)) == (0.5, True)
    assert math.isnan(bootstrap_ratio([1.0, 2.0], [0.0, 0.0], np.random.default_rng(0)).mean)
    assert math.isnan(bootstrap_ratio([], [], np.random.default_rng(0)).mean)
    with pytest.raises(ValueError, match="2 tops but 1 bottoms"):
        bootstrap_ratio([1.0, 2.0], [1.0], np.random.default_rng(0))


def test_bootstrap_refuses_nothing_and_unequal_lengths() -> None:
    with pytest.raises(ValueError, match="no values"):
        bootstrap_mean([])
    with pytest.raises(ValueError, match="2 values but 1 cluster"):
        bootstrap_mean([1.0, 2.0], ["a"])


def test_pass_hat_by_hand() -> None:
    assert pass_hat(3, 4, 1) == 0.75
    assert pass_hat(3, 4, 2) == pytest.approx(3 / 6)  # C(3,2) / C(4,2)
    assert pass_hat(3, 4, 4) == 0.0
    assert pass_hat(4, 4, 4) == 1.0
    with pytest.raises(ValueError, match="at least 5 trials"):
        pass_hat(4, 4, 5)


def test_percentile_is_linear_between_neighbours() -> None:
    assert percentile([1.0, 2.0, 3.0, 4.0], 0.5) == 2.5
    assert percentile([1.0, 2.0, 3.0, 4.0, 5.0], 0.95) == pytest.approx(4.8)
    assert math.isnan(percentile([], 0.5))
