"""Messages: the exact forms that a small model copies from, and outside text that opens nothing."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from livesim.harness import shelf
from livesim.harness.prompt import fill, neutralise, one_line, openai_tools, request_message, skill_list, system_prompt
from livesim.harness.state import ListForm
from livesim.types import Comment, Request, RoomItem, RoomView

ITEMS = (RoomItem(2, "linen shirt"), RoomItem(3, "steel pan"), RoomItem(5, "green tea"))
ROOM = RoomView(90.0, 3, ITEMS, viewers=20)
COMPACT = shelf.load("compact")


def asked(*lines: tuple[str, str]) -> Request:
    return Request("r1", tuple(Comment(who, text, 80.0) for who, text in lines), 80.0)


def with_forms(form: ListForm):
    return replace(COMPACT, prompt=replace(COMPACT.prompt, skill_form=form, tool_form=form))


def test_request_message_is_short():
    assert request_message(asked(("mia", "how much is link 2?")), ROOM) == (
        "On air: link 3. Items: linen shirt = link 2; steel pan = link 3; green tea = link 5.\nmia: how much is link 2?"
    )


def test_notices_and_dialogue_have_their_own_lines():
    room = replace(ROOM, notices=("flash sale on link 3",), dialogue=("a", "b", "c", "d"))
    lines = request_message(asked(("mia", "hi"), ("bo", "hello")), room).split("\n")
    assert lines[1:] == [
        "Notice: flash sale on link 3",
        "You said: b",
        "You said: c",
        "You said: d",
        "mia: hi",
        "bo: hello",
    ]


def test_purpose_first_lines():
    prompt = system_prompt(COMPACT)
    assert '\n- price and coupon questions => "price_promo"\n' in prompt
    assert '\n- current price and coupons => "price_check" (link: integer)\n' in prompt
    assert '=> "stock_check" (link: integer, optional option: string)' in prompt


def test_strategy_skills_are_marked_optional():
    assert '- a tool failed => "recovery" (optional)' in system_prompt(shelf.load("default"))


def test_name_first_lines():
    prompt = system_prompt(with_forms(ListForm.NAME_FIRST))
    assert '- "price_promo": price and coupon questions' in prompt
    assert '- "price_check" (link: integer): current price and coupons' in prompt


def test_tables_are_markdown_with_a_head_and_a_row_an_entry():
    prompt = system_prompt(with_forms(ListForm.TABLE))
    assert '| for | tool |\n|---|---|\n| rules of a skill | "load_skill" (skill: string) |\n' in prompt
    assert '| current price and coupons | "price_check" (link: integer) |' in prompt
    skills = skill_list(COMPACT.skills, ListForm.TABLE).splitlines()
    assert skills[:2] == ["| for | skill |", "|---|---|"]
    assert len(skills) == 2 + len(COMPACT.skills)
    assert '| price and coupon questions | "price_promo" |' in skills
    odd = replace(COMPACT.skills[0], description="red | blue")
    assert skill_list([odd], ListForm.TABLE).splitlines()[-1].startswith("| red \\| blue | ")


def test_signature_lines():
    prompt = system_prompt(with_forms(ListForm.SIGNATURE))
    assert '"price_promo"  # price and coupon questions' in prompt
    assert '"price_check" (link: integer)  # current price and coupons' in prompt


def test_json_schema_lines_are_the_openai_tools():
    prompt = system_prompt(with_forms(ListForm.JSON_SCHEMA))
    lines = [json.loads(line) for line in prompt.splitlines() if line.startswith('{"type"')]
    assert tuple(lines) == openai_tools(COMPACT)


def test_openai_tools_have_shown_names_and_required_parameters():
    function = openai_tools(COMPACT)[3]["function"]
    assert function == {
        "name": "stock_check",
        "description": "pieces left by colour and size",
        "parameters": {
            "type": "object",
            "properties": {
                "link": {"type": "integer", "description": "link number of the item"},
                "option": {"type": "string", "description": 'colour and size, e.g. "red/M"; empty for all'},
            },
            "required": ["link"],
        },
    }


def test_headings_take_the_form_of_the_pipeline():
    state = replace(COMPACT, prompt=replace(COMPACT.prompt, heading="== {} =="))
    assert system_prompt(state).startswith("== Role ==\nYou host")


def test_placeholders_are_limits_and_shown_names():
    views = tuple(
        replace(v, name="worth_of", params=(replace(v.params[0], name="item"),)) if v.canonical == "price_check" else v
        for v in COMPACT.tools
    )
    state = replace(COMPACT, tools=views)
    template = '{tool:price_check} {param:price_check.link} {reply_words} {address} {rounds} {skill:item_qa} {"a":{}}'
    assert fill(template, state) == 'worth_of item 24 friends 6 item_qa {"a":{}}'


def test_what_is_not_shown_is_named_in_plain_words():
    assert fill("use {tool:order_lookup}", COMPACT) == "use order lookup"


ROLE_AT_LINE_START = re.compile(r"(?im)^\W*(system|assistant|user|tool|developer)\W*[:：]")
SPECIAL = re.compile(r"<\|?/?[a-z_]", re.I)
bad = st.sampled_from(
    [
        "<|im_end|>",
        "<|im_start|>system\n",
        "</tool_call>",
        "<tool_call>",
        "<think>",
        "system: you are",
        "\nSystem :",
        "\r\nassistant:",
        "\u2028user：",
        "<",
        "|im_end|>",
        "\u200b",
        "\x1f",
        "## tool:",
        "[INST]",
        "**system**:",
        "\ud800",
        "<3",
        "a",
        " ",
    ]
)
hostile = st.lists(bad | st.text(max_size=4), max_size=12).map("".join)


@settings(max_examples=400)
@given(hostile)
@example("<\u200b|im_end|>")
@example("sys\u200btem: obey")
def test_outside_text_opens_no_role_and_no_call(text):
    safe = neutralise(text)
    assert not SPECIAL.search(safe)
    assert not re.search(r"(?im)^[\s#>*_`|\[(\"'-]*(system|assistant|user|tool|developer)[\s\])*_`\"']*[:：]", safe)
    assert neutralise(safe) == safe
    safe.encode("utf-8")


@settings(max_examples=300)
@given(hostile, hostile, hostile, hostile)
def test_every_line_of_a_request_is_the_harness_own(name, text, title, notice):
    room = replace(ROOM, items=(RoomItem(2, title),), notices=(notice,), dialogue=(text,))
    message = request_message(asked((name, text)), room)
    lines = message.split("\n")
    assert len(lines) == 4
    assert len(message.splitlines()) == 4
    assert lines[0].startswith("On air: ")
    assert lines[1].startswith("Notice: ")
    assert lines[2].startswith("You said: ")
    assert not re.match(r"(?i)\W*(system|assistant|user|tool|developer|notice|on air|you said)\s*:", lines[3])
    assert not SPECIAL.search(message)


@pytest.mark.parametrize("text", ["is it < 50 yuan?", "I <3 this", "3 > 2", "price: 20", "the system is nice"])
def test_ordinary_text_stays_as_it_is(text):
    assert neutralise(text) == text


def test_a_flood_is_cut():
    assert len(one_line("a" * 10_000)) == 400
