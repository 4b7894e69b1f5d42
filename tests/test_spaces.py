"""Text spaces: membership, samples, equality, pickling."""

from __future__ import annotations

import json
import pickle

import pytest

from livesim.spaces import TurnSpace, UnicodeText


@pytest.mark.parametrize("text", ["", " ", "\n", "直播间", "\U0001f525", "<|im_end|>", "a" * 100_000])
def test_any_text_belongs(text: str) -> None:
    assert UnicodeText().contains(text)


def test_only_short_text_belongs_to_a_bounded_space() -> None:
    space = UnicodeText(max_length=3)
    assert space.contains("abc")
    assert not space.contains("abcd")
    assert not space.contains(b"abc")
    assert not space.contains(3)


def test_samples_belong_and_follow_the_seed() -> None:
    one, two = UnicodeText(seed=3), UnicodeText(seed=3)
    first = [one.sample() for _ in range(50)]
    assert first == [two.sample() for _ in range(50)]
    assert all(one.contains(text) for text in first)
    assert len(set(first)) > 40


def test_equality_and_pickling() -> None:
    assert UnicodeText(5) == UnicodeText(5)
    assert UnicodeText(5) != UnicodeText(6)
    assert TurnSpace() == TurnSpace()
    assert TurnSpace() != UnicodeText()
    assert pickle.loads(pickle.dumps(UnicodeText(5))) == UnicodeText(5)
    assert pickle.loads(pickle.dumps(TurnSpace())) == TurnSpace()


def test_turn_space_samples_both_forms() -> None:
    space = TurnSpace(seed=1)
    turns = [space.sample() for _ in range(200)]
    texts = [turn for turn in turns if isinstance(turn, str)]
    messages = [turn for turn in turns if isinstance(turn, dict)]
    assert 50 < len(texts) < 150
    assert len(texts) + len(messages) == 200
    assert any("<tool_call>" in text for text in texts)
    assert any("tool_calls" in message for message in messages)
    assert all(space.contains(turn) for turn in turns)
    assert not space.contains(7)


def test_turns_survive_json() -> None:
    space = TurnSpace(seed=1)
    turns = [space.sample() for _ in range(100)]
    text = json.dumps(space.to_jsonable(turns))
    assert space.from_jsonable(json.loads(text)) == turns
