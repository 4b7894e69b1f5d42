"""Whatever a model says, the heads answer: in range, without an exception, quickly."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rewards.score import HEADS, score
from rewards.signals import Signals

Make = Callable[..., Signals]
NEEDS = [
    "price 2", "price 2 quantity=2", "stock 2 red/M", "size 2 170/60", "attribute 2 material", "promotion 3",
    "shipping 2", "returns 9", "comparison 2", "after_sales", "show_item 3", "greeting", "chitchat ai",
    "troll", "gone 6",
]  # fmt: skip
TALK = (
    "the 89 yuan link 2 not coupon off over 99 red M in stock left free shipping days 3 ships no sorry system down"
    " because half a dozen twenty-nine hundred and point , . ? ! - to or size L steel pan is linen % between was now"
)
WORDS = TALK.split()
speech = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join))


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(reply=speech, needs=st.lists(st.sampled_from(NEEDS), max_size=3), comment=speech)
def test_any_reply_is_scored(signals: Make, reply: str, needs: list[str], comment: str) -> None:
    scores = score(signals(reply, needs, ["price_check 2", "stock_check 2"], [comment]))
    assert list(scores.heads) == [*HEADS, "length"]
    assert scores.heads["accuracy"] in (0.0, 1.0)
    assert scores.heads["effectiveness"] in (0.0, 0.5, 1.0)
    assert 0.0 <= scores.heads["tool_rationality"] <= 1.0
    assert 0.0 <= scores.heads["skill_selection"] <= 1.0
    assert -0.1 <= scores.total <= 1.0


@pytest.mark.parametrize(
    "piece",
    ["a ", "9", "free ", "link 2 ", "1,", "coupon ", "(", "99 yuan off ", "_", "hundred ", "between 1 and ", "1-",
     "M or L ",
     "in stock ", "is not ", "\u0130", "...", "the card for link 2 ", "material is "],
)  # fmt: skip
def test_endless_repetition_is_answered_soon(signals: Make, piece: str) -> None:
    start = time.process_time()
    for length in (1990, 60_000):
        reply = (piece * length)[:length]
        score(signals(reply, ["price 2", "stock 2 red/M", "size 2 170/60"], ["price_check 2"], ["x"]))
    assert time.process_time() - start < 3.0


def test_what_is_too_long_to_be_spoken_earns_nothing(signals: Make) -> None:
    scores = score(signals("Link 2 is 89 yuan. " * 200, ["price 2"], ["price_check 2"], ["price?"]))
    assert scores.heads["accuracy"] == scores.heads["effectiveness"] == 0.0


def test_an_attribute_without_a_value_is_answered_by_nothing(signals: Make) -> None:
    empty = signals("Hi friends!", ["attribute 2 season"], [], ["which season?"], changes={"link:2 attr:season": ""})
    assert score(empty).heads["effectiveness"] == 0.0
