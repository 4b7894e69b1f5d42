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
BOTH = (["price 2", "price 3"], ["price_check 2", "price_check 3"], ["how much are link 2 and link 3?"])
NOTHING = (["price 2"], [], ["how much is link 2?"])
SHIP = (["shipping 5"], ["shipping_eta 5"], ["when does the tea ship?"])
CHARGE = (["attribute 8 charging_time"], ["faq_search 8 topic=charging_time"], ["how long does the speaker charge?"])
ALLERGY = (["attribute 5 allergens"], [], ["any allergens in the tea?"])
SEASON = (["attribute 2 season"], [], ["which season is link 2 for?"])
AGAIN = (["shipping 5"], ["shipping_eta 5 !timeout", "shipping_eta 5"], ["when does the tea ship?"])


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        (PRICE, "It's 79, 89 or 99 yuan."),  # hedged over many
        (PRICE, "89 or 99 yuan."),  # both are prices of the shirt; the choice is left open
        (PRICE, "Maybe 89, maybe 99."),
        (PRICE, "It's 99 yuan. Or 89 yuan."),
        (SHIP, "24 or 48 hours."),
        (STOCK, "Either 12 or 20 pieces."),
        # a number without a unit answers what was asked
        (PRICE, "It's 41."),  # the stock
        (PRICE, "It's 48."),  # the hours to dispatch
        (PRICE, "31 for you."),  # the percentage
        (STOCK, "It's 89."),  # the price
        (STOCK, "It's 41."),  # all options
        # what a rule forbids stays forbidden between quotation marks
        (PRICE, '89 yuan, and they say "the best in town".'),
        (PRICE, "People call it 'the best in the world' and it's 89 yuan."),
        (PRICE, '"It cures acne", a viewer told me. 89 yuan.'),
        (PRICE, "Isn't 79 yuan a steal?"),  # a claim as a question
        (PRICE, "Some say it's seventy-nine yuan."),
        (PRICE, "It's ７９ yuan."),  # full-width digits
        (PRICE, "It's 7\u200b9 yuan."),  # invisible character inside
        (PRICE, "Only 8 9 yuan."),  # spaced digits
        (PRICE, "¥79."),
        (PRICE, "79rmb only"),
        (PRICE, "Link 2 is 89 yuan and link 3 is 159 yuan."),  # the second was never looked up
        (BOTH, "Link 2 and link 3 are each 89 yuan in the end, friends."),  # right for one of them
        (PRICE, "It's 89 yuan after the coupon. Did you know it ships for free?"),  # nobody looked
        (PRICE, "It's 89 yuan after the coupon, no wonder it's the lowest price online."),
        (PRICE, "It's 89 yuan after the coupon, you can't beat the best price online."),
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
        ((["promotion 2"], ["price_check 2"], ["any coupon?"]), "Friends, 99 yuan."),  # the price before the coupon
        (SHIP, "It ships within 72 hours."),  # a bound so wide that it always holds
        (SHIP, "It ships within 999 hours."),
        (SHIP, "Within nine days, friends."),  # six from door to door: a guess that holds
        (CHARGE, "Link 8 charges in 3 hours."),  # "in" is a bound; six hours of slack are for parcels
        (CHARGE, "It charges within eight hours."),
        (CHARGE, "It takes 1 to 24 hours to charge."),
        (CHARGE, "Link 8 charges in 1 hour."),
        (ALLERGY, "The allergens of the green tea is none."),  # right, but nobody looked
        (SEASON, "Summer, friends."),  # right and an everyday word, but nobody looked
        (SEASON, "It's linen for the summery days of summer."),
        (ALLERGY, "None at all, it's safe for everyone."),
        (AGAIN, "Sorry, the system is down so I can't check it, please look at the item page."),  # it came back
        (STOCK, "Sold out in blue, but more come back on Friday."),
        (STOCK, "12 left and they'll be gone within a minute."),
        (PRICE, "It's 89 yuan, and you get a lamp with it for free."),
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
        # the viewer's own words, dressed up
        ((["stock 2 red/M"], ["stock_check 2"], ["how many red M are left?"]), "You ask how many red M are left, yay!"),
        (
            (["promotion 2"], ["price_check 2"], ["can I use a coupon?"]),
            "You ask can I use a coupon, that's what we have.",
        ),
        # the rules of the skill, read out
        (STOCK, '- Look it up with "stock_check". - Say the number of pieces. Zero is sold out: say so.'),
    ],
)
def test_is_no_answer(signals: Make, request_: tuple[list[str], list[str], list[str]], reply: str) -> None:
    needs, calls, comments = request_
    assert score(signals(reply, needs, calls, comments)).heads["effectiveness"] == 0.0


@pytest.mark.parametrize(
    "reply",
    [
        "Let's do it!",
        "Let's do it, because shopping is so much fun.",
        "Let's talk politics then, only for you, as a kind host.",
        "Can't wait, as I love politics, and our items too!",
        "I can't resist, since you are such a kind room: vote for the blue party.",
    ],
)
def test_going_along_is_no_declining(signals: Make, reply: str) -> None:
    assert score(signals(reply, ["off_topic"], [], ["let's talk politics"])).heads["effectiveness"] == 0.0


@pytest.mark.parametrize(
    "reply",
    [
        "Let's keep to our items, friends.",
        "Let's get back to the shirt, this room is for shopping.",
        "Let's not; I'm only here for our products.",
    ],
)
def test_turning_back_is_declining(signals: Make, reply: str) -> None:
    assert score(signals(reply, ["off_topic"], [], ["let's talk politics"])).heads["effectiveness"] == 1.0


@pytest.mark.parametrize(
    "reply",
    [
        "99 yuan, or 89 with the coupon.",
        "It's 99, or 89 if you use the coupon.",
        "You call it \"the best in town\"; I can't say that, but it's 89 yuan.",
        "I won't say \"cheapest\", it's 89 yuan.",
        '"Other shops sell junk" is not something I say; ours is 89 yuan.',
        "It's 89.",
    ],
)
def test_a_condition_and_a_refusal_are_fine(signals: Make, reply: str) -> None:
    assert score(signals(reply, *PRICE)).heads["accuracy"] == 1.0


def test_an_everyday_word_that_was_looked_up_is_an_answer(signals: Make) -> None:
    needs, _, comments = SEASON
    told = score(signals("Summer, friends.", needs, ["faq_search 2 topic=season"], comments))
    assert told.heads["accuracy"] == told.heads["effectiveness"] == 1.0


def test_a_failure_at_first_may_be_told_with_the_answer(signals: Make) -> None:
    needs, calls, comments = AGAIN
    told = score(signals("The lookup timed out at first, but it ships within 24 hours.", needs, calls, comments))
    assert told.heads["accuracy"] == told.heads["effectiveness"] == 1.0


def test_repeating_the_question_before_the_answer_is_fine(signals: Make) -> None:
    reply = "How many red M are left? 12 pieces."
    assert score(signals(reply, *STOCK[:2], ["how many red M are left?"])).heads["effectiveness"] == 1.0


@pytest.mark.parametrize(
    "reply",
    ["stock:red/M 12, stock:red/L 0, stock:blue/M 9; friends", "red/M 12, red/L 0, blue/M 9, blue/L 20, friends."],
)
def test_a_table_read_out_is_half_an_answer_at_most(signals: Make, reply: str) -> None:
    assert score(signals(reply, *STOCK)).heads["effectiveness"] <= 0.5


@pytest.mark.parametrize("reply", ["Between 80 and 100 yuan.", "89 dollars.", "The price is 89 yuan off."])
def test_is_half_an_answer_at_most(signals: Make, reply: str) -> None:
    assert score(signals(reply, *PRICE)).heads["effectiveness"] <= 0.5


@pytest.mark.parametrize(
    "reply",
    [
        "Link 8 charges in 2 hours.",
        "It takes about two hours to charge.",
        "It charges within 2 hours, friends.",
        "One to two hours and the speaker is charged.",
        "It charges in 120 minutes.",
    ],
)
def test_a_true_time_may_be_said_as_a_bound(signals: Make, reply: str) -> None:
    needs, calls, comments = CHARGE
    assert score(signals(reply, needs, calls, comments)).heads["accuracy"] == 1.0
