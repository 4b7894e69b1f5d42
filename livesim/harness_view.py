"""Harness states and edits for reading in a terminal."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from livesim.harness.edits import Edit, Kind, Operation
from livesim.harness.folder import skill_files
from livesim.harness.prompt import signature, system_prompt
from livesim.harness.state import HarnessState
from livesim.harness.views import default_view
from livesim.tools.spec import ToolSpec
from livesim.types import JsonValue


def show_state(state: HarnessState, folder: Path, console: Console) -> None:
    """Print what a harness holds.

    Args:
        state: loaded from ``folder``.
        folder: for the files beside the skills.
        console: where to.
    """
    limits = state.limits
    console.print(f"[bold]{escape(state.name)}[/]  harness {state.hash}")
    console.print("  ".join(f"{part} {value}" for part, value in state.hashes.items()), style="dim")
    address = f"viewers are called {limits.address!r}" if limits.address else "no form of address"
    console.print(
        f"{limits.reply_words} words a reply, {address}, {state.hooks.rounds} turns, {state.hooks.retries} retries"
    )
    console.print(
        f"system prompt: {len(system_prompt(state))} characters in {len(state.prompt.blocks)} blocks: ", end=""
    )
    console.print(", ".join(block.id for block in state.prompt.blocks))
    files = skill_files(folder)
    skills = _table("skill", "shown as", "kind", "for", "intents", "files")
    for skill in state.skills:
        beside = ", ".join(files.get(skill.id, ()))
        shown = "" if skill.name == skill.id else skill.name
        row = (skill.id, shown, str(skill.kind), skill.description, " ".join(skill.intents), beside)
        skills.add_row(*(escape(cell) for cell in row))
    tools = _table("tool", "shown as", "takes", "for")
    for view in state.tools:
        takes = ", ".join(f"{p.name}: {kind}" for p, kind in zip(view.params, view.kinds, strict=True))
        tools.add_row(
            *(escape(cell) for cell in (view.canonical or "(distractor)", view.name, takes, view.description))
        )
    hooks = _table("check", "message", "options")
    for hook in state.hooks.hooks:
        options = ", ".join(f"{name}={value}" for name, value in hook.options)
        hooks.add_row(escape(hook.check), escape(hook.message), escape(options))
    for table in (skills, tools, hooks):
        console.print()
        console.print(table)
    for platform, names in state.hooks.exempt:
        console.print(escape(f"not checked on {platform}: {', '.join(names)}"))


def _table(*columns: str) -> Table:
    table = Table(box=None, header_style="bold")
    for number, column in enumerate(columns):
        table.add_column(column, no_wrap=number == 0)
    return table


def show_specs(specs: Mapping[str, ToolSpec], console: Console) -> None:
    """Print what tools there are, under their canonical names."""
    table = _table("tool", "takes", "effect", "for")
    for spec in specs.values():
        view = default_view(spec)
        table.add_row(*(escape(cell) for cell in (spec.name, signature(view), str(spec.effect), spec.description)))
    console.print(table)


def show_edit(edit: Edit, console: Console) -> None:
    """Print one edit with the lines it takes away and puts in."""
    console.print(Text(edit.why or edit.what, "bold"), Text(f"  {edit.before} -> {edit.after}", "dim"))
    for operation in edit.operations:
        console.print(Text(f"  {operation.what}", "cyan"))
        for line in lines(operation):
            console.print(Text(f"    {line}", _COLOURS.get(line[:1], "")))


_COLOURS = {"-": "red", "+": "green"}


def lines(operation: Operation) -> list[str]:
    """An operation as lines with ``-``, ``+`` or a blank in front."""
    old = [] if operation.kind is Kind.INSERT else _told(operation.old)
    new = [] if operation.kind is Kind.REMOVE else _told(operation.new)
    found = difflib.ndiff(old, new)
    return [line for line in found if not line.startswith("?")]


def _told(value: JsonValue) -> list[str]:
    if isinstance(value, str):
        return value.splitlines() or [""]
    if isinstance(value, dict):
        return [f"{key}: {line}" for key, inner in value.items() for line in _told(inner)]
    if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        return [", ".join(str(entry) for entry in value)]
    return [json.dumps(value, ensure_ascii=False)]
