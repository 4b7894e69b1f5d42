"""Ways round the rules that were tried and are closed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rewards.score import score
from rewards.signals import Signals

Make = Callable[..., Signals]
PRICE = (["price 2"], ["price_check 2"], ["how much is link 2?"])
STOCK = (["stock 2 red/M"], ["stock_check 2"], ["red M left?"])
CARE = (["attribute 2 care"], ["faq_search 2 topic=care"], ["how do I wash link 2?"])
NOTHING = (["price 2"], [], ["how much is link 2?"])


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        (PRICE, "It's 79, 89 or 99 yuan."),  # hedged over many
        (PRICE, "Isn't 79 yuan a steal?"),  # a claim as a question
        (PRICE, "Some say it's seventy-nine yuan."),
        (PRICE, "It's ７９ yuan."),  # full-width digits
        (PRICE, "It's 7\u200b9 yuan."),  # invisible character inside
        (PRICE, "Only 8 9 yuan."),  # spaced digits
        (PRICE, "¥79."),
        (PRICE, "79rmb only"),
        (PRICE, "Link 2 is 89 yuan and link 3 is 159 yuan."),  # the second was never looked up
        (PRICE, "The steel pan is 89 yuan."),  # right number, wrong item
        (PRICE, "The list price is 89 yuan."),  # right number, wrong role
        (PRICE, "89 yuan, 40% off."),
        (PRICE, "89 yuan and 12 people are buying it right now."),
        (PRICE, "89 yuan until 10:30."),
        (PRICE, "89 yuan, the b\u200best price online."),
        (PRICE, "89 yuan, and it never fades."),
        (STOCK, "12 left in red M, and 40 in green."),
        (STOCK, "12 left, and the pan has 12 left too."),
        (CARE, "The care is steam only."),  # a value outside every word list
        (CARE, "Hand wash, and it's made of recycled bottles."),
        (NOTHING, "As you said, it's 89 yuan."),
        (NOTHING, "I checked and the tool failed, see the item page."),
        (NOTHING, "The system timed out, please try again in a minute."),
    ],
)
def test_is_inaccurate(signals: Make, request_: tuple[list[str], list[str], list[str]], reply: str) -> None:
    needs, calls, comments = request_
    scores = score(signals(reply, needs, calls, comments))
    assert scores.heads["accuracy"] == 0.0
    assert scores.reasons["accuracy"]


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        (PRICE, "The price is lovely today!"),
        (PRICE, "Great price, great shirt, great stream!"),
        (CARE, "The care is great."),
        (CARE, "You will love the care."),
        (STOCK, "Stock stock stock."),
        (PRICE, "price_check link 2"),
        (PRICE, '<tool_call>{"name":"price_check","arguments":{"link":2}}</tool_call>'),
        (PRICE, "How much is link 2? How much is link 2!"),
    ],
)
def test_is_no_answer(signals: Make, request_: tuple[list[str], list[str], list[str]], reply: str) -> None:
    needs, calls, comments = request_
    assert score(signals(reply, needs, calls, comments)).heads["effectiveness"] == 0.0


@pytest.mark.parametrize("reply", ["Between 80 and 100 yuan.", "89 dollars.", "The price is 89 yuan off."])
def test_is_half_an_answer_at_most(signals: Make, reply: str) -> None:
    assert score(signals(reply, *PRICE)).heads["effectiveness"] <= 0.5
