"""Fault injector: which call fails, how, and how long it takes; keyed by seed, tool and call index alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, Self, TypeAlias

from pydantic import Field, field_validator, model_validator

from livesim.config import StrictModel, parse
from livesim.errors import ConfigError, unknown
from livesim.seeding import derive, stream
from livesim.tools.outages import OutageConfig, Outages, Window
from rewards.signals import FaultKind

Rates: TypeAlias = Mapping[FaultKind, float]
Wording: TypeAlias = Literal["train", "heldout", "all"]


class ScriptedFault(StrictModel):
    """A fault that happens for certain.

    With ``call_index`` (counted from 0 for each tool over the episode) that one call is hit; without it every call of
    the tool from ``from_s`` on and before ``to_s`` (stream seconds; no ``to_s``: to the end). For a WRITE tool whose
    answer is lost in a timeout, ``applied`` says whether it had taken effect; None: drawn.
    """

    tool: str
    kind: FaultKind
    call_index: int | None = Field(default=None, ge=0)
    from_s: float = Field(default=0.0, ge=0)
    to_s: float | None = None
    applied: bool | None = None

    def hits(self, tool: str, index: int, clock_s: float) -> bool:
        """Whether it hits this call."""
        if self.tool != tool:
            return False
        if self.call_index is not None:
            return self.call_index == index
        return self.from_s <= clock_s and (self.to_s is None or clock_s < self.to_s)


REPEAT: Rates = MappingProxyType(
    {
        FaultKind.TIMEOUT: 0.15,
        FaultKind.RATE_LIMIT: 0.25,
        FaultKind.UNAVAILABLE: 0.4,
        FaultKind.PERMISSION_DENIED: 0.95,
        FaultKind.MALFORMED: 0.15,
        FaultKind.PARTIAL: 0.4,
        FaultKind.STALE: 0.4,
    }
)
"""Default of ``FaultConfig.repeat``: what is down stays down, a missing permission stays missing. An assumption."""


class FaultConfig(StrictModel):
    """How flaky the tools are.

    Attributes:
        rates: probability of each kind per call; together at most 1.
        tools: rates of single tools, instead of ``rates``.
        repeat: probability that the next call of the same tool meets the same fault again.
        script: faults that happen for certain; the first that hits wins.
        outages: stretches in which a tool fails, more of them when the room is busy: one config or a list, each drawn
            apart, so that each kind and each tool can have its own.
        wording: which pool of error texts is used; train and heldout share none.
    """

    rates: Rates = Field(default_factory=dict)
    tools: Mapping[str, Rates] = Field(default_factory=dict)
    repeat: Rates = Field(default_factory=lambda: dict(REPEAT))
    script: tuple[ScriptedFault, ...] = ()
    outages: tuple[OutageConfig, ...] = ()
    wording: Wording = "all"

    @field_validator("outages", mode="before")
    @classmethod
    def _one_or_many(cls, value: object) -> object:
        return () if value is None else (value,) if isinstance(value, Mapping | OutageConfig) else value

    @model_validator(mode="after")
    def _probabilities(self) -> Self:
        for where, rates in (("rates", self.rates), *((f"tools.{name}", r) for name, r in self.tools.items())):
            if any(rate < 0 for rate in rates.values()) or sum(rates.values()) > 1 + 1e-9:
                raise ValueError(f"{where}: probabilities are at least 0 and together at most 1")
        if any(not 0 <= share <= 1 for share in self.repeat.values()):
            raise ValueError("repeat: probabilities are 0 to 1")
        return self

    def rates_for(self, tool: str) -> Rates:
        """Probability of each kind for one tool."""
        return self.tools.get(tool, self.rates)


DRAWN = tuple(kind for kind in FaultKind if kind is not FaultKind.CONTRADICTION)
"""Kinds that the presets draw call by call; tools contradict each other for a while, so that comes in outages."""


def _preset(timeout: float, rate: float, down: float, denied: float, bad: float, partial: float, stale: float) -> Rates:
    return dict(zip(DRAWN, (timeout, rate, down, denied, bad, partial, stale), strict=True))


_LIGHT = _preset(0.02, 0.01, 0.01, 0.005, 0.005, 0.02, 0.02)


PRESETS: Mapping[str, FaultConfig] = MappingProxyType(
    {
        "none": FaultConfig(),
        "light": FaultConfig(rates=_LIGHT),
        "stress": FaultConfig(rates=_preset(0.10, 0.08, 0.05, 0.02, 0.03, 0.08, 0.10)),
        "outages": FaultConfig(rates=_LIGHT, outages=(OutageConfig(per_hour=12.0),)),
        "rush": FaultConfig(
            rates=_LIGHT,
            outages=(
                OutageConfig(per_hour=12.0),
                OutageConfig(
                    per_hour=12.0,
                    kinds={FaultKind.CONTRADICTION: 0.5, FaultKind.STALE: 0.5},
                    tools=("price_check", "final_price", "promotion_info", "stock_check"),
                ),
                OutageConfig(per_hour=3.0, kinds={FaultKind.PARTIAL: 0.5, FaultKind.MALFORMED: 0.5}),
                OutageConfig(per_hour=1.0, kinds={FaultKind.PERMISSION_DENIED: 1.0}, tools=("order_lookup",)),
            ),
        ),
    }
)
"""Rates of docs/domain.md section 5 (normal and stress columns; assumptions).

``outages``: tools go down for 20 to 60 s; ``rush``: every kind does so, what moves (prices, stock) contradicts itself,
and all of it four times as often around flash sales.
"""


def resolve(faults: str | FaultConfig | Mapping[str, object] | None) -> FaultConfig:
    """A config from a preset's name, a config, its plain values, or None for no faults.

    Raises:
        ConfigError: the name or a field is unknown; it names the nearest.
    """
    if faults is None:
        return PRESETS["none"]
    if isinstance(faults, FaultConfig):
        return faults
    if isinstance(faults, str):
        if faults not in PRESETS:
            raise ConfigError(unknown("fault preset", faults, PRESETS))
        return PRESETS[faults]
    return parse(FaultConfig, dict(faults), "faults")


@dataclass(frozen=True, slots=True)
class Draw:
    """What one call meets.

    Attributes:
        kind: the fault, or None.
        seed: from which the fault's text and extent are drawn; 0 without a fault.
        latency_s: stream seconds the call takes.
        applied: when an answer is lost: the call had taken effect before.
    """

    kind: FaultKind | None
    seed: int
    latency_s: float
    applied: bool


class FaultInjector:
    """Decides call by call.

    What a call meets depends on the config, the seed, the tool, how often this tool was called before and, for
    outages, the second: calls of other tools move nothing, and no scripted fault or outage moves a drawn fault.

    Args:
        config: how flaky the tools are.
        seed: of the stream.
        busy: stretches of a busy room, in which outages are more frequent.
    """

    def __init__(self, config: FaultConfig, seed: int, busy: Sequence[Window] = ()) -> None:
        self.config = config
        self.seed = seed
        self._outages = tuple(Outages(one, seed, busy, place) for place, one in enumerate(config.outages))
        self._calls: dict[str, int] = {}
        self._last: dict[str, FaultKind | None] = {}
        self._forced: dict[str, list[FaultKind]] = {}

    def force(self, tool: str, kind: FaultKind, calls: int = 1) -> None:
        """The next ``calls`` calls of a tool meet this fault, on top of the script."""
        self._forced.setdefault(tool, []).extend([kind] * calls)

    def draw(self, tool: str, clock_s: float = 0.0) -> Draw:
        """What the next call of ``tool`` meets at this second; counts it."""
        index = self._calls.get(tool, 0)
        self._calls[tool] = index + 1
        rng = stream(self.seed, "faults", tool, index)
        again, which, latency, extra, lost = (float(x) for x in rng.random(5))
        kind = self._drawn(tool, again, which)
        self._last[tool] = kind
        forced = self._forced.get(tool, [])
        scripted = next((s for s in self.config.script if s.hits(tool, index, clock_s)), None)
        out = next((hit for outages in self._outages if (hit := outages.at(tool, clock_s))), None)
        kind = scripted.kind if scripted else (forced.pop(0) if forced else (out or kind))
        applied = lost < 0.5 if scripted is None or scripted.applied is None else scripted.applied
        seed = 0 if kind is None else derive(self.seed, "faults", tool, index)
        return Draw(kind, seed, _latency(kind, latency, extra), applied)

    def _drawn(self, tool: str, again: float, which: float) -> FaultKind | None:
        last = self._last.get(tool)
        if last is not None and again < self.config.repeat.get(last, 0.0):
            return last
        rates = self.config.rates_for(tool)
        edge = 0.0
        for kind in FaultKind:
            edge += rates.get(kind, 0.0)
            if which < edge:
                return kind
        return None


def _latency(kind: FaultKind | None, share: float, extra: float) -> float:
    """Stream seconds: 0.15 to 0.9, median 0.37; a timeout waits 3 to 5 more, a refusal comes at once."""
    base = 0.15 * math.exp(share * math.log(6.0))
    if kind is FaultKind.TIMEOUT:
        base += 3.0 + 2.0 * extra
    elif kind in (FaultKind.RATE_LIMIT, FaultKind.PERMISSION_DENIED):
        base *= 0.5
    return round(base, 3)
