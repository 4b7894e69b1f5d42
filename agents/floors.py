"""Policies that deserve nothing: silent, echo, and calling everything that is listed."""

from __future__ import annotations

import json
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
            load = _skill_loader(tools)
            if load:
                return load[0]
        asked = next((m["content"] for m in reversed(messages) if m["role"] == Role.USER), "")
        return asked.strip().splitlines()[-1] if asked.strip() else ""


class CallEverythingAgent:
    """Loads every skill, calls every tool once with plausible arguments, then reads out all that came back."""

    name = "call_everything"
    sighted = False

    def reset(self, seed: int) -> None:
        """Nothing to forget."""

    def act(self, messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, JsonValue]]) -> Turn:
        """All calls in one turn, then everything that was answered, as it stands."""
        answers = [m["content"] for m in messages if m["role"] == Role.TOOL]
        if not answers:
            return "\n".join([*_skill_loader(tools), *_all_calls(tools)])
        return " ".join(answers).replace("<", " ").replace("{", " ").replace("}", " ")


def _skill_loader(tools: Sequence[Mapping[str, JsonValue]]) -> list[str]:
    """Calls that load each listed skill, found by the one parameter that lists its values."""
    for name, properties in _functions(tools):
        for parameter, schema in properties.items():
            values = schema.get("enum") if isinstance(schema, Mapping) else None
            if isinstance(values, list):
                return [_call(name, {parameter: value}) for value in values]
    return []


def _all_calls(tools: Sequence[Mapping[str, JsonValue]]) -> list[str]:
    calls = []
    for name, properties in _functions(tools):
        if any(isinstance(schema, Mapping) and "enum" in schema for schema in properties.values()):
            continue
        arguments: dict[str, JsonValue] = {}
        for parameter, schema in properties.items():
            integer = isinstance(schema, Mapping) and schema.get("type") == "integer"
            arguments[parameter] = 1 if integer else "A1"
        calls.append(_call(name, arguments))
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
