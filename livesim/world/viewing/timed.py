"""``TimedViewers``: an audience whose lines are known beforehand; scripts and replays are two of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, Protocol, TypeVar

from livesim.world.viewers import Heard, ItemInfo, RoomInfo, RoomMoment, ViewerAct, ViewerComment


class Line(Protocol):
    """Anything that is said at a known second of the stream."""

    @property
    def at_s(self) -> float:
        """When, seconds of stream time."""


L = TypeVar("L", bound=Line)


class TimedViewers(Generic[L]):
    """Says each line in the window that holds its second. Nothing is drawn, so every seed gives the same stream.

    Args:
        lines: in any order.
    """

    def __init__(self, lines: Sequence[L]) -> None:
        self.lines: tuple[L, ...] = tuple(sorted(lines, key=lambda line: line.at_s))
        self._next = 0
        self._items: dict[int, ItemInfo] = {}

    def reset(self, seed: int, room: RoomInfo) -> None:
        """Start again from the first line."""
        self._next = 0
        self._items = {item.link: item for item in room.items}

    def window(self, room: RoomMoment, dt_s: float) -> Sequence[ViewerAct]:
        """The lines before ``room.clock_s + dt_s`` that were not said yet."""
        return [self.say(line, room) for line in self._due(room.clock_s + dt_s)]

    def react(self, heard: Heard) -> Sequence[ViewerAct]:
        """Nothing: what is said was settled beforehand."""
        return ()

    def say(self, line: L, room: RoomMoment) -> ViewerComment:
        """The comment that a line becomes in this room."""
        raise NotImplementedError

    def _due(self, end_s: float) -> Iterator[L]:
        while self._next < len(self.lines) and self.lines[self._next].at_s < end_s:
            self._next += 1
            yield self.lines[self._next - 1]
