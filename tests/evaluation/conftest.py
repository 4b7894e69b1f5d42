"""A room without a world and hand-made records, so that evaluation is tested apart from env and models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from livesim.evaluation.records import CallLine, Record, Status, StepLine
from livesim.harness.augment import Variant
from livesim.harness.state import HarnessState, HookSet, PromptPipeline
from rewards.recovery import Recovery
from rewards.signals import Limits, Signals

EMPTY = HarnessState("tiny", (), HookSet(()), PromptPipeline(()), ())


def _signals(reply: str | None, number: int) -> Signals:
    return Signals(f"r{number}", (), reply, (), (), (), (), (), (), (), Limits(), comments=("how much is link 2?",))


class TinyRoom:
    """Two turns a request: a skill, then a reply; the reply ``"right"`` earns full heads."""

    closed = 0

    def __init__(self) -> None:
        self.signals: Signals | None = None
        self.variant = Variant(EMPTY, (), True)
        self.turns = 0
        self.seed = 0
        self.options: dict[str, Any] = {}
        self.clock_s = 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        self.seed, self.options, self.turns, self.clock_s = seed or 0, options or {}, 0, 10.0
        self.signals = None
        return None, self._info()

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        self.turns += 1
        self.clock_s += 1.5
        info = self._info()
        if self.turns == 1:
            told = [{"role": "tool", "content": "skill body"}]
            return None, 0.0, False, False, {**info, "new_messages": told, "outcome": "skill", "segment": "tool"}
        full = 1.0 if action == "right" else 0.0
        self.signals = _signals(action, self.seed)
        heads = dict.fromkeys(("accuracy", "effectiveness", "tool_rationality", "skill_selection"), full)
        info |= {
            "request_done": True,
            "request_end": "replied",
            "heads": {**heads, "length": 0.0},
            "reasons": {"accuracy": []},
            "outcome": "reply",
            "segment": "reply",
        }
        return None, full, True, False, info

    def sight(self) -> Any:
        return SimpleNamespace(calls=())

    def close(self) -> None:
        TinyRoom.closed += 1

    def _info(self) -> dict[str, Any]:
        return {
            "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": f"seed {self.seed}"}],
            "tools": [],
            "new_messages": [],
            "request_done": False,
            "end": "running",
        }


@pytest.fixture
def tiny_room() -> type[TinyRoom]:
    """The class: calling it is what ``make`` does."""
    return TinyRoom


@pytest.fixture
def record() -> Callable[..., Record]:
    """A record with everything plain unless said otherwise."""

    def make(task: int = 0, **given: Any) -> Record:
        heads: Mapping[str, float] = {
            "accuracy": 1.0,
            "effectiveness": 1.0,
            "tool_rationality": 1.0,
            "skill_selection": 1.0,
            "length": 0.0,
        } | given.pop("heads", {})
        defaults: dict[str, Any] = {
            "id": f"{task:04d}",
            "suite": "live_stream_qa",
            "task": task,
            "seed": 100 + task,
            "dimension": "original",
            "variant": "original",
            "heads": heads,
            "reasons": {"accuracy": ()},
            "steps": (StepLine("skill", "tool"), StepLine("calls", "tool", (0,)), StepLine("reply", "reply")),
            "calls": (CallLine("price_check", {"link": 2}, True),),
            "reply": "it is 89 yuan",
            "comments": ("how much is link 2?",),
            "status": Status.OK,
            "recovery": Recovery.NONE,
            "wall_s": 1.0,
            "stream_s": 4.0,
        }
        return Record(**{**defaults, **given})

    return make
