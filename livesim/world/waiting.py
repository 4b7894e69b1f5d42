"""``Waiting``: comments that nobody has answered yet; merges those of one window, drops what waited too long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from livesim.errors import ServingError
from livesim.world.serving import Queued, Serving, choose, oldest
from livesim.world.viewers import ViewerComment
from livesim.world.viewing.deadline import Worker

DUPLICATE_S = 2.0
"""The same text of the same viewer within so many seconds counts once. *Source:* docs/domain.md section 2."""


class Window(NamedTuple):
    """What makes one request: its comments, the chosen one first and then by age, and others who said the same."""

    shown: tuple[ViewerComment, ...]
    joined: tuple[ViewerComment, ...]


class QueueCounts(NamedTuple):
    """What became of the comments so far.

    Attributes:
        answered: a reply was spoken to them, or to others who said the same.
        stale: they waited too long and were dropped.
        waiting: they wait still.
        mean_wait_s: of the answered, seconds until the reply began.
    """

    answered: int
    stale: int
    waiting: int
    mean_wait_s: float


class Waiting:
    """A queue of timed comments, oldest first.

    Args:
        merge_s: comments within so many seconds of the chosen one make one request.
        merge_max: at most so many different ones make one request.
        stale_s: a comment that waited longer is dropped.
    """

    def __init__(self, merge_s: float, merge_max: int, stale_s: float) -> None:
        self._merge_s, self._merge_max, self._stale_s = merge_s, merge_max, stale_s
        self._queue: list[tuple[float, ViewerComment]] = []
        self._answered = self._stale = 0
        self._waited_s = 0.0
        self._failure = ""
        self._worker = Worker("serve")

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
            fresh = [entry for entry in self._queue if entry[0] >= clock_s - self._stale_s]
            self._stale += len(self._queue) - len(fresh)
            self._queue = fresh
        return self._queue[0][0] + self._merge_s if self._queue else None

    def take(self, clock_s: float, serve: Serving = oldest) -> Window:
        """The comment that ``serve`` chooses and those of its window, with who said the same; the rest goes on waiting.

        Raises:
            IndexError: nobody waits.
            ServingError: see ``choose``.
        """
        at = 0
        if serve is not oldest and len(self._queue) > 1:
            queued = [Queued(c.viewer, c.text, round(clock_s - at_s, 3)) for at_s, c in self._queue]
            try:
                at = choose(serve, queued, self._worker)
            except ServingError as error:
                self._failure = str(error)
                raise
        start_s, first = self._queue.pop(at)
        shown: list[ViewerComment] = [first]
        joined: list[ViewerComment] = []
        kept: list[tuple[float, ViewerComment]] = []
        for at_s, comment in self._queue:
            if at_s <= start_s + self._merge_s and any(_same(comment, other) for other in shown):
                joined.append(comment)
            elif abs(at_s - start_s) <= self._merge_s and len(shown) < self._merge_max:
                shown.append(comment)
            else:
                kept.append((at_s, comment))
        self._queue = kept
        askers = {comment.viewer for comment in shown}
        return Window(tuple(shown), tuple(comment for comment in joined if comment.viewer not in askers))

    def check(self) -> None:
        """Raises ServingError again when a discipline has failed: no request is open since."""
        if self._failure:
            raise ServingError(self._failure)

    def answered(self, comments: Sequence[ViewerComment], clock_s: float) -> None:
        """Count comments to which a reply is spoken from now on."""
        self._answered += len(comments)
        self._waited_s += sum(clock_s - float(comment.at_s or 0.0) for comment in comments)

    @property
    def counts(self) -> QueueCounts:
        """Of this stream so far."""
        mean_wait_s = round(self._waited_s / max(1, self._answered), 3)
        return QueueCounts(self._answered, self._stale, len(self._queue), mean_wait_s)


def _same(one: ViewerComment, other: ViewerComment) -> bool:
    """The same words that mean the same: "is this in stock?" means another item once the item on air has changed."""
    return one.text == other.text and one.wants == other.wants
