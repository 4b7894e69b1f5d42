"""Prompt pipeline and room to messages: blocks, lists, placeholders, and viewer text made harmless."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from livesim.harness.callform import encodable
from livesim.harness.state import HarnessState, ListForm, Skill, SkillKind, ToolView
from livesim.jsontext import as_json
from livesim.types import JsonValue, Request, RoomView

MAX_COMMENT_CHARS = 400
MAX_DIALOGUE = 3

PLACEHOLDER = re.compile(r"\{(reply_words|address|rounds|skills|tools|tool:[\w.-]+|skill:[\w.-]+|param:[\w.-]+)\}")
"""What ``fill`` replaces; anything else in braces stays as it is."""


@lru_cache(maxsize=64)
def system_prompt(state: HarnessState) -> str:
    """The system message: every block under its heading, blank lines between them."""
    parts = []
    for block in state.prompt.blocks:
        text = block_text(state, block.text)
        heading = state.prompt.heading.replace("{}", block.heading) if block.heading else ""
        parts.append(f"{heading}\n{text}" if heading else text)
    return "\n\n".join(parts)


def block_text(state: HarnessState, text: str) -> str:
    """A block's text with its lists and placeholders filled in."""
    bare = text.strip()
    if bare == "{skills}":
        return skill_list(state.skills, state.prompt.skill_form)
    if bare == "{tools}":
        return tool_list(state.tools, state.prompt.tool_form)
    return fill(bare, state)


def fill(template: str, state: HarnessState) -> str:
    """The template with limits and shown names in place of its placeholders.

    ``{tool:ID}``, ``{skill:ID}`` and ``{param:TOOL.PARAM}`` take canonical names; what this harness does not show is
    named by its purpose in plain words, never by its canonical name in quotes.
    """

    def value(match: re.Match[str]) -> str:
        word = match.group(1)
        if word == "reply_words":
            return str(state.limits.reply_words)
        if word == "address":
            return state.limits.address
        if word == "rounds":
            return str(state.hooks.rounds)
        if word == "skills":
            return skill_list(state.skills, state.prompt.skill_form)
        if word == "tools":
            return tool_list(state.tools, state.prompt.tool_form)
        kind, _, name = word.partition(":")
        return _shown(state, kind, name)

    return PLACEHOLDER.sub(value, template)


def request_message(request: Request, room: RoomView) -> str:
    """The user message: the room in a line, notices and recent replies when there are any, then the comments."""
    items = "; ".join(f"{_title(item.title)} = link {item.link}" for item in room.items)
    lines = [f"On air: link {room.on_air}. Items: {items}." if items else f"On air: link {room.on_air}. Items: none."]
    lines += [f"Notice: {one_line(notice)}" for notice in room.notices]
    lines += [f"You said: {one_line(said)}" for said in room.dialogue[-MAX_DIALOGUE:]]
    lines += [f"{_viewer(comment.viewer)}: {one_line(comment.text)}" for comment in request.comments]
    return "\n".join(lines)


def openai_tools(state: HarnessState) -> tuple[dict[str, JsonValue], ...]:
    """The tool views in OpenAI's function form, shown names only."""
    return tuple(tool_schema(view) for view in state.tools)


def tool_schema(view: ToolView) -> dict[str, JsonValue]:
    """One view as an OpenAI function."""
    properties: dict[str, JsonValue] = {
        param.name: {"type": kind, "description": param.description}
        for param, kind in zip(view.params, view.kinds, strict=True)
    }
    parameters: dict[str, JsonValue] = {"type": "object", "properties": properties, "required": list(view.required)}
    function: dict[str, JsonValue] = {"name": view.name, "description": view.description, "parameters": parameters}
    return {"type": "function", "function": function}


def skill_list(skills: Iterable[Skill], form: ListForm) -> str:
    """The skills, one a line (a table has a head); only names and descriptions, the bodies come with the skill."""
    lines = []
    for skill in skills:
        extra = "" if skill.kind is SkillKind.REPLY else " (optional)"
        if form is ListForm.PURPOSE_FIRST:
            lines.append(f'- {skill.description} => "{skill.name}"{extra}')
        elif form is ListForm.NAME_FIRST:
            lines.append(f'- "{skill.name}"{extra}: {skill.description}')
        elif form is ListForm.TABLE:
            lines.append(_row(skill.description, f'"{skill.name}"{extra}'))
        elif form is ListForm.SIGNATURE:
            lines.append(f'"{skill.name}"{extra}  # {skill.description}')
        else:
            lines.append(as_json({"name": skill.name, "description": skill.description + extra}))
    return "\n".join((*_head(form, "skill"), *lines))


def tool_list(views: Iterable[ToolView], form: ListForm) -> str:
    """The tools, one a line; a table has a head."""
    lines = []
    for view in views:
        call = f'"{view.name}" ({signature(view)})'
        if form is ListForm.PURPOSE_FIRST:
            lines.append(f"- {view.description} => {call}")
        elif form is ListForm.NAME_FIRST:
            lines.append(f"- {call}: {view.description}")
        elif form is ListForm.TABLE:
            lines.append(_row(view.description, call))
        elif form is ListForm.SIGNATURE:
            lines.append(f"{call}  # {view.description}")
        else:
            lines.append(as_json(tool_schema(view)))
    return "\n".join((*_head(form, "tool"), *lines))


def _head(form: ListForm, what: str) -> tuple[str, ...]:
    """What stands above the entries of a list."""
    return (_row("for", what), "|---|---|") if form is ListForm.TABLE else ()


def _row(*cells: str) -> str:
    """A row of a Markdown table."""
    escaped = (cell.replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def signature(view: ToolView) -> str:
    """Shown parameters with their types: ``link: integer, optional quantity: integer``."""
    return ", ".join(
        f"{'' if param.name in view.required else 'optional '}{param.name}: {kind}"
        for param, kind in zip(view.params, view.kinds, strict=True)
    )


_ROLE_LINE = re.compile(
    r"(?im)^((?:[^\S\n]|[#>*_`|\[(\"'-])*)(system|assistant|user|tool|developer|human|function)(?=[\s\])*_`\"']*[:：])"
)
_MARK = re.compile(r"<(?![\s\d])")
_INST = re.compile(r"(?i)\[(/?)(inst|sys|system_prompt|available_tools|tool_calls|tool_results)\]")
_LINE_ENDS = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_HIDDEN = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def neutralise(text: str) -> str:
    """Text from outside the harness, unable to open a role or a call.

    A ``<`` that could start a mark becomes ``‹``; a role word at the start of a line is put into ``‹ ›``; invisible
    and direction marks go; every exotic line end becomes an ordinary one. Applying it twice changes nothing more.
    """
    text = encodable(text)
    if not text.isprintable():  # every exotic line end and hidden mark is unprintable
        text = _HIDDEN.sub("", _LINE_ENDS.sub("\n", text.replace("\r\n", "\n")))
    if "<" in text:
        text = _MARK.sub("‹", text)
    if "[" in text:
        text = _INST.sub(r"(\1\2)", text)
    return _ROLE_LINE.sub(r"\1‹\2›", text) if ":" in text or "：" in text else text


@lru_cache(maxsize=1024)
def one_line(text: str) -> str:
    """``neutralise`` for what must stay within its line; cut at ``MAX_COMMENT_CHARS``."""
    flat = " ".join(neutralise(text[: 4 * MAX_COMMENT_CHARS]).split())
    flat = neutralise(flat)
    return flat if len(flat) <= MAX_COMMENT_CHARS else flat[: MAX_COMMENT_CHARS - 1] + "…"


_RESERVED = frozenset(
    ("system", "assistant", "user", "tool", "developer", "human", "function", "notice", "yousaid", "onair", "items")
)


@lru_cache(maxsize=1024)
def _viewer(name: str) -> str:
    """A viewer's name that cannot pass for a role, a notice or somebody else's line."""
    flat = re.sub(r"[:：‹›]", "", one_line(name)).strip()[:40].strip()
    letters = "".join(char for char in flat if char.isalnum()).casefold()
    return flat if letters and letters not in _RESERVED else f"viewer {flat}".strip()


@lru_cache(maxsize=1024)
def _title(title: str) -> str:
    """An item's title without the marks that separate items."""
    return one_line(title).replace(";", ",").replace("=", "-")


def _shown(state: HarnessState, kind: str, name: str) -> str:
    plain = name.replace("_", " ").replace(".", " ")
    if kind == "skill":
        return next((skill.name for skill in state.skills if skill.id == name), plain)
    tool, _, param = name.partition(".")
    view = state.view(tool)
    if kind == "tool" or view is None:
        return view.name if view else plain
    return next((p.name for p in view.params if p.canonical == param), plain)
