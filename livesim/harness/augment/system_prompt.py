"""The system-prompt dimension: blocks reworded, reheaded and reordered, lists in another form, limits moved."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from livesim.harness.augment.check import REPLY_WORDS, ROUNDS
from livesim.harness.augment.config import Split
from livesim.harness.augment.grammar import chance, pick, shuffled
from livesim.harness.augment.pools_prompt import (
    BLOCK_HEADINGS,
    FOREIGN_HEADINGS,
    HEADING_FORMS,
    ITEM_MARKS,
    LANGUAGES,
    SKILL_FORMS,
)
from livesim.harness.augment.rules import asks, reworded_rule
from livesim.harness.state import HarnessState, ListForm, PromptBlock

LISTS = frozenset({"{skills}", "{tools}"})
"""Texts that stand for a list; they are never reworded."""

FEWER_WORDS, MORE_WORDS = 8, 12
"""How far the word limit moves; a request of three wishes can still be answered in so few words."""

FOREIGN, MASKED = 0.15, 0.05
"""Share of the variants with headings in another language, and of the headings left out, times the strength."""

_MARK = re.compile(r"^(?:[-*+•]|\d+[.)])\s+")


def vary_system_prompt(state: HarnessState, rng: np.random.Generator, strength: float, split: Split) -> HarnessState:
    """Reword, rehead and shuffle the blocks, change the form of the skill list, move the word and round limits.

    Headings may go, or be in another language. The limits move in the state, where the hooks and the judge read them
    too, so that what is asked for and what is judged stay the same.

    Args:
        state: untouched.
        rng: the same generator state gives the same result.
        strength: chance that a block, the order, the headings or a limit change.
        split: whose surfaces are used.
    """
    prompt = state.prompt
    mark = pick(ITEM_MARKS.of(split), rng) if chance(strength, rng) else None
    blocks = [_block(block, mark, rng, strength, split) for block in prompt.blocks]
    order = shuffled(blocks, rng) if chance(strength, rng) else tuple(blocks)
    heading = pick(HEADING_FORMS.of(split), rng) if chance(strength, rng) else prompt.heading
    form = ListForm(pick(SKILL_FORMS.of(split), rng)) if chance(0.15 * strength, rng) else prompt.skill_form
    hooks = state.hooks
    if chance(strength, rng):
        words = _words(hooks.limits.reply_words, rng, split)
        hooks = replace(hooks, limits=replace(hooks.limits, reply_words=words))
    if chance(strength, rng):
        low, high = max(ROUNDS[0], hooks.rounds), min(ROUNDS[1], hooks.rounds + 4)
        hooks = replace(hooks, rounds=int(rng.integers(low, high + 1)) if low <= high else hooks.rounds)
    shown = _headed(order, rng, strength, split)
    return replace(state, prompt=replace(prompt, blocks=shown, heading=heading, skill_form=form), hooks=hooks)


def _headed(
    blocks: tuple[PromptBlock, ...], rng: np.random.Generator, strength: float, split: Split
) -> tuple[PromptBlock, ...]:
    """Now and then all headings in another language, and some left out: the text below says what a block is."""
    pools = {block.id: FOREIGN_HEADINGS.get(block.id) for block in blocks}
    language = int(rng.integers(LANGUAGES)) if chance(FOREIGN * strength, rng) else None
    shown = []
    for block in blocks:
        pool = pools[block.id]
        if block.heading and language is not None and pool is not None:
            block = replace(block, heading=pool.of(split)[language])
        shown.append(replace(block, heading="") if chance(MASKED * strength, rng) else block)
    return tuple(shown)


def moved_words(limit: int) -> dict[Split, tuple[int, ...]]:
    """The word limits that a variant of a harness with this limit may have; the two splits share none."""
    low, high = max(REPLY_WORDS[0], limit - FEWER_WORDS), min(REPLY_WORDS[1], limit + MORE_WORDS)
    values = [value for value in range(low, high + 1) if value != limit]
    return {
        Split.HELDOUT: tuple(value for value in values if value % 5 == 3),
        Split.TRAIN: tuple(value for value in values if value % 5 != 3),
    }


def _words(limit: int, rng: np.random.Generator, split: Split) -> int:
    values = moved_words(limit)[split.half]
    return pick(values, rng) if values else limit


def _block(
    block: PromptBlock, mark: str | None, rng: np.random.Generator, strength: float, split: Split
) -> PromptBlock:
    """One block with another heading and, unless it is a list, other words."""
    heading, text = block.heading, block.text
    if heading and chance(strength, rng):
        pool = BLOCK_HEADINGS.get(block.id)
        heading = pool.draw(split, rng) if pool is not None else heading
    if text.strip() in LISTS or not chance(strength, rng):
        return replace(block, heading=heading)
    return replace(block, heading=heading, text=_lines(text, mark, rng, split))


def _lines(text: str, mark: str | None, rng: np.random.Generator, split: Split) -> str:
    """The lines reworded; listed items shuffled among themselves unless they are numbered, other lines in place."""
    lines = text.strip().splitlines()
    items = [i for i, line in enumerate(lines) if _MARK.match(line)]
    numbered = any(lines[i][0].isdigit() for i in items)
    sources = dict(zip(items, items if numbered else shuffled(items, rng), strict=True))
    new: list[str] = []
    for i in range(len(lines)):
        source = lines[sources.get(i, i)]
        if not asks(source):
            new.append(source)
            continue
        sign = _MARK.match(source)
        words = reworded_rule(source[sign.end() :] if sign else source, split, rng)
        shown = (
            mark.replace("{n}", str(items.index(i) + 1)) if sign and mark is not None else sign.group() if sign else ""
        )
        new.append(shown + words)
    return "\n".join(new)
