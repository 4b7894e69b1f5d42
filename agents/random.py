"""Random turns: the turn space's own samples, and calls of listed tools with arguments drawn blindly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from agents.toolschemas import ToolSchema, read_schemas
from livesim.harness.codec import render_call
from livesim.seeding import derive, stream
from livesim.spaces import TurnSpace
from livesim.types import JsonValue, Turn


class RandomAgent:
    """A policy that knows nothing: samples of the turn space, and well-formed calls of what is listed.

    Args:
        lawful_share: of turns that are well-formed calls, in [0, 1].
    """

    name = "random"
    sighted = False

    def __init__(self, lawful_share: float = 0.5) -> None:
        if not 0.0 <= lawful_share <= 1.0:
            raise ValueError(f"lawful_share must lie in [0, 1], got {lawful_share}")
        self._lawful_share = lawful_share
        self._space = TurnSpace(seed=0)
        self._rng = stream(0, "random-agent")

    def reset(self, seed: int) -> None:
        """Draw from the streams of this seed."""
        self._rng = stream(seed, "random-agent")
        self._space = TurnSpace(seed=derive(seed, "turn-space") % 2**32)

    def act(self, messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, JsonValue]]) -> Turn:
        """A random turn."""
        schemas = read_schemas(tools)
        if schemas and self._rng.random() < self._lawful_share:
            return _random_call(schemas[int(self._rng.integers(len(schemas)))], self._rng)
        return self._space.sample()


def _random_call(schema: ToolSchema, rng: np.random.Generator) -> str:
    """A well-formed call with arguments of the right type, one in ten of the wrong one."""
    arguments: dict[str, JsonValue] = {}
    for name, kind in schema.kinds.items():
        wrong = rng.random() < 0.1
        number = (kind == "integer") != wrong
        arguments[name] = int(rng.integers(-1, 12)) if number else f"x{rng.integers(100)}"
    return render_call(schema.name, arguments)
