"""General prompts: many, distinct, drawn by seed."""

from __future__ import annotations

from livesim.training.prompts import everything, prompts


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
