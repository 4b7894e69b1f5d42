"""The skill-content dimension: rules reworded, reordered and marked otherwise, and another word of address."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from livesim.harness.augment.config import Split
from livesim.harness.augment.grammar import chance, pick, shuffled
from livesim.harness.augment.pools_frames import RULE_MARKS
from livesim.harness.augment.pools_names import ADDRESS
from livesim.harness.augment.pools_rules import ADDRESS_RULES
from livesim.harness.augment.rules import body_rules, limits_told, line_rules, reworded_rule
from livesim.harness.state import HarnessState, Skill, SkillKind

MASKED = 0.2
"""Share of the bodies, times the strength, that leave out what the prompt says too."""


def vary_skill_content(state: HarnessState, rng: np.random.Generator, strength: float, split: Split) -> HarnessState:
    """Reword, reorder and mark the rules in the bodies, mask what the prompt repeats; move the word of address.

    No rule is lost: what is masked, the prompt states. The word of address moves in the limits, which the bodies, the
    hooks and the judge all read.

    Args:
        state: untouched.
        rng: the same generator state gives the same result.
        strength: chance that a rule is reworded, a body reordered or the word moved.
        split: whose surfaces are used.
    """
    skills, hooks = state.skills, state.hooks
    if chance(strength, rng):
        words = [word for word in ADDRESS.of(split) if word != hooks.limits.address]
        hooks = replace(hooks, limits=replace(hooks.limits, address=pick(words, rng)))
        if "{address}" not in "".join(block.text for block in state.prompt.blocks):
            skills = tuple(_addressed(skill, split, rng) for skill in skills)
    told = told_by_prompt(state)
    skills = tuple(_masked(skill, told) if chance(MASKED * strength, rng) else skill for skill in skills)
    mark = pick(RULE_MARKS.of(split), rng) if chance(strength, rng) else None
    skills = tuple(replace(skill, body=_body(skill.body, mark, rng, strength, split)) for skill in skills)
    return replace(state, skills=skills, hooks=hooks)


def told_by_prompt(state: HarnessState) -> frozenset[str]:
    """The limits (``address``, ``reply_words``) that the blocks of the prompt state."""
    prompt = "\n".join(block.text for block in state.prompt.blocks)
    return frozenset(limit for limit in ("address", "reply_words") if f"{{{limit}}}" in prompt)


def _addressed(skill: Skill, split: Split, rng: np.random.Generator) -> Skill:
    """A reply skill whose body says how viewers are called."""
    if skill.kind is not SkillKind.REPLY or not skill.intents or "{address}" in skill.body:
        return skill
    sign = (line_rules(skill.body) or (("", ""),))[-1][0]
    mark = "- " if sign[:1].isdigit() else sign
    return replace(skill, body=f"{skill.body.strip()}\n{mark}{ADDRESS_RULES.draw(split, rng)}")


def _body(body: str, mark: str | None, rng: np.random.Generator, strength: float, split: Split) -> str:
    """One body under other surfaces; headings go first, numbered rules keep their order."""
    headings = [line.strip() for line in body.splitlines() if line.lstrip().startswith("#")]
    rules = body_rules(body)
    numbered = any(sign[:1].isdigit() for sign, _ in rules)
    if not numbered and chance(strength, rng):
        rules = shuffled(rules, rng)
    lines = []
    for number, (sign, text) in enumerate(rules, start=1):
        new = reworded_rule(text, split, rng) if chance(strength, rng) else text
        lines.append((mark.replace("{n}", str(number)) if mark is not None else sign) + new)
    return "\n".join([*headings, *lines])


def _masked(skill: Skill, told: frozenset[str]) -> Skill:
    """A body without the rules that only repeat limits which the prompt states too."""
    rules = body_rules(skill.body)
    kept = [rule for rule in rules if not limits_told(rule[1]) or not limits_told(rule[1]) <= told]
    if len(kept) in (0, len(rules)):
        return skill
    headings = [line.strip() for line in skill.body.splitlines() if line.lstrip().startswith("#")]
    return replace(skill, body="\n".join([*headings, *(sign + text for sign, text in kept)]))
