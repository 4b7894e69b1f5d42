"""A parsed call to its tool: shown names to canonical ones, arguments checked, or a sentence saying what is wrong."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from livesim.harness.callform import ParsedCall
from livesim.harness.prompt import neutralise, signature
from livesim.harness.state import HarnessState, Skill, ToolView
from livesim.tools.arguments import normalise
from livesim.tools.builtin import LOAD_SKILL, SPECS
from livesim.types import JsonValue, ToolCall
from rewards.signals import CallError, CallRecord


@dataclass(frozen=True, slots=True)
class Bound:
    """What a parsed call means in this harness.

    Attributes:
        call: ready for the toolbox (or for the session, when it loads a skill); None when it means nothing.
        error: why it never reaches a tool.
        problem: the sentence for the model, shown names only.
        tool: canonical tool as far as it was recognised.
        arguments: canonical arguments as far as they were right.
    """

    call: ToolCall | None
    error: CallError | None = None
    problem: str = ""
    tool: str = ""
    arguments: Mapping[str, int | str] = field(default_factory=dict)

    @property
    def record(self) -> CallRecord:
        """The call for the judge, when it never reached a tool."""
        return CallRecord(self.tool, self.arguments, ok=False, error=self.error)


def bind(parsed: ParsedCall, state: HarnessState) -> Bound:
    """The call in canonical names, or what is wrong with it. Never raises."""
    view = next((v for v in state.tools if v.name == parsed.name), None)
    if parsed.problem:
        return Bound(None, CallError.BAD_JSON, parsed.problem, view.canonical if view else "")
    if view is None:
        problem = f"there is no tool {quoted(parsed.name)}{nearest(parsed.name, (v.name for v in state.tools))}"
        return Bound(None, CallError.UNKNOWN_TOOL, problem)
    if parsed.repeated:
        problem = f"{view.name}: the same call stands twice in one turn; it was made once"
        return Bound(None, CallError.EXCESS, problem, view.canonical)
    if not view.canonical:
        problem = f"{view.name} has nothing for this room; use another tool: {_names(v.name for v in state.tools)}"
        return Bound(None, CallError.DISTRACTOR, problem)
    arguments, problem = _arguments(view, parsed.arguments)
    if problem:
        return Bound(None, CallError.BAD_ARGUMENTS, f"{view.name}: {problem}", view.canonical, arguments)
    return Bound(ToolCall(view.canonical, arguments, view.name), None, "", view.canonical, arguments)


def find_skill(name: str, state: HarnessState) -> Skill | str:
    """The skill with this shown name, or the sentence that names the nearest and the listed ones."""
    found = next((skill for skill in state.skills if skill.name == name), None)
    return found or f"there is no skill {quoted(name)}{nearest(name, (skill.name for skill in state.skills))}"


def quoted(name: str) -> str:
    """A name the model wrote, safe to write back."""
    flat = " ".join(neutralise(name[:200]).split())
    return f'"{flat[:40]}"'


def nearest(name: str, names: Iterable[str]) -> str:
    """``"; did you mean ...? Available: ..."``, in the order shown."""
    listed = list(names)
    near = difflib.get_close_matches(name[:80], listed, n=1)
    hint = f'; did you mean "{near[0]}"?' if near else "."
    return f"{hint} Available: {_names(listed)}"


def skill_loader(state: HarnessState) -> ToolView | None:
    """The view that loads skills, when this harness shows one."""
    return state.view(LOAD_SKILL)


def _arguments(view: ToolView, given: Mapping[str, JsonValue]) -> tuple[dict[str, int | str], str]:
    """Canonical arguments and ``""``, or what could be used of them and the sentence."""
    shown = {param.name: param.canonical for param in view.params}
    usable = {
        shown[name]: value
        for name, value in given.items()
        if name in shown and isinstance(value, int | str) and not isinstance(value, bool)
    }
    strange = [name for name in given if name not in shown]
    if strange:
        near = difflib.get_close_matches(strange[0][:80], list(shown), n=1)
        hint = f'; did you mean "{near[0]}"?' if near else "."
        return usable, f"there is no parameter {quoted(strange[0])}{hint} Takes: ({signature(view)})"
    missing = [name for name in view.required if given.get(name) is None]
    if missing:
        return usable, f'parameter "{missing[0]}" is missing. Takes: ({signature(view)})'
    canonical = {shown[name]: value for name, value in given.items()}
    spec = SPECS.get(view.canonical)
    if spec is not None:
        values, problem = normalise(spec, canonical, {param.canonical: param.name for param in view.params})
        return (usable, neutralise(problem)) if problem else (values, "")
    return _by_view(view, canonical, usable)


def _by_view(
    view: ToolView, given: Mapping[str, JsonValue], usable: dict[str, int | str]
) -> tuple[dict[str, int | str], str]:
    """Types as the view states them, for tools that a user registered."""
    values: dict[str, int | str] = {}
    for param, kind in zip(view.params, view.kinds, strict=True):
        value = given.get(param.canonical)
        if value is None:
            continue
        if kind == "integer" and isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
            value = int(value.strip()[:12])
        if kind == "string" and isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        right = isinstance(value, int) and not isinstance(value, bool) if kind == "integer" else isinstance(value, str)
        if not right or not isinstance(value, int | str):
            return usable, f'parameter "{param.name}" must be of type {kind}'
        values[param.canonical] = value
    return values, ""


def _names(names: Iterable[str]) -> str:
    return ", ".join(names)
