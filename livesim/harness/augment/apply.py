"""``augment``: draw a harness variant, check it, draw again where it does not hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from livesim.harness.augment.check import MAX_GROWTH, growth, problems
from livesim.harness.augment.config import Dimension, HSAConfig, Split
from livesim.harness.augment.grammar import chance
from livesim.harness.augment.hook import vary_hooks
from livesim.harness.augment.rewrites import read_book, rewritten
from livesim.harness.augment.skill_content import vary_skill_content
from livesim.harness.augment.skill_identifier import vary_skill_identifiers
from livesim.harness.augment.strangers import strangers
from livesim.harness.augment.system_prompt import vary_system_prompt
from livesim.harness.augment.tool_definition import vary_tool_definitions
from livesim.harness.state import HarnessState
from livesim.seeding import stream

Vary: TypeAlias = Callable[[HarnessState, np.random.Generator, float, Split], HarnessState]

DIMENSIONS: Mapping[Dimension, Vary] = MappingProxyType(
    {
        Dimension.SKILL_IDENTIFIER: vary_skill_identifiers,
        Dimension.SKILL_CONTENT: vary_skill_content,
        Dimension.TOOL_DEFINITION: vary_tool_definitions,
        Dimension.SYSTEM_PROMPT: vary_system_prompt,
        Dimension.HOOK: vary_hooks,
    }
)
"""The pure function of each dimension."""

TOUCHES: Mapping[Dimension, frozenset[str]] = MappingProxyType(
    {
        Dimension.SKILL_IDENTIFIER: frozenset({"skills"}),
        Dimension.SKILL_CONTENT: frozenset({"skills", "hooks"}),  # hooks: the limits hold the word of address
        Dimension.TOOL_DEFINITION: frozenset({"tools", "prompt"}),  # prompt: the form of the list
        Dimension.SYSTEM_PROMPT: frozenset({"prompt", "hooks"}),  # hooks: word and round limits
        Dimension.HOOK: frozenset({"hooks"}),
    }
)
"""Parts of the state that a dimension may change."""

TRIES = 12
"""Drafts of one dimension before it is left as it was."""

REFUSED, GIVEN_UP = "draft refused, drawn again: ", "given up, left as it was: "
"""What a count of ``Variant.count`` begins with."""


@dataclass(frozen=True, slots=True)
class Change:
    """One dimension that was varied: its strength and the parts of the state whose hash it changed."""

    dimension: Dimension
    strength: float
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """A harness as an episode uses it.

    Attributes:
        state: the harness, varied or not.
        changes: the dimensions that were varied, in order.
        original: the harness is the original one.
        refused: of each draft that was refused on the way, the first reason.
        given_up: dimensions that were to be varied, but of which every draft was refused.
    """

    state: HarnessState
    changes: tuple[Change, ...]
    original: bool
    refused: tuple[str, ...] = ()
    given_up: tuple[Dimension, ...] = ()

    def count(self) -> Counter[str]:
        """For a card or a report: original or proved, why drafts were refused, and dimensions given up."""
        counts = Counter(["original" if self.original else "proved"])
        counts.update(f"{REFUSED}{_bare(reason)}" for reason in self.refused)
        counts.update(f"{GIVEN_UP}{dimension}" for dimension in self.given_up)
        return counts


def augment(state: HarnessState, config: HSAConfig, rng: np.random.Generator) -> Variant:
    """A variant of ``state``, proved by ``problems`` and ``strangers`` to keep the task.

    One number is taken from ``rng``; each dimension has a stream of its own below it, so that leaving one out does
    not move the others.

    Args:
        state: untouched; canonical ids and names are the same in the variant.
        config: which dimensions, how strongly, which split.
        rng: the same generator state gives the same variant.
    """
    seed = int(rng.integers(2**63))
    plan = _plan(config, stream(seed, "plan"))
    varied = state
    changes: list[Change] = []
    reasons: list[str] = []
    given_up: list[Dimension] = []
    for dimension, strength in plan.items():
        draft, refused = _draft(varied, state, dimension, strength, config, seed)
        reasons += refused
        given_up += [dimension] if len(refused) == TRIES else []
        parts = tuple(name for name, value in draft.hashes.items() if value != varied.hashes[name])
        if parts:
            changes.append(Change(dimension, strength, parts))
        varied = draft
    return Variant(varied, tuple(changes), original=not changes, refused=tuple(reasons), given_up=tuple(given_up))


def _plan(config: HSAConfig, rng: np.random.Generator) -> dict[Dimension, float]:
    """The dimensions of this episode with their strengths, in the order of ``Dimension``."""
    if chance(config.original_share, rng) or not config.dimensions:
        return {}
    possible = [d for d in Dimension if config.dimensions.get(d, 0.0) > 0.0]
    everything = chance(config.all_share, rng)
    active = [d for d in possible if chance(config.active_share, rng) or everything]
    if not active and possible:
        active = [possible[int(rng.integers(len(possible)))]]
    low = config.strength_floor
    return {d: config.dimensions[d] * float(rng.uniform(low, 1.0) if low < 1.0 else 1.0) for d in active}


def _draft(
    varied: HarnessState, original: HarnessState, dimension: Dimension, strength: float, config: HSAConfig, seed: int
) -> tuple[HarnessState, list[str]]:
    """The first draft that holds and why those before it were refused; the state itself when none does."""
    refused: list[str] = []
    accepted = read_book(config.rewrites).fitting(original, config.split) if config.rewrites else None
    for number in range(TRIES):
        draft = DIMENSIONS[dimension](varied, stream(seed, dimension, number), strength, config.split)
        if config.rewrites and dimension is not Dimension.HOOK:
            share, rng = strength * config.rewrite_share, stream(seed, dimension, number, "rewrites")
            draft = rewritten(draft, original, dimension, config.rewrites, config.split, share, rng)
        draft = _slimmed(draft, varied, original, dimension)
        wrong = problems(draft, original) or strangers(draft, original, config.split, accepted)
        if not wrong:
            return draft, refused
        refused.append(wrong[0])
    return varied, refused


def _bare(reason: str) -> str:
    """A reason without what differs from case to case."""
    return re.sub(r"'[^']*'|\"[^\"]*\"|\d+(?:\.\d+)?", "_", reason)[:100]


def _slimmed(draft: HarnessState, before: HarnessState, original: HarnessState, dimension: Dimension) -> HarnessState:
    """A draft that is too long for cheap training loses its long list form first, then what serves nothing."""
    if dimension is Dimension.TOOL_DEFINITION and growth(draft, original) > MAX_GROWTH:
        draft = replace(draft, prompt=before.prompt)
    if dimension is Dimension.SYSTEM_PROMPT and growth(draft, original) > MAX_GROWTH:
        draft = replace(draft, prompt=replace(draft.prompt, skill_form=before.prompt.skill_form))
    own = {skill.id for skill in original.skills}
    while growth(draft, original) > MAX_GROWTH:
        tools = [i for i, view in enumerate(draft.tools) if not view.canonical]
        skills = [i for i, skill in enumerate(draft.skills) if skill.id not in own]
        if tools:
            draft = replace(draft, tools=draft.tools[: tools[-1]] + draft.tools[tools[-1] + 1 :])
        elif skills:
            draft = replace(draft, skills=draft.skills[: skills[-1]] + draft.skills[skills[-1] + 1 :])
        else:
            break
    return draft
