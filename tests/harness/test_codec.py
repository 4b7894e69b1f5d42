"""The codec: anything is a turn, and a call survives writing and reading."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from livesim.harness.callform import ParsedCall
from livesim.harness.codec import OPEN, kept, parse, render_call, written

CALL = '<tool_call>{"name":"price_check","arguments":{"link":2}}</tool_call>'

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
encodable = st.text(st.characters(blacklist_categories=["Cs"]))
marks = st.sampled_from(
    [
        "<tool_call>",
        "</tool_call>",
        "<think>",
        "</think>",
        "<|im_end|>",
        '{"name":"a","arguments":',
        "{",
        "}",
        '"',
        "[[[[",
        "\\",
        "1e999",
        "NaN",
        "\ud800",
        "😀",
        "\x00",
    ]
)


def test_a_call_is_written_as_compact_json():
    assert render_call("price_check", {"link": 2}) == CALL


@settings(max_examples=300)
@given(st.text() | st.lists(marks | st.text(max_size=5), max_size=30).map("".join))
def test_no_text_raises_and_all_of_it_can_be_encoded(text):
    parsed = parse(text)
    json.dumps([dict(call.arguments) for call in parsed.calls], allow_nan=False)
    for part in (parsed.thought, parsed.speech, written(text), *(call.name for call in parsed.calls)):
        part.encode("utf-8")


@settings(max_examples=300)
@given(
    st.dictionaries(st.text(), plain, max_size=4)
    | st.fixed_dictionaries({"content": plain, "tool_calls": plain, "reasoning_content": plain})
    | st.fixed_dictionaries(
        {"content": st.none() | st.text(), "tool_calls": st.lists(st.fixed_dictionaries({"function": plain}))}
    )
)
def test_no_message_raises_and_its_text_holds_its_calls(turn):
    parsed = parse(turn)
    text = written(turn)
    text.encode("utf-8")
    assert text.count(OPEN) >= sum(not call.problem for call in parsed.calls)


@settings(max_examples=300)
@given(
    encodable.map(str.strip).filter(bool),
    st.dictionaries(
        encodable,
        encodable | st.integers(-(2**62), 2**62) | st.booleans() | st.none() | st.floats(-1e9, 1e9),
        max_size=5,
    ),
)
def test_a_written_call_is_read_back(name, arguments):
    parsed = parse(f"well {render_call(name, arguments)} there")
    assert parsed.calls == (ParsedCall(name, arguments),)
    assert parsed.speech == "well  there"


def test_a_closing_mark_inside_a_string_is_only_text():
    text = '<tool_call>{"name":"faq","arguments":{"topic":"what is </tool_call> for"}}</tool_call>'
    assert parse(text).calls == (ParsedCall("faq", {"topic": "what is </tool_call> for"}),)
    assert parse(text).speech == ""


@pytest.mark.parametrize(
    ("body", "arguments"),
    [
        ('{"name":"a","arguments":{"link":2}}', {"link": 2}),
        ('{"name":"a","arguments":"{\\"link\\":2}"}', {"link": 2}),
        ('{"name":"a","arguments":""}', {}),
        ('{"name":"a","arguments":null}', {}),
        ('{"name":"a"}', {}),
        (' \n {"arguments":{"x":"two\nlines"},"name":" a "} \n ', {"x": "two\nlines"}),
    ],
)
def test_lawful_ways_to_write_arguments(body, arguments):
    assert parse(f"<tool_call>{body}</tool_call>").calls == (ParsedCall("a", arguments),)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ('{"name":"a","parameters":{"link":2}}', '"arguments"'),
        ('{"name":"a","link":2}', "not 'link'"),
        ('{"name":"a","arguments":"oops"}', "no JSON object"),
        ('{"name":"a","arguments":[2]}', "must be a JSON object"),
        ('{"arguments":{}}', 'no "name"'),
        ('{"name":7,"arguments":{}}', 'no "name"'),
        ('["a"]', "no JSON object"),
        ("price_check(2)", "no JSON object"),
        ("{'name':'a'}", "no JSON object"),
        ('{"name":"a","arguments":{"x":NaN}}', "no JSON object"),
        ('{"name":"a","arguments":' + '{"x":' * 20 + "1" + "}" * 21, "too deeply"),
    ],
)
def test_each_wrong_form_says_what_is_wrong(body, says):
    (call,) = parse(f"<tool_call>{body}</tool_call>").calls
    assert says in call.problem
    assert call.arguments == {}


def test_a_cut_call_is_truncated_and_keeps_its_name():
    parsed = parse('<tool_call>{"name":"price_check","argum')
    assert parsed.truncated
    assert parsed.calls[0].name == "price_check"
    assert "cut off" in parsed.calls[0].problem


def test_a_whole_call_without_closing_mark_is_a_call():
    parsed = parse(CALL.removesuffix("</tool_call>"))
    assert parsed.calls == (ParsedCall("price_check", {"link": 2}),)
    assert not parsed.truncated


def test_thought_is_no_speech_and_calls_in_it_are_not_made():
    parsed = parse(f"<think>maybe {CALL}?</think>Hello")
    assert (parsed.thought, parsed.speech, parsed.calls) == (f"maybe {CALL}?", "Hello", ())


def test_a_thought_opened_by_the_template_ends_at_its_closing_mark():
    parsed = parse(f"let me see {CALL}</think>\nHello friends")
    assert (parsed.speech, parsed.calls, parsed.truncated) == ("Hello friends", (), False)
    assert parsed.thought.startswith("let me see")


def test_an_unfinished_thought_is_truncated_and_says_nothing():
    parsed = parse("<think>hm, 89 yuan")
    assert (parsed.thought, parsed.speech, parsed.truncated) == ("hm, 89 yuan", "", True)


def test_several_calls_keep_their_order_and_repeats_are_marked():
    other = render_call("price_check", {"link": 3})
    parsed = parse(CALL + "\n" + other + CALL)
    assert [(call.arguments["link"], call.repeated) for call in parsed.calls] == [(2, False), (3, False), (2, True)]


def test_a_bad_call_hides_neither_the_one_before_nor_the_one_after():
    parsed = parse(f"{CALL}<tool_call>oops<tool_call>oops</tool_call>{render_call('b', {})}")
    assert [bool(call.problem) for call in parsed.calls] == [False, True, True, False]


def test_openai_message():
    turn = {
        "role": "assistant",
        "content": None,
        "reasoning_content": "need the price",
        "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "price_check", "arguments": '{"link":2}'}},
            {"id": "2", "type": "function", "function": {"name": "stock_check", "arguments": {"link": 3}}},
        ],
    }
    parsed = parse(turn)
    assert parsed.calls == (ParsedCall("price_check", {"link": 2}), ParsedCall("stock_check", {"link": 3}))
    assert parsed.thought == "need the price"
    assert parse(written(turn)) == parsed


def test_content_parts_are_joined():
    assert parse({"content": [{"type": "text", "text": "Hello "}, {"type": "text", "text": "friends"}]}).speech == (
        "Hello friends"
    )


def test_an_end_mark_behind_the_turn_is_dropped():
    assert parse("Hello<|im_end|>\n").speech == "Hello"
    assert written("Hello<|im_end|>") == "Hello"


@pytest.mark.parametrize(
    "text",
    ["<tool_call>" * 18_000, "<tool_call>x" * 16_000 + "</tool_call>", "<tool_call>" + "[" * 190_000, "<" * 200_000],
    ids=["opened", "one close", "deep", "angles"],
)
def test_huge_odd_texts_are_read(text):
    assert parse(text).speech is not None


def test_a_turn_of_another_type_is_an_empty_turn():
    assert parse(None).speech == ""  # type: ignore[arg-type]
    assert written(3) == ""  # type: ignore[arg-type]


def test_any_turn_can_be_kept_in_a_record() -> None:
    ring: dict[str, object] = {"role": "assistant", "content": "hi"}
    ring["tool_calls"] = [ring]
    deep: object = "x"
    for _ in range(5000):
        deep = [deep]
    for turn in ("\ud83d", {"content": "\udfff"}, {"content": b"bytes"}, {("a", 1): "x"}, ring, {"content": deep}):
        kept(turn).encode("utf-8")  # type: ignore[arg-type]
    assert kept("link 2 \ud83d") == "link 2 ?"
    assert kept({"content": "直播"}) == '{"content": "直播"}'
    assert kept(ring) == written(ring).encode().decode()  # type: ignore[arg-type]
