"""What differs between two harness states, in sentences for people."""

from __future__ import annotations

import dataclasses

from livesim.evaluation.counted import counted
from livesim.harness.state import HarnessState, ToolView


def changes(original: HarnessState, state: HarnessState) -> tuple[str, ...]:
    """One sentence a difference, in the order skills, tools, prompt, hooks; empty when the states are equal."""
    return (*_skills(original, state), *_tools(original, state), *_prompt(original, state), *_hooks(original, state))


def _skills(old: HarnessState, new: HarnessState) -> list[str]:
    lines = []
    known = {skill.id: skill for skill in new.skills}
    for skill in old.skills:
        other = known.get(skill.id)
        if other is None:
            lines.append(f"skill {skill.id} is gone")
        elif other.name != skill.name:
            lines.append(f"skill {skill.name} is now called {other.name}")
    pairs = [(skill, known[skill.id]) for skill in old.skills if skill.id in known]
    lines += _reworded("skill description", [a.description != b.description for a, b in pairs])
    lines += _reworded("skill body", [a.body != b.body for a, b in pairs], "skill bodies")
    lines += [f"skill {a.name} serves something else" for a, b in pairs if (a.kind, a.intents) != (b.kind, b.intents)]
    ids = {skill.id for skill in old.skills}
    noise = [skill.name for skill in new.skills if skill.id not in ids]
    if noise:
        lines.append(f"{counted(len(noise), 'noise skill')}: {', '.join(noise)}")
    return lines + _order("skills", [s.id for s in old.skills], [s.id for s in new.skills])


def _tools(old: HarnessState, new: HarnessState) -> list[str]:
    lines = [f"tool {view.name} is gone" for view in old.tools if new.view(view.canonical) is None]
    pairs = [(view, other) for view in old.tools if (other := new.view(view.canonical)) is not None]
    for view, other in pairs:
        if other.name != view.name:
            lines.append(f"tool {view.name} is now called {other.name}")
        lines += _params(view, other)
    lines += _reworded("tool description", [a.description != b.description for a, b in pairs])
    params = [(p, q) for a, b in pairs for p in a.params for q in b.params if p.canonical == q.canonical]
    lines += _reworded("parameter description", [p.description != q.description for p, q in params])
    canonical = {view.canonical for view in old.tools}
    extra = [view.name for view in new.tools if not view.canonical or view.canonical not in canonical]
    if extra:
        lines.append(f"{counted(len(extra), 'distractor tool')}: {', '.join(extra)}")
    return lines + _order("tools", [v.canonical for v in old.tools], [v.canonical for v in new.tools])


def _params(view: ToolView, other: ToolView) -> list[str]:
    """What became of the parameters of one tool, their descriptions apart."""
    lines = []
    shown = {param.canonical: param for param in other.params}
    known = {param.canonical: param for param in view.params}
    for param in view.params:
        now = shown.get(param.canonical)
        if now is None:
            lines.append(f"parameter {param.name} of {view.name} is gone")
        elif now.name != param.name:
            lines.append(f"parameter {param.name} of {view.name} is now called {now.name}")
    lines += [f"{view.name} has the parameter {p.name}" for p in other.params if p.canonical not in known]
    if _forms(view) != _forms(other):
        lines.append(f"parameters of {view.name} have other types, or others must be given")
    return lines + _order(f"parameters of {view.name}", [*known], [*shown])


def _forms(view: ToolView) -> dict[str, tuple[str, bool]]:
    """Canonical name of each parameter -> its type and whether it must be given."""
    kinds = (*view.kinds, *[""] * len(view.params))
    return {p.canonical: (kind, p.name in view.required) for p, kind in zip(view.params, kinds, strict=False)}


def _prompt(old: HarnessState, new: HarnessState) -> list[str]:
    lines = [
        f"{what} listed as {after} instead of {before}"
        for what, before, after in (
            ("skills", old.prompt.skill_form, new.prompt.skill_form),
            ("tools", old.prompt.tool_form, new.prompt.tool_form),
        )
        if before != after
    ]
    if old.prompt.heading != new.prompt.heading:
        lines.append(f"headings written as {new.prompt.heading!r} instead of {old.prompt.heading!r}")
    known = {block.id: block for block in old.prompt.blocks}
    now = {block.id: block for block in new.prompt.blocks}
    for what, ids in (
        ("gone", [name for name in known if name not in now]),
        ("added", [name for name in now if name not in known]),
        ("in other words", [name for name, block in known.items() if now.get(name, block) != block]),
    ):
        if ids:
            lines.append(f"prompt blocks {what}: {', '.join(ids)}")
    return lines + _order("prompt blocks", [b.id for b in old.prompt.blocks], [b.id for b in new.prompt.blocks])


def _hooks(old: HarnessState, new: HarnessState) -> list[str]:
    lines = []
    for limit in dataclasses.fields(old.limits):
        before, after = getattr(old.limits, limit.name), getattr(new.limits, limit.name)
        if before != after:
            lines.append(f"limit {limit.name}: {before!r} -> {after!r}")
    for name in ("rounds", "retries", "form"):
        before, after = getattr(old.hooks, name), getattr(new.hooks, name)
        if before != after:
            lines.append(f"{name}: {before} -> {after}")
    known = {hook.check: hook for hook in old.hooks.hooks}
    now = {hook.check: hook for hook in new.hooks.hooks}
    lines += [f"hook {name} is gone" for name in known if name not in now]
    lines += [f"hook {name} is added" for name in now if name not in known]
    pairs = [(hook, now[name]) for name, hook in known.items() if name in now]
    lines += _reworded("hook message", [a.message != b.message for a, b in pairs])
    lines += [f"hook {a.check} has other options" for a, b in pairs if a.options != b.options]
    if old.hooks.exempt != new.hooks.exempt:
        lines.append("other checks are left out on some platforms")
    return lines + _order("hooks", [*known], [*now])


def _reworded(noun: str, differ: list[bool], nouns: str = "") -> list[str]:
    """How many of one sort of text were reworded, if any."""
    count = sum(differ)
    told = f"{count} {nouns}" if nouns and count != 1 else counted(count, noun)
    return [f"{told} in other words"] if count else []


def _order(what: str, old: list[str], new: list[str]) -> list[str]:
    kept = [name for name in new if name and name in old]
    return [f"{what} in another order"] if kept != [name for name in old if name in kept] else []
