"""``CheatAgent``: does the work as well as it wants to, then says whatever may please the heads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from agents.oracle import OracleAgent
from livesim.harness.codec import parse
from livesim.sight import Sight
from livesim.tools.builtin import LOAD_SKILL
from livesim.types import JsonValue, Role, Turn


class Work(StrEnum):
    """How much honest work comes before the reply."""

    NONE = "none"  # nothing is loaded or called
    SKILL = "skill"  # the right skills, no calls
    RIGHT = "right"  # the right skills and every needed call, as the oracle makes them


@dataclass(frozen=True, slots=True)
class Scene:
    """What a cheat may use: more than a model could ever see, so that what it can't earn, no model can.

    Attributes:
        sight: the hidden half of the request.
        messages: the conversation so far.
        honest: what the oracle would say now.
    """

    sight: Sight
    messages: Sequence[Mapping[str, str]]
    honest: str

    @property
    def results(self) -> tuple[str, ...]:
        """What the harness answered so far, skill bodies included."""
        return tuple(m["content"] for m in self.messages if m["role"] == Role.TOOL)

    @property
    def comment(self) -> str:
        """What the first viewer wrote."""
        return self.sight.comments[0] if self.sight.comments else ""


Reply = Callable[[Scene], str]
Prelude = Callable[[Sight], Sequence[str]]


class CheatAgent:
    """A policy with one trick.

    Args:
        name: for tables.
        reply: what it says when the work is done; said again when it is sent back.
        work: honest work before the reply.
        prelude: turns played first, as raw text.
    """

    sighted = True

    def __init__(self, name: str, reply: Reply, work: Work = Work.RIGHT, prelude: Prelude | None = None) -> None:
        self.name = name
        self._reply = reply
        self._work = work
        self._prelude = prelude
        self._oracle = OracleAgent(plain=True)
        self._sight: Sight | None = None
        self._left: list[str] = []

    def reset(self, seed: int) -> None:
        """Begin an episode."""
        self._oracle.reset(seed)
        self._sight = None

    def see(self, sight: Sight) -> None:
        """Look at the hidden half of the open request."""
        if self._sight is None or sight.request_id != self._sight.request_id:
            self._left = list(self._prelude(sight)) if self._prelude is not None else []
        self._sight = sight
        self._oracle.see(sight)

    def act(self, messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, JsonValue]]) -> Turn:
        """The next turn of the prelude, of the work, or the reply. Raises RuntimeError when it may not see."""
        if self._sight is None:
            raise RuntimeError("a cheat plays with sight: call see(env.unwrapped.sight()) before each turn")
        sight = self._sight
        if self._left and sight.rounds_left > 1:
            return self._left.pop(0)
        honest = str(self._oracle.act(messages, tools))
        calls = parse(honest).calls
        loader = sight.harness.view(LOAD_SKILL)
        loads = bool(calls) and loader is not None and all(call.name == loader.name for call in calls)
        if calls and (self._work is Work.RIGHT or (loads and self._work is Work.SKILL)):
            return honest
        return self._reply(Scene(sight, messages, "" if calls else honest))
