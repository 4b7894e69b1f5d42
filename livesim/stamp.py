"""The public form of what is in force: what anybody may know of a harness, as plain values and JSON text."""

from __future__ import annotations

import dataclasses
import marshal
from collections.abc import Iterable
from functools import lru_cache
from typing import cast

from livesim.harness.prompt import openai_tools
from livesim.harness.state import HarnessState
from livesim.jsontext import as_json
from livesim.types import JsonValue, Message


class Stamp:
    """What an episode shows of its harness in every step: as JSON text, and as plain values, fresh ones each time.

    Args:
        state: in force.
    """

    def __init__(self, state: HarnessState) -> None:
        tools, harness = openai_tools(state), public(state)
        self.tools_json, self.harness_json = as_json(tools), as_json(harness)
        self._tools, self._harness = marshal.dumps(list(tools)), marshal.dumps(harness)

    @property
    def tools(self) -> list[dict[str, JsonValue]]:
        """The tool views in OpenAI form; whoever changes them changes nobody else's."""
        return cast(list[dict[str, JsonValue]], marshal.loads(self._tools))  # much faster than from JSON

    @property
    def harness(self) -> dict[str, JsonValue]:
        """``public``, likewise."""
        return cast(dict[str, JsonValue], marshal.loads(self._harness))


@lru_cache(maxsize=64)
def stamp(state: HarnessState) -> Stamp:
    """The stamp of a state, made once."""
    return Stamp(state)


def public(state: HarnessState) -> dict[str, JsonValue]:
    """What anybody may know of the harness: hashes, limits and shown names; never the canonical ones."""
    return {
        "name": state.name,
        "hash": state.hash,
        "hashes": cast(dict[str, JsonValue], dict(state.hashes)),
        "limits": cast(dict[str, JsonValue], dataclasses.asdict(state.limits)),
        "rounds": state.hooks.rounds,
        "retries": state.hooks.retries,
        "skills": [skill.name for skill in state.skills],
        "tools": [view.name for view in state.tools],
    }


def messages_json(messages: Iterable[Message]) -> str:
    """Messages in OpenAI form as compact JSON."""
    return f"[{','.join(map(_message_json, messages))}]"


@lru_cache(maxsize=256)
def _message_json(message: Message) -> str:
    """A conversation only grows, and each of its observations holds all of it."""
    return as_json(message.as_dict())
