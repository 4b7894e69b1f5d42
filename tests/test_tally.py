"""The account of one request, and what tokens and words cost."""

from __future__ import annotations

import pytest

from livesim.harness.codec import written
from livesim.tally import HOST_IS_AI, Ledger, approx_tokens, count_tokens
from livesim.types import Comment, Request, RequestEnd, RoomItem, RoomView, Segment, ToolCall, ToolResult
from rewards.signals import Answer, CallError, CallRecord, Fact, FactKind, FaultKind, Limits, Need


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("   ", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("a" * 40, 10)])
def test_one_token_is_four_characters(text: str, tokens: int) -> None:
    assert approx_tokens(text) == tokens


def test_the_carriers_own_count_wins() -> None:
    turn = {"role": "assistant", "content": "x" * 400, "usage": {"completion_tokens": 7, "reasoning_tokens": 3}}
    assert count_tokens(turn, "x" * 400, "y" * 40) == (7, 3)
    assert count_tokens("x" * 400, "x" * 400, "y" * 40) == (100, 10)


@pytest.mark.parametrize("usage", [None, 3, {"completion_tokens": -1}, {"completion_tokens": "many"}, {"x": True}])
def test_a_senseless_count_is_ignored(usage: object) -> None:
    assert count_tokens({"content": "x" * 8, "usage": usage}, "x" * 8, "") == (2, 0)  # type: ignore[dict-item]


def test_a_call_takes_as_long_as_a_message_as_it_does_as_text() -> None:
    text = '<tool_call>{"name":"price_check","arguments":{"link":2}}</tool_call>'
    call = {"type": "function", "function": {"name": "price_check", "arguments": '{"link":2}'}}
    message = {"content": None, "tool_calls": [call]}
    assert count_tokens(message, written(message), "") == count_tokens(text, written(text), "") == (17, 0)


def test_the_account_becomes_signals() -> None:
    price = Fact("link:2", "final_price", FactKind.MONEY, 8900)
    need = Need("price", "link:2", Answer.FACT)
    room = RoomView(clock_s=5.0, on_air=1, items=(RoomItem(2, "linen shirt"),), viewers=3)
    ledger = Ledger(
        Request("r1", (Comment("mia", "how much is link 2?", 4.0),), 4.0),
        [need],
        room,
        Limits(reply_words=30),
        skill_options=[("price", ("price_promo",))],
    )
    ledger.failed([CallRecord("", {}, ok=False, error=CallError.UNKNOWN_TOOL)])
    ledger.result(
        ToolCall("price_check", {"link": 2, "deep": [1]}, "p"),
        ToolResult(True, "{}", facts=(price,), fault=FaultKind.STALE),
    )
    ledger.thought(Segment.TOOL, 5)
    ledger.thought(Segment.REPLY, 2)
    ledger.thought(Segment.TOOL, 1)
    signals = ledger.signals(
        reply="89 yuan", truth=[price], end=RequestEnd.REPLIED, skills_loaded=["price_promo"], blocked=1, unreadable=2
    )
    assert signals.request_id == "r1"
    assert signals.needs == (need,)
    assert [call.error for call in signals.calls] == [CallError.UNKNOWN_TOOL, None]
    assert signals.calls[1].arguments == {"link": 2, "deep": "[1]"}
    assert signals.calls[1].fault is FaultKind.STALE
    assert signals.known == (HOST_IS_AI,)
    assert signals.titles == (("link:2", "linen shirt"),)
    assert (signals.tool_thought_tokens, signals.reply_thought_tokens) == (6, 2)
    assert (signals.blocked, signals.unreadable, signals.end) == (1, 2, "replied")
    assert signals.comments == ("how much is link 2?",)
    assert signals.limits.reply_words == 30
