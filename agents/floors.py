"""Policies that deserve nothing: silent, echo, and calling everything that is listed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from livesim.types import JsonValue, Role, Turn


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
            loads = _loads(messages, tools)
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
        turns = sum(message["role"] == Role.ASSISTANT for message in messages)
        calls = [*_loads(messages, tools), *_calls(messages, tools)]
        batches = [calls[at : at + BATCH] for at in range(0, len(calls), BATCH)]
        if turns < len(batches):
            return "\n".join(batches[turns])
        answers = [m["content"] for m in messages if m["role"] == Role.TOOL]
        words = " ".join(answers).translate({ord(mark): " " for mark in '{}[]<>"*#`'}).split()
        return " ".join(words[-MAX_WORDS:])


BATCH = 8
"""Calls in one turn."""

MAX_WORDS = 30
"""Words that are read out at most."""

_QUOTED = re.compile(r'"([^"\n]{1,40})"')


def _loads(messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, JsonValue]]) -> list[str]:
    """Calls that load every name that the system prompt quotes and that is no tool."""
    functions = _functions(tools)
    loader = next(((n, p) for n, p in functions if len(p) == 1 and "skill" in f"{n} {next(iter(p))}".lower()), None)
    if loader is None or not messages:
        return []
    names = dict.fromkeys(_QUOTED.findall(messages[0]["content"]))
    known = {name for name, _ in functions}
    parameter = next(iter(loader[1]))
    return [_call(loader[0], {parameter: name}) for name in names if name not in known]


def _calls(messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, JsonValue]]) -> list[str]:
    """One call of every tool but the one that loads skills."""
    asked = next((m["content"] for m in messages if m["role"] == Role.USER), "")
    link = re.search(r"link (\d+)", asked)
    number = int(link.group(1)) if link else 1
    calls = []
    for name, properties in _functions(tools):
        if len(properties) == 1 and "skill" in f"{name} {next(iter(properties))}".lower():
            continue
        integers = {
            parameter
            for parameter, schema in properties.items()
            if isinstance(schema, Mapping) and schema.get("type") == "integer"
        }
        calls.append(_call(name, {p: (number if p in integers else "material") for p in properties}))
    return calls


def _functions(tools: Sequence[Mapping[str, JsonValue]]) -> list[tuple[str, Mapping[str, JsonValue]]]:
    found: list[tuple[str, Mapping[str, JsonValue]]] = []
    for tool in tools:
        function = tool.get("function")
        if isinstance(function, Mapping):
            parameters = function.get("parameters")
            properties = parameters.get("properties") if isinstance(parameters, Mapping) else None
            found.append((str(function.get("name")), properties if isinstance(properties, Mapping) else {}))
    return found


def _call(name: str, arguments: Mapping[str, JsonValue]) -> str:
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments}, separators=(',', ':'))}</tool_call>"
