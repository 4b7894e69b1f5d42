"""Ways of speaking that the fourth labelled batch brought up, by kind: numbers, options, advice, offers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rewards.claims.normal import plain
from rewards.score import score
from rewards.signals import Signals


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("three sixty-nine", "369"),
        ("one-fifty or so", "150 or so"),
        ("four ninety nine", "499"),
        ("forty-five fifty", "45.50"),  # yuan and fen
        ("link two thirty yuan", "link 2 30 yuan"),
        ("see you at five thirty", "see you at five 30"),
        ("a day's delivery", "1 day's delivery"),
        ("a day's work", "a day's work"),
    ],
)
def test_spoken_numbers(said: str, read: str) -> None:
    assert plain(said) == read


@pytest.mark.parametrize(
    ("needs", "calls", "reply", "accurate"),
    [
        ("price 2 quantity=2", "final_price 2 quantity=2", "Two shirts make 188.", 1.0),
        ("price 2 quantity=2", "final_price 2 quantity=2", "Two shirts make 178.", 0.0),
        ("stock 2 red/L", "stock_check 2", "Nothing left of the red in large.", 1.0),
        ("stock 2 blue/L", "stock_check 2", "Nothing left of the blue in large.", 0.0),
        ("attribute 7 skin_type", "product_info 7", "It's for dry skin, on oily skin I'd skip it.", 1.0),
        ("attribute 7 skin_type", "product_info 7", "It's for oily skin, on dry skin I'd skip it.", 0.0),
        ("promotion 3", "promotion_info 3", "The deal has ended.", 0.0),
        ("promotion 5", "promotion_info 5", "The sale is over.", 1.0),
        ("returns 3", "return_policy 3", "You have about two weeks.", 1.0),
        ("returns 3", "return_policy 3", "You have about three weeks.", 0.0),
        ("comparison 7", "price_check 7", "Those cheap shops sell fakes.", 0.0),
        ("after_sales", "hand_off late", "A colleague has it, your order will be refunded.", 0.0),
        ("promotion 5", "promotion_info 5", "Buy two packs and get another one.", 0.0),
    ],
)
def test_each_kind_is_read_both_ways(
    signals: Callable[..., Signals], needs: str, calls: str, reply: str, accurate: float
) -> None:
    assert score(signals(reply, [needs], [calls])).heads["accuracy"] == accurate
