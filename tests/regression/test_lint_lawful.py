"""The linter says nothing about scenarios that are unusual but lawful, and reads a long one once."""

from __future__ import annotations

from typing import Any

import pytest

from livesim.regression.lint import lint
from livesim.regression.problem import Severity
from livesim.scenarios.script import Scenario
from livesim.simulator import Simulator

ASKED = {"at_s": 3, "viewer": "mia", "text": "how much is link 1?", "intent": "price", "item": 1}
AGAIN = {"at_s": 20, "viewer": "leo", "text": "and link 1 now?", "intent": "price", "item": 1}
BASE: dict[str, Any] = {
    "name": "lawful",
    "catalog": {
        "goods": [
            {"title": "linen shirt", "price": 99, "options": {"red/M": 5, "red/L": 0}},
            {"title": "steel pan", "category": "home", "price": 129},
        ],
        "on_air": 2,
    },
    "says": [ASKED],
    "horizon_s": 60,
    "expect": {"heads": {"accuracy": 1}},
}


def edit(**changes: Any) -> dict[str, Any]:
    return {"kind": "harness_edit", "edit": changes}


LAWFUL: list[tuple[str, dict[str, Any]]] = [
    # beats
    (
        "an item is switched back after a switch that waits for a reply",
        {"beats": [{"kind": "item_switch", "after": {"reply": 1}}, {"kind": "item_switch", "item": 2, "at_s": 30}]},
    ),
    (
        "a sale that waits for a request ends at a known second",
        {
            "beats": [
                {"kind": "flash_start", "percent": 20, "lasts_s": 90, "after": {"request": 1}},
                {"kind": "promotion_end", "at_s": 30},
            ]
        },
    ),
    (
        "the rules change back after a change that waits",
        {
            "beats": [
                {"kind": "platform_change", "platform": "douyin", "after": {"tool": "price_check"}},
                {"kind": "platform_change", "platform": "taobao", "at_s": 30},
            ]
        },
    ),
    (
        "every beat waits",
        {"beats": [{"kind": "sold_out", "after": {"request": 1}}, {"kind": "delist", "after": {"reply": 1}}]},
    ),
    ("the same beat twice", {"beats": [{"kind": "restock", "pieces": 3, "at_s": 9}] * 2}),
    (
        "a beat waits for the fifth answer of viewers who talk back",
        {
            "says": [],
            "viewers": {"viewers": 5, "comments_per_min": 2},
            "beats": [{"kind": "sold_out", "after": {"reply": 5}}],
        },
    ),
    (
        "a sale, after a reply, of the first of two items whose links are out of order",
        {
            "catalog": {
                "goods": [
                    {"title": "linen shirt", "price": 99, "link": 5},
                    {"title": "steel pan", "category": "home", "price": 129, "link": 2},
                ]
            },
            "says": [{**ASKED, "text": "how much is link 5?"}, {**AGAIN, "text": "and link 5 now?"}],
            "beats": [{"kind": "flash_start", "percent": 20, "lasts_s": 90, "after": {"reply": 1}}],
            "expect": {"requests": {2: {"must_say": {"fact": "link:5 flash:price"}}}},
        },
    ),
    # lines
    (
        "a last line that joins an earlier one",
        {"says": [{**ASKED, "at_s": 54.9}, {**ASKED, "at_s": 57.5, "viewer": "leo", "text": "price of link 1?"}]},
    ),
    (
        "a question about a link that is not there",
        {"says": [{"at_s": 3, "viewer": "mia", "text": "how much is link 8?", "intent": "price", "link": 8}]},
    ),
    # faults
    (
        "two faults of one tool in two windows",
        {
            "faults": {
                "script": [
                    {"tool": "price_check", "kind": "timeout", "to_s": 10},
                    {"tool": "price_check", "kind": "partial", "from_s": 10},
                    {"tool": "price_check", "kind": "malformed", "call_index": 9},
                ]
            }
        },
    ),
    # requirements
    (
        "one call that fits two patterns",
        {
            "expect": {
                "must_call": ["price_check", {"tool": "price_check", "arguments": {"link": 1}}],
                "no_more_than": {"price_check": 1},
            }
        },
    ),
    (
        "a failed call about a link that is not there",
        {"expect": {"must_call": {"tool": "price_check", "arguments": {"link": 8}, "ok": False}}},
    ),
    (
        "only a failed hand-over is forbidden",
        {"expect": {"handed_off": True, "must_not_call": {"tool": "hand_off", "ok": False}}},
    ),
    (
        "a long reply before the limit is cut",
        {
            "says": [ASKED, AGAIN],
            "beats": [edit(reply_words=4) | {"at_s": 15}],
            "expect": {"requests": {1: {"must_say": "the price of link 1 is"}}},
        },
    ),
    (
        "a long reply that may come before the cut",
        {"beats": [edit(reply_words=3) | {"after": {"reply": 1}}], "expect": {"must_say": "one two three four"}},
    ),
    (
        "a tool that is hidden later",
        {
            "says": [ASKED, AGAIN],
            "beats": [edit(hide_tools=["price_check"]) | {"at_s": 15}],
            "expect": {"requests": {1: {"must_call": "price_check"}}},
        },
    ),
    (
        "a value that is forbidden for another item, which had it before",
        {
            "says": [ASKED, AGAIN],
            "beats": [
                {"kind": "price_change", "item": 2, "percent": 77, "at_s": 1},
                {"kind": "price_change", "item": 2, "percent": 50, "at_s": 2},
            ],
            "expect": {"must_say": {"fact": "link:1 live_price"}, "must_not_say": {"fact": "link:2 live_price"}},
        },
    ),
    (
        "words that break the rules of a platform that is left",
        {
            "beats": [{"kind": "platform_change", "platform": "plain", "at_s": 1}],
            "expect": {"must_say": "the lowest price anywhere"},
        },
    ),
    # answers
    (
        "a viewer quotes the price of before",
        {
            "says": [{**ASKED, "at_s": 20, "text": "is link 1 still 99 yuan?"}],
            "beats": [{"kind": "price_change", "percent": 80, "at_s": 5}],
            "expect": {"must_say": {"fact": "link:1 live_price"}},
        },
    ),
    (
        "a viewer quotes a wrong price",
        {"says": [{**ASKED, "text": "is link 1 9 yuan?"}], "expect": {"must_say": {"fact": "link:1 live_price"}}},
    ),
    ("an item must be named", {"expect": {"must_say": {"fact": "link:1 title"}}}),
    ("a number that only points", {"expect": {"must_say": "link 1"}}),
]


@pytest.mark.parametrize("changes", [row[1] for row in LAWFUL], ids=[row[0] for row in LAWFUL])
def test_what_is_lawful_has_no_error(changes: dict[str, Any]) -> None:
    problems = lint(Scenario.model_validate(BASE | changes))
    assert [str(problem) for problem in problems if problem.severity is Severity.ERROR] == []


WARNED: list[tuple[str, dict[str, Any], str]] = [
    (
        "words that break a rule unless they are denied",
        {"expect": {"must_say": "the lowest price anywhere"}},
        "breaks the platform's rule absolute_terms unless the reply denies it",
    ),
    (
        "a link that the text does not name",
        {"says": [{**{k: v for k, v in ASKED.items() if k != "item"}, "link": 12}]},
        "link 12 is not listed; links: 1, 2; did you mean link 2?",
    ),
    (
        "a place that was taken for a link",
        {
            "catalog": {"goods": [{"title": "linen shirt", "price": 99, "link": 7}]},
            "says": [{**{k: v for k, v in ASKED.items() if k != "item"}, "link": 1, "text": "how much?"}],
        },
        "link 1 is not listed; links: 7; the item of place 1 is link 7",
    ),
    (
        "a link that only begins the one in the text",
        {
            "catalog": {"goods": [{"title": "linen shirt", "price": 99, "link": 7}]},
            "says": [{**{k: v for k, v in ASKED.items() if k != "item"}, "link": 1, "text": "how much is link 12?"}],
        },
        "link 1 is not listed; links: 7",
    ),
    (
        "more requests than come while nobody answers",
        {
            "says": [],
            "viewers": {"viewers": 5, "comments_per_min": 2},
            "beats": [{"kind": "sold_out", "after": {"reply": 50}}],
        },
        "may never happen: waits for reply 50, the stream has",
    ),
]


@pytest.mark.parametrize(("changes", "words"), [row[1:] for row in WARNED], ids=[row[0] for row in WARNED])
def test_what_is_doubtful_is_only_pointed_at(changes: dict[str, Any], words: str) -> None:
    problems = lint(Scenario.model_validate(BASE | changes))
    assert [problem.severity for problem in problems] == [Severity.WARNING], problems
    assert words in str(problems[0])


@pytest.mark.parametrize("waits", [False, True])
def test_a_long_scenario_is_walked_once(monkeypatch: pytest.MonkeyPatch, waits: bool) -> None:
    opened = 0
    next_request = Simulator.next_request

    def counted(self: Simulator) -> object:
        nonlocal opened
        opened += 1
        return next_request(self)

    monkeypatch.setattr(Simulator, "next_request", counted)
    count = 500
    kinds: list[dict[str, Any]] = [
        {"kind": "price_change", "percent": 90},
        {"kind": "notice", "text": "welcome", "lasts_s": 2},
        {"kind": "restock", "pieces": 9},
        {"kind": "flash_start", "percent": 10, "lasts_s": 2},
    ]
    beats = [kinds[n % 4] | ({"after": {"request": n + 1}} if waits else {"at_s": 5 * n + 1}) for n in range(count)]
    says = [{**ASKED, "at_s": 5 * n + 2, "viewer": f"v{n}"} for n in range(count)]
    demands = {n + 1: {"must_call": "price_check", "must_say": {"fact": "link:1 live_price"}} for n in range(count)}
    long = {"beats": beats, "says": says, "horizon_s": 5 * count + 60, "expect": {"requests": demands}}
    assert lint(Scenario.model_validate(BASE | long)) == ()
    assert opened == count + 1
