"""The skill-content dimension: rules reworded, reordered and marked otherwise, and another word of address."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from livesim.harness.augment.config import Split
from livesim.harness.augment.grammar import chance, pick, shuffled
from livesim.harness.augment.pools_frames import RULE_MARKS
from livesim.harness.augment.pools_names import ADDRESS
from livesim.harness.augment.pools_rules import ADDRESS_RULES
from livesim.harness.augment.rules import reworded_rule, sentences
from livesim.harness.state import HarnessState, Skill, SkillKind

_RULE = re.compile(r"^(?P<mark>[-*+•]\s+|\d+[.)]\s+)?(?P<text>\S.*)$")


def vary_skill_content(state: HarnessState, rng: np.random.Generator, strength: float, split: Split) -> HarnessState:
    """Reword, reorder, mark and mask the rules in the bodies; move the word of address.

    The word of address moves in the limits, which the bodies, the hooks and the judge all read.

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
    mark = pick(RULE_MARKS.of(split), rng) if chance(strength, rng) else None
    skills = tuple(replace(skill, body=_body(skill.body, mark, rng, strength, split)) for skill in skills)
    return replace(state, skills=skills, hooks=hooks)


def _addressed(skill: Skill, split: Split, rng: np.random.Generator) -> Skill:
    """A reply skill whose body says how viewers are called."""
    if skill.kind is not SkillKind.REPLY or not skill.intents or "{address}" in skill.body:
        return skill
    lines = skill.body.strip().splitlines()
    sign = _RULE.match(lines[-1].strip()) if lines else None
    mark = "- " if sign is None or (sign.group("mark") or "-")[:1].isdigit() else (sign.group("mark") or "")
    return replace(skill, body="\n".join([*lines, mark + ADDRESS_RULES.draw(split, rng)]))


def _body(body: str, mark: str | None, rng: np.random.Generator, strength: float, split: Split) -> str:
    """One body under other surfaces; headings stay where they are, numbered rules keep their order."""
    head, rules = [], []
    for line in body.strip().splitlines():
        match = _RULE.match(line.strip())
        if match is None:
            continue
        if line.lstrip().startswith("#"):
            head.append(line.strip())
        else:
            sign, text = match.group("mark") or "", match.group("text")
            rules += [(sign, part) for part in (sentences(text) if not sign else (text,))]
    numbered = any(sign[:1].isdigit() for sign, _ in rules)
    if not numbered and chance(strength, rng):
        rules = list(shuffled(rules, rng))
    droppable = [i for i, (_, text) in enumerate(rules) if "{" not in text]
    if len(rules) > 2 and droppable and chance(0.2 * strength, rng):
        rules.pop(pick(droppable, rng))
    lines = []
    for number, (sign, text) in enumerate(rules, start=1):
        new = reworded_rule(text, split, rng) if chance(strength, rng) else text
        lines.append((mark.replace("{n}", str(number)) if mark is not None else sign) + new)
    return "\n".join([*head, *lines])
