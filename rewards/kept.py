"""``kept``: a function of one frozen object remembers its last results by identity, where hashing would cost more."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

A = TypeVar("A")
R = TypeVar("R")


def kept(size: int) -> Callable[[Callable[[A], R]], Callable[[A], R]]:
    """Decorates a function whose argument never changes, such as the facts of one second.

    An object is held as long as its result, so that no other can get its identity meanwhile.

    Args:
        size: so many results are remembered; the oldest goes first.
    """

    def decorate(function: Callable[[A], R]) -> Callable[[A], R]:
        results: dict[int, tuple[A, R]] = {}

        @wraps(function)
        def remembered(value: A) -> R:
            known = results.get(id(value))
            if known is None:
                known = (value, function(value))
                while len(results) >= size:
                    results.pop(next(iter(results)), None)
                results[id(value)] = known
            return known[1]

        return remembered

    return decorate
