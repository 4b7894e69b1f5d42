"""``Budget``: how much is simulated for each part; a quick look and the full battery."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Tick: TypeAlias = Callable[[float], None]
"""Told the share of a part that is done, 0 to 1."""


def no_tick(share: float) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Numbers of rooms.

    Attributes:
        streams: seeds of the marginals.
        rooms: of each arm of an effect.
        steps: rooms of each step of a curve.
        pool: rooms from which A/A comparisons are drawn.
        comparisons: of each analysis.
        base_rooms: of each policy in the base ranking.
        varied_rooms: of each policy under each varied number.
        weights: vary the weights of intents and personas too.
    """

    streams: int
    rooms: int
    steps: int
    pool: int
    comparisons: int
    base_rooms: int
    varied_rooms: int
    weights: bool


QUICK = Budget(streams=12, rooms=48, steps=30, pool=180, comparisons=300, base_rooms=6, varied_rooms=1, weights=False)
"""A minute and a half on one core; with half the rooms a step of a curve came out the wrong way round by chance."""

FULL = Budget(streams=30, rooms=100, steps=50, pool=500, comparisons=800, base_rooms=12, varied_rooms=2, weights=True)
"""Several minutes."""
