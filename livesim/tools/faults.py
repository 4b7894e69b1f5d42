"""Fault injector: which call fails, how, and how long it takes; keyed by seed, tool and call index alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from livesim.config import StrictModel
from rewards.signals import FaultKind


class ScriptedFault(StrictModel):
    """A fault that happens for certain.

    With ``call_index`` (counted from 0 for each tool over the episode) that one call is hit; without it, every call of
    the tool between ``from_s`` and ``to_s`` (stream seconds, the end excluded).
    """

    tool: str
    kind: FaultKind
    call_index: int | None = Field(default=None, ge=0)
    from_s: float = 0.0
    to_s: float = float("inf")


class FaultConfig(StrictModel):
    """How flaky the tools are.

    Attributes:
        rates: probability of each kind per call; the sum is at most 1.
        tools: rates for single tools, instead of ``rates``.
        repeat: probability that the next call of the same tool meets the same fault again.
        script: faults that happen for certain.
        wording: which pool of error texts is used.
    """

    rates: Mapping[FaultKind, float] = Field(default_factory=dict)
    tools: Mapping[str, Mapping[FaultKind, float]] = Field(default_factory=dict)
    repeat: Mapping[FaultKind, float] = Field(default_factory=dict)
    script: tuple[ScriptedFault, ...] = ()
    wording: Literal["train", "heldout", "all"] = "all"


PRESETS: Mapping[str, FaultConfig] = {"none": FaultConfig()}


@dataclass(frozen=True, slots=True)
class Fault:
    """What hits one call: its kind and the seed from which its text and extent are drawn."""

    kind: FaultKind
    seed: int


class FaultInjector:
    """Decides call by call; holds one counter per tool and nothing else that matters."""

    def __init__(self, config: FaultConfig, seed: int) -> None:
        self.config = config
        self.seed = seed
