"""Rankings: tau, pairs that turn round, and that every assumed number is varied."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from livesim.types import Intent
from livesim.validation.budget import QUICK
from livesim.validation.checks import Verdict
from livesim.validation.ranking import (
    POINTS,
    Stability,
    Standing,
    Visit,
    certain,
    compared,
    looked_at,
    over_numbers,
    over_seeds,
    standing,
)
from livesim.validation.variations import constants, variations
from livesim.world import plan
from livesim.world.behaviour import TRAITS, Behaviour, Persona
from livesim.world.cast import Cast
from livesim.world.viewers import ViewerConfig


def ranked(**points: float) -> dict[str, list[Visit]]:
    return {name: [Visit(value, value / 10)] * 6 for name, value in points.items()}


BASE = ranked(a=1.0, b=0.8, c=0.6, d=0.4, e=0.2, f=0.0)


def test_the_same_ranking_is_stable() -> None:
    assert compared("x", BASE, BASE) == Stability("x", 1.0, ())


def test_one_pair_of_neighbours_may_change_places_but_not_two() -> None:
    one = compared("x", BASE, ranked(a=1.0, b=0.8, c=0.4, d=0.6, e=0.2, f=0.0))
    two = compared("x", BASE, ranked(a=0.8, b=1.0, c=0.4, d=0.6, e=0.2, f=0.0))
    assert one.tau == pytest.approx(13 / 15)
    assert two.tau == pytest.approx(11 / 15)
    quiet = [Stability(s.name, s.tau, ()) for s in (one, two)]
    assert [over_numbers("x", [stability]).verdict for stability in quiet] == [Verdict.HOLDS, Verdict.FAILS]


def test_sales_that_turn_round_fail_and_are_named() -> None:
    other = {name: [Visit(visit.points, 1.0 - visit.orders) for visit in visits] for name, visits in BASE.items()}
    found = compared("x", {"a": BASE["a"], "f": BASE["f"]}, {"a": other["a"], "f": other["f"]})
    assert found == Stability("x", 1.0, ("a / f",))
    check = over_numbers("x", [Stability("x", 1.0, ()), found])
    assert check.verdict is Verdict.FAILS
    assert check.note == "sales turned round: a / f"


def test_policies_that_the_base_cannot_tell_apart_have_no_order_to_keep() -> None:
    base = {"a": [Visit(1, 0), Visit(0.75, 0)] * 3, "b": [Visit(0.75, 0), Visit(1, 0)] * 3, "c": [Visit(0.1, 0)] * 6}
    assert certain(base, POINTS) == {("a", "c"): 1, ("b", "c"): 1}
    assert compared("x", base, ranked(a=0.5, b=0.9, c=0.1)).tau == 1.0
    assert compared("x", base, ranked(a=0.5, b=0.9, c=0.7)).tau == 0.0
    assert compared("x", base, ranked(a=0.5, b=0.5, c=0.5)).tau == 0.0
    assert over_seeds(base).note == "least 1.00; a = b > c"


def test_a_base_without_any_order_fails() -> None:
    flat = ranked(a=0.5, b=0.5)
    assert math.isnan(compared("x", flat, flat).tau)
    assert over_numbers("x", [Stability("x", math.nan, ())]).verdict is Verdict.FAILS
    assert over_seeds(flat).verdict is Verdict.FAILS


def test_seeds_that_disagree_with_the_mean_fail() -> None:
    steady = over_seeds(BASE)
    assert (steady.verdict, steady.value.mean) == (Verdict.HOLDS, 1.0)
    assert steady.note == "least 1.00; a > b > c > d > e > f"
    most, few = Visit(1, 0), Visit(0.4, 0)
    torn = {"a": [most] * 14 + [few] * 2, "b": [few] * 14 + [most] * 2}
    assert over_seeds(torn).value.mean == pytest.approx(0.75)  # tau is 1 fourteen times and -1 twice
    assert over_seeds(torn).verdict is Verdict.FAILS


def test_what_turns_in_few_rooms_is_looked_at_in_as_many_as_the_base() -> None:
    asked: list[int] = []

    def way(seeds: Sequence[int]) -> Standing:
        asked.append(len(seeds))
        return BASE if len(seeds) > 2 else ranked(a=0.0, b=0.8, c=0.6, d=0.4, e=0.2, f=1.0)

    budget = replace(QUICK, varied_rooms=2, base_rooms=12)
    check = looked_at("x", BASE, [way, way], budget)
    assert (check.verdict, check.value.mean, asked) == (Verdict.HOLDS, 1.0, [2, 2, 12, 12])
    assert check.note.startswith("in 12 rooms; in 2 tau -0.2")
    assert looked_at("x", BASE, [lambda seeds: BASE], budget).note == ""


def test_every_number_is_halved_and_raised_by_half() -> None:
    config = ViewerConfig(behaviour=Behaviour())
    found = variations(config)
    half, more = found["viewers"]
    assert (half.viewers, more.viewers) == (config.viewers / 2, config.viewers * 1.5)
    assert found["intents.price"][0].intents[Intent.PRICE] == config.intents[Intent.PRICE] / 2
    assert found["behaviour.patience_s"][1].behaviour == Behaviour(patience_s=Behaviour().patience_s * 1.5)
    assert found["behaviour.personas.loyal"][0].behaviour is not None
    numbers = {name for name, info in ViewerConfig.model_fields.items() if info.annotation is float}
    assert numbers <= set(found)
    assert {f"intents.{intent}" for intent in Intent} <= set(found)
    assert {f"behaviour.personas.{persona}" for persona in Persona} <= set(found)
    scalars = variations(config, weights=False)
    assert set(scalars) < set(found)
    assert not any(name.startswith(("intents.", "behaviour.personas.")) for name in scalars)


def test_a_variation_stops_at_the_end_of_what_a_field_allows() -> None:
    found = variations(ViewerConfig(pay=0.92, click=1.0, typo_share=0.0))
    assert found["pay"][1].pay == 1.0
    assert [config.click for config in found["click"]] == [0.5]  # it can't rise
    assert "typo_share" not in found
    assert "behaviour.patience_s" not in found


def test_constants_that_no_configuration_holds_are_varied_too_and_come_back() -> None:
    found = constants()
    half, more = found["plan.PUSH_FACTOR"]
    with half.in_force():
        assert plan.PUSH_FACTOR == 1.5
    assert (plan.PUSH_FACTOR, more.value) == (3.0, 4.5)
    nearer, farther = found["cast.TRAITS (contrast)"]
    living = ViewerConfig(behaviour=Behaviour())
    own = Cast(living).traits
    with nearer.in_force():
        new, loyal, *_, troll, _, _ = Cast(living).traits
        assert (new.talk, loyal.talk) == pytest.approx((0.6**0.5, 3.0**0.5))
        assert (troll.order, loyal.share) == (0.0, TRAITS[Persona.LOYAL].share)
    with farther.in_force():
        assert Cast(living).traits[0].talk == pytest.approx(0.6**1.5)
    assert Cast(living).traits == own


def test_policies_stand_in_the_same_rooms() -> None:
    found = standing(ViewerConfig(), range(2), ("oracle", "silent"))
    assert [len(visits) for visits in found.values()] == [2, 2]
    oracle, silent = ([visit.points for visit in visits] for visits in found.values())
    assert min(oracle) > 0.8
    assert max(silent) < 0.1
