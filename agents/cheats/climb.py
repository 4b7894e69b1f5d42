"""``climb``: random search, then hill-climbing, over anything that can be drawn, changed and paid."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from typing import TypeVar

import numpy as np

T = TypeVar("T", bound=Hashable)

KEPT, TOLD = 8, 3
"""How many of the best are climbed from, and how many are told."""


def climb(
    draw: Callable[[np.random.Generator], T],
    mutate: Callable[[T, np.random.Generator], T],
    earn: Callable[[T, float], float],
    rng: np.random.Generator,
    seconds: float,
) -> tuple[list[tuple[T, float]], int]:
    """Random search, then hill-climbing from the best, until the time is up; the best, and how many were tried.

    Args:
        draw: a random one.
        mutate: one near another.
        earn: what one earns, given the least that matters.
        rng: of the draws.
        seconds: of processor time.
    """
    until = time.process_time() + seconds
    best: dict[T, float] = {}
    tried = 0
    while time.process_time() < until:
        tried += 1
        explore = not best or rng.random() < 0.5
        one = draw(rng) if explore else mutate(list(best)[int(rng.integers(len(best)))], rng)
        floor = min(best.values()) if len(best) >= KEPT else -1.0
        value = earn(one, floor)
        if one not in best and value > floor:
            best[one] = value
            if len(best) > KEPT:
                del best[min(best, key=lambda t: best[t])]
    return sorted(best.items(), key=lambda item: (-item[1], len(str(item[0]))))[:TOLD], tried
