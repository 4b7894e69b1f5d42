"""The novice: it reads lists of any form, keeps rules in mind by place and number, and follows what it keeps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.novice import NoviceAgent, speaking
from agents.novice.reading import CAPACITY, LEAD, Attention, Rule, body_rules, listed_skills, overlap, prompt_rules
from livesim.env import LiveStreamEnv
from livesim.errors import ConfigError
from livesim.harness import shelf
from livesim.harness.editing import with_prompt_rule, with_skill_rule
from livesim.harness.prompt import openai_tools, system_prompt
from livesim.harness.state import HarnessState, ListForm
from livesim.rollout import play
from livesim.roster import agent
from livesim.types import JsonValue

COMPACT, DEFAULT = shelf.load("compact"), shelf.load("default")
ROOM = "On air: link 3. Items: linen shirt = link 2; steel pan = link 3.\n"


def turn(state: HarnessState, comment: str, *said: tuple[str, str], heed: float = 1.0, seed: int = 0) -> str:
    agent = NoviceAgent(heed)
    agent.reset(seed)
    messages = [
        {"role": "system", "content": system_prompt(state)},
        {"role": "user", "content": f"{ROOM}mia: {comment}"},
        *({"role": role, "content": content} for role, content in said),
    ]
    text = agent.act(messages, openai_tools(state))
    assert isinstance(text, str)
    return text


LOAD = ("assistant", '<tool_call>{"name":"load_skill","arguments":{"skill":"price_promo"}}</tool_call>')
BODY = ("tool", 'Use "price_check".\nSay the price after coupons for one piece.')
CALL = ("assistant", '<tool_call>{"name":"price_check","arguments":{"link":2}}</tool_call>')
GOOD = ("tool", '{"link":2,"price":"89 yuan","after_coupons":"79 yuan","coupons":["10 yuan off over 50 yuan"]}')


@pytest.mark.parametrize("form", list(ListForm))
@pytest.mark.parametrize("state", [COMPACT, DEFAULT], ids=["compact", "default"])
def test_it_finds_the_skills_in_every_form_of_list(state, form):
    shown = replace(state, prompt=replace(state.prompt, skill_form=form, tool_form=form))
    found = {entry.name: entry.purpose for entry in listed_skills(system_prompt(shown))}
    assert list(found) == [skill.name for skill in state.skills]
    assert all(found[skill.name].startswith(skill.description) for skill in state.skills)
    assert prompt_rules(system_prompt(shown)) == prompt_rules(system_prompt(state))


def test_headings_lists_and_the_example_call_are_no_rules():
    assert [rule.text[:12] for rule in prompt_rules(system_prompt(COMPACT))] == [
        "You host a l",
        "First load t",
        "If a tool fa",
    ]
    assert [rule.place for rule in prompt_rules(system_prompt(COMPACT))] == [0, 0, 1]
    assert body_rules("- a b\n2. c\n") == [Rule("a b", 0), Rule("c", 1)]


def test_words_are_compared_without_plural_and_small_words():
    assert overlap("any coupons for it?", "price and coupon questions") == 1
    assert overlap("how much is it?", "price and coupon questions") == 0


def test_a_rule_is_kept_less_often_further_down_and_among_more_rules():
    def share(place: int, count: int) -> float:
        rules = [Rule(f"rule {number}", place) for number in range(count)]
        return sum(len(Attention(seed, "r").kept(rules)) for seed in range(200)) / (200 * count)

    assert share(0, 4) == 1.0
    assert [round(share(place, 4), 1) for place in (2, 3)] == [pytest.approx(LEAD[2], abs=0.06), 0.3]
    assert share(0, 2 * CAPACITY) == pytest.approx(0.5**1.5, abs=0.05)


def test_what_is_kept_among_many_is_kept_among_few():
    few = [Rule(f"rule {number}", 0) for number in range(8)]
    many = [*few, *(Rule(f"more {number}", 0) for number in range(20))]
    for seed in range(20):
        attention = Attention(seed, "r")
        assert set(attention.kept(many)) & set(few) <= set(attention.kept(few))


def test_it_loads_the_skill_whose_description_sounds_like_the_comment():
    assert '"skill":"price_promo"' in turn(COMPACT, "any coupon for link 2?")
    assert '"skill":"chitchat_persona"' in turn(COMPACT, "how much is link 2?")  # no word in common: the first one
    words = replace(COMPACT.skill("price_promo"), description="price and coupon questions, cost")
    told = replace(COMPACT, skills=tuple(words if s.id == words.id else s for s in COMPACT.skills))
    assert '"skill":"chitchat_persona"' in turn(COMPACT, "what does link 2 cost?")
    assert '"skill":"price_promo"' in turn(told, "what does link 2 cost?")


def test_a_rule_of_the_prompt_helps_it_to_choose():
    told = with_prompt_rule(COMPACT, "rules", 'On shipping and posting, load "{skill:shipping_eta}".')
    assert '"skill":"shipping_eta"' in turn(told, "posting time of link 2?")
    assert '"skill":"chitchat_persona"' in turn(COMPACT, "posting time of link 2?")


def test_it_calls_the_tool_that_the_body_names_for_the_link_asked_about():
    assert turn(COMPACT, "price of link 2?", LOAD, BODY) == CALL[1]
    assert '{"link":3}' in turn(COMPACT, "price of the linen shirt?", LOAD, BODY)  # nobody told it about names
    told = with_prompt_rule(COMPACT, "rules", "An item's name stands in the item list with its link.")
    assert '{"link":2}' in turn(told, "price of the linen shirt?", LOAD, BODY)


def test_it_says_what_the_body_asks_for_and_rambles_without_a_limit():
    reply = turn(COMPACT, "price of link 2?", LOAD, BODY, CALL, GOOD)
    assert reply.endswith("link 2 is 79 yuan with everything taken off.")
    assert reply.startswith(speaking.RAMBLE)
    told = with_prompt_rule(with_prompt_rule(COMPACT, "role", "Call viewers {address}."), "rules", "At most 24 words.")
    assert turn(told, "price of link 2?", LOAD, BODY, CALL, GOOD) == (
        "Friends, link 2 is 79 yuan with everything taken off."
    )


def test_without_a_rule_it_reads_out_the_first_field():
    bare = ("tool", 'Use "price_check".')
    assert turn(COMPACT, "price of link 2?", LOAD, bare, CALL, GOOD).endswith("the list price of link 2 is 89 yuan.")


def test_feedback_of_hooks_is_heard():
    reply = ("assistant", "Thank you ...")
    hook = ("tool", 'Not sent: call the viewers "friends".')
    assert turn(COMPACT, "price of link 2?", LOAD, BODY, CALL, GOOD, reply, hook).startswith("Friends, ")
    words = ("tool", "Not sent: 37 words, at most 24 are allowed.")
    assert len(turn(COMPACT, "price of link 2?", LOAD, BODY, CALL, GOOD, reply, words).split()) < 24


def test_a_failing_tool_is_called_as_often_as_the_rules_say():
    bad = ("tool", "Error 403: permission denied")
    late = ("tool", "error: request timed out")
    silent = with_prompt_rule(
        replace(COMPACT, prompt=replace(COMPACT.prompt, blocks=COMPACT.prompt.blocks[2:])), "x", "a"
    )
    asked = "price of link 2?"
    assert turn(silent, asked, LOAD, BODY, CALL, late, CALL, late) == CALL[1]
    assert "99 yuan" in turn(silent, asked, LOAD, BODY, CALL, late, CALL, late, CALL, late)  # it makes something up
    assert turn(COMPACT, asked, LOAD, BODY, CALL, late) == CALL[1]
    assert "can't check that right now" in turn(COMPACT, asked, LOAD, BODY, CALL, late, CALL, late)
    assert "can't check that right now" in turn(COMPACT, asked, LOAD, BODY, CALL, bad)
    assert turn(silent, asked, LOAD, BODY, CALL, bad) == CALL[1]


def test_one_that_heeds_nothing_gains_nothing_from_rules():
    told = with_skill_rule(COMPACT, "price_promo", "Call viewers {address}.", first=True)
    body = ("tool", "Call viewers friends.\nSay the price after coupons.")
    assert "Friends" not in turn(told, "price of link 2?", LOAD, body, CALL, GOOD, heed=0.0)


def test_the_roster_knows_it_with_and_without_a_share():
    assert (agent("novice").name, agent("novice:0.3").name) == ("novice", "novice:0.3")
    with pytest.raises(ConfigError, match=r"novice:0\.3"):
        agent("novice:1.5")
    with pytest.raises(ConfigError, match=r"novice:0\.3"):
        agent("novice:often")


@pytest.mark.parametrize("harness", ["compact", "default"])
@pytest.mark.parametrize("scenario", ["qa", "quiet_room", "hostile", "recovery"])
def test_it_plays_every_kind_of_room_without_a_fall(harness, scenario):
    env = LiveStreamEnv(scenario=scenario, harness=harness, augment="heldout", requests=4)
    episode = play(NoviceAgent(), env, 3)
    assert len(episode.requests) >= 1
    assert play(NoviceAgent(), env, 3).to_json() != ""


def test_the_same_seed_gives_the_same_turns():
    def texts() -> list[JsonValue]:
        env = LiveStreamEnv(scenario="qa", harness="compact", requests=3)
        return [t.text for request in play(NoviceAgent(), env, 5).requests for t in request.turns]

    assert texts() == texts()
