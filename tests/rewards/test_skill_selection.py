"""Coverage, needless loads, strategies, by hand."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from rewards.signals import Signals
from rewards.skill_selection import head

ROWS = [
    (["price 2"], ["price_promo"], 1.0),
    (["price 2"], [], 0.0),
    (["price 2"], ["item_qa"], 0.0),
    (["price 2"], ["price_promo", "item_qa"], 0.75),
    (["price 2"], ["item_qa", "price_promo"], 0.75),
    (["price 2"], ["price_promo", "price_promo"], 0.75),
    (["price 2"], ["recovery", "price_promo"], 1.0),  # a strategy that fits is free
    (["price 2"], ["order_nudge", "price_promo"], 0.75),  # one that does not is not
    (["price 2", "shipping 2"], ["price_promo", "shipping_eta"], 1.0),
    (["price 2", "shipping 2"], ["price_promo"], 0.5),
    (["price 2", "promotion 2"], ["price_promo"], 1.0),  # one skill serves both
    (["price 2"], ["price_promo", "item_qa", "size_advice", "stock_restock", "chitchat_persona"], 0.0),
]


@pytest.mark.parametrize(("needs", "skills", "value"), ROWS)
def test_value(signals: Callable[..., Signals], needs: list[str], skills: list[str], value: float) -> None:
    verdict = head(signals("ok then", needs, skills=skills))
    assert verdict.value == pytest.approx(value), verdict.reasons
    assert bool(verdict.reasons) == (value < 1.0)


def test_a_second_skill_for_the_same_intent_is_needless(signals: Callable[..., Signals]) -> None:
    one = dataclasses.replace(
        signals("ok", ["price 2"], skills=["price_promo", "deals"]),
        skill_options=(("price", ("price_promo", "deals")),),
    )
    assert head(one).value == pytest.approx(0.75)
    assert head(dataclasses.replace(one, skills_loaded=("deals",))).value == 1.0


def test_a_harness_without_a_fitting_skill_asks_for_any_one(signals: Callable[..., Signals]) -> None:
    one = dataclasses.replace(signals("ok", ["size 2 170/60"], skills=["item_qa"]), skill_options=(("size", ()),))
    assert head(one).value == 1.0
    assert head(dataclasses.replace(one, skills_loaded=("item_qa", "price_promo"))).value == pytest.approx(0.75)
    assert head(dataclasses.replace(one, skills_loaded=())).value == 0.0


def test_no_reply_is_nothing(signals: Callable[..., Signals]) -> None:
    assert head(signals(None, ["price 2"])).value == 0.0
