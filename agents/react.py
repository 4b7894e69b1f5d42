"""A language model as the host: the conversation goes to a completer, what comes back is the turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agents.completers import Completer
from livesim.types import JsonValue, Turn


class ReactAgent:
    """Reason, act, observe: the loop is the environment's; this only carries text to a model and back.

    The tools are listed in the system prompt, so the schemas in ``tools`` are not sent a second time.

    Args:
        completer: where completions come from.
        name: for tables; default: the completer's.
    """

    sighted = False

    def __init__(self, completer: Completer, name: str | None = None) -> None:
        self.completer = completer
        self.name = name or completer.name
        self._seed: int | None = None
        self._turn = 0

    def reset(self, seed: int) -> None:
        """Sample from this seed on."""
        self._seed = seed
        self._turn = 0

    def act(self, messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, JsonValue]]) -> Turn:
        """The model's completion. Raises CompletionError when the engine gives none."""
        seed = None if self._seed is None else (self._seed + self._turn) % 2**31
        self._turn += 1
        return self.completer.complete([messages], seed=seed)[0]
