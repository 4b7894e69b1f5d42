"""Policies that deserve nothing: silent, echo, and calling everything that is listed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from agents.toolschemas import ToolSchema, read_schemas
from livesim.harness.codec import render_call
from livesim.harness.session import MAX_CALLS
from livesim.types import JsonValue, Role, Turn

MAX_WORDS = 30
"""Words that are read out at most."""

_QUOTED = re.compile(r'"([^"\n]{1,40})"')


class SilentAgent:
    """Always an empty turn."""

    name = "silent"
    sighted = False

    def reset(self, seed: int) -> None:
        """Nothing to forget."""

    def act(self, messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, JsonValue]]) -> Turn:
        """Nothing."""
        return ""


class EchoAgent:
    """Loads the first listed skill, then repeats the viewers' words."""

    name = "echo"
    sighted = False

    def reset(self, seed: int) -> None:
        """Nothing to forget."""

    def act(self, messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, JsonValue]]) -> Turn:
        """A skill load, then the last line of the request."""
        if not any(message["role"] == Role.ASSISTANT for message in messages):
            loads = _loads(messages, read_schemas(tools))
            if loads:
                return loads[0]
        asked = next((m["content"] for m in reversed(messages) if m["role"] == Role.USER), "")
        return asked.strip().splitlines()[-1] if asked.strip() else ""


class CallEverythingAgent:
    """Loads every skill, calls every tool once with plausible arguments, then reads out all that came back."""

    name = "call_everything"
    sighted = False

    def reset(self, seed: int) -> None:
        """Nothing to forget."""

    def act(self, messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, JsonValue]]) -> Turn:
        """The skills, some at a time; the tools, some at a time; then everything that the tools answered."""
        done = sum(message["role"] == Role.ASSISTANT for message in messages)
        schemas = read_schemas(tools)
        turns = in_turns([*_loads(messages, schemas), *_calls(messages, schemas)])
        if done < len(turns):
            return turns[done]
        answers = [m["content"] for m in messages if m["role"] == Role.TOOL]
        words = " ".join(answers).translate({ord(mark): " " for mark in '{}[]<>"*#`'}).split()
        return " ".join(words[-MAX_WORDS:])


def in_turns(calls: Sequence[str]) -> list[str]:
    """The calls as turns, each with as many as a session answers."""
    return ["\n".join(calls[at : at + MAX_CALLS]) for at in range(0, len(calls), MAX_CALLS)]


def _loads(messages: Sequence[Mapping[str, str]], tools: Sequence[ToolSchema]) -> list[str]:
    """Calls that load every name that the system prompt quotes and that is no tool."""
    loader = next((tool for tool in tools if tool.loads_skills), None)
    if loader is None or not messages:
        return []
    names = dict.fromkeys(_QUOTED.findall(messages[0]["content"]))
    known = {tool.name for tool in tools}
    parameter = next(iter(loader.kinds))
    return [render_call(loader.name, {parameter: name}) for name in names if name not in known]


def _calls(messages: Sequence[Mapping[str, str]], tools: Sequence[ToolSchema]) -> list[str]:
    """One call of every tool but the one that loads skills: the first link asked about, "material" for any text."""
    asked = next((m["content"] for m in messages if m["role"] == Role.USER), "")
    link = re.search(r"link (\d+)", asked)
    number = int(link.group(1)) if link else 1
    return [
        render_call(tool.name, {p: number if kind == "integer" else "material" for p, kind in tool.kinds.items()})
        for tool in tools
        if not tool.loads_skills
    ]
