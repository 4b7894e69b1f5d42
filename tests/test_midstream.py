"""Harness edits while a stream runs: what they change, when they take hold, and what they refuse."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from agents.oracle import OracleAgent
from livesim.env import LiveStreamEnv
from livesim.errors import HarnessError
from livesim.harness import shelf
from livesim.midstream import edited
from livesim.rollout import play
from livesim.scenarios.edits import HarnessEdit
from livesim.scenarios.library import load
from livesim.scenarios.script import Scenario

STATE = shelf.load("default")


def after(**edit: Any) -> Any:
    return edited(STATE, [HarnessEdit.model_validate(edit)])


def test_shown_names_change_and_canonical_ones_stay() -> None:
    state = after(
        rename_tools={"price_check": "quote"},
        rename_parameters={"price_check.link": "item_no"},
        rename_skills={"price_promo": "money_talk"},
        describe_tools={"price_check": "what it costs"},
    )
    view = state.view("price_check")
    assert view is not None
    assert (view.name, view.description, [p.name for p in view.params]) == ("quote", "what it costs", ["item_no"])
    assert view.required == ("item_no",)
    assert state.skill("price_promo").name == "money_talk"
    assert state.hashes["hooks"] == STATE.hashes["hooks"]
    assert state.hashes["tools"] != STATE.hashes["tools"]


def test_a_name_that_is_taken_gets_a_number() -> None:
    state = after(rename_tools={"price_check": "stock_check"})
    names = [view.name for view in state.tools]
    assert len(names) == len(set(names))
    assert state.view("price_check").name == "stock_check_2"


def test_limits_change() -> None:
    state = after(reply_words=12, address="guests", rounds=4, retries=0)
    assert (state.limits.reply_words, state.limits.address) == (12, "guests")
    assert (state.hooks.rounds, state.hooks.retries) == (4, 0)
    assert state.limits.tool_thought_tokens == STATE.limits.tool_thought_tokens


def test_what_is_hidden_is_named_in_plain_words_from_then_on() -> None:
    state = after(hide_tools=["price_check"], hide_skills=["order_nudge"])
    assert state.view("price_check") is None
    assert "Price of one piece: price check." in state.skill("price_promo").body
    assert all(skill.id != "order_nudge" for skill in state.skills)


def test_texts_are_replaced_added_and_taken_out() -> None:
    state = after(
        reword=[
            {"where": "block:rules", "old": "Say only numbers that a tool gave. ", "new": ""},
            {"where": "skill:price_promo", "new": "- One more."},
            {"where": "hook:reply_length", "old": "Not sent", "new": "Sent back"},
        ]
    )
    rules = next(block for block in state.prompt.blocks if block.id == "rules")
    assert "Say only numbers" not in rules.text
    assert state.skill("price_promo").body.endswith("\n- One more.")
    assert next(h for h in state.hooks.hooks if h.check == "reply_length").message.startswith("Sent back")


def test_a_variant_reads_otherwise_so_what_cannot_be_replaced_is_added() -> None:
    edit = HarnessEdit.model_validate({"reword": [{"where": "block:rules", "old": "Not there.", "new": "- New."}]})
    with pytest.raises(HarnessError):
        edited(STATE, [edit])
    rules = next(b for b in edited(STATE, [edit], variant=True).prompt.blocks if b.id == "rules")
    assert rules.text.endswith("\n- New.")


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ({"rename_tools": {"price_chek": "x"}}, "did you mean 'price_check'"),
        ({"rename_parameters": {"price_check.lnk": "x"}}, "did you mean 'price_check.link'"),
        ({"rename_skills": {"price_prom": "x"}}, "did you mean 'price_promo'"),
        ({"hide_tools": ["load_skill"]}, "no skill could be loaded"),
        ({"reword": [{"where": "block:rule", "new": "x"}]}, "did you mean 'rules'"),
        (
            {"reword": [{"where": "skill:price_promo", "old": "- Say the price after coupons last", "new": "x"}]},
            "did you mean '- Say the price after coupons first",
        ),
        ({"reword": [{"where": "skill:price_promo", "new": "{tool:nothing}"}]}, "unknown placeholder"),
    ],
)
def test_an_edit_that_does_not_fit_is_refused_with_the_nearest(edit: dict[str, Any], words: str) -> None:
    with pytest.raises(HarnessError) as refused:
        after(**edit)
    assert words in str(refused.value)


def test_the_env_puts_an_edit_in_force_when_the_next_request_opens() -> None:
    env = LiveStreamEnv(scenario="tool_renamed", requests=None)
    _, info = env.reset(seed=0)
    first = info["harness"]
    assert "price_check" in first["tools"]
    oracle = OracleAgent()
    oracle.reset(0)
    hashes, told = [first["hash"]], [info["messages"][0]["content"]]
    while info["end"] == "running":
        oracle.see(env.sight())
        observation, *_, info = env.step(oracle.act(info["messages"], info["tools"]))
        hashes.append(info["harness"]["hash"])
        if info["request_done"] and info["end"] == "running":
            told.append(info["messages"][0]["content"])
            assert "quote_lookup" in observation["tools"]
    changes = [at for at, (a, b) in enumerate(itertools.pairwise(hashes)) if a != b]
    assert len(changes) == 1
    assert [('"quote_lookup"' in text, '"price_check"' in text) for text in told] == [(False, True), (True, False)]


def test_an_edit_that_the_harness_cannot_take_is_an_error_at_reset() -> None:
    scenario = Scenario.model_validate(
        load("tool_renamed").model_dump()
        | {"beats": [{"kind": "harness_edit", "at_s": 50, "edit": {"rename_tools": {"push_card": "x"}}}]}
    )
    LiveStreamEnv(scenario=scenario).reset(seed=0)
    with pytest.raises(HarnessError, match="push_card"):
        LiveStreamEnv(scenario=scenario, harness="compact").reset(seed=0)


def test_the_outcome_of_a_fault_is_in_info_and_in_the_record() -> None:
    for name, outcome in (("timeout_once", "recovered"), ("timeout_for_good", "honest"), ("this_one", "none")):
        env = LiveStreamEnv(scenario=name)
        found: list[str] = []
        step = env.step

        def watched(action: Any, step: Any = step, found: list[str] = found) -> Any:
            result = step(action)
            found += [result[4]["recovery"]] if result[4]["request_done"] else []
            return result

        env.step = watched  # type: ignore[method-assign]
        episode = play(OracleAgent(), env, 0)
        assert found == [outcome]
        assert str(episode.requests[0].recovery) == outcome
