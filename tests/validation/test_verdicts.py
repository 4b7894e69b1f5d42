"""The battery catches a simulator that is wrong, and an analysis that sees what is not there."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
import pytest

from livesim.evaluation.calibration import Calibration, Row, Target
from livesim.evaluation.intervals import Interval
from livesim.validation import effects, marginals, monotone, noise
from livesim.validation.budget import Budget
from livesim.validation.checks import Verdict
from livesim.validation.levers import ARMS, LEVERS, METRICS, Lever
from livesim.validation.noise import ANALYSES, Analysis, false_alarms
from livesim.validation.room import Outcome
from livesim.validation.statistics import Ratio, Rooms, linearised_test
from livesim.world.parametric import ParametricViewers
from livesim.world.viewers import Heard, ViewerAct, ViewerConfig

TINY = Budget(streams=2, rooms=16, steps=8, pool=60, comparisons=80, base_rooms=2, varied_rooms=1, weights=False)
RIGHT = next(lever for lever in LEVERS if lever.name == "right answers raise sales")


class Contrary(ParametricViewers):
    """Viewers who buy after wrong answers and are put off by right ones."""

    def __init__(self) -> None:
        super().__init__(ViewerConfig())

    def react(self, heard: Heard) -> Sequence[ViewerAct]:
        return super().react(dataclasses.replace(heard, correct=1.0 - heard.correct))


class Plain(ParametricViewers):
    """The compressed room, where answers weigh most."""

    def __init__(self) -> None:
        super().__init__(ViewerConfig())


def outcome(orders: int) -> Outcome:
    return Outcome(100, orders, 0, 0, 1, orders, 0, 100 * orders)


def test_the_sign_of_a_simulator_turned_round_is_caught() -> None:
    arms = [ARMS[name] for name in (RIGHT.control, RIGHT.treated)]
    wrong, right = ([effects.play(arm, range(16), made) for arm in arms] for made in (Contrary, Plain))
    assert effects.signed(RIGHT, *right).verdict is Verdict.HOLDS
    check = effects.signed(RIGHT, *wrong)
    assert check.verdict is Verdict.FAILS
    assert check.value.high < 0
    assert check.note.startswith("the wrong way")


def test_an_effect_that_may_be_none_does_not_hold() -> None:
    lever = Lever("x", "a", "b", "orders per viewer", 1, "+3 %, P")
    check = effects.signed(lever, [outcome(5), outcome(9)], [outcome(9), outcome(5)])
    assert check.verdict is Verdict.FAILS
    assert check.value.mean == 0.0
    assert check.note.startswith("the interval holds 0")


@pytest.mark.parametrize(
    ("orders", "verdicts"),
    [
        ((2, 4, 8, 16, 16, 8, 4, 2), (Verdict.HOLDS, Verdict.HOLDS)),
        ((2, 4, 6, 8, 10, 12, 14, 16), (Verdict.HOLDS, Verdict.FAILS)),
        ((16, 14, 12, 10, 8, 6, 4, 2), (Verdict.FAILS, Verdict.HOLDS)),
    ],
)
def test_only_an_inverted_u_passes_as_one(orders: Sequence[int], verdicts: tuple[Verdict, Verdict]) -> None:
    volumes = [[outcome(10 * count + seed) for seed in range(8)] for count in orders]
    assert tuple(check.verdict for check in effects.inverted_u(volumes)) == verdicts


def test_a_step_back_is_named() -> None:
    steps = [[outcome(count)] * 3 for count in (2, 4, 3, 6)]
    every, whole = monotone.ordered("right answers", (0.0, 0.3, 0.6, 1.0), steps, 1)
    assert every.verdict is Verdict.FAILS
    assert every.note == "not from 0.3 to 0.6"
    assert every.value.mean == pytest.approx(-0.25)
    assert whole.verdict is Verdict.HOLDS
    assert whole.value.mean == pytest.approx(2.0)
    assert monotone.ordered("delay", (1.0, 2.0), steps[::3], -1)[1].verdict is Verdict.FAILS


def pool() -> Rooms:
    rng = np.random.default_rng(1)
    return [Ratio(float(top), 100.0) for top in rng.exponential(1000.0, 400)]


def test_an_honest_analysis_passes_and_an_inflated_statistic_is_caught() -> None:
    honest = false_alarms("honest", ANALYSES["few whole rooms, randomisation test"], pool(), 300)
    assert honest.verdict is Verdict.HOLDS
    assert honest.value.low <= 0.05 <= honest.value.high

    def twice_as_sure(first: Rooms, second: Rooms) -> bool:
        return linearised_test([r for r in first for _ in range(4)], [r for r in second for _ in range(4)]) < 0.05

    inflated = false_alarms("every room counted four times", Analysis(40, twice_as_sure), pool(), 300)
    assert inflated.verdict is Verdict.FAILS
    assert inflated.value.low > 0.2  # half the standard error: P(|z| > 0.98) = .33


def test_an_analysis_that_never_sees_anything_fails_too() -> None:
    check = false_alarms("blind", Analysis(4, lambda a, b: False), pool(), 300)
    assert check.verdict is Verdict.FAILS
    assert check.value.high < 0.05


def test_noise_plays_a_pool_of_equal_rooms() -> None:
    part = noise.measure(TINY, analyses={"few": Analysis(6, ANALYSES["few whole rooms, randomisation test"].sees)})
    assert [check.name for check in part.checks] == ["few"]
    assert 0.0 <= part.checks[0].value.mean <= 0.2


def test_a_marginal_outside_its_band_fails_and_one_without_a_target_does_not() -> None:
    none = Target(math.nan, math.nan, math.nan, "")
    rows = (
        Row("in", Interval(0.1, 0.08, 0.12), Target(0.12, 0.11, 0.13, "A"), 9),
        Row("out", Interval(0.1, 0.08, 0.12), Target(0.2, 0.15, 0.25, "A"), 9),
        Row("free", Interval(0.1, 0.08, 0.12), none, 9),
    )
    part = marginals.as_part(Calibration("hand-made", (1, 2), 60.0, rows))
    assert [check.verdict for check in part.checks] == [Verdict.HOLDS, Verdict.FAILS, Verdict.NO_TARGET]
    assert part.failing == ("marginals: out",)
    assert part.checks[0].source == "domain 1-3 [A]"


def test_every_lever_names_arms_and_a_metric_that_exist() -> None:
    for lever in LEVERS:
        assert {lever.control, lever.treated} <= set(ARMS)
        assert lever.metric in METRICS
        assert lever.sign in (1, -1)
    assert {name for lever in LEVERS for name in (lever.control, lever.treated)} == set(ARMS)
