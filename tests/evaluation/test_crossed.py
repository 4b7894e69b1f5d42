"""Two-way clustered means: by hand, in limiting cases, and how often the interval holds the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest

from livesim.evaluation import crossed
from livesim.evaluation.crossed import Estimate, Place, estimate, mean_over_seeds, share, share_over_seeds, t95
from livesim.evaluation.intervals import Interval, bootstrap_mean, wilson
from livesim.seeding import stream

KINDS = ("a", "b", "c", "d", "e", "f")


def alone(count: int) -> list[Place]:
    """Tasks under the original harness."""
    return [Place(task, None, "original") for task in range(count)]


def crossing(tasks: int, kinds: tuple[str, ...] = KINDS) -> list[Place]:
    """Every task under every kind of change, four tasks a variant, as in T2."""
    return [Place(task, f"{kind}#{task // 4}", kind) for task in range(tasks) for kind in kinds]


def test_tasks_alone_are_the_textbook_mean() -> None:
    # variance of 1, 0, 1, 0 is 1/3, of their mean 1/12; three degrees of freedom
    assert estimate([1, 0, 1, 0], alone(4)) == pytest.approx(Estimate(0.5, 1 / 12, 3))
    # 11 -+ 3.182 x sqrt(2/3 / 4): wider than what was seen, as it must be with four values
    half = 3.182 * math.sqrt(1 / 6)
    assert crossed.mean([10, 11, 12, 11], alone(4), (0, 100)) == pytest.approx(Interval(11, 11 - half, 11 + half))
    # and cut off where there can be no value
    assert crossed.mean([10, 11, 12, 11], alone(4), (10.5, 100)).low == 10.5


def test_cases_that_all_end_alike_are_no_proof_that_others_do() -> None:
    most = wilson(0, 12).high  # so large a share of other cases is compatible with none of twelve
    assert crossed.mean([100.0] * 12, alone(12), (0, 100)) == pytest.approx(Interval(100, 100 - 100 * most, 100))
    assert crossed.mean([0.0] * 12, alone(12), (-100, 100)) == pytest.approx(Interval(0, -100 * most, 100 * most))
    # tasks that share their variants are fewer: two variants, and no more, are independent
    places = [Place(task, f"a#{task % 2}", "a") for task in range(12)]
    assert crossed.mean([0.1 + 0.2] * 12, places, (0, 1)).high == pytest.approx(0.3 + 0.7 * wilson(0, 2).high)
    rows = [(50.0, 50.0)] * 12
    assert mean_over_seeds(rows, alone(12), (0, 100)) == crossed.mean([50.0] * 12, alone(12), (0, 100))


def test_a_task_that_ends_alike_under_every_change_counts_once() -> None:
    places = crossing(8)
    values = [float(place.task % 2) for place in places]
    once = estimate([float(task % 2) for task in range(8)], alone(8))
    assert estimate(values, places)[:2] == pytest.approx(once[:2])


def test_a_variant_under_which_all_tasks_end_alike_counts_once() -> None:
    places = crossing(16, ("a", "b"))
    worth = {"a#0": 1.0, "a#1": 0.0, "a#2": 1.0, "a#3": 0.0, "b#0": 0.0, "b#1": 1.0, "b#2": 0.0, "b#3": 1.0}
    found = estimate([worth[str(place.variant)] for place in places], places)
    # every kind: variance of its mean is (1/3) / 4; the mean of two kinds has half of that
    assert found == pytest.approx(Estimate(0.5, 1 / 24, 6))


def test_what_differs_between_kinds_of_change_is_no_noise() -> None:
    places = crossing(8)
    found = estimate([10.0 * KINDS.index(place.kind) for place in places], places)
    assert (found.mean, found.variance) == (25, 0)


def test_a_single_task_or_variant_tells_nothing_of_others() -> None:
    for places in ([Place(0, None, "a")] * 2, [Place(task, "a#0", "a") for task in range(4)]):
        found = crossed.mean([0.0, 1.0] * (len(places) // 2), places, (0, 1))
        assert found.mean == 0.5
        assert math.isnan(found.low)
        assert math.isnan(share([False, True] * (len(places) // 2), places).high)
    with pytest.raises(ValueError, match="0 values but 1 places"):
        estimate([], alone(1))


def test_shares_are_wilson_on_as_many_cases_as_there_are_independent_ones() -> None:
    hits = [True, False, True, True, False, True]
    assert tuple(share(hits, alone(6))) == pytest.approx(tuple(wilson(4, 6)))
    places = crossing(8)
    assert tuple(share([p.task % 2 == 0 for p in places], places)) == pytest.approx(tuple(wilson(4, 8)))
    assert share([False] * 48, places) == pytest.approx(wilson(0, 8))  # nothing tells how alike they are


def test_students_t_as_printed() -> None:
    printed = {1: 12.706, 2: 4.303, 4: 2.776, 5: 2.571, 11: 2.201, 30: 2.042}
    for freedom, value in printed.items():
        assert t95(freedom) == pytest.approx(value, abs=0.002)
    assert t95(2.9) == t95(2)
    assert t95(0) == t95(1)


def test_seeds_widen_the_interval_by_what_trainings_differ() -> None:
    rows = [[float(case % 2), float(case % 2)] for case in range(20)]
    same = mean_over_seeds(rows, alone(20), (0, 1))
    assert same == pytest.approx(crossed.mean([row[0] for row in rows], alone(20), (0, 1)))
    lucky = mean_over_seeds([[0.0, 0.6]] * 20, alone(20), (0, 1))
    # seeds' means are 0 and 0.6: one degree of freedom, 0.3 -+ 12.7 x 0.3, cut off at what there can be
    assert lucky == Interval(0.3, 0.0, 1.0)
    # both: variance of the cases' mean 0.25 / 19, of the seeds' 0.03 / 3
    three = mean_over_seeds([[10 + v, 10 + v, 10.3 + v] for v in (0.0, 1.0) * 10], alone(20), (0, 20))
    variance = 0.25 / 19 + 0.03 / 3
    freedom = variance**2 / ((0.25 / 19) ** 2 / 19 + 0.01**2 / 2)
    assert three.high - three.mean == pytest.approx(t95(freedom) * math.sqrt(variance))


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    """Tasks, variants and episodes all vary; ways that draw tasks or variants alone are too sure."""
    rng = stream(1, "coverage")
    middle = np.array([0.2, 0.6, 0.4, 0.7, 0.8, 0.3])
    places, held, naive, trials = crossing(12), 0, 0, 400
    for _ in range(trials):
        task, variant = rng.normal(0, 0.1, 12), rng.normal(0, 0.2, (3, 6))
        values = middle + task[:, None] + variant[np.arange(12) // 4] + rng.normal(0, 0.2, (12, 6))
        flat = [float(value) for value in values.ravel()]
        truth = middle.mean()
        found, other = crossed.mean(flat, places, (-9, 9)), bootstrap_mean(flat, [p.task for p in places], draws=200)
        held += found.low <= truth <= found.high
        naive += other.low <= truth <= other.high
    assert 0.93 <= held / trials <= 0.99
    assert naive / trials < 0.88


def test_a_share_over_seeds_knows_that_trainings_differ() -> None:
    places = alone(20)
    one = [(n % 2 == 0,) for n in range(20)]
    assert share_over_seeds(one, places) == share([n % 2 == 0 for n in range(20)], places)
    assert share([n % 2 == 0 for n in range(20)], places).low > 0.29
    alike = share_over_seeds([(hit, hit) for (hit,) in one], places)
    assert tuple(alike) == pytest.approx(tuple(wilson(10, 20)), abs=0.03)  # a copy of the answers tells nothing new
    apart = share_over_seeds([(True, False)] * 20, places)
    assert apart.mean == pytest.approx(0.5)
    assert apart.low < 0.1  # one training gets all, one gets none: as good as nothing is known of the next
    assert share_over_seeds([(True, True)] * 20, places).low == pytest.approx(wilson(20, 20).low)
