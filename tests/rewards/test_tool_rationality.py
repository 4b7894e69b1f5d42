"""Plans, waste and faults, by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rewards.signals import Signals
from rewards.tool_rationality import head

ROWS = [
    # needs, calls, value
    (["price 2"], ["price_check 2"], 1.0),
    (["price 2"], ["final_price 2"], 1.0),  # an equivalent plan
    (["price 2"], [], 0.0),
    (["price 2"], ["price_check 3"], 0.0),  # wrong item: needed one missing, and a waste
    (["price 2"], ["price_check 2", "price_check 2"], 0.75),  # had answered
    (["price 2"], ["price_check 2", "final_price 2"], 0.75),  # two plans for one need
    (["price 2"], ["price_check 2", "stock_check 2"], 0.75),
    (["price 2"], ["price_check 2", "push_card 2"], 0.5),  # a needless write
    (["price 2"], ["price_chek !unknown_tool", "price_check 2"], 0.75),
    (["price 2"], ["price_check !bad_json", "price_check 2"], 0.8),
    (["price 2"], ["price_check two !bad_arguments", "price_check 2"], 0.8),
    (["price 2"], ["load_skill !unknown_skill", "price_check 2"], 0.85),
    (["price 2"], ["weather !distractor", "price_check 2"], 0.75),
    # faults
    (["price 2"], ["price_check 2 !timeout"], 0.5),  # a timeout is tried once more
    (["price 2"], ["price_check 2 !timeout", "price_check 2"], 1.0),
    (["price 2"], ["price_check 2 !timeout", "price_check 2 !timeout"], 1.0),  # tried once more, then said so
    (["price 2"], ["price_check 2 !timeout"] * 3, 0.75),  # too often
    (["price 2"], ["price_check 2 !timeout", "final_price 2"], 1.0),  # falling back is as good
    (["price 2"], ["price_check 2 !rate_limit", "price_check 2 !rate_limit", "final_price 2"], 1.0),
    (["price 2"], ["price_check 2 !permission_denied"], 1.0),  # say so
    (["price 2"], ["price_check 2 !permission_denied", "price_check 2 !permission_denied"], 0.65),
    (["price 2"], ["price_check 2 !permission_denied", "final_price 2"], 1.0),
    (["price 2"], ["price_check 2 !malformed", "price_check 2"], 1.0),
    (["price 2"], ["price_check 2 !partial list_price"], 1.0),  # use what is there
    (["price 2"], ["price_check 2 !partial list_price", "final_price 2"], 1.0),  # or look elsewhere
    (["price 2"], ["price_check 2 !stale final_price=1", "price_check 2"], 1.0),
    (["price 2"], ["price_check 2 !contradiction"], 0.5),  # a copy that names itself asks for a second look
    (["price 2"], ["price_check 2 !contradiction", "price_check 2"], 1.0),
    (["price 2"], ["price_check 2 !contradiction", "final_price 2"], 1.0),
    (["price 2"], ["price_check 2 !contradiction", "price_check 2 !contradiction"], 1.0),  # then it is said so
    (["price 2"], ["price_check 2 !contradiction", "price_check 2 !contradiction", "price_check 2"], 0.75),
    # writes
    (["show_item 3"], ["push_card 3"], 1.0),
    (["show_item 3"], ["push_card 3", "push_card 3"], 0.5),
    (["show_item 3"], ["push_card 3 !timeout", "push_card 3"], 0.5),  # it may have gone through
    (["show_item 3"], ["push_card 3 !timeout"], 1.0),
    (["after_sales"], ["hand_off broken"], 1.0),
    (["after_sales"], ["order_lookup A1734", "hand_off broken"], 1.0),
    (["after_sales"], ["hand_off broken", "order_lookup A1734"], 0.9),  # looked up too late
    (["after_sales"], ["hand_off broken", "hand_off again"], 0.5),  # two writes with other words
    # several needs, any order, shared calls
    (["price 2", "shipping 2"], ["shipping_eta 2", "price_check 2"], 1.0),
    (["price 2", "shipping 2"], ["price_check 2"], 0.5),
    (["price 2", "promotion 2"], ["price_check 2"], 1.0),
    (["attribute 2 material", "attribute 2 fit"], ["faq_search 2 topic=material", "faq_search 2 topic=fit"], 1.0),
    (["attribute 2 material"], ["faq_search 2 topic=material", "faq_search 2 topic=fit"], 0.75),
    # the right tool, asked about something else: before, after, or instead of the right look-up
    (["attribute 2 material"], ["faq_search 2 topic=fit"], 0.0),
    (["attribute 2 material"], ["faq_search 2 topic=zzz"], 0.0),
    (["attribute 2 material"], ["faq_search 2 topic=zzz", "faq_search 2 topic=material"], 0.75),
    (["attribute 2 material"], ["faq_search 2 topic=material", "faq_search 2 topic=zzz"], 0.75),
    (["attribute 2 material"], ["faq_search 2 topic=fit", "product_info 2"], 0.75),
    (["attribute 2 material", "attribute 2 fit"], ["faq_search 2 topic=material"], 0.5),  # one of two
    (["stock 2 red/M"], ["stock_check 2 option=blue/L"], 0.0),
    (["stock 2 red/M"], ["stock_check 2 option=plaid !refused"], 0.0),
    (["stock 2 red/M"], ["stock_check 2 option=plaid !refused", "stock_check 2"], 0.75),
    (["stock 2 red/M"], ["stock_check 2 option=red/M"], 1.0),
    (["stock 2"], ["stock_check 2 option=blue/L"], 1.0),  # any option was asked for
    (["price 2"], ["final_price 2 quantity=3"], 0.0),
    (["comparison 2"], ["faq_search 2 topic=zzz"], 0.0),
    (["comparison 2"], ["faq_search 2 topic=fit"], 1.0),
    (["price 2"], ["price_check 2 !timeout", "final_price 2 quantity=3"], 0.25),  # no way to fall back
    (["price 2"], ["price_check 2", "final_price 2 !timeout"], 0.75),  # looked elsewhere with the answer in hand
    # no call needed
    (["greeting"], [], 1.0),
    (["greeting"], ["price_check 2"], 0.75),
    (["gone 6"], [], 1.0),
    (["gone 6"], ["product_info 6 !refused"], 1.0),
]


@pytest.mark.parametrize(("needs", "calls", "value"), ROWS)
def test_value(signals: Callable[..., Signals], needs: list[str], calls: list[str], value: float) -> None:
    verdict = head(signals("ok then", needs, calls))
    assert verdict.value == pytest.approx(value), verdict.reasons
    assert bool(verdict.reasons) == (value < 1.0)


def test_unreadable_turns_cost(signals: Callable[..., Signals]) -> None:
    assert head(signals("hi", ["greeting"], unreadable=2)).value == pytest.approx(0.7)


def test_value_stays_in_range(signals: Callable[..., Signals]) -> None:
    assert head(signals("hi", ["greeting"], ["stock_check 2"] * 30, unreadable=9)).value == 0.0


def test_no_reply_is_nothing(signals: Callable[..., Signals]) -> None:
    assert head(signals(None, ["price 2"], ["price_check 2"])).value == 0.0


def test_numbers_compare_by_what_they_spell(signals: Callable[..., Signals]) -> None:
    one = signals("ok", ["price 2 quantity=2"], ["final_price 2 quantity=2"])
    import dataclasses

    call = dataclasses.replace(one.calls[0], arguments={"link": "2", "quantity": "2"})
    assert head(dataclasses.replace(one, calls=(call,))).value == 1.0


def test_a_second_look_is_no_waste_when_the_first_answer_holds_no_longer(signals: Callable[..., Signals]) -> None:
    import dataclasses

    told = signals("ok", ["price 2"], ["price_check 2", "price_check 2"])
    assert head(told).value == pytest.approx(0.75)
    truth = tuple(
        dataclasses.replace(f, value=9500) if (f.subject, f.name) == ("link:2", "final_price") else f
        for f in told.truth
    )
    moved = dataclasses.replace(told, truth=truth)
    assert head(moved).value == 1.0
    assert head(dataclasses.replace(moved, calls=(*moved.calls, moved.calls[0]))).value == pytest.approx(0.75)
