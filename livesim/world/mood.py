"""``Mood``: what the room has heard lately and how it moves people who did not ask; replies are public."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from livesim.world.behaviour import Influence

CELL_S = 5.0
"""Talk is counted in cells of so many seconds."""


class Talk(NamedTuple):
    """Comments of one cell: all of them, those with draw words, those that doubt."""

    all: float = 0.0
    draws: float = 0.0
    doubts: float = 0.0


class Lift(NamedTuple):
    """Factors of the chances to open an item's page, to order then, and to send the item back."""

    click: float
    order: float
    back: float


class Mood:
    """The memory of a room; ask in order of time.

    Args:
        influence: how strongly it moves anybody.
        viewers: mean number present; talk counts per viewer.
    """

    def __init__(self, influence: Influence, viewers: float) -> None:
        self._influence, self._viewers = influence, viewers
        self._kept = math.exp(-CELL_S / influence.memory_s)
        self._talk: list[Talk] = [Talk()]  # what is remembered at the start of each cell
        self._heard: deque[tuple[float, float, float, float]] = deque()
        self._at_s = 0.0
        self._good = self._wrong = self._urged = 0.0
        self._on_air, self._since_s = 0, 0.0

    @property
    def most_click(self) -> float:
        """No lift of clicks is higher."""
        return (1 + self._influence.tires) * math.exp(self._influence.clicks)

    def talk(self, cells: Sequence[Talk]) -> None:
        """Add the comments of the next cells."""
        for cell in cells:
            last = self._talk[-1]
            self._talk.append(Talk(*(self._kept * (old + new) for old, new in zip(last, cell, strict=True))))

    def heard(self, done_s: float, good: float, wrong: float, urged: float) -> None:
        """A reply ended at ``done_s``."""
        self._heard.append((done_s, good, wrong, urged))

    def shown(self, on_air: int, at_s: float) -> None:
        """What is shown at this second."""
        if on_air != self._on_air:
            self._on_air, self._since_s = on_air, at_s

    def at(self, at_s: float) -> Lift:
        """How the room is moved at this second."""
        influence = self._influence
        self._fade(at_s)
        good, wrong, urged = math.tanh(self._good), math.tanh(self._wrong), math.tanh(self._urged)
        tired_s = max(0.0, at_s - self._since_s - influence.tires_s)
        fresh = 1.0 + influence.tires * (2.0 * math.exp(-tired_s / (2 * influence.tires_s)) - 1.0)
        order = influence.answers * good + influence.urges * urged - influence.lies * wrong + self._social(at_s)
        back = influence.pressed * urged + influence.misled * wrong - influence.informed * good
        return Lift(fresh * math.exp(influence.clicks * (good - wrong)), math.exp(order), math.exp(back))

    def _fade(self, at_s: float) -> None:
        while self._heard and self._heard[0][0] <= at_s:
            done_s, good, wrong, urged = self._heard.popleft()
            self._decay(done_s)
            self._good, self._wrong, self._urged = self._good + good, self._wrong + wrong, self._urged + urged
        self._decay(at_s)

    def _decay(self, at_s: float) -> None:
        left = math.exp(-max(0.0, at_s - self._at_s) / self._influence.memory_s)
        self._good, self._wrong, self._urged = self._good * left, self._wrong * left, self._urged * left
        self._at_s = max(self._at_s, at_s)

    def _social(self, at_s: float) -> float:
        """What the talk of others does: an inverted U of its volume, less for draw words, more for open doubts."""
        influence, talk = self._influence, self._talk[min(int(at_s // CELL_S), len(self._talk) - 1)]
        if talk.all <= 0:
            return -influence.talk / 2
        rate = talk.all * 60.0 / influence.memory_s * 30.0 / self._viewers / influence.busy
        volume = influence.talk * (rate * math.exp(1.0 - rate) - 0.5)
        said = (influence.doubts * talk.doubts - influence.draws * talk.draws) / talk.all
        return volume + min(1.0, talk.all) * said  # of a single comment long ago nobody makes much
