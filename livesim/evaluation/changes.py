"""What differs between two harness states, in sentences for people."""

from __future__ import annotations

import dataclasses

from livesim.harness.state import HarnessState


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
    reworded = sum(1 for s in old.skills if s.id in known and known[s.id].description != s.description)
    if reworded:
        lines.append(f"{reworded} skill descriptions in other words")
    bodies = sum(1 for s in old.skills if s.id in known and known[s.id].body != s.body)
    if bodies:
        lines.append(f"{bodies} skill bodies in other words")
    ids = {skill.id for skill in old.skills}
    noise = [skill.name for skill in new.skills if skill.id not in ids]
    if noise:
        lines.append(f"{len(noise)} noise skills: {', '.join(noise)}")
    return lines + _order("skills", [s.id for s in old.skills], [s.id for s in new.skills])


def _tools(old: HarnessState, new: HarnessState) -> list[str]:
    lines = []
    for view in old.tools:
        other = new.view(view.canonical)
        if other is None:
            lines.append(f"tool {view.name} is gone")
            continue
        if other.name != view.name:
            lines.append(f"tool {view.name} is now called {other.name}")
        shown = {param.canonical: param.name for param in other.params}
        lines += [
            f"parameter {param.name} of {view.name} is now called {shown[param.canonical]}"
            for param in view.params
            if shown.get(param.canonical, param.name) != param.name
        ]
    canonical = {view.canonical for view in old.tools}
    extra = [view.name for view in new.tools if not view.canonical or view.canonical not in canonical]
    if extra:
        lines.append(f"{len(extra)} distractor tools: {', '.join(extra)}")
    return lines + _order("tools", [v.canonical for v in old.tools], [v.canonical for v in new.tools])


def _prompt(old: HarnessState, new: HarnessState) -> list[str]:
    lines = [
        f"{what} listed as {after} instead of {before}"
        for what, before, after in (
            ("skills", old.prompt.skill_form, new.prompt.skill_form),
            ("tools", old.prompt.tool_form, new.prompt.tool_form),
        )
        if before != after
    ]
    texts = {block.id: (block.heading, block.text) for block in new.prompt.blocks}
    reworded = [b.id for b in old.prompt.blocks if b.id in texts and texts[b.id] != (b.heading, b.text)]
    if reworded:
        lines.append(f"prompt blocks in other words: {', '.join(reworded)}")
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
    messages = {hook.check: hook.message for hook in new.hooks.hooks}
    reworded = sum(1 for hook in old.hooks.hooks if messages.get(hook.check, hook.message) != hook.message)
    if reworded:
        lines.append(f"{reworded} hook messages in other words")
    return lines


def _order(what: str, old: list[str], new: list[str]) -> list[str]:
    kept = [name for name in new if name and name in old]
    return [f"{what} in another order"] if kept != [name for name in old if name in kept] else []
