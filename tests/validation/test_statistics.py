"""Statistics of rooms against values worked out by hand."""

from __future__ import annotations

import math

import pytest

from livesim.validation.statistics import Ratio, change, level, linearised_test, randomisation_test


def test_level_is_the_sum_of_tops_over_the_sum_of_bottoms() -> None:
    found = level([Ratio(1, 10), Ratio(5, 20)])
    assert found.mean == pytest.approx(0.2)
    assert (found.low, found.high) == (pytest.approx(0.1), pytest.approx(0.25))


def test_change_of_proportional_pairs_is_exact() -> None:
    control = [Ratio(2, 10), Ratio(4, 10), Ratio(9, 10)]
    treated = [Ratio(3, 10), Ratio(6, 10), Ratio(13.5, 10)]
    assert change(control, treated) == pytest.approx((0.5, 0.5, 0.5))


def test_arms_of_different_rooms_are_refused() -> None:
    with pytest.raises(ValueError, match="2 rooms cannot be paired with 1"):
        change([Ratio(1, 1), Ratio(1, 1)], [Ratio(1, 1)])


def test_one_room_has_no_interval() -> None:
    found = change([Ratio(1, 1)], [Ratio(2, 1)])
    assert found.mean == 1.0
    assert math.isnan(found.low)


def test_linearised_test_agrees_with_the_delta_method_by_hand() -> None:
    # ratios 0.2 and 0.3, e = (-1, 1) and (-2, 2): Var(R) = 2 / (2 * 100) and 8 / (2 * 100), so z = 0.1 / sqrt(0.05)
    p = linearised_test([Ratio(1, 10), Ratio(3, 10)], [Ratio(1, 10), Ratio(5, 10)])
    assert p == pytest.approx(math.erfc(0.1 / math.sqrt(0.05) / math.sqrt(2)))


def test_equal_rooms_are_never_told_apart() -> None:
    same = [Ratio(1, 10)] * 4
    assert linearised_test(same, same) == 1.0
    assert randomisation_test(same, same) == 1.0


def test_randomisation_of_three_and_three_finds_the_one_split_in_ten() -> None:
    low, high = [Ratio(n, 1) for n in (1, 2, 3)], [Ratio(n, 1) for n in (11, 12, 13)]
    assert randomisation_test(low, high, draws=4000) == pytest.approx(0.1, abs=0.02)  # 2 of the 20 splits
