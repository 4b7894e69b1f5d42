"""General prompts: many, distinct, drawn by seed."""

from __future__ import annotations

import pytest

from livesim.errors import ConfigError
from livesim.evaluation.ifeval.prompts import prompts as ifeval_prompts
from livesim.training.prompt_sources import SOURCES, draw
from livesim.training.prompts import SYSTEMS, Prompt, everything, prompts
from livesim.training.settings import OpdConfig


def test_there_are_more_than_four_hundred_distinct_instructions() -> None:
    assert len(everything()) == len(set(everything())) >= 400


def test_no_prompt_speaks_of_the_room_or_its_tools() -> None:
    text = " ".join(everything()).lower()
    for word in ("tool_call", "live room", "coupon", "viewer", "yuan", "link "):
        assert word not in text


def test_a_seed_gives_the_same_prompts_and_another_seed_others() -> None:
    assert prompts(50, 3) == prompts(50, 3)
    assert prompts(50, 3) != prompts(50, 4)
    assert len({p.user for p in prompts(400, 3)}) == 400
    assert len(prompts(2000, 0)) == 2000


def test_about_half_have_the_system_text_of_the_chat_template() -> None:
    found = prompts(1000, 3)
    assert 450 < sum(not p.system for p in found) < 550
    assert {p.system for p in found} == {"", *SYSTEMS}
    assert Prompt("", "hi").messages == [{"role": "user", "content": "hi"}]
    assert [m["role"] for m in Prompt(SYSTEMS[0], "hi").messages] == ["system", "user"]


def test_sources_give_as_many_prompts_each_in_turn() -> None:
    found = [p.user for p in prompts(7, 3, [["a", "b", "c", "d"], ["x", "y"]])]
    assert [user in "abcd" for user in found] == [True, False] * 3 + [True]
    assert len({*found[::2]}) == 4
    assert {*found[1:4:2]} == {"x", "y"}


def test_a_source_that_nobody_offers_is_named() -> None:
    with pytest.raises(ValueError, match=r"unknown prompt source 'chatterbox'.*did you mean 'chatterbot'"):
        OpdConfig(sources=("chatterbox",))


def test_packages_give_thousands_of_prompts_and_none_of_ifeval() -> None:
    try:
        found = {name: source() for name, source in SOURCES.items()}
        asked = ifeval_prompts()
    except ConfigError as error:
        pytest.skip(str(error))
    assert len(found["chatterbot"]) > 600
    assert len(found["chitchat"]) > 20000

    def runs(text: str) -> set[tuple[str, ...]]:
        words = text.lower().split()
        return {tuple(words[i : i + 8]) for i in range(len(words) - 7)}

    theirs = set().union(*(runs(prompt.text) for prompt in asked))
    shared = [text for texts in found.values() for text in texts if runs(text) & theirs]
    assert shared == []
    assert len(draw(9, 0, ("own", "chatterbot", "chitchat"))) == 9
