"""Hooks: what each check stops, and what looks like it and passes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from livesim.harness import shelf
from livesim.harness.codec import parse, render_call
from livesim.harness.hooks.check import Attempt, Stage
from livesim.harness.hooks.compliance import FAMILIES
from livesim.harness.hooks.registry import CHECKS, first_finding, options_of
from livesim.harness.session import OutcomeKind, Session
from livesim.harness.state import HookSpec
from livesim.types import Comment, Request, RoomItem, RoomView
from livesim.world.rules import PROFILES

DEFAULT = shelf.load("default")


def finds(check: str, reply: str, **more) -> bool:
    options = {**options_of(CHECKS[check], None), **more.pop("options", {})}
    return CHECKS[check].run(Attempt(parse(reply), more.pop("state", DEFAULT), **more), options) is not None


def test_codes_and_names_are_distinct():
    assert len({check.code for check in CHECKS.values()}) == len(CHECKS) == 9


@pytest.mark.parametrize("turn", ["", "   ", "<think>x</think>", "<think>x", "<tool_call>{</tool_call>", "a" * 4001])
def test_input_validity_stops_turns_that_say_nothing(turn):
    assert finds("input_validity", turn)


@pytest.mark.parametrize(
    "turn", ["Hello", "👍", render_call("a", {}), "<tool_call>{</tool_call>" + render_call("a", {})]
)
def test_input_validity_passes_what_can_be_read(turn):
    assert not finds("input_validity", turn)


def test_tool_arguments():
    good = parse(render_call("price_check", {"link": 2})).calls[0]
    assert not finds("tool_arguments", "x", call=good)
    assert finds("tool_arguments", "x", call=parse(render_call("price_check", {})).calls[0])


def test_retry_control_stops_the_third_equal_call():
    text = render_call("price_check", {"link": 2})
    call = parse(text).calls[0]
    assert not finds("retry_control", "x", call=call, earlier=(text,))
    assert finds("retry_control", "x", call=call, earlier=(text, text))
    assert not finds("retry_control", "x", call=call, earlier=(text.replace("2", "3"),) * 5)
    assert not finds("retry_control", "x", call=call, earlier=(text, text), options={"same_call": 3})


def test_skill_required():
    assert finds("skill_required", "Hello")
    assert finds("skill_required", "Hello", skills_loaded=("recovery",))
    assert not finds("skill_required", "Hello", skills_loaded=("recovery", "item_qa"))
    blind = replace(DEFAULT, tools=tuple(v for v in DEFAULT.tools if v.canonical != "load_skill"))
    assert not finds("skill_required", "Hello", state=blind)


@pytest.mark.parametrize(
    "reply",
    [
        "<b>89</b> yuan",
        '{"price": 89}',
        "see https://a.example/x",
        "see shop.com",
        "**89** yuan",
        "`89`",
        "# Price",
        "- 89 yuan\n- 90 yuan",
        "| a | b |",
        "Assistant: 89 yuan",
        "<|im_end|>",
        "</tool_call>",
        "...",
        "[link 2]",
    ],
)
def test_reply_format_stops_what_cannot_be_spoken(reply):
    assert finds("reply_format", reply)


@pytest.mark.parametrize(
    "reply",
    [
        "Link 2 is 89.50 yuan, friends!",
        "It's red/M - only in linen.",
        "I <3 this one",
        "Ask away: we're here.",
        "👍",
        "Size M fits at 165 cm & 55 kg.",
        "OK.Link 2 is next.",
    ],
)
def test_reply_format_passes_speech(reply):
    assert not finds("reply_format", reply)


def test_reply_format_can_forbid_emoji():
    assert finds("reply_format", "Hello 👍", options={"emoji": False})


def test_reply_length_counts_words_not_marks():
    limit = DEFAULT.limits.reply_words
    assert not finds("reply_length", "word - " * limit)
    assert finds("reply_length", "word " * (limit + 1))


@pytest.mark.parametrize(("reply", "found"), [("Hi Friends!", False), ("befriends all", True), ("Hi all", True)])
def test_reply_address(reply, found):
    assert finds("reply_address", reply) is found


def test_reply_address_without_a_rule():
    limits = replace(DEFAULT.limits, address="")
    assert not finds("reply_address", "Hi", state=replace(DEFAULT, hooks=replace(DEFAULT.hooks, limits=limits)))


RESULT = '{"link":2,"after_coupons":"89.50 yuan","list_price":"1,099 yuan","dispatch":"within 48 hours"}'
PROMPT = "Items: shirt = link 2.\nmia: 3 pieces for 170cm?"


@pytest.mark.parametrize(
    "reply",
    [
        "It is 89.50 yuan.",
        "It is 89.5 yuan",
        "List price 1099 yuan.",
        "List price 1,099 yuan.",
        "Link 2, for your 170 cm.",
        "Two pieces left? One.",
        "You save 1009.50 yuan.",
        "Three pieces are 268.50 yuan.",
        "It leaves in 2 days.",
        "forty-eight hours",
        "On the 5th floor, order A17.",
        "That is 92 percent off.",
    ],
)
def test_factual_risk_passes_numbers_that_were_read_or_follow(reply):
    assert not finds("factual_risk", reply, prompt=PROMPT, results=RESULT)


@pytest.mark.parametrize(
    "reply",
    ["It is 79 yuan.", "It is 89.40 yuan", "99 pieces left", "about seventy-nine yuan", "In 5 days.", "50% off"],
)
def test_factual_risk_stops_invented_numbers(reply):
    assert finds("factual_risk", reply, prompt=PROMPT, results=RESULT)


def test_factual_risk_without_arithmetic():
    options = {"arithmetic": False}
    assert finds("factual_risk", "You save 1009.50 yuan.", prompt=PROMPT, results=RESULT, options=options)


@pytest.mark.parametrize(
    "reply",
    [
        "This is the best pan.",
        "Lowest price online!",
        "We are number one in pans.",
        "100% effective cream",
        "It cures acne.",
        "This tea boosts your immunity.",
        "Guaranteed results for you.",
        "It works for everyone.",
        "Add me on WeChat.",
        "we-chat: w e c h a t",
        "Pay me directly.",
        "Other shops are fake.",
        "Those sellers lie to you.",
        "Call 13812345678.",
        "Your order A1234 is on its way.",
        "No, I'm a real person.",
        "I am not a robot.",
        "Hurry, last chance!",
        "Only 3 left!",
    ],
)
def test_compliance_stops_forbidden_sentences(reply):
    assert finds("compliance", reply)


@pytest.mark.parametrize(
    "reply",
    [
        "I can't say it is the best pan.",
        "Please drink it best before May.",
        "We do our best for you.",
        "All the best, friends!",
        'You asked for "the best", so let me show link 2.',
        "Which pan is the best for you?",
        "This is not a medicine and never cures acne.",
        "The coating prevents sticking.",
        "I can't guarantee that.",
        "The guarantee card is in the box.",
        "Please never add strangers on WeChat, we stay here.",
        "I can't speak for other shops, here it is 89 yuan.",
        "Your order is on its way.",
        "You can order 12 of them, friends.",
        "I'm an AI host, not a real person.",
        "Yes, I am an AI.",
        "There is no need to hurry.",
        "First step: take the coupon.",
        "What a treat, friends!",
    ],
)
def test_compliance_passes_what_only_looks_like_it(reply):
    assert not finds("compliance", reply)


def test_scarcity_with_evidence_passes():
    assert not finds("compliance", "Only 3 left!", results='{"left":3}')


def test_words_of_a_title_are_no_claim():
    assert finds("compliance", "The Best Price Pan is 89 yuan.")
    assert not finds("compliance", "The Best Price Pan is 89 yuan.", titles=("Best Price Pan",))


def test_families_can_be_switched_off():
    assert not finds("compliance", "This is the best pan.", options={"absolute_terms": False})


def test_hooks_run_in_the_order_of_the_harness_and_word_their_finding():
    hooks = (HookSpec("reply_length", "too long: {words}/{reply_words}"), HookSpec("compliance", "no {rule}"))
    limits = replace(DEFAULT.limits, reply_words=3)
    state = replace(DEFAULT, hooks=replace(DEFAULT.hooks, hooks=hooks, limits=limits))
    attempt = Attempt(parse("This is the best pan."), state, skills_loaded=("item_qa",))
    assert first_finding(attempt, Stage.REPLY) == "too long: 5/3"
    state = replace(state, hooks=replace(state.hooks, hooks=hooks[::-1]))
    assert first_finding(replace(attempt, state=state), Stage.REPLY) == "no absolute terms"


FAMILY_OF_LAW = {"guaranteed_result": "guaranteed_effect"}
"""Laws of the world that the harness's net knows under another name."""


@pytest.mark.parametrize("platform", PROFILES)
def test_the_shipped_net_asks_on_each_platform_for_what_its_law_asks(platform):
    laws = {FAMILY_OF_LAW.get(rule, rule) for rule in PROFILES[platform].rules}
    lifted = set(dict(DEFAULT.hooks.exempt).get(platform, ()))
    assert lifted == {f"compliance.{family.name}" for family in FAMILIES if family.name not in laws}


def test_what_a_platform_does_not_ask_for_is_not_checked_there():
    hooks = replace(DEFAULT.hooks, exempt=(("douyin", ("reply_length",)), ("plain", ("compliance.absolute_terms",))))
    state = replace(DEFAULT, hooks=hooks, tools=DEFAULT.tools)
    long = Attempt(parse("word " * 60), state, skills_loaded=("item_qa",))
    best = Attempt(parse("This is the best pan."), state, skills_loaded=("item_qa",))
    cure = Attempt(parse("It cures acne."), state, skills_loaded=("item_qa",))

    def stopped(attempt, platform):
        return first_finding(replace(attempt, platform=platform), Stage.REPLY) is not None

    assert [stopped(long, p) for p in ("taobao", "douyin", "plain")] == [True, False, True]
    assert [stopped(best, p) for p in ("taobao", "douyin", "plain")] == [True, True, False]
    assert [stopped(cure, p) for p in ("taobao", "douyin", "plain")] == [True, True, True]


def test_a_session_reads_the_platform_of_its_room():
    said = []
    for platform in ("taobao", "plain"):
        room = RoomView(1.0, 2, (RoomItem(2, "pan"),), viewers=3, platform=platform)
        session = Session(DEFAULT, Request("r", (Comment("mia", "hi", 1.0),), 1.0), room)
        session.feed('<tool_call>{"name":"load_skill","arguments":{"skill":"chitchat_persona"}}</tool_call>')
        said.append(session.feed("Hello friends, this is the best room.").kind)
    assert said == [OutcomeKind.FEEDBACK, OutcomeKind.REPLY]
