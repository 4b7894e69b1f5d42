"""Random turns: the turn space's own samples, and near-misses built from what the prompt lists."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import numpy as np

from livesim.seeding import derive, stream
from livesim.spaces import TurnSpace
from livesim.types import JsonValue, Turn


class RandomAgent:
    """A policy that knows nothing: noise, broken calls, and lawful calls with random names and arguments.

    Args:
        lawful_share: share of turns that are well-formed calls of a listed tool, in [0, 1].
        name: for tables.
    """

    sighted = False

    def __init__(self, lawful_share: float = 0.5, name: str = "random") -> None:
        self.name = name
        self.lawful_share = lawful_share
        self._space = TurnSpace(seed=0)
        self._rng = stream(0, "random-agent")

    def reset(self, seed: int) -> None:
        """Draw from the streams of this seed."""
        self._rng = stream(seed, "random-agent")
        self._space = TurnSpace(seed=derive(seed, "turn-space") % 2**32)

    def act(self, messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, JsonValue]]) -> Turn:
        """A random turn."""
        if tools and self._rng.random() < self.lawful_share:
            return _random_call(tools, self._rng)
        return self._space.sample()


def _random_call(tools: Sequence[Mapping[str, JsonValue]], rng: np.random.Generator) -> str:
    """A well-formed call of a listed tool, with arguments of the right types or not."""
    function = tools[int(rng.integers(len(tools)))].get("function")
    if not isinstance(function, Mapping):
        return "hello"
    parameters = function.get("parameters")
    properties = parameters.get("properties") if isinstance(parameters, Mapping) else None
    arguments: dict[str, JsonValue] = {}
    for name, schema in (properties or {}).items() if isinstance(properties, Mapping) else ():
        integer = isinstance(schema, Mapping) and schema.get("type") == "integer"
        arguments[str(name)] = int(rng.integers(-1, 12)) if integer != (rng.random() < 0.1) else f"x{rng.integers(100)}"
    call = json.dumps({"name": function.get("name"), "arguments": arguments}, separators=(",", ":"))
    return f"<tool_call>{call}</tool_call>"
