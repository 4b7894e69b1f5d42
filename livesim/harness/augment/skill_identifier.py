"""The skill-identifier dimension: other names and descriptions of skills, noise skills in and out, another order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from livesim.harness.augment.config import Split
from livesim.harness.augment.grammar import Pool, chance, pick, shuffled
from livesim.harness.augment.names import Namer
from livesim.harness.augment.paraphrase import cased, framed, reworded
from livesim.harness.augment.pools_names import SKILL_ENDINGS, SKILL_TOPICS, SKILL_VERBS, THINGS
from livesim.harness.augment.pools_skills import (
    NOISE_BODIES,
    NOISE_SKILLS,
    NOISE_TOPICS,
    SKILL_FRAMES,
    SKILL_PHRASES,
)
from livesim.harness.state import HarnessState, Skill, SkillKind

MAX_NOISE = 3
"""At most so many noise skills are added."""


def vary_skill_identifiers(
    state: HarnessState, rng: np.random.Generator, strength: float, split: Split
) -> HarnessState:
    """Rename, redescribe, pad, mask and shuffle the listed skills.

    Args:
        state: untouched.
        rng: the same generator state gives the same result.
        strength: chance that a given name or description is replaced, and that noise and shuffling happen.
        split: whose surfaces are used.
    """
    taken = {name for skill in state.skills for name in (skill.id, skill.name)} | {view.name for view in state.tools}
    namer = Namer(SKILL_VERBS, SKILL_ENDINGS, split, rng, taken)
    case = pick(("lower", "lower", "lower", "upper"), rng)
    used: set[str] = set()
    skills: list[Skill] = []
    for skill in state.skills:
        if not skill.intents and skill.kind is SkillKind.REPLY and chance(0.5 * strength, rng):
            continue  # masks a noise skill; strategies stay, a scenario may build on them
        topics = SKILL_TOPICS.get(skill.id, THINGS)
        other = SKILL_TOPICS.get(pick(state.skills, rng).id)
        name = namer.fresh(skill.name, topics, other) if chance(strength, rng) else skill.name
        description = skill.description
        if chance(strength, rng):
            description = cased(_description(skill, split, rng, used), case)
        used.add(description.lower())
        skills.append(replace(skill, name=name, description=description))
    skills.extend(_noise(namer, split, rng, strength, {skill.id for skill in skills}, case))
    order = shuffled(skills, rng) if chance(strength, rng) else tuple(skills)
    return replace(state, skills=order)


def _description(skill: Skill, split: Split, rng: np.random.Generator, used: set[str]) -> str:
    """Another description; a skill without phrases of its own keeps its words and gets other frames and synonyms."""
    phrases = SKILL_PHRASES.get(skill.id)
    text = skill.description
    for _ in range(8):
        phrase = phrases.draw(split, rng) if phrases is not None else reworded(skill.description, split, rng)
        text = framed(phrase, SKILL_FRAMES, split, rng, plain_share=0.5)
        if text.lower() not in used:
            break
    return text


def _noise(
    namer: Namer, split: Split, rng: np.random.Generator, strength: float, ids: set[str], case: str
) -> list[Skill]:
    """Skills that serve no viewer."""
    skills: list[Skill] = []
    for number in range(int(rng.integers(MAX_NOISE + 1)) if chance(strength, rng) else 0):
        skill_id = f"noise_{number + 1}"
        if skill_id in ids:
            continue
        skills.append(
            Skill(
                id=skill_id,
                name=namer.fresh("notes", Pool(NOISE_TOPICS.train, NOISE_TOPICS.heldout)),
                description=cased(NOISE_SKILLS.draw(split, rng), case),
                kind=SkillKind.REPLY,
                body=NOISE_BODIES.draw(split, rng),
            )
        )
    return skills
