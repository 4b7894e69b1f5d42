"""Edits of the harness while a stream runs: from plain data in a scenario to the next ``HarnessState``."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from livesim.errors import HarnessError, unknown
from livesim.harness.folder import validate
from livesim.harness.state import HarnessState, ToolView
from livesim.scenarios.edits import HarnessEdit, Rewording
from livesim.tools.builtin import LOAD_SKILL, SPECS
from livesim.tools.spec import ToolSpec


def edited(
    state: HarnessState,
    edits: Iterable[HarnessEdit],
    *,
    variant: bool = False,
    specs: Mapping[str, ToolSpec] = SPECS,
) -> HarnessState:
    """The state after the edits, in their order.

    A new shown name that another tool, parameter or skill of this harness has already gets a number behind it.

    Args:
        state: untouched.
        edits: in canonical names.
        variant: the state is an augmented one, in which texts may read otherwise: what cannot be replaced is added.
        specs: tools that there are beside the built-in ones.

    Raises:
        HarnessError: an edit names something that this harness does not have, or text that does not stand there.
    """
    for edit in edits:
        state = _unnamed(_limits(_texts(_skills(_tools(state, edit), edit), edit, variant), edit), edit)
        validate(state, {**SPECS, **specs})
    return state


def _tools(state: HarnessState, edit: HarnessEdit) -> HarnessState:
    known = [view.canonical for view in state.tools if view.canonical]
    _named("tool", (*edit.rename_tools, *edit.describe_tools, *edit.hide_tools), known)
    if LOAD_SKILL in edit.hide_tools:
        raise HarnessError(f"an edit may not hide {LOAD_SKILL!r}: no skill could be loaded")
    parameters = [f"{view.canonical}.{p.canonical}" for view in state.tools for p in view.params if view.canonical]
    _named("parameter", edit.rename_parameters, parameters)
    views: list[ToolView] = []
    for view in state.tools:
        if view.canonical in edit.hide_tools and view.canonical:
            continue
        others = [v.name for v in state.tools if v is not view]
        name = _free(edit.rename_tools.get(view.canonical, view.name), others) if view.canonical else view.name
        text = edit.describe_tools.get(view.canonical, view.description) if view.canonical else view.description
        views.append(_parameters(replace(view, name=name, description=text), edit.rename_parameters))
    return replace(state, tools=tuple(views))


def _parameters(view: ToolView, names: Mapping[str, str]) -> ToolView:
    shown: dict[str, str] = {}
    params = []
    for param in view.params:
        wanted = names.get(f"{view.canonical}.{param.canonical}", param.name)
        name = _free(wanted, [p.name for p in view.params if p is not param])
        shown[param.name] = name
        params.append(replace(param, name=name))
    return replace(view, params=tuple(params), required=tuple(shown[name] for name in view.required))


def _skills(state: HarnessState, edit: HarnessEdit) -> HarnessState:
    known = [skill.id for skill in state.skills]
    _named("skill", (*edit.rename_skills, *edit.describe_skills, *edit.hide_skills), known)
    skills = []
    for skill in state.skills:
        if skill.id in edit.hide_skills:
            continue
        name = _free(edit.rename_skills.get(skill.id, skill.name), [s.name for s in state.skills if s is not skill])
        skills.append(replace(skill, name=name, description=edit.describe_skills.get(skill.id, skill.description)))
    return replace(state, skills=tuple(skills))


def _texts(state: HarnessState, edit: HarnessEdit, variant: bool) -> HarnessState:
    for entry in edit.reword:
        kind, _, name = entry.where.partition(":")
        if kind == "skill":
            state = replace(state, skills=_reworded(state.skills, "id", "body", name, entry, variant))
        elif kind == "block":
            blocks = _reworded(state.prompt.blocks, "id", "text", name, entry, variant)
            state = replace(state, prompt=replace(state.prompt, blocks=blocks))
        else:
            hooks = _reworded(state.hooks.hooks, "check", "message", name, entry, variant)
            state = replace(state, hooks=replace(state.hooks, hooks=hooks))
    return state


def _reworded(
    entries: Sequence[Any], key: str, field: str, name: str, entry: Rewording, variant: bool
) -> tuple[Any, ...]:
    """The entries, the named one with its text replaced. Any: skills, blocks and hooks have no base in common."""
    _named(entry.where.partition(":")[0], (name,), [getattr(one, key) for one in entries])
    changed = []
    for one in entries:
        text = getattr(one, field)
        mine = getattr(one, key) == name
        changed.append(dataclasses.replace(one, **{field: _put(text, entry, variant)}) if mine else one)
    return tuple(changed)


def _put(text: str, entry: Rewording, variant: bool) -> str:
    if not entry.old or (variant and entry.old not in text):
        return f"{text.rstrip()}\n{entry.new}" if entry.new else text
    if entry.old not in text:
        near = difflib.get_close_matches(entry.old, text.splitlines(), n=1, cutoff=0.3)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise HarnessError(f"edit of {entry.where}: there is no {entry.old!r} in it{hint}")
    return text.replace(entry.old, entry.new)


def _limits(state: HarnessState, edit: HarnessEdit) -> HarnessState:
    hooks = state.hooks
    limits = hooks.limits
    if edit.reply_words is not None:
        limits = replace(limits, reply_words=edit.reply_words)
    if edit.address is not None:
        limits = replace(limits, address=edit.address)
    rounds = hooks.rounds if edit.rounds is None else edit.rounds
    retries = hooks.retries if edit.retries is None else edit.retries
    return replace(state, hooks=replace(hooks, limits=limits, rounds=rounds, retries=retries))


def _unnamed(state: HarnessState, edit: HarnessEdit) -> HarnessState:
    """Texts that name what is hidden now name it in plain words, as the prompt would."""
    gone = {f"{{tool:{name}}}": name for name in edit.hide_tools} | {f"{{skill:{s}}}": s for s in edit.hide_skills}

    def plain(text: str) -> str:
        for mark, name in gone.items():
            text = text.replace(f'"{mark}"', mark).replace(mark, name.replace("_", " "))
        return text

    if not gone:
        return state
    skills = tuple(replace(skill, body=plain(skill.body)) for skill in state.skills)
    blocks = tuple(replace(block, text=plain(block.text)) for block in state.prompt.blocks)
    hooks = tuple(replace(hook, message=plain(hook.message)) for hook in state.hooks.hooks)
    prompt, checks = replace(state.prompt, blocks=blocks), replace(state.hooks, hooks=hooks)
    return replace(state, skills=skills, prompt=prompt, hooks=checks)


def _free(name: str, taken: Sequence[str]) -> str:
    number, free = 2, name
    while free in taken:
        free, number = f"{name}_{number}", number + 1
    return free


def _named(what: str, names: Iterable[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise HarnessError("edit: " + unknown(f"{what} of this harness:", name, known))
