"""A variant is proved where it is drawn: no rule is lost, nothing is said that its split's pools do not hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from livesim.harness import shelf
from livesim.harness.augment import DIMENSIONS, PRESETS, Dimension, HSAConfig, Split, augment, problems, strangers
from livesim.harness.augment import apply as applying
from livesim.harness.augment.rules import body_rules, limits_told
from livesim.harness.augment.skill_content import told_by_prompt
from livesim.harness.state import HarnessState, HookSpec, ListForm, PromptBlock, Skill, SkillKind
from livesim.seeding import stream

DEFAULT = shelf.load("default")
COMPACT = shelf.load("compact")
OTHER = {Split.TRAIN: Split.HELDOUT, Split.TRAIN_WIDE: Split.HELDOUT, Split.HELDOUT: Split.TRAIN_WIDE}


@pytest.mark.parametrize("split", Split)
@pytest.mark.parametrize("dimension", Dimension)
@pytest.mark.parametrize("state", [COMPACT, DEFAULT], ids=lambda state: state.name)
def test_each_dimension_draws_from_its_split_alone_and_the_other_is_told_at_run_time(state, dimension, split):
    for seed in range(12):
        variant = augment(state, PRESETS[f"{split}:{dimension}"], stream(seed, "v"))
        assert variant.given_up == ()
        assert strangers(variant.state, state, split) == ()
        assert strangers(variant.state, state, OTHER[split])


def drawn(dimension: Dimension, wanted: Callable[[HarnessState], bool]) -> HarnessState:
    """A held-out variant of ``default`` that has something."""
    for seed in range(400):
        state = augment(DEFAULT, PRESETS[f"heldout:{dimension}"], stream(seed, "other")).state
        if wanted(state):
            return state
    raise AssertionError("no such draw")


def with_prompt(**fields: object) -> Callable[[HarnessState, HarnessState], HarnessState]:
    def put(state: HarnessState, other: HarnessState) -> HarnessState:
        return replace(state, prompt=replace(state.prompt, **{name: getattr(other.prompt, name) for name in fields}))

    return put


def with_headings(state: HarnessState, other: HarnessState) -> HarnessState:
    headings = {block.id: block.heading for block in other.prompt.blocks}
    blocks = tuple(replace(block, heading=headings[block.id]) for block in state.prompt.blocks)
    return replace(state, prompt=replace(state.prompt, blocks=blocks))


def with_limits(**fields: object) -> Callable[[HarnessState, HarnessState], HarnessState]:
    def put(state: HarnessState, other: HarnessState) -> HarnessState:
        limits = replace(state.limits, **{name: getattr(other.limits, name) for name in fields})
        return replace(state, hooks=replace(state.hooks, limits=limits))

    return put


def with_notes(state: HarnessState, other: HarnessState) -> HarnessState:
    notes = {(v.canonical, p.canonical): p.description for v in other.tools for p in v.params}
    views = (
        replace(v, params=tuple(replace(p, description=notes[v.canonical, p.canonical]) for p in v.params))
        for v in state.tools
    )
    return replace(state, tools=tuple(views))


def added(part: str, key: str) -> Callable[[HarnessState, HarnessState], HarnessState]:
    def put(state: HarnessState, other: HarnessState) -> HarnessState:
        own = {getattr(entry, key) for entry in getattr(state, part)}
        new = tuple(entry for entry in getattr(other, part) if getattr(entry, key) not in own)
        return replace(state, **{part: (*getattr(state, part), *new)})

    return put


def with_words(part: str, key: str, field: str) -> Callable[[HarnessState, HarnessState], HarnessState]:
    def put(state: HarnessState, other: HarnessState) -> HarnessState:
        texts = {getattr(entry, key): getattr(entry, field) for entry in getattr(other, part)}
        new = (replace(entry, **{field: texts[getattr(entry, key)]}) for entry in getattr(state, part))
        return replace(state, **{part: tuple(new)})

    return put


def with_messages(state: HarnessState, other: HarnessState) -> HarnessState:
    return replace(state, hooks=replace(state.hooks, hooks=other.hooks.hooks))


KINDS = {
    "names of skills": (Dimension.SKILL_IDENTIFIER, with_words("skills", "id", "name")),
    "descriptions of skills": (Dimension.SKILL_IDENTIFIER, with_words("skills", "id", "description")),
    "noise skills": (Dimension.SKILL_IDENTIFIER, added("skills", "id")),
    "rules of skills": (Dimension.SKILL_CONTENT, with_words("skills", "id", "body")),
    "word of address": (Dimension.SKILL_CONTENT, with_limits(address="")),
    "names of tools": (Dimension.TOOL_DEFINITION, with_words("tools", "canonical", "name")),
    "descriptions of tools": (Dimension.TOOL_DEFINITION, with_words("tools", "canonical", "description")),
    "names of parameters": (Dimension.TOOL_DEFINITION, with_words("tools", "canonical", "params")),
    "descriptions of parameters": (Dimension.TOOL_DEFINITION, with_notes),
    "distractors": (Dimension.TOOL_DEFINITION, added("tools", "name")),
    "form of the tool list": (Dimension.TOOL_DEFINITION, with_prompt(tool_form="")),
    "form of the skill list": (Dimension.SYSTEM_PROMPT, with_prompt(skill_form="")),
    "form of headings": (Dimension.SYSTEM_PROMPT, with_prompt(heading="")),
    "headings": (Dimension.SYSTEM_PROMPT, with_headings),
    "lines of the prompt": (Dimension.SYSTEM_PROMPT, with_prompt(blocks="")),
    "word limit": (Dimension.SYSTEM_PROMPT, with_limits(reply_words="")),
    "messages of hooks": (Dimension.HOOK, with_messages),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_surface_of_the_other_split_is_told(kind: str) -> None:
    dimension, put = KINDS[kind]
    held = drawn(dimension, lambda state: put(DEFAULT, state) != DEFAULT)
    mixed = put(DEFAULT, held)
    assert strangers(mixed, DEFAULT, Split.TRAIN), kind
    assert strangers(DEFAULT, DEFAULT, Split.TRAIN) == ()


def with_body(state: HarnessState, skill_id: str, body: str) -> HarnessState:
    return replace(state, skills=tuple(replace(s, body=body) if s.id == skill_id else s for s in state.skills))


def test_a_lost_rule_and_one_too_many_are_named() -> None:
    lines = DEFAULT.skill("price_promo").body.splitlines()
    lost = with_body(DEFAULT, "price_promo", "\n".join(lines[:1] + lines[2:]))
    assert strangers(lost, DEFAULT, Split.TRAIN) == (
        f"skill price_promo: the rule {lines[1][2:]!r} is not said, or not in words of the train split",
    )
    more = with_body(DEFAULT, "price_promo", "\n".join([*lines, "- Name the coupon twice."]))
    assert strangers(more, DEFAULT, Split.TRAIN) == (
        "skill price_promo: 'Name the coupon twice.' is no text of the train split for it",
    )
    twice = with_body(DEFAULT, "price_promo", "\n".join([*lines, lines[1]]))
    assert len(strangers(twice, DEFAULT, Split.TRAIN)) == 1


def test_a_lost_block_and_a_lost_skill_are_named() -> None:
    prompt = replace(DEFAULT.prompt, blocks=DEFAULT.prompt.blocks[:-1])
    (line,) = strangers(replace(DEFAULT, prompt=prompt), DEFAULT, Split.TRAIN)
    assert "blocks of the prompt differ" in line
    idle = Skill("idle", "idle", "for later", SkillKind.STRATEGY, "Wait.")
    noise = replace(idle, id="noise", name="noise", kind=SkillKind.REPLY)
    more = replace(DEFAULT, skills=(*DEFAULT.skills, idle, noise))
    assert strangers(DEFAULT, more, Split.TRAIN) == ("skill idle: is no noise and was left out",)


def test_a_rule_is_left_out_only_where_the_prompt_says_it_too() -> None:
    *lines, last = DEFAULT.skill("price_promo").body.splitlines()
    assert limits_told(last[2:]) == told_by_prompt(DEFAULT) == {"address", "reply_words"}
    assert limits_told(lines[1][2:]) == frozenset()
    masked = with_body(DEFAULT, "price_promo", "\n".join(lines))
    assert strangers(masked, DEFAULT, Split.TRAIN) == ()
    assert told_by_prompt(COMPACT) == frozenset()
    *head, tail = COMPACT.skill("price_promo").body.splitlines()
    assert "{address}" in tail
    assert strangers(with_body(COMPACT, "price_promo", "\n".join(head)), COMPACT, Split.TRAIN)


@pytest.mark.parametrize("split", Split)
def test_skill_content_loses_no_rule_but_what_the_prompt_repeats(split: Split) -> None:
    shorter = 0
    for state in (COMPACT, DEFAULT):
        for seed in range(40):
            new = DIMENSIONS[Dimension.SKILL_CONTENT](state, stream(seed), 1.0, split)
            for old, skill in zip(state.skills, new.skills, strict=True):
                repeated = [text for _, text in body_rules(old.body) if limits_told(text)]
                lines, rules = len(skill.body.splitlines()), len(body_rules(old.body))
                assert lines == rules or (state is DEFAULT and lines == rules - len(repeated))
                shorter += lines < rules
    assert shorter


def test_blank_lines_and_headings_of_a_block_are_no_rules() -> None:
    blocks = tuple(
        replace(block, text=f"## Before\n\n{block.text}\n\nBe short.") if block.id == "rules" else block
        for block in DEFAULT.prompt.blocks
    )
    state = replace(DEFAULT, prompt=replace(DEFAULT.prompt, blocks=blocks))
    for seed in range(10):
        new = DIMENSIONS[Dimension.SYSTEM_PROMPT](state, stream(seed), 1.0, Split.TRAIN)
        text = next(block.text for block in new.prompt.blocks if block.id == "rules")
        assert text.startswith("## Before\n\n")
        assert "\n\n" in text.removeprefix("## Before\n\n")
        assert strangers(new, state, Split.TRAIN) == ()


def test_renderings_and_languages_of_headings_are_held_out_too() -> None:
    forms: dict[Split, set[ListForm]] = {}
    headings: dict[Split, set[str]] = {}
    for split in Split:
        changed = (Dimension.SYSTEM_PROMPT, Dimension.TOOL_DEFINITION)
        variants = [DIMENSIONS[d](DEFAULT, stream(seed), 1.0, split).prompt for seed in range(200) for d in changed]
        forms[split] = {form for prompt in variants for form in (prompt.skill_form, prompt.tool_form)}
        headings[split] = {block.heading for prompt in variants for block in prompt.blocks}
    assert forms[Split.TRAIN] & forms[Split.HELDOUT] == {ListForm.PURPOSE_FIRST}
    assert ListForm.SIGNATURE in forms[Split.HELDOUT]
    assert {ListForm.TABLE, ListForm.NAME_FIRST} <= forms[Split.TRAIN]
    assert {"Herramientas", "Outils", ""} <= headings[Split.TRAIN]
    assert {"Werkzeuge", "工具", ""} <= headings[Split.HELDOUT]


def test_a_dimension_whose_every_draft_is_refused_is_left_as_it_was_and_counted(monkeypatch) -> None:
    monkeypatch.setattr(applying, "strangers", lambda *_: ("skill 'x': 3 rules are missing",))
    variant = augment(COMPACT, HSAConfig(dimensions={Dimension.HOOK: 1.0}), stream(1))
    assert variant.state == COMPACT
    assert variant.original
    assert dict(variant.count()) == {
        "original": 1,
        "draft refused, drawn again: skill _: _ rules are missing": applying.TRIES,
        "given up, left as it was: hook": 1,
    }


FOREIGN = """# Title

Some text.  It has two spaces. And "quotes".

1. First do this; call {tool:price_check}.
2. Never say the price twice!
   - an item with items
* a star

```python
x = {"a": 1}
```

| a | b |
|---|---|
Call viewers {address}. At most {reply_words} words."""


def test_texts_that_no_pool_knows_vary_too_and_are_proved() -> None:
    skill = Skill("foreign", "foreign", "when a viewer asks: prices", SkillKind.REPLY, FOREIGN, ("price",))
    hook = HookSpec("retry_control", "Enough of {tool}: {times} times, never again.")
    block = PromptBlock("extra", "Extra", "A line.\n\n1. one rule\n2. two rules, never three\n\n> quoted\n* star")
    state = replace(
        DEFAULT,
        skills=(*DEFAULT.skills, skill),
        hooks=replace(DEFAULT.hooks, hooks=(*DEFAULT.hooks.hooks, hook)),
        prompt=replace(DEFAULT.prompt, blocks=(*DEFAULT.prompt.blocks, block)),
    )
    assert problems(state) == ()
    for split in Split:
        for seed in range(10):
            variant = augment(state, PRESETS[split], stream(seed, "foreign"))
            assert variant.given_up == ()
