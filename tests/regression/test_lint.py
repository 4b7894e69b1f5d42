"""The linter finds each planted error, names its place, and says nothing about a clean scenario."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agents.oracle import OracleAgent
from livesim.regression.lint import lint, lint_file
from livesim.regression.problem import Severity
from livesim.scenarios.script import Scenario

CLEAN: dict[str, Any] = {
    "name": "clean",
    "catalog": {
        "goods": [
            {"title": "linen shirt", "price": 99, "options": {"red/M": 5, "red/L": 0}},
            {"title": "steel pan", "category": "home", "price": 129},
        ],
        "on_air": 2,
    },
    "says": [{"at_s": 3, "viewer": "mia", "text": "how much is link 1?", "intent": "price", "item": 1}],
    "horizon_s": 60,
    "expect": {"must_say": "99 yuan", "heads": {"accuracy": 1}},
}


def scenario(**changes: Any) -> Scenario:
    return Scenario.model_validate(CLEAN | changes)


def expecting(**checks: Any) -> Scenario:
    return scenario(expect=checks)


def test_a_clean_scenario_has_no_problem() -> None:
    assert lint(scenario(), OracleAgent) == ()


def test_a_room_without_expectations_is_only_noted() -> None:
    (problem,) = lint(scenario(expect=None))
    assert problem.severity is Severity.WARNING


TIMEOUT = {"script": [{"tool": "price_check", "kind": "timeout", "call_index": 0}]}
PLANTED: list[tuple[str, Scenario, str]] = [
    (
        "a contradiction about what never changes",
        scenario(faults={"script": [{"tool": "return_policy", "kind": "contradiction"}]}),
        "never hits: what return_policy says does not change",
    ),
    (
        "a fault behind another one",
        scenario(faults={"script": [TIMEOUT["script"][0], {**TIMEOUT["script"][0], "kind": "contradiction"}]}),
        "fault 2 (price_check contradiction): never hits: fault 1 takes the same calls",
    ),
    (
        "outages of a tool that the harness does not show",
        scenario(play={"harness": "compact"}, faults={"outages": {"per_hour": 60, "tools": ["push_card"]}}),
        "outages 1: never hit: 'compact' shows none of push_card",
    ),
    (
        "a conditional beat after the horizon",
        scenario(beats=[{"kind": "sold_out", "at_s": 90, "after": {"reply": 1}}]),
        "beyond the horizon",
    ),
    (
        "a beat after a reply that can't be",
        scenario(beats=[{"kind": "sold_out", "after": {"reply": 2}}]),
        "there is no reply 2, the stream has 1 requests",
    ),
    (
        "a beat after a request that can't be",
        scenario(beats=[{"kind": "sold_out", "after": {"request": 7}}]),
        "there is no request 7",
    ),
    (
        "a beat after a tool that is not shown",
        scenario(play={"harness": "compact"}, beats=[{"kind": "sold_out", "after": {"tool": "final_price"}}]),
        "does not show the tool 'final_price'",
    ),
    (
        "a beat that changes nothing",
        scenario(beats=[{"kind": "promotion_end", "at_s": 5}]),
        "changes nothing",
    ),
    (
        "a beat so long after a request that the stream is over",
        scenario(beats=[{"kind": "sold_out", "at_s": 55, "after": {"request": 1}}]),
        "55 s after request 1 is 61 s at the earliest, beyond the horizon of 60 s",
    ),
    (
        "a beat of an item that is gone",
        scenario(beats=[{"kind": "delist", "at_s": 5}, {"kind": "restock", "at_s": 9, "pieces": 3}]),
        "beat 2 (restock): changes nothing",
    ),
    (
        "an option that is not there",
        scenario(beats=[{"kind": "sold_out", "at_s": 5, "option": "blue/M"}]),
        "no option 'blue/M'; options: red/M, red/L",
    ),
    (
        "a line after the horizon",
        scenario(says=[*CLEAN["says"], {"at_s": 70, "viewer": "leo", "text": "hi", "intent": "greeting"}]),
        "line of leo at 70 s: is never said",
    ),
    (
        "a line too late to be asked",
        scenario(says=[*CLEAN["says"], {"at_s": 58, "viewer": "leo", "text": "hi", "intent": "greeting"}]),
        "is never asked",
    ),
    (
        "a fault of a tool that is not shown",
        scenario(play={"harness": "compact"}, faults={"script": [{"tool": "push_card", "kind": "timeout"}]}),
        "fault 1 (push_card timeout): never hits",
    ),
    (
        "a fault that begins too late",
        scenario(faults={"script": [{"tool": "price_check", "kind": "timeout", "from_s": 60}]}),
        "begins beyond 60 s",
    ),
    (
        "a fault that ends before it begins",
        scenario(faults={"script": [{"tool": "price_check", "kind": "timeout", "from_s": 20, "to_s": 10}]}),
        "ends before it begins",
    ),
    (
        "a fault of a tool that does not exist",
        scenario(faults={"script": [{"tool": "price_chekc", "kind": "timeout"}]}),
        "did you mean 'price_check'",
    ),
    (
        "an edit that does not fit the harness",
        scenario(beats=[{"kind": "harness_edit", "at_s": 1, "edit": {"rename_tools": {"price_chek": "x"}}}]),
        "did you mean 'price_check'",
    ),
    (
        "a call of a tool that is not shown",
        scenario(play={"harness": "compact"}, expect={"must_call": "final_price"}),
        "must_call final_price: the harness 'compact' does not show it",
    ),
    (
        "a call that is forbidden",
        expecting(must_call={"tool": "price_check", "arguments": {"link": 1}}, must_not_call="price_check"),
        "forbidden by must_not_call",
    ),
    (
        "more calls than allowed",
        expecting(
            must_call=[{"tool": "price_check", "arguments": {"link": n}} for n in (1, 2)],
            no_more_than={"price_check": 1},
        ),
        "no_more_than {price_check: 1}, but must_call asks for 2",
    ),
    (
        "a link that is not listed",
        expecting(must_call={"tool": "price_check", "arguments": {"link": 4}}),
        "link 4 is not listed; links: 1, 2; did you mean link 2?",
    ),
    (
        "a call of a tool that is hidden by then",
        scenario(
            beats=[{"kind": "harness_edit", "at_s": 1, "edit": {"hide_tools": ["price_check"]}}],
            expect={"requests": {1: {"must_call": "price_check"}}},
        ),
        "must_call price_check: the harness 'default' does not show it",
    ),
    (
        "a call that the episode forbids",
        expecting(must_not_call="price_check", requests={1: {"must_call": "price_check"}}),
        "request 1: must_call price_check is forbidden by must_not_call",
    ),
    (
        "words that the episode forbids",
        expecting(must_not_say="99 yuan", requests={1: {"must_say": "99 yuan"}}),
        "request 1: must_say '99 yuan' holds what must_not_say forbids",
    ),
    (
        "more calls in the requests than in the episode",
        expecting(no_more_than={"price_check": 0}, requests={1: {"must_call": "price_check"}}),
        "no_more_than {price_check: 0}, but the requests must call it 1 times",
    ),
    (
        "a hand-over without a call",
        expecting(handed_off=True, no_more_than={"hand_off": 0}),
        "no_more_than allows no hand_off",
    ),
    (
        "a fault behind one that takes every call",
        scenario(
            faults={
                "script": [
                    {"tool": "price_check", "kind": "timeout"},
                    {"tool": "price_check", "kind": "partial", "call_index": 2},
                ]
            }
        ),
        "fault 2 (price_check partial): never hits: fault 1 takes the same calls",
    ),
    (
        "a skill that is not there",
        expecting(must_load=["price_promos"]),
        "the harness has no such skill",
    ),
    (
        "a hand-over that is forbidden",
        expecting(handed_off=True, must_not_call="hand_off"),
        "must_not_call forbids hand_off",
    ),
    (
        "a hand-over that is asked for and forbidden",
        expecting(handed_off=False, must_call="hand_off"),
        "must_call asks for hand_off",
    ),
    (
        "words that are forbidden",
        expecting(must_say="it is 99 yuan", must_not_say="99 yuan"),
        "holds what must_not_say forbids",
    ),
    (
        "a fact whose words are forbidden",
        expecting(must_say={"fact": "link:1 final_price"}, must_not_say=["99 yuan", "99.00 yuan"]),
        "holds what must_not_say forbids",
    ),
    (
        "a fact that never exists",
        expecting(must_say={"fact": "link:1 finalprice"}),
        "never exists; facts of link:1: title",
    ),
    (
        "a fact of an item that is not listed",
        expecting(must_say={"fact": "link:9 final_price"}),
        "never exists; link 9 is not listed; links: 1, 2; did you mean link 2?",
    ),
    (
        "a fact of nobody",
        expecting(must_say={"fact": "item:1 final_price"}),
        "never exists; subjects: host, link:1, link:2",
    ),
    (
        "a flag",
        expecting(must_say={"fact": "link:1 free_shipping"}),
        "give the words instead",
    ),
    (
        "words beyond the limit",
        expecting(must_say=" ".join(["word"] * 41)),
        "longer than the 40 words",
    ),
    (
        "words beyond the limit after an edit",
        scenario(
            expect={"must_say": "one two three four"},
            beats=[{"kind": "harness_edit", "at_s": 1, "edit": {"reply_words": 3}}],
        ),
        "longer than the 3 words",
    ),
    ("an outcome without faults", expecting(outcome="honest"), "the scenario has no faults"),
    ("a recovery without faults", expecting(recover_within_s=5), "recover_within_s: the scenario has no faults"),
    ("a request that never opens", expecting(requests={3: {"must_say": "hi"}}), "the stream has 1 requests"),
    ("more answers than questions", expecting(answered=2), "answered: 2 replies: the stream has 1 requests"),
    (
        "an answer in a comment",
        scenario(says=[CLEAN["says"][0] | {"text": "is link 1 really 99 yuan?"}]),
        "is given away: '99 yuan' stands in the prompt of request 1",
    ),
    (
        "an answer in a notice",
        scenario(beats=[{"kind": "notice", "at_s": 1, "text": "link 1 only 99 yuan"}]),
        "is given away",
    ),
    (
        "an attribute in a title",
        expecting(must_say={"fact": "link:1 attr:material"}),
        "'linen' stands in the prompt",
    ),
    (
        "an answer to one request only",
        scenario(
            says=[CLEAN["says"][0] | {"text": "99 yuan for link 1?"}], expect={"requests": {1: {"must_say": "99 yuan"}}}
        ),
        "is given away",
    ),
]


@pytest.mark.parametrize(("planted", "where"), [row[1:] for row in PLANTED], ids=[row[0] for row in PLANTED])
def test_each_planted_error_is_found(planted: Scenario, where: str) -> None:
    errors = [str(problem) for problem in lint(planted) if problem.severity is Severity.ERROR]
    assert any(where in text for text in errors), errors
    assert len(errors) <= 2, errors


def test_the_oracle_finds_what_only_a_run_shows() -> None:
    wrong = scenario(expect={"must_say": "98 yuan"})
    assert lint(wrong) == ()
    (problem,) = lint(wrong, OracleAgent)
    assert "must say '98 yuan'" in problem.text
    waiting = scenario(beats=[{"kind": "sold_out", "after": {"tool": "price_check", "call": 2}}])
    (problem,) = lint(waiting, OracleAgent)
    assert problem.text == "never happened: the oracle's run had no call 2 of price_check"
    assert problem.severity is Severity.WARNING  # another agent may look twice
    unmet = scenario(faults={"script": [{"tool": "stock_check", "kind": "timeout"}]})
    (problem,) = lint(unmet, OracleAgent)
    assert (problem.severity, problem.text) == (Severity.WARNING, "met no timeout of stock_check")


def test_a_beat_long_after_the_last_line_is_pointed_at() -> None:
    (problem,) = lint(scenario(beats=[{"kind": "sold_out", "at_s": 50, "item": 2}]))
    assert (problem.severity, "long after" in problem.text) == (Severity.WARNING, True)


def test_a_file_that_does_not_load_is_a_problem(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text("name: x\nexpect: {must_cal: price_check}\n")
    (problem,) = lint_file(file)
    assert "did you mean 'must_call'" in problem.text
    assert lint_file("timeout_once") == ()
