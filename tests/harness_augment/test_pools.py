"""The pools are wide, and their two halves share nothing."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

import numpy as np
import pytest

from livesim.harness import shelf
from livesim.harness.augment import (
    pools_frames,
    pools_hooks,
    pools_names,
    pools_prompt,
    pools_rules,
    pools_skills,
    pools_tools,
)
from livesim.harness.augment.config import Split
from livesim.harness.augment.grammar import Pool, draw, expand
from livesim.harness.augment.names import NAME, STYLES, Namer, split_of, styled
from livesim.harness.augment.paraphrase import SYNONYMS
from livesim.harness.augment.rules import reworded_rule, sentences
from livesim.harness.augment.system_prompt import moved_words
from livesim.seeding import stream
from livesim.tools.builtin import SPECS

MODULES = (pools_frames, pools_hooks, pools_names, pools_prompt, pools_rules, pools_skills, pools_tools)


def every_pool() -> list[tuple[str, Pool]]:
    pools: list[tuple[str, Pool]] = [(f"synonyms.{word}", pool) for word, pool in SYNONYMS.items()]
    for module in MODULES:
        for name, value in vars(module).items():
            if isinstance(value, Pool):
                pools.append((name, value))
            elif name.isupper() and hasattr(value, "items"):
                pools += [(f"{name}.{key}", pool) for key, pool in value.items() if isinstance(pool, Pool)]
    return pools


SHARED = {"PLAIN"}  # a bare phrase is a frame in both splits


@pytest.mark.parametrize(("name", "pool"), every_pool())
def test_the_two_splits_of_a_pool_share_no_text(name: str, pool: Pool) -> None:
    if name in SHARED:
        return
    train, heldout = pool.texts(Split.TRAIN_WIDE), pool.texts(Split.HELDOUT)
    assert pool.texts(Split.TRAIN)
    assert heldout
    assert not {text.lower() for text in train} & {text.lower() for text in heldout}


@pytest.mark.parametrize(("name", "pool"), every_pool())
def test_the_wider_choice_is_the_training_half_and_more(name: str, pool: Pool) -> None:
    train, wide = pool.texts(Split.TRAIN), pool.texts(Split.TRAIN_WIDE)
    assert train <= wide
    assert len(wide) > len(train) or not pool.wide


def test_every_tool_and_every_skill_for_replies_has_a_wider_choice() -> None:
    purposes = {**pools_skills.SKILL_PHRASES, **pools_tools.TOOL_PHRASES}
    assert {name for name, pool in purposes.items() if not pool.wide} == {"recovery", "order_nudge", "batch_answer"}


@pytest.mark.parametrize(("name", "pool"), every_pool())
def test_the_two_splits_of_a_pool_use_the_same_placeholders(name: str, pool: Pool) -> None:
    marks = [frozenset(re.findall(r"\{[^{}]*\}", text)) for split in Split for text in pool.texts(split)]
    assert len(set(marks) - {frozenset({"{n}"}), frozenset()}) <= 1


def test_a_grammar_gives_every_combination_once() -> None:
    assert expand("[a|b[x|y]] c") == ("a c", "bx c", "by c")
    assert expand("plain") == ("plain",)
    assert draw(("[a|b]", "c"), stream(1)) in {"a", "b", "c"}


@pytest.mark.parametrize("tool", SPECS)
def test_every_tool_has_wide_descriptions_and_names(tool: str) -> None:
    phrases = pools_tools.TOOL_PHRASES[tool]
    frames = 1 if tool in pools_tools.UNFRAMED else len(pools_tools.TOOL_FRAMES.texts(Split.TRAIN))
    assert len(phrases.texts(Split.TRAIN)) * frames >= 20
    assert len(phrases.texts(Split.HELDOUT)) >= 2
    assert len(pools_names.TOOL_TOPICS[tool].train) >= 8
    for field in SPECS[tool].arguments.model_fields:
        assert len(pools_names.PARAM_NAMES[field].train) >= 7
        assert pools_tools.PARAM_NOTES[field].texts(Split.HELDOUT)


RULES = sorted(
    {
        rule
        for name in shelf.names()
        for skill in shelf.load(name).skills
        for line in skill.body.splitlines()
        for rule in sentences(line.removeprefix("- ").strip())
    }
)


def phrasings(draw_one: Callable[[Split, np.random.Generator], str]) -> dict[Split, set[str]]:
    """What 150 draws of each split give."""
    return {split: {draw_one(split, stream(seed, "phrasing")) for seed in range(150)} for split in Split}


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_of_the_library_has_thirty_phrasings_which_the_splits_do_not_share(rule: str) -> None:
    found = phrasings(lambda split, rng: reworded_rule(rule, split, rng))
    assert not found[Split.TRAIN] & found[Split.HELDOUT]
    assert sum(len(texts) for texts in found.values()) >= 30 - 2  # draws may miss one
    assert min(len(texts) for texts in found.values()) >= 5


@pytest.mark.parametrize("tool", SPECS)
def test_every_tool_description_has_thirty_phrasings(tool: str) -> None:
    frames = None if tool in pools_tools.UNFRAMED else pools_tools.TOOL_FRAMES
    phrases = pools_tools.TOOL_PHRASES[tool]
    assert sum(len(phrases.texts(s)) * (len(frames.texts(s)) if frames else 1) for s in Split) >= 30


def test_every_skill_has_wide_descriptions_and_names() -> None:
    assert set(pools_skills.SKILL_PHRASES) == set(pools_names.SKILL_TOPICS)
    assert len(pools_skills.SKILL_PHRASES) == 14
    frames = len(pools_skills.SKILL_FRAMES.texts(Split.TRAIN))
    for skill, pool in pools_skills.SKILL_PHRASES.items():
        assert len(pool.texts(Split.TRAIN)) * frames >= 200, skill
        assert len(pool.texts(Split.TRAIN)) >= 10, skill
        assert len(pool.texts(Split.HELDOUT)) >= 2, skill


def test_descriptions_assert_nothing_beyond_their_purpose() -> None:
    pushy = re.compile(
        r"\b(always|must|best|only|essential|preferred|important|required|most|reliable|trusted)\b", re.I
    )
    pools = [*pools_skills.SKILL_PHRASES.values(), *pools_tools.TOOL_PHRASES.values()]
    pools += [pools_skills.SKILL_FRAMES, pools_tools.TOOL_FRAMES, pools_skills.NOISE_SKILLS]
    texts = [text for pool in pools for split in Split for text in pool.texts(split)]
    texts += [d.description for d in (*pools_tools.DISTRACTORS_TRAIN, *pools_tools.DISTRACTORS_HELDOUT)]
    assert [text for text in texts if pushy.search(text)] == []


def test_words_of_address_are_single_and_enough() -> None:
    assert len(pools_names.ADDRESS.train) >= 25
    assert len(pools_names.ADDRESS.heldout) >= 8
    assert all(re.fullmatch(r"[a-z]+", word) for split in Split for word in pools_names.ADDRESS.of(split))


def names(split: Split, count: int) -> set[str]:
    found: set[str] = set()
    for seed in range(count):
        namer = Namer(pools_names.TOOL_VERBS, pools_names.TOOL_ENDINGS, split, stream(seed, "names"), ())
        topics = pools_names.TOOL_TOPICS
        found |= {namer.fresh(tool, topics[tool], topics["stock_check"]) for tool in ("price_check", "faq_search")}
    return found


def test_generated_names_are_thousands_and_never_shared() -> None:
    train, heldout = names(Split.TRAIN, 2000), names(Split.HELDOUT, 500)
    assert len(train) > 3000
    assert len(heldout) > 800
    assert not {name.lower() for name in train} & {name.lower() for name in heldout}
    assert all(NAME.fullmatch(name) for name in train | heldout)
    assert all(split_of(name) is Split.TRAIN for name in train)
    assert all(split_of(name) is Split.HELDOUT for name in heldout)


def test_words_of_names_are_disjoint_across_all_kinds_of_words() -> None:
    for pools in (
        (pools_names.TOOL_VERBS, pools_names.TOOL_ENDINGS, pools_names.PREFIXES, *pools_names.TOOL_TOPICS.values()),
        (pools_names.SKILL_VERBS, pools_names.SKILL_ENDINGS, *pools_names.SKILL_TOPICS.values()),
        (pools_names.THINGS,),
    ):
        train = set(itertools.chain.from_iterable(pool.train for pool in pools))
        heldout = set(itertools.chain.from_iterable(pool.heldout for pool in pools))
        assert not train & heldout


def test_styles_join_words_as_named() -> None:
    assert [styled(("get", "live_price"), style) for style in STYLES] == [
        "get_live_price",
        "get-live-price",
        "getLivePrice",
        "GetLivePrice",
        "get.live.price",
        "getliveprice",
    ]


def test_moved_limits_are_disjoint_and_close_to_the_original() -> None:
    moved = moved_words(30)
    assert moved[Split.HELDOUT] == (23, 28, 33, 38)
    assert not set(moved[Split.TRAIN]) & set(moved[Split.HELDOUT])
    assert min(moved[Split.TRAIN]) == 22
    assert max(moved[Split.TRAIN]) == 42
