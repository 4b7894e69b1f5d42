"""What became of a request that a fault hit, worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from rewards.accuracy import head as accuracy
from rewards.recovery import Recovery, outcome
from rewards.signals import CallRecord, FaultKind, Limits, Signals


def request(calls: list[tuple[str, bool]], reply: str | None) -> Signals:
    records = tuple(
        CallRecord("price_check", {"link": 2}, ok, fault=FaultKind(fault) if fault else None) for fault, ok in calls
    )
    return Signals("r1", (), reply, (), (), records, (), (), (), (), Limits())


@pytest.mark.parametrize(
    ("heads", "calls", "replied", "want"),
    [
        ((1.0, 1.0), [("timeout", False), ("", True)], True, Recovery.RECOVERED),
        ((1.0, 1.0), [("permission_denied", False)], True, Recovery.HONEST),
        ((1.0, 1.0), [("partial", True)], True, Recovery.RECOVERED),
        ((1.0, 1.0), [("", True), ("timeout", False)], True, Recovery.HONEST),
        ((1.0, 0.5), [("timeout", False), ("", True)], True, Recovery.HONEST),
        ((0.0, 1.0), [("stale", True)], True, Recovery.HALLUCINATED),
        ((1.0, 0.0), [("timeout", False)], True, Recovery.GAVE_UP),
        ((1.0, 0.0), [("timeout", False)], False, Recovery.GAVE_UP),
        ((0.0, 0.0), [("", True)], True, Recovery.NONE),
        ((1.0, 1.0), [], True, Recovery.NONE),
    ],
)
def test_the_outcome_follows_from_heads_faults_and_what_came_after(
    heads: tuple[float, float], calls: list[tuple[str, bool]], replied: bool, want: Recovery
) -> None:
    found = outcome(request(calls, "words" if replied else None), accuracy=heads[0], effectiveness=heads[1])
    assert found is want


@pytest.mark.parametrize(
    ("calls", "want"),
    [
        (["price_check 2 !contradiction"], Recovery.HONEST),  # what a copy said is no answer
        (["price_check 2 !contradiction", "price_check 2"], Recovery.RECOVERED),
        (["price_check 2 !contradiction", "final_price 2 !contradiction"], Recovery.HONEST),
    ],
)
def test_a_copy_that_the_shop_contradicts_brings_nothing(
    signals: Callable[..., Signals], calls: list[str], want: Recovery
) -> None:
    assert outcome(signals("ok then", ["price 2"], calls), accuracy=1.0, effectiveness=1.0) is want


@pytest.mark.parametrize(
    ("end", "want"), [("time", Recovery.NONE), ("budget", Recovery.NONE), ("rounds", Recovery.GAVE_UP)]
)
def test_who_is_cut_short_did_not_give_up(end: str, want: Recovery) -> None:
    cut = replace(request([("timeout", False)], None), end=end)
    assert outcome(cut, accuracy=0.0, effectiveness=0.0) is want
    spoken = replace(request([("timeout", False)], "words"), end=end)
    assert outcome(spoken, accuracy=0.0, effectiveness=0.0) is Recovery.HALLUCINATED


def test_a_number_of_such_a_copy_is_unsupported_even_when_it_is_right(signals: Callable[..., Signals]) -> None:
    reply = "link 2 is 89 yuan"
    assert accuracy(signals(reply, ["price 2"], ["price_check 2"])).value == 1.0
    assert accuracy(signals(reply, ["price 2"], ["price_check 2 !contradiction"])).value == 0.0
