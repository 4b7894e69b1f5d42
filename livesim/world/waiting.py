"""``Waiting``: comments that nobody has answered yet; merges those of one window, drops what waited too long."""

from __future__ import annotations

from livesim.world.viewers import ViewerComment

DUPLICATE_S = 2.0
"""The same text of the same viewer within so many seconds counts once. *Source:* facts/domain.md section 1.2."""


class Waiting:
    """A queue of timed comments, oldest first.

    Args:
        merge_s: comments of so many seconds after the first make one request.
        merge_max: at most so many make one request.
        stale_s: a comment that waited longer is dropped.
    """

    def __init__(self, merge_s: float, merge_max: int, stale_s: float) -> None:
        self._merge_s, self._merge_max, self._stale_s = merge_s, merge_max, stale_s
        self._queue: list[tuple[float, ViewerComment]] = []

    def add(self, at_s: float, comment: ViewerComment) -> None:
        """Queue a comment, unless its viewer has just written the same."""
        for earlier_s, other in reversed(self._queue):
            if at_s - earlier_s > DUPLICATE_S:
                break
            if other.viewer == comment.viewer and other.text == comment.text:
                return
        self._queue.append((at_s, comment))

    def ready_s(self, clock_s: float) -> float | None:
        """When the window of the oldest comment closes; None while nobody waits. Drops what is stale."""
        if self._queue and self._queue[0][0] < clock_s - self._stale_s:
            self._queue = [entry for entry in self._queue if entry[0] >= clock_s - self._stale_s]
        return self._queue[0][0] + self._merge_s if self._queue else None

    def take(self) -> tuple[ViewerComment, ...]:
        """The comments of the oldest window, oldest first, equal texts once; the rest goes on waiting.

        Raises IndexError when nobody waits.
        """
        end_s = self._queue[0][0] + self._merge_s
        taken: list[ViewerComment] = []
        kept: list[tuple[float, ViewerComment]] = []
        for at_s, comment in self._queue:
            if at_s <= end_s and any(comment.text == other.text for other in taken):
                continue
            if at_s <= end_s and len(taken) < self._merge_max:
                taken.append(comment)
            else:
                kept.append((at_s, comment))
        self._queue = kept
        return tuple(taken)
