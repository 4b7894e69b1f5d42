"""Outages: stretches in which one tool fails in one way, longer than a call and more often when the room is busy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from pydantic import Field, model_validator

from livesim.config import StrictModel
from livesim.seeding import stream
from rewards.signals import FaultKind

Window: TypeAlias = tuple[float, float]
"""First and last second of something."""

Outage: TypeAlias = tuple[float, float, FaultKind]
"""First and last second, and how the tool fails in between."""


class OutageConfig(StrictModel):
    """How often tools are out. *Source:* docs/domain.md section 5 (20 to 60 s, with flash sales); rates are ours.

    Attributes:
        per_hour: mean number of outages of one tool in an hour of a calm room.
        lasts_s: shortest and longest, seconds.
        busy_factor: so many times as often around flash sales.
        kinds: weight of each kind of fault.
        tools: which tools; empty: all.
    """

    per_hour: float = Field(gt=0, le=3600)
    lasts_s: tuple[float, float] = (20.0, 60.0)
    busy_factor: float = Field(default=4.0, ge=1)
    kinds: dict[FaultKind, float] = Field(
        default_factory=lambda: {FaultKind.TIMEOUT: 0.4, FaultKind.RATE_LIMIT: 0.3, FaultKind.UNAVAILABLE: 0.3}
    )
    tools: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _sane(self) -> OutageConfig:
        if not 0 < self.lasts_s[0] <= self.lasts_s[1]:
            raise ValueError(f"lasts_s holds the shortest and the longest outage, got {list(self.lasts_s)}")
        if any(weight < 0 for weight in self.kinds.values()) or not sum(self.kinds.values()) > 0:
            raise ValueError("kinds: weights are at least 0 and not all 0")
        return self


class Outages:
    """When each tool is out, drawn for each tool apart, so that no call and no other tool moves anything.

    Args:
        config: how often.
        seed: of the stream.
        busy: stretches of a busy room.
        place: of the config among several, from 0; each is drawn apart.
    """

    def __init__(self, config: OutageConfig, seed: int, busy: Sequence[Window] = (), place: int = 0) -> None:
        self._config, self._seed, self._busy = config, seed, tuple(busy)
        self._path: tuple[str | int, ...] = ("faults", "outages", *((place,) if place else ()))
        self._kinds = tuple(config.kinds)
        weights = np.array(list(config.kinds.values()), dtype=float)
        self._edges = np.cumsum(weights / weights.sum())
        self._drawn: dict[str, tuple[np.random.Generator, float, list[Outage]]] = {}

    def at(self, tool: str, clock_s: float) -> FaultKind | None:
        """How this tool fails in this second, None when it is not out."""
        if self._config.tools and tool not in self._config.tools:
            return None
        windows = self._until(tool, clock_s)
        return next((kind for start_s, end_s, kind in windows if start_s <= clock_s < end_s), None)

    def _until(self, tool: str, clock_s: float) -> list[Outage]:
        """Outages that begin up to this second; candidates come at the busy rate and are thinned out in calm."""
        config = self._config
        if tool not in self._drawn:
            self._drawn[tool] = (stream(self._seed, *self._path, tool), 0.0, [])
        rng, at_s, windows = self._drawn[tool]
        while at_s <= clock_s:
            gap, keep, length, which = (float(x) for x in rng.random(4))
            at_s -= math.log1p(-gap) * 3600.0 / (config.per_hour * config.busy_factor)
            busy = any(start_s <= at_s < end_s for start_s, end_s in self._busy)
            if busy or keep < 1.0 / config.busy_factor:
                low, high = config.lasts_s
                kind = self._kinds[min(int(np.searchsorted(self._edges, which, side="right")), len(self._kinds) - 1)]
                windows.append((at_s, at_s + low + (high - low) * length, kind))
        self._drawn[tool] = (rng, at_s, windows)
        return windows
