"""``Plan``: the future of an audience in blocks of a minute, as arrays, from the seed alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from livesim.seeding import stream
from livesim.world.cast import Arrivals, Cast
from livesim.world.lines import ByHazard, ByRate, Lines, Stays
from livesim.world.viewers import Burst, ViewerConfig

BLOCK_S = 60.0
"""The future is drawn in blocks of so many seconds, each from a stream of its own."""

START_S = 120.0
"""The rush of the first minutes lasts so long. *Source:* the launch spike of docs/domain.md section 2."""

PUSH_S, PUSH_FACTOR = 60.0, 3.0
"""A recommendation push lasts so long and sends so many times as many viewers. Assumptions."""

MOST_ENTER = 3.0
"""A flash sale brings at most so many times as many viewers into a compressed room. An assumption."""

ENTER_POWER, WRITE_POWER = 0.5, 0.75
"""In a living room a rush of factor ``f`` lets ``f**0.5`` as many enter, and each write ``f**0.75`` as often."""


@dataclass(frozen=True, slots=True)
class Block:
    """What comes in one block.

    Attributes:
        come: those who enter in it, made-up ones last.
        wishes: five numbers for each of those who were drawn: the second in which they would open an item's page, and
            what decides about click, cart, order and payment, each in [0, 1).
        writes: they are among those who may write.
        there: everybody who may write in this block.
        lines: what is written; ``lines.place`` counts in ``there``.
    """

    come: Stays
    wishes: np.ndarray
    writes: np.ndarray
    there: Stays
    lines: Lines


class Plan:
    """Draws blocks in order; nothing that a host does changes them.

    Args:
        config: the numbers.
        cast: the kinds of viewers.
        seed: of the stream.
        bursts: when flash sales are expected.
        horizon_s: of the stream.
    """

    def __init__(self, config: ViewerConfig, cast: Cast, seed: int, bursts: Sequence[Burst], horizon_s: float) -> None:
        self._config, self._cast, self._seed = config, cast, seed
        self._rushes = tuple(bursts)
        self._flows = self._inflow(horizon_s)
        self._by_rate = ByRate(config)
        behaviour = config.behaviour
        self._by_hazard = None if behaviour is None else ByHazard(config, behaviour.set_off_s, cast.writers)
        self._there = Stays(np.empty(0, np.int64), np.empty(0), np.empty(0), np.empty(0, np.int64))
        self._count = int(stream(seed, "viewers", "names").integers(0, 40))

    def rush(self, at_s: float) -> float:
        """How many times as often as usual comments come at this second."""
        return max([1.0, *(b.factor for b in self._rushes if b.start_s <= at_s < b.end_s)])

    def block(self, number: int) -> Block:
        """The block with this number; ask for each once, in order from 0."""
        config, start_s = self._config, number * BLOCK_S
        rng = stream(self._seed, "viewers", "block", number)
        self._there = self._there.only(self._there.leave_s > start_s)
        present = int(rng.poisson(config.viewers)) if number == 0 else 0
        come, wishes = self._drawn(rng, np.zeros(present), self._cast.present(rng, present))
        enter_s = self._times(rng, config.viewers / self._cast.mean_stay_s, self._flows, start_s)
        more, wishes_of_more = self._drawn(rng, enter_s, self._cast.enter(rng, len(enter_s)))
        come, wishes = come.and_those(more), np.concatenate([wishes, wishes_of_more])
        if self._by_hazard is None:
            writes = np.ones(len(come), dtype=bool)
            at_s = self._times(rng, self._by_rate.rate, self._rushes, start_s)
            before, drawn = len(self._there), len(come)
            lines, self._there = self._by_rate.lines(rng, at_s, self._there.and_those(come), self._made_up)
            made_up = self._there.only(np.arange(len(self._there)) >= before + drawn)
            return Block(come.and_those(made_up), wishes, writes, self._there, lines)
        writes = rng.random(len(come)) < self._cast.writes[come.persona]
        self._there = self._there.and_those(come.only(writes))
        top = self._top(self._rushes, start_s) ** WRITE_POWER
        end_s = start_s + BLOCK_S
        lines = self._by_hazard.lines(
            rng, self._there, start_s, end_s, lambda at_s: factor(self._rushes, at_s) ** WRITE_POWER, top
        )
        return Block(come, wishes, writes, self._there, lines)

    def _inflow(self, horizon_s: float) -> tuple[Burst, ...]:
        """When more viewers than usual enter."""
        behaviour = self._config.behaviour
        if behaviour is None:
            return tuple(Burst(b.start_s, b.end_s, min(b.factor, MOST_ENTER)) for b in self._rushes)
        rng = stream(self._seed, "viewers", "pushes")
        pushes = horizon_s * np.sort(rng.random(int(rng.poisson(behaviour.pushes_per_hour * horizon_s / 3600.0))))
        return (
            Burst(0.0, START_S, behaviour.start_factor),
            *(Burst(at_s, at_s + PUSH_S, PUSH_FACTOR) for at_s in pushes.tolist()),
            *(Burst(b.start_s, b.end_s, b.factor**ENTER_POWER) for b in self._rushes),
        )

    def _top(self, bursts: Sequence[Burst], start_s: float) -> float:
        return max([1.0, *(b.factor for b in bursts if b.start_s < start_s + BLOCK_S and b.end_s > start_s)])

    def _times(self, rng: np.random.Generator, rate: float, bursts: Sequence[Burst], start_s: float) -> np.ndarray:
        """Times of an inhomogeneous Poisson process in one block, by thinning, ascending."""
        top = self._top(bursts, start_s)
        at_s = np.sort(start_s + BLOCK_S * rng.random(int(rng.poisson(rate * top * BLOCK_S))))
        return at_s if top <= 1.0 else at_s[rng.random(len(at_s)) * top < factor(bursts, at_s)]

    def _drawn(self, rng: np.random.Generator, enter_s: np.ndarray, who: Arrivals) -> tuple[Stays, np.ndarray]:
        wishes = rng.random((len(enter_s), 5))
        wishes[:, 0] = enter_s + wishes[:, 0] * who.stay_s
        return self._stays(enter_s, who), wishes

    def _stays(self, enter_s: np.ndarray, who: Arrivals) -> Stays:
        viewer = self._count + np.arange(len(enter_s))
        self._count += len(enter_s)
        return Stays(viewer, enter_s, enter_s + who.stay_s, who.persona)

    def _made_up(self, enter_s: float, stay_s: float) -> Stays:
        return self._stays(np.array([enter_s]), Arrivals(np.zeros(1, np.int64), np.array([stay_s])))


def factor(bursts: Sequence[Burst], at_s: np.ndarray) -> np.ndarray:
    """How many times as often as usual something happens at these seconds."""
    high = np.ones(len(at_s))
    for burst in bursts:
        high = np.where((burst.start_s <= at_s) & (at_s < burst.end_s), np.maximum(high, burst.factor), high)
    return high
