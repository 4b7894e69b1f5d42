"""``problems``: what makes a harness variant unfit for use, in plain sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from livesim.harness.augment.assertive import assertive
from livesim.harness.augment.names import NAME
from livesim.harness.prompt import system_prompt
from livesim.harness.state import HarnessState, SkillKind, ToolView
from livesim.tools.builtin import SPECS

REPLY_WORDS = (12, 80)
"""Lawful range of the word limit of a reply."""

ROUNDS = (4, 16)
"""Lawful range of the assistant turns per request."""

RETRIES = (1, 5)
"""Lawful range of the retries per request."""

MAX_GROWTH = 1.35
"""A variant's system prompt may have so many times the characters of the original's."""

_BRACES = re.compile(r"\{([^{}\n]*)\}")
_PLAIN = frozenset({"reply_words", "address", "rounds", "skills", "tools"})


def problems(state: HarnessState, original: HarnessState | None = None) -> tuple[str, ...]:
    """Everything that is wrong with ``state``; empty when it can be used.

    Args:
        state: a harness, usually a variant.
        original: what it was made from. With it, the canonical tools, the intents served and the size of the system
            prompt are held against it; without it, only the state itself is checked.
    """
    found = [*_names(state), *_tools(state), *_texts(state), *_limits(state)]
    if original is not None:
        found += _against(state, original)
    return tuple(found)


def growth(state: HarnessState, original: HarnessState) -> float:
    """Characters of the system prompt of ``state`` over those of ``original``."""
    return len(system_prompt(state)) / max(1, len(system_prompt(original)))


def _names(state: HarnessState) -> list[str]:
    found = [f"two skills have the id {skill_id!r}" for skill_id in _twice(s.id for s in state.skills)]
    found += [f"two skills are shown as {name!r}" for name in _twice(s.name.lower() for s in state.skills)]
    found += [f"two tools are shown as {name!r}" for name in _twice(v.name.lower() for v in state.tools)]
    found += [f"two views show the tool {name!r}" for name in _twice(v.canonical for v in state.tools if v.canonical)]
    shown = [s.name for s in state.skills] + [v.name for v in state.tools]
    found += [f"{name!r} is no name that can be called" for name in shown if not NAME.fullmatch(name)]
    descriptions = [s.description.strip().lower() for s in state.skills]
    found += [f"two skills have the description {text!r}" for text in _twice(descriptions)]
    purposes = [v.description.strip().lower() for v in state.tools]
    return found + [f"two tools have the description {text!r}" for text in _twice(purposes)]


def _tools(state: HarnessState) -> list[str]:
    found = [] if state.view("load_skill") is not None else ["no tool loads skills"]
    for view in state.tools:
        shown = [param.name for param in view.params]
        found += [f"{view.name}: two parameters are called {name!r}" for name in _twice(shown)]
        found += [f"{view.name}: required {name!r} is no parameter" for name in view.required if name not in shown]
        if len(view.kinds) != len(view.params):
            found.append(f"{view.name}: {len(view.params)} parameters but {len(view.kinds)} types")
        if view.canonical in SPECS:
            found += _against_spec(view)
    return found


def _against_spec(view: ToolView) -> list[str]:
    fields = SPECS[view.canonical].arguments.model_fields
    canonical = {param.canonical for param in view.params}
    found = [f"{view.name}: {name!r} is no parameter of the tool" for name in sorted(canonical - set(fields))]
    needed = {name for name, info in fields.items() if info.is_required()}
    return found + [f"{view.name}: the tool's parameter {name!r} is not shown" for name in sorted(needed - canonical)]


def _texts(state: HarnessState) -> list[str]:
    skills = {skill.id for skill in state.skills}
    params = {f"{view.canonical}.{param.canonical}" for view in state.tools for param in view.params}
    found: list[str] = []
    for where, text in _all_texts(state):
        for word in _BRACES.findall(text):
            kind, colon, name = word.partition(":")
            if not colon and word != "address":  # of a limit, or of the hook's own finding
                continue
            if kind == "tool" and state.view(name) is None:
                found.append(f"{where}: names the tool {name!r}, which is not shown")
            elif kind == "skill" and name not in skills:
                found.append(f"{where}: names the skill {name!r}, which is not listed")
            elif kind == "param" and name not in params:
                found.append(f"{where}: names the parameter {name!r}, which is not shown")
            elif word == "address" and not state.limits.address:
                found.append(f"{where}: speaks of an address, and there is none")
    return found


def _all_texts(state: HarnessState) -> list[tuple[str, str]]:
    texts = [(f"skill {skill.id}", skill.body) for skill in state.skills]
    texts += [(f"block {block.id}", block.text) for block in state.prompt.blocks]
    return texts + [(f"hook {hook.check}", hook.message) for hook in state.hooks.hooks]


def _limits(state: HarnessState) -> list[str]:
    found = []
    for name, value, (low, high) in (
        ("reply_words", state.limits.reply_words, REPLY_WORDS),
        ("rounds", state.hooks.rounds, ROUNDS),
        ("retries", state.hooks.retries, RETRIES),
    ):
        if not low <= value <= high:
            found.append(f"{name} is {value}, outside {low} to {high}")
    served = [s for s in state.skills if s.kind is SkillKind.REPLY and s.intents]
    prompt = "\n".join(block.text for block in state.prompt.blocks)
    for name, in_force in (("address", bool(state.limits.address)), ("reply_words", True)):
        mark = f"{{{name}}}"
        if in_force and mark not in prompt and any(mark not in skill.body for skill in served):
            found.append(f"the limit {name} is in force, but neither the prompt nor every reply skill says so")
    blocks = [block.text.strip() for block in state.prompt.blocks]
    found += [f"no block lists the {what}" for what in ("skills", "tools") if f"{{{what}}}" not in blocks]
    return found


def _against(state: HarnessState, original: HarnessState) -> list[str]:
    found = []
    before, now = ({view.canonical for view in s.tools if view.canonical} for s in (original, state))
    if before != now:
        found.append(f"tools differ from the original's: {', '.join(sorted(before ^ now))}")
    for view in original.tools:
        other = state.view(view.canonical) if view.canonical else None
        if other is not None and _parameters(other) != _parameters(view):
            found.append(f"{other.name}: its parameters, their types or which must be given differ from the original's")
    for intent in sorted({intent for skill in original.skills for intent in skill.intents}):
        for served in (HarnessState.skills_for, HarnessState.strategies_for):
            if sorted(served(state, intent)) != sorted(served(original, intent)):
                found.append(f"the skills that serve {intent} differ from the original's")
    if [hook.check for hook in state.hooks.hooks] != [hook.check for hook in original.hooks.hooks]:
        found.append("the checks that run differ from the original's")
    found += _tone(state, original)
    share = growth(state, original)
    if share > MAX_GROWTH:
        found.append(f"the system prompt has {share:.2f} times the characters of the original's")
    return found


def _parameters(view: ToolView) -> list[tuple[str, str, bool]]:
    """Canonical name, type and whether it must be given, of each parameter."""
    kinds = zip(view.params, view.kinds, strict=False)
    return sorted((param.canonical, kind, param.name in view.required) for param, kind in kinds)


def _tone(state: HarnessState, original: HarnessState) -> list[str]:
    """Descriptions that push harder than the original's; what was added must not push at all."""
    skills = {skill.id: assertive(skill.description) for skill in original.skills}
    tools = {view.canonical: assertive(view.description) for view in original.tools if view.canonical}
    pushed = [f"skill {s.id}" for s in state.skills if assertive(s.description) > skills.get(s.id, 0)]
    pushed += [f"tool {v.name}" for v in state.tools if assertive(v.description) > tools.get(v.canonical, 0)]
    return [f"{where}: the description is more assertive than the original's" for where in pushed]


def _twice(names: Iterable[str]) -> list[str]:
    return sorted(name for name, count in Counter(names).items() if count > 1)
