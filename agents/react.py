"""A language model as the host: the conversation goes to a completer, what comes back is the turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from livesim.seeding import derive
from livesim.types import Completer, JsonValue, Turn


class ReactAgent:
    """Reason, act, observe: the loop is the environment's; this only carries text to a model and back.

    The tools are listed in the system prompt, so the schemas in ``tools`` are not sent a second time.

    Args:
        completer: where completions come from; its name is the agent's.
    """

    sighted = False

    def __init__(self, completer: Completer) -> None:
        self.completer = completer
        self.name = completer.name
        self._seed = 0
        self._turn = 0

    def reset(self, seed: int) -> None:
        """Sample from this seed on."""
        self._seed = seed
        self._turn = 0

    def act(self, messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, JsonValue]]) -> Turn:
        """The model's completion. Raises CompletionError when the engine gives none."""
        seed = derive(self._seed, "react", self._turn) % 2**31  # servers take 32 bits with a sign
        self._turn += 1
        return self.completer.complete([messages], seed=seed)[0]
