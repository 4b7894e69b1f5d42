"""``Crowd``: viewers of a big room whom nobody has seen do anything yet, as arrays; counted, not named."""

from __future__ import annotations

import numpy as np

CROWD_FROM = 500
"""Rooms with more viewers than this in the mean have a crowd; in smaller ones everybody has a name."""

AT_S, LEAVE_S = 0, 1
"""Columns of a wish that the crowd itself looks at."""


class Crowd:
    """Who comes and leaves, and what some of them wish, each taken once from the front.

    Args:
        columns: of a wish: when, when the viewer leaves, and whatever the owner adds.
    """

    def __init__(self, columns: int) -> None:
        self._enter_s = self._leave_s = np.empty(0)
        self._wishes = np.empty((0, columns))

    def add(self, enter_s: np.ndarray, leave_s: np.ndarray, wishes: np.ndarray) -> None:
        """More viewers, and a row for each wish of any of them."""
        self._enter_s = np.sort(np.concatenate([self._enter_s, enter_s]))
        self._leave_s = np.sort(np.concatenate([self._leave_s, leave_s]))
        rows = np.concatenate([self._wishes, wishes])
        self._wishes = rows[np.argsort(rows[:, AT_S], kind="stable")]

    def wishes(self, end_s: float) -> np.ndarray:
        """The wishes before ``end_s``, in order of time."""
        due = int(np.searchsorted(self._wishes[:, AT_S], end_s))
        taken, self._wishes = self._wishes[:due], self._wishes[due:]
        return taken

    def release(self, leave_s: np.ndarray) -> None:
        """Viewers who get a name are no longer of the crowd; they are known by when they would have left."""
        self._leave_s = np.delete(self._leave_s, np.searchsorted(self._leave_s, leave_s))

    def moves(self, end_s: float) -> tuple[int, int]:
        """How many came and how many left before ``end_s``."""
        came, left = (int(np.searchsorted(at_s, end_s)) for at_s in (self._enter_s, self._leave_s))
        self._enter_s, self._leave_s = self._enter_s[came:], self._leave_s[left:]
        return came, left
