"""Plays a fixed list of turns, then repeats the last one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from livesim.types import JsonValue, Turn


class ScriptedAgent:
    """Says what it was told to say, whatever it sees.

    Args:
        turns: one turn an entry; the last one is repeated when they run out. An empty list says ``""``.
    """

    name = "scripted"
    sighted = False

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = tuple(turns) or ("",)
        self._next = 0

    def reset(self, seed: int) -> None:
        """Start again from the first turn."""
        self._next = 0

    def act(self, messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, JsonValue]]) -> Turn:
        """The next turn of the list."""
        turn = self._turns[min(self._next, len(self._turns) - 1)]
        self._next += 1
        return turn
