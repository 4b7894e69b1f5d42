"""Small changes of a harness state, each a new state: a rule more, another description, a hook switched on."""

from __future__ import annotations

from dataclasses import replace

from livesim.errors import HarnessError, unknown
from livesim.harness.hooks.registry import CHECKS
from livesim.harness.state import HarnessState, HookSpec, PromptBlock, Skill, ToolView


def find_skill(state: HarnessState, skill_id: str) -> Skill:
    """The skill with this id. Raises HarnessError naming the nearest."""
    found = next((skill for skill in state.skills if skill.id == skill_id), None)
    if found is None:
        raise HarnessError(unknown("skill", skill_id, [skill.id for skill in state.skills]))
    return found


def with_skill(state: HarnessState, skill: Skill) -> HarnessState:
    """The state with this skill in place of the one of the same id."""
    find_skill(state, skill.id)
    return replace(state, skills=tuple(skill if s.id == skill.id else s for s in state.skills))


def with_tool(state: HarnessState, view: ToolView) -> HarnessState:
    """The state with this view in place of the one of the same tool."""
    if state.view(view.canonical) is None:
        raise HarnessError(unknown("tool", view.canonical, [v.canonical for v in state.tools]))
    return replace(state, tools=tuple(view if v.canonical == view.canonical else v for v in state.tools))


def with_skill_rule(state: HarnessState, skill_id: str, line: str, *, first: bool = False) -> HarnessState:
    """The state with one more line in the body of a skill, written as its other lines are.

    Args:
        state: untouched.
        skill_id: which skill.
        line: the rule, without a list mark.
        first: put it in front of the others.
    """
    skill = find_skill(state, skill_id)
    marked = f"- {line}" if skill.body.lstrip().startswith("- ") else line
    body = f"{marked}\n{skill.body}" if first else f"{skill.body}\n{marked}"
    return with_skill(state, replace(skill, body=body))


def with_prompt_rule(state: HarnessState, block_id: str, line: str, *, first: bool = False) -> HarnessState:
    """The state with one more line in a block of the prompt; the block is made, at the end, when there is none.

    Args:
        state: untouched.
        block_id: which block.
        line: the rule, without a list mark.
        first: put it in front of the others.
    """
    blocks = []
    for block in state.prompt.blocks:
        if block.id == block_id:
            marked = f"- {line}" if block.text.lstrip().startswith("- ") else line
            block = replace(block, text=f"{marked}\n{block.text}" if first else f"{block.text}\n{marked}")
        blocks.append(block)
    if block_id not in [block.id for block in blocks]:
        blocks.append(PromptBlock(block_id, block_id.replace("_", " ").capitalize(), f"- {line}"))
    return replace(state, prompt=replace(state.prompt, blocks=tuple(blocks)))


def with_rule(state: HarnessState, where: str, line: str, *, first: bool = False) -> HarnessState:
    """The state with one more line at ``skills.ID`` or ``prompt.ID``. Raises HarnessError when it is neither."""
    part, _, name = where.partition(".")
    if part == "skills":
        return with_skill_rule(state, name, line, first=first)
    if part == "prompt" and name:
        return with_prompt_rule(state, name, line, first=first)
    raise HarnessError(f"a rule goes to skills.ID or prompt.ID, not {where!r}")


def with_hook(state: HarnessState, check: str, message: str = "") -> HarnessState:
    """The state with one more check, behind the others. Raises HarnessError when it is unknown or runs already."""
    if check not in CHECKS:
        raise HarnessError(unknown("check", check, CHECKS))
    if check in [hook.check for hook in state.hooks.hooks]:
        raise HarnessError(f"the check {check!r} runs already")
    return replace(state, hooks=replace(state.hooks, hooks=(*state.hooks.hooks, HookSpec(check, message))))
