"""``strangers``: what a variant shows that neither its original nor its own split's pools hold, and rules it lost.

A variant without strangers is proved by its making: every rule of the original is said exactly once, in words that the
pools of this split have for this very rule, and nothing else is said. So training sees nothing of the held-out split,
and no wording is shown that the tests of the pools have not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from livesim.harness.augment.config import Split
from livesim.harness.augment.grammar import Pool
from livesim.harness.augment.hook import unprefixed
from livesim.harness.augment.names import split_of
from livesim.harness.augment.pools_frames import RULE_MARKS
from livesim.harness.augment.pools_hooks import HOOK_FRAMES, HOOK_MESSAGES
from livesim.harness.augment.pools_names import ADDRESS, PARAM_NAMES
from livesim.harness.augment.pools_prompt import (
    BLOCK_HEADINGS,
    FOREIGN_HEADINGS,
    HEADING_FORMS,
    ITEM_MARKS,
    SKILL_FORMS,
    TOOL_FORMS,
)
from livesim.harness.augment.pools_rules import ADDRESS_RULES
from livesim.harness.augment.pools_skills import NOISE_BODIES, NOISE_SKILLS, SKILL_FRAMES, SKILL_PHRASES
from livesim.harness.augment.pools_tools import (
    DISTRACTORS_HELDOUT,
    DISTRACTORS_TRAIN,
    PARAM_NOTES,
    TOOL_FRAMES,
    TOOL_PHRASES,
)
from livesim.harness.augment.renditions import renders_phrase, renders_rule, texts
from livesim.harness.augment.rewrites import Rewrites
from livesim.harness.augment.rules import Rule, asks, body_rules, limits_told, line_rules
from livesim.harness.augment.skill_content import told_by_prompt
from livesim.harness.augment.system_prompt import LISTS, moved_words
from livesim.harness.state import HarnessState, Skill, SkillKind

Accepted = Mapping[str, Rewrites]
"""Texts that a model wrote and that were proved by replay, by path; see ``rewrites``."""


def strangers(
    state: HarnessState, original: HarnessState, split: Split, accepted: Accepted | None = None
) -> tuple[str, ...]:
    """What stands in the way of the proof; empty when the variant is proved.

    Args:
        state: the variant.
        original: whose own names and texts are nobody's.
        split: which the variant was drawn from.
        accepted: rewrites of this split.
    """
    book = accepted or {}
    parts = (_names, _params, _limits)
    found = [line for part in parts for line in part(state, original, split)]
    for check in (_skills, _tools, _prompt):
        found += check(state, original, split, book)
    return (*found, *_hooks(state, original, split))


def _names(state: HarnessState, original: HarnessState, split: Split) -> Iterator[str]:
    own = {s.name for s in original.skills} | {v.name for v in original.tools}
    for name in (*(s.name for s in state.skills), *(v.name for v in state.tools)):
        if name not in own and split_of(name) is not split.half:
            yield f"{name!r} is a name of the {split_of(name)} split"


def _params(state: HarnessState, original: HarnessState, split: Split) -> Iterator[str]:
    own = {param.name for view in original.tools for param in view.params}
    own |= {param.description for view in original.tools for param in view.params} | {""}
    for param in (param for view in state.tools if view.canonical for param in view.params):
        pool, notes = PARAM_NAMES.get(param.canonical), PARAM_NOTES.get(param.canonical)
        if param.name not in own and not _fresh(param.name, pool, split):
            yield f"{param.name!r} is no name of the {split} split"
        if param.description not in own and param.description.lower() not in (texts(notes, split) if notes else ()):
            yield _stranger(f"parameter {param.canonical}", param.description, split)


def _fresh(name: str, pool: Pool | None, split: Split) -> bool:
    """A parameter's name is of the split's pool, or a string of no pool that its checksum puts into the split."""
    if pool is None or name not in (*pool.train, *pool.heldout):
        return split_of(name) is split.half
    return name in pool.of(split)


def _limits(state: HarnessState, original: HarnessState, split: Split) -> Iterator[str]:
    words, address = state.limits.reply_words, state.limits.address
    if words != original.limits.reply_words and words not in moved_words(original.limits.reply_words)[split.half]:
        yield f"{words} words are no limit of the {split} split"
    if address != original.limits.address and address not in ADDRESS.of(split):
        yield _stranger("address", address, split)


def _skills(state: HarnessState, original: HarnessState, split: Split, book: Accepted) -> Iterator[str]:
    was = {skill.id: skill for skill in original.skills}
    told = told_by_prompt(state)
    kept = {skill.id for skill in state.skills}
    for skill in original.skills:
        if skill.id not in kept and (skill.intents or skill.kind is SkillKind.STRATEGY):
            yield f"skill {skill.id}: is no noise and was left out"
    for skill in state.skills:
        if skill.id not in was:
            yield from _noise(skill, split)
            continue
        old, where = was[skill.id], f"skill {skill.id}"
        fits = renders_phrase(old.description, skill.description, SKILL_PHRASES.get(skill.id), (SKILL_FRAMES,), split)
        if not fits and skill.description not in _accepted(book, f"skills.{skill.id}.description"):
            yield _stranger(where, skill.description, split)
        if skill.body not in (old.body, *_accepted(book, f"skills.{skill.id}.body")):
            added = frozenset() if "{address}" in old.body else ADDRESS_RULES.texts(split)
            yield from _rules(where, body_rules(old.body), skill.body, RULE_MARKS, split, told, added)


def _noise(skill: Skill, split: Split) -> Iterator[str]:
    where = f"skill {skill.id}"
    if skill.intents or skill.description.lower() not in texts(NOISE_SKILLS, split):
        yield _stranger(where, skill.description, split)
    if not _noise_body(skill.body, split):
        yield _stranger(where, skill.body, split)


@lru_cache(maxsize=1024)
def _noise_body(body: str, split: Split) -> bool:
    drawn = (body_rules(text) for text in NOISE_BODIES.texts(split))
    return any(not any(_rules("", rules, body, RULE_MARKS, split)) for rules in drawn)


def _tools(state: HarnessState, original: HarnessState, split: Split, book: Accepted) -> Iterator[str]:
    was = {view.canonical or f"?{view.name}": view for view in original.tools}
    shown = {view.description for view in original.tools if not view.canonical}
    for view in state.tools:
        if not view.canonical:
            if view.description not in shown and view.description.lower() not in _distractors(split):
                yield _stranger(f"distractor {view.name}", view.description, split)
            continue
        old = was[view.canonical]
        fits = renders_phrase(
            old.description, view.description, TOOL_PHRASES.get(view.canonical), (TOOL_FRAMES,), split
        )
        if not fits and view.description not in _accepted(book, f"tools.{view.canonical}.description"):
            yield _stranger(f"tool {view.canonical}", view.description, split)


def _prompt(state: HarnessState, original: HarnessState, split: Split, book: Accepted) -> Iterator[str]:
    new, old = state.prompt, original.prompt
    if new.heading != old.heading and new.heading not in HEADING_FORMS.of(split):
        yield _stranger("form of headings", new.heading, split)
    for form, own, pool in ((new.skill_form, old.skill_form, SKILL_FORMS), (new.tool_form, old.tool_form, TOOL_FORMS)):
        if form is not own and form not in pool.of(split):
            yield _stranger("form of a list", form, split)
    was = {block.id: block for block in old.blocks}
    if sorted(block.id for block in new.blocks) != sorted(was):
        yield "the blocks of the prompt differ from the original's"
        return
    for block in new.blocks:
        before, where = was[block.id], f"block {block.id}"
        headings = [BLOCK_HEADINGS.get(block.id), FOREIGN_HEADINGS.get(block.id)]
        known = {text for pool in headings if pool is not None for text in texts(pool, split)}
        if block.heading not in ("", before.heading) and block.heading.lower() not in known:
            yield _stranger(where, block.heading, split)
        if block.text not in (before.text, *_accepted(book, f"prompt.blocks.{block.id}.text")):
            if before.text.strip() in LISTS:
                yield f"{where}: is no list any more"
            yield from _rules(where, line_rules(before.text), block.text, ITEM_MARKS, split)


def _hooks(state: HarnessState, original: HarnessState, split: Split) -> Iterator[str]:
    was = {hook.check: hook for hook in original.hooks.hooks}
    for hook in state.hooks.hooks:
        old = was[hook.check].message
        if hook.message != old and not renders_phrase(
            unprefixed(was[hook.check]), hook.message, HOOK_MESSAGES.get(hook.check), (HOOK_FRAMES,), split
        ):
            yield _stranger(f"hook {hook.check}", hook.message, split)


def _rules(
    where: str,
    rules: Sequence[Rule],
    text: str,
    marks: Pool,
    split: Split,
    told: frozenset[str] = frozenset(),
    added: frozenset[str] = frozenset(),
) -> Iterator[str]:
    """Rules that no line says, and lines that say no rule.

    Args:
        where: the part.
        rules: of the original.
        text: the variant's.
        marks: what a line may begin with.
        split: whose words.
        told: limits that the prompt states, so that a rule which does nothing else may be left out.
        added: rules that may stand there beside.
    """
    signs = tuple(dict.fromkeys((*marks.of(split), "- ", *(re.sub(r"\d+", "{n}", sign) for sign, _ in rules))))
    lines = [_cores(line.strip(), signs) for line in text.splitlines() if asks(line)]
    for _, rule in rules:
        at = next((i for i, cores in enumerate(lines) if any(renders_rule(rule, core, split) for core in cores)), None)
        if at is not None:
            del lines[at]
        elif not limits_told(rule) or not limits_told(rule) <= told:
            yield f"{where}: the rule {rule!r} is not said, or not in words of the {split} split"
    for cores in lines:
        if not any(renders_rule(rule, core, split) for core in cores for rule in added):
            yield _stranger(where, cores[0] if cores else "", split)


def _cores(line: str, signs: Sequence[str]) -> tuple[str, ...]:
    """A line without each of the marks that it may begin with."""
    return tuple(line[found.end() :] for sign in signs if (found := _sign(sign).match(line)) is not None)


@lru_cache(maxsize=256)
def _sign(sign: str) -> re.Pattern[str]:
    return re.compile(re.escape(sign).replace(r"\{n\}", r"\d+"))


@lru_cache(maxsize=2)
def _distractors(split: Split) -> frozenset[str]:
    """What a distractor may be for."""
    pool = DISTRACTORS_HELDOUT if split is Split.HELDOUT else DISTRACTORS_TRAIN
    templates = tuple(distractor.description for distractor in pool)
    return texts(Pool(templates, templates), split)


def _accepted(book: Accepted, path: str) -> tuple[str, ...]:
    return book[path].texts if path in book else ()


def _stranger(where: str, text: str, split: Split) -> str:
    return f"{where}: {text!r} is no text of the {split} split for it"
