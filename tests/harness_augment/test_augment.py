"""Variants keep the task: same canonical tools and intents, limits in range, every text resolvable, same seed same."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from pydantic import ValidationError

from livesim.harness import shelf
from livesim.harness.augment import (
    DIMENSIONS,
    PRESETS,
    TOUCHES,
    Dimension,
    HSAConfig,
    Split,
    augment,
    growth,
    problems,
    strangers,
)
from livesim.harness.augment.pools_names import ADDRESS
from livesim.harness.augment.rules import known, sentences
from livesim.harness.augment.system_prompt import moved_words
from livesim.harness.prompt import fill, system_prompt
from livesim.harness.state import HarnessState, PromptBlock, SkillKind
from livesim.seeding import stream

BOTH = tuple(Split)
ALL = tuple(Dimension)


@pytest.fixture(params=["small", "compact", "default"])
def state(request: pytest.FixtureRequest, small: HarnessState) -> HarnessState:
    return small if request.param == "small" else shelf.load(request.param)


@pytest.mark.parametrize("split", BOTH)
@pytest.mark.parametrize("dimension", ALL)
def test_a_dimension_repeats_under_one_seed_and_touches_its_own_parts_only(
    state: HarnessState, dimension: Dimension, split: Split
) -> None:
    before = state.hashes
    changed: Counter[str] = Counter()
    for seed in range(20):
        first = DIMENSIONS[dimension](state, stream(seed), 1.0, split)
        assert first == DIMENSIONS[dimension](state, stream(seed), 1.0, split)
        touched = {part for part, value in first.hashes.items() if value != before[part]}
        assert touched
        assert touched <= TOUCHES[dimension]
        changed.update(touched)
    assert state.hashes == before
    assert set(changed) == TOUCHES[dimension]


@pytest.mark.parametrize("dimension", ALL)
def test_strength_zero_changes_nothing_that_a_model_reads(small: HarnessState, dimension: Dimension) -> None:
    for seed in range(10):
        assert DIMENSIONS[dimension](small, stream(seed), 0.0, Split.TRAIN) == small


@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "none"])
def test_every_variant_holds_and_keeps_what_is_canonical(state: HarnessState, preset: str) -> None:
    for seed in range(25):
        variant = augment(state, PRESETS[preset], stream(seed, "variant"))
        new = variant.state
        assert problems(new, state) == ()
        assert {v.canonical for v in new.tools if v.canonical} == {v.canonical for v in state.tools}
        served = {s.id: (s.kind, s.intents) for s in state.skills if s.intents}
        assert {s.id: (s.kind, s.intents) for s in new.skills if s.intents} == served
        for view in state.tools:
            other = new.view(view.canonical)
            assert other is not None
            kinds = dict(zip((p.canonical for p in view.params), view.kinds, strict=True))
            assert dict(zip((p.canonical for p in other.params), other.kinds, strict=True)) == kinds
            named = {p.name: p.canonical for p in view.params}
            now = {p.name: p.canonical for p in other.params}
            assert {now[name] for name in other.required} == {named[name] for name in view.required}
        assert new.limits.tool_thought_tokens == state.limits.tool_thought_tokens
        assert [h.check for h in new.hooks.hooks] == [h.check for h in state.hooks.hooks]
        assert growth(new, state) <= 1.35
        assert variant.original is (new == state)
        for text in (system_prompt(new), *(fill(s.body, new) for s in new.skills)):
            assert "{tool:" not in text
            assert "{address}" not in text
            assert "{reply_words}" not in text


def test_the_call_form_survives_every_wording_of_the_prompt(state: HarnessState) -> None:
    form = '<tool_call>{"name":"NAME","arguments":{}}</tool_call>'
    for split in BOTH:
        for seed in range(30):
            new = DIMENSIONS[Dimension.SYSTEM_PROMPT](state, stream(seed), 1.0, split)
            assert system_prompt(new).count(form) == system_prompt(state).count(form)


def test_the_same_seed_gives_the_same_variant_and_another_seed_another(small: HarnessState) -> None:
    hashes = [augment(small, PRESETS["train:tool_definition"], stream(seed)).state.hash for seed in range(40)]
    assert hashes == [augment(small, PRESETS["train:tool_definition"], stream(seed)).state.hash for seed in range(40)]
    assert len(set(hashes)) == 40


def test_surfaces_of_the_two_splits_differ_in_every_changed_name_and_description(state: HarnessState) -> None:
    surfaces: dict[Split, set[str]] = {}
    for split in BOTH:
        found: set[str] = set()
        for seed in range(60):
            config = HSAConfig(
                split=split, dimensions={Dimension.SKILL_IDENTIFIER: 1.0, Dimension.TOOL_DEFINITION: 1.0}
            )
            new = augment(state, config, stream(seed)).state
            found |= {text.lower() for s in new.skills for text in (f"name {s.name}", s.description)}
            found |= {text.lower() for v in new.tools for text in (f"name {v.name}", v.description)}
        surfaces[split] = found
    own = {text.lower() for s in state.skills for text in (f"name {s.name}", s.description)}
    own |= {text.lower() for v in state.tools for text in (f"name {v.name}", v.description)}
    shared = surfaces[Split.TRAIN] & surfaces[Split.HELDOUT]
    assert shared - own == set()
    # A text with no known word in it has no other form; those of the library all have one.
    assert state.name == "small" or shared == set()


def test_limits_move_within_their_split(state: HarnessState) -> None:
    words = moved_words(state.limits.reply_words)
    for split in BOTH:
        seen_words, seen_address = set(), set()
        for seed in range(60):
            seen_words.add(DIMENSIONS[Dimension.SYSTEM_PROMPT](state, stream(seed), 1.0, split).limits.reply_words)
            seen_address.add(DIMENSIONS[Dimension.SKILL_CONTENT](state, stream(seed), 1.0, split).limits.address)
        assert seen_words <= set(words[split.half])
        assert len(seen_words) >= 2
        assert seen_address <= set(ADDRESS.of(split))
        assert len(seen_address) >= 8


def test_a_moved_address_is_told_by_every_reply_skill_even_where_the_original_had_none(small: HarnessState) -> None:
    bodies = tuple(replace(s, body=s.body.replace("- Call viewers {address}.\n", "")) for s in small.skills)
    bare = replace(small, skills=bodies, hooks=replace(small.hooks, limits=replace(small.limits, address="")))
    assert problems(bare) == ()
    new = DIMENSIONS[Dimension.SKILL_CONTENT](bare, stream(4), 1.0, Split.TRAIN)
    assert new.limits.address
    for skill in new.skills:
        told = "{address}" in skill.body
        assert told is (skill.kind is SkillKind.REPLY and bool(skill.intents))


def test_presets_mix_originals_single_dimensions_and_all_five(small: HarnessState) -> None:
    counts = Counter(len(augment(small, PRESETS["train"], stream(seed)).changes) for seed in range(400))
    assert 0.13 < counts[0] / 400 < 0.30
    assert counts[1] + counts[2] > 120
    assert counts[5] > 40
    assert augment(small, PRESETS["none"], stream(1)).original
    assert all(len(augment(small, PRESETS["heldout"], stream(seed)).changes) == 5 for seed in range(20))
    assert len(PRESETS) == 1 + 3 * (1 + 5)  # none; each split with all and each of the five dimensions


def test_leaving_a_dimension_out_moves_no_other(small: HarnessState) -> None:
    both = HSAConfig(dimensions={Dimension.SYSTEM_PROMPT: 1.0, Dimension.SKILL_CONTENT: 1.0})
    one = HSAConfig(dimensions={Dimension.SYSTEM_PROMPT: 1.0})
    assert augment(small, both, stream(3)).state.prompt == augment(small, one, stream(3)).state.prompt


def test_strength_outside_its_range_and_unknown_dimensions_are_refused() -> None:
    with pytest.raises(ValidationError, match="between 0 and 1"):
        HSAConfig(dimensions={Dimension.HOOK: 1.5})
    with pytest.raises(ValidationError):
        HSAConfig.model_validate({"dimensions": {"prompt": 1.0}})
    assert HSAConfig.model_validate({"dimensions": {"hook": 0.5}, "split": "heldout"}).split is Split.HELDOUT


def test_problems_names_each_fault(small: HarnessState) -> None:
    def told(state: HarnessState, original: HarnessState | None = None) -> str:
        return " / ".join(problems(state, original))

    first, second, *rest = small.skills
    assert problems(small, small) == ()
    assert "shown as 'price_promo'" in told(replace(small, skills=(first, replace(second, name="price_promo"), *rest)))
    assert "no name" in told(replace(small, skills=(replace(first, name="two words"), second, *rest)))
    assert "no tool loads skills" in told(replace(small, tools=small.tools[1:]))
    assert "'price_check', which is not shown" in told(
        replace(small, tools=tuple(v for v in small.tools if v.canonical != "price_check"))
    )
    assert "skills that serve price" in told(replace(small, skills=(second, *rest)), small)
    assert "limit address is in force" in told(replace(small, skills=(replace(first, body="- Hi."), second, *rest)))
    assert "reply_words is 3" in told(
        replace(small, hooks=replace(small.hooks, limits=replace(small.limits, reply_words=3)))
    )
    long = PromptBlock("more", "", "word " * 2000)
    assert "times the characters" in told(
        replace(small, prompt=replace(small.prompt, blocks=(*small.prompt.blocks, long))), small
    )
    view = small.tools[3]
    assert "not shown" in told(
        replace(small, tools=(*small.tools[:3], replace(view, params=(), kinds=(), required=()), *small.tools[4:]))
    )
    assert "no block lists the tools" in told(
        replace(small, prompt=replace(small.prompt, blocks=small.prompt.blocks[:2]))
    )


def test_every_rule_and_line_of_the_compact_harness_has_rewrites_of_its_own() -> None:
    state = shelf.load("compact")
    lines = [part for s in state.skills for line in s.body.splitlines() for part in sentences(line)]
    lines += [line for b in state.prompt.blocks if not b.text.startswith("{") for line in b.text.splitlines()]
    assert [line for line in lines if known(line) is None] == []


def test_nearly_every_rule_and_line_of_the_default_harness_has_rewrites_of_its_own() -> None:
    state = shelf.load("default")
    lines = [line.removeprefix("- ") for s in state.skills for line in s.body.splitlines()]
    texts = [line for b in state.prompt.blocks if not b.text.startswith("{") for line in b.text.splitlines()]
    lines += [line.lstrip("-0123456789. ") for line in texts]
    unknown = [line for line in lines if known(line) is None]
    assert len(unknown) <= 0.25 * len(lines), unknown


def test_names_of_the_other_split_are_found_out_at_run_time(small: HarnessState) -> None:
    for own, other in ((Split.TRAIN, Split.HELDOUT), (Split.HELDOUT, Split.TRAIN)):
        variant = augment(small, PRESETS[f"{own}:tool_definition"], stream(3)).state
        assert variant.tools != small.tools
        assert strangers(variant, small, own) == ()
        assert any(f"of the {own} split" in line for line in strangers(variant, small, other))


def test_a_description_that_pushes_is_refused(small: HarnessState) -> None:
    pushy = replace(
        small, tools=(replace(small.tools[0], description="the best tool, always use it"), *small.tools[1:])
    )
    assert any("more assertive than the original's" in line for line in problems(pushy, small))
    assert not any("assertive" in line for line in problems(pushy, pushy))  # as the operator wrote it
