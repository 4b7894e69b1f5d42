"""``Dice``: a tiny, picklable source of choices for wording, seeded with one number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1
_ULP = 1.0 / (1 << 53)


class Dice:
    """SplitMix64 numbers: the same seed gives the same choices in every process.

    A numpy generator costs about 20 microseconds to build; one is needed for each comment, so this one costs none.
    Seeds come from ``livesim.seeding.stream``.
    *Source:* Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def bits(self) -> int:
        """64 random bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def share(self) -> float:
        """A number in [0, 1)."""
        return (self.bits() >> 11) * _ULP

    def chance(self, share: float) -> bool:
        """True in ``share`` of all throws."""
        return self.share() < share

    def between(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        return low + self.bits() % (high - low + 1)

    def pick(self, options: Sequence[T]) -> T:
        """One of the options. Raises ZeroDivisionError when there are none."""
        return options[self.bits() % len(options)]

    def weigh(self, cumulative: Sequence[float]) -> int:
        """Index of a weighted choice; ``cumulative`` are running sums of the weights."""
        mark = self.share() * cumulative[-1]
        for index, edge in enumerate(cumulative):
            if mark < edge:
                return index
        return len(cumulative) - 1
