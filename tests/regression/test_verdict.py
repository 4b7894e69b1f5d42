"""Verdicts worked out by hand, on an episode written by hand."""

from __future__ import annotations

from typing import Any

import pytest

from livesim.regression.said import forms, holds
from livesim.regression.verdict import Line, passed, verdict
from livesim.rollout import Episode, RequestRecord, TurnRecord
from livesim.scenarios.expect import Expect
from rewards.signals import Breach, CallError, CallRecord, Fact, FactKind, FaultKind, Limits, Signals

FULL = {"accuracy": 1.0, "effectiveness": 1.0, "tool_rationality": 1.0, "skill_selection": 1.0, "length": 0.0}
PRICE = Fact("link:2", "final_price", FactKind.MONEY, 8950)
TRUTH = (PRICE, Fact("link:2", "stock", FactKind.COUNT, 12), Fact("host", "is_ai", FactKind.FLAG, "yes"))
CALLS = (
    CallRecord("price_check", {"link": 2}, False, fault=FaultKind.TIMEOUT),
    CallRecord("price_check", {"link": 2}, True, facts=(PRICE,)),
    CallRecord("push_card", {"link": 2}, True, mutates=True),
    CallRecord("", {}, False, error=CallError.UNKNOWN_TOOL),
)


def request(
    name: str = "r1",
    reply: str | None = "Friends, link 2 is 89.50 yuan.",
    calls: tuple[CallRecord, ...] = CALLS,
    heads: dict[str, float] | None = None,
    breaches: tuple[Breach, ...] = (),
    faults_at: tuple[float, ...] = (4.0,),
    times: tuple[float, ...] = (3.0, 4.0, 9.0, 10.5),
) -> RequestRecord:
    signals = Signals(name, (), reply, TRUTH, (), calls, ("price_promo",), (), (), (), Limits(), breaches=breaches)
    turns = tuple(
        TurnRecord("t", "tool", "calls", 1.0, faults=("timeout",) if at in faults_at else (), at_s=at) for at in times
    )
    return RequestRecord(name, (), turns, FULL | (heads or {}), {"accuracy": ("wrong price",)}, 1.0, "replied", signals)


def episode(*requests: RequestRecord) -> Episode:
    return Episode("a", 0, 0, "s", "", "default", "", {}, True, (), requests or (request(),), "stream_over")


def lines(expect: dict[str, Any], *requests: RequestRecord) -> list[Line]:
    found = verdict(Expect.model_validate(expect), episode(*requests))
    return [line for line in found if not line.what.endswith("broken rules")]


@pytest.mark.parametrize(
    ("expect", "met"),
    [
        ({"must_call": "price_check"}, True),
        ({"must_call": {"tool": "price_check", "arguments": {"link": 2}}}, True),
        ({"must_call": {"tool": "price_check", "arguments": {"link": "2"}, "ok": False}}, True),
        ({"must_call": {"tool": "price_check", "arguments": {"link": 3}}}, False),
        ({"must_call": {"tool": "push_card", "ok": False}}, False),
        ({"must_call": "stock_check"}, False),
        ({"must_not_call": "stock_check"}, True),
        ({"must_not_call": {"tool": "price_check", "arguments": {"link": 3}}}, True),
        ({"must_not_call": "push_card"}, False),
        ({"no_more_than": {"price_check": 2}}, True),
        ({"no_more_than": {"price_check": 1}}, False),
        ({"no_more_than": {"hand_off": 0}}, True),
        ({"must_load": ["price_promo"]}, True),
        ({"must_load": ["size_advice"]}, False),
        ({"must_say": "89.50 yuan"}, True),
        ({"must_say": "LINK  2"}, True),
        ({"must_say": "9.50 yuan"}, False),
        ({"must_say": "89 yuan"}, False),
        ({"must_say": [["99 yuan", "89.50 yuan"]]}, True),
        ({"must_say": {"fact": "link:2 final_price"}}, True),
        ({"must_say": {"fact": "link:2 stock"}}, False),
        ({"must_say": {"fact": "link:9 final_price"}}, False),
        ({"must_not_say": ["99 yuan", "hurry"]}, True),
        ({"must_not_say": "friends"}, False),
        ({"must_not_say": {"fact": "link:2 stock"}}, True),
        ({"must_not_say": {"fact": "link:2 final_price"}}, False),
        ({"recover_within_s": 6.5}, True),
        ({"recover_within_s": 6.4}, False),
        ({"heads": {"accuracy": 1, "length": 0}}, True),
        ({"outcome": "recovered"}, True),
        ({"outcome": ["honest", "recovered"]}, True),
        ({"outcome": "honest"}, False),
        ({"handed_off": False}, True),
        ({"handed_off": True}, False),
        ({"answered": 1}, True),
        ({"answered": 2}, False),
        ({"requests": {1: {"must_say": "89.50 yuan"}}}, True),
        ({"requests": {2: {"must_say": "89.50 yuan"}}}, False),
    ],
)  # fmt: skip
def test_each_expectation_is_met_or_not(expect: dict[str, Any], met: bool) -> None:
    found = lines(expect)
    assert found
    assert passed(found) is met, [str(line) for line in found]


def test_a_failed_line_says_what_was_there_instead() -> None:
    (called,) = lines({"must_call": "stock_check"})
    assert called.why == (
        "called: price_check(link=2) which met a fault: timeout, price_check(link=2), push_card(link=2), "
        "?() which reached no tool: unknown_tool"
    )
    (forbidden, most) = lines(
        {"must_not_call": "push_card", "no_more_than": {"push_card": 1}}, request(), request("r2")
    )
    assert forbidden.why == "called: r1 push_card(link=2); r2 push_card(link=2)"
    assert most.why == "2 calls: r1 push_card(link=2); r2 push_card(link=2)"
    (twice,) = lines({"no_more_than": {"push_card": 1}}, request(calls=CALLS[2:3] * 2))
    assert twice.why == "2 calls: push_card(link=2) 2 times"
    (price,) = lines({"must_say": {"fact": "link:2 final_price"}}, request(reply="it is 89 yuan"))
    assert price.why == "true: 89.50 yuan; said: it is 89 yuan"
    (said,) = lines({"must_say": {"fact": "link:2 stock"}})
    assert said.why == "true: 12; said: Friends, link 2 is 89.50 yuan."
    (low,) = lines({"heads": {"accuracy": 1}}, request(), request("r2", heads={"accuracy": 0.0}))
    assert (low.passed, low.why) == (False, "r2: 0 wrong price; 1 of 2 requests are below")
    (late,) = lines({"requests": {3: {"must_say": "x"}}})
    assert str(late) == "FAIL  request 3: is closed (the episode has 1 requests)"


def test_what_is_asked_of_one_request_is_not_looked_for_in_another() -> None:
    silent = request("r2", reply=None, calls=(), faults_at=())
    expect = {"requests": {1: {"must_call": "push_card"}, 2: {"must_call": "push_card"}}}
    assert [line.passed for line in lines(expect, request(), silent)] == [True, False]


def test_faults_count_only_where_one_hit() -> None:
    calm = request("r2", calls=(CallRecord("price_check", {"link": 2}, True),), faults_at=())
    assert passed(lines({"outcome": "recovered", "recover_within_s": 7}, request(), calm))
    none = lines({"outcome": "recovered", "recover_within_s": 7}, calm)
    assert [line.why for line in none] == ["no fault hit", "no fault hit"]
    silent = lines({"outcome": "honest", "recover_within_s": 7}, request(reply=None))
    assert [line.why for line in silent] == ["r1 got no reply", "r1 gave_up"]


def test_broken_rules_count_without_being_asked_for() -> None:
    bad = request(breaches=(Breach("absolute_terms", 4, "the best"),))
    strict = verdict(Expect(), episode(bad))
    assert [str(line) for line in strict] == ["FAIL  at most 0 points of broken rules (4 points: absolute_terms)"]
    assert passed(verdict(Expect(breach_points=4), episode(bad)))


def test_a_hand_over_that_failed_is_none_but_was_not_left_alone_either() -> None:
    down = request(calls=(CallRecord("hand_off", {"reason": "x"}, False, fault=FaultKind.UNAVAILABLE),))
    assert not passed(lines({"handed_off": True}, down))
    assert not passed(lines({"handed_off": False}, down))


@pytest.mark.parametrize(
    ("text", "phrase", "found"),
    [
        ("It is 89 yuan.", "89 yuan", True),
        ("It is 189 yuan.", "89 yuan", False),
        ("It is 1.89 yuan.", "89 yuan", False),
        ("only 2.", "2", True),
        ("at 2.5 yuan", "2", False),
        ("Sold   out, sorry", "sold out", True),
        ("don\u2019t have it", "don't have", True),
        ("unsold outfits", "sold out", False),
    ],
)
def test_phrases_are_whole_words(text: str, phrase: str, found: bool) -> None:
    assert holds(text, phrase) is found


def test_a_value_has_its_fair_forms() -> None:
    assert forms(Fact("x", "p", FactKind.MONEY, 123400)) == ("1234", "1234.00", "1,234")
    assert forms(Fact("x", "p", FactKind.MONEY, 8950)) == ("89.50", "89.5")
    assert forms(Fact("x", "p", FactKind.MONEY, 8955)) == ("89.55",)
    assert forms(Fact("x", "p", FactKind.PERCENT, 12)) == ("12%", "12 %", "12 percent")
    assert forms(Fact("x", "p", FactKind.FLAG, "yes")) == ()
