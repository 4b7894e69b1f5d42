"""What differs between two harness states is said: of every part, and only when it differs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from livesim.evaluation.changes import changes
from livesim.harness import shelf
from livesim.harness.augment import PRESETS, augment
from livesim.harness.state import HarnessState, HookSpec, ListForm, MessageForm, ParamView, PromptBlock, SkillKind
from livesim.seeding import stream

COMPACT = shelf.load("compact")


def skill(**new: object) -> Callable[[HarnessState], HarnessState]:
    return lambda s: replace(s, skills=(replace(s.skills[0], **new), *s.skills[1:]))


def tool(**new: object) -> Callable[[HarnessState], HarnessState]:
    return lambda s: replace(s, tools=(*s.tools[:1], replace(s.tools[1], **new), *s.tools[2:]))


def prompt(**new: object) -> Callable[[HarnessState], HarnessState]:
    return lambda s: replace(s, prompt=replace(s.prompt, **new))


def hooks(**new: object) -> Callable[[HarnessState], HarnessState]:
    return lambda s: replace(s, hooks=replace(s.hooks, **new))


FIRST, VIEW, BLOCK, HOOK = COMPACT.skills[0], COMPACT.tools[1], COMPACT.prompt.blocks[0], COMPACT.hooks.hooks[0]
PARAM = VIEW.params[0]
EDITS: dict[str, Callable[[HarnessState], HarnessState]] = {
    f"skill {FIRST.name} is now called x": skill(name="x"),
    "1 skill description in other words": skill(description="x"),
    "1 skill body in other words": skill(body="x"),
    f"skill {FIRST.name} serves something else": skill(kind=SkillKind.STRATEGY),
    f"skill {FIRST.name} is gone": lambda s: replace(s, skills=s.skills[1:]),
    "1 noise skill: x": lambda s: replace(s, skills=(*s.skills, replace(s.skills[0], id="x", name="x"))),
    "skills in another order": lambda s: replace(s, skills=s.skills[::-1]),
    f"tool {VIEW.name} is now called x": tool(name="x"),
    "1 tool description in other words": tool(description="x"),
    "1 parameter description in other words": tool(params=(replace(PARAM, description="x"), *VIEW.params[1:])),
    f"parameter {PARAM.name} of {VIEW.name} is now called x": tool(
        params=(replace(PARAM, name="x"), *VIEW.params[1:]), required=("x", *VIEW.required[1:])
    ),
    f"{VIEW.name} has the parameter x": tool(params=(*VIEW.params, ParamView("x", "x", "x"))),
    f"parameters of {VIEW.name} have other types, or others must be given": tool(required=()),
    f"tool {VIEW.name} is gone": lambda s: replace(s, tools=(s.tools[0], *s.tools[2:])),
    "1 distractor tool: x": lambda s: replace(s, tools=(*s.tools, replace(s.tools[0], canonical="", name="x"))),
    "tools in another order": lambda s: replace(s, tools=s.tools[::-1]),
    f"tools listed as table instead of {COMPACT.prompt.tool_form}": prompt(tool_form=ListForm.TABLE),
    f"skills listed as table instead of {COMPACT.prompt.skill_form}": prompt(skill_form=ListForm.TABLE),
    f"headings written as '## {{}}' instead of {COMPACT.prompt.heading!r}": prompt(heading="## {}"),
    f"prompt blocks in other words: {BLOCK.id}": prompt(blocks=(replace(BLOCK, text="x"), *COMPACT.prompt.blocks[1:])),
    f"prompt blocks gone: {BLOCK.id}": prompt(blocks=COMPACT.prompt.blocks[1:]),
    "prompt blocks added: x": prompt(blocks=(*COMPACT.prompt.blocks, PromptBlock("x", "x", "x"))),
    "prompt blocks in another order": prompt(blocks=COMPACT.prompt.blocks[::-1]),
    "1 hook message in other words": hooks(hooks=(replace(HOOK, message="x"), *COMPACT.hooks.hooks[1:])),
    f"hook {HOOK.check} has other options": hooks(hooks=(replace(HOOK, options=(("x", 1),)), *COMPACT.hooks.hooks[1:])),
    f"hook {HOOK.check} is gone": hooks(hooks=COMPACT.hooks.hooks[1:]),
    "hook x is added": hooks(hooks=(*COMPACT.hooks.hooks, HookSpec("x", "x"))),
    "hooks in another order": hooks(hooks=COMPACT.hooks.hooks[::-1]),
    f"rounds: {COMPACT.hooks.rounds} -> 99": hooks(rounds=99),
    "form: text -> code": hooks(form=MessageForm.CODE),
    f"limit reply_words: {COMPACT.limits.reply_words} -> 99": hooks(limits=replace(COMPACT.limits, reply_words=99)),
    "other checks are left out on some platforms": hooks(exempt=(("x", ("y",)),)),
}


def test_nothing_is_said_of_equal_states() -> None:
    assert changes(COMPACT, COMPACT) == ()


@pytest.mark.parametrize("sentence", EDITS)
def test_each_difference_has_its_sentence(sentence: str) -> None:
    assert sentence in changes(COMPACT, EDITS[sentence](COMPACT))


@pytest.mark.parametrize("preset", [name for name in PRESETS if name.startswith("heldout:")])
def test_a_variant_always_says_what_was_changed(preset: str) -> None:
    for seed in range(4):
        variant = augment(COMPACT, PRESETS[preset], stream(seed, "harness"))
        assert bool(changes(COMPACT, variant.state)) == (variant.state.hash != COMPACT.hash)
