"""``Schedule``: which beats are due; those of a known second, and those that wait for something else to happen."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator

from livesim.scenarios.beats import After, Beat
from livesim.scenarios.opening import Entry, endings, happen, timeline
from livesim.scenarios.script import Scenario
from livesim.world.events import Event
from livesim.world.state import Stream


class Schedule:
    """The beats of one stream.

    Args:
        scenario: whose beats.
        start: the stream at second 0.
    """

    def __init__(self, scenario: Scenario, start: Stream) -> None:
        self._scenario = scenario
        self._places = scenario.catalog.places(start.catalog.links)
        self._entries: list[tuple[float, Entry]] = list(timeline(scenario, start))
        self._next = 0
        self._waiting = [number for number, beat in enumerate(scenario.beats) if beat.after is not None]
        self._called: Counter[str] = Counter()
        self._replies = self._requests = 0

    @property
    def next_s(self) -> float | None:
        """When the next beat is due, None when none is."""
        return self._entries[self._next][0] if self._next < len(self._entries) else None

    @property
    def waiting(self) -> tuple[Beat, ...]:
        """Conditional beats whose condition was not met so far."""
        return tuple(self._scenario.beats[number] for number in self._waiting)

    def due(self, now: Stream) -> Iterator[Event]:
        """Events of every beat that is due at ``now.clock_s``; apply each before the next is asked for."""
        while self._next < len(self._entries) and self._entries[self._next][0] <= now.clock_s:
            at_s, entry = self._entries[self._next]
            self._next += 1
            yield from happen(entry, self._scenario, self._places, now, at_s)

    def called(self, tool: str, clock_s: float) -> None:
        """A call reached this tool and has ended."""
        self._called[tool] += 1
        self._place(clock_s)

    def replied(self, clock_s: float) -> None:
        """A reply was spoken."""
        self._replies += 1
        self._place(clock_s)

    def opened(self, clock_s: float) -> None:
        """A request opens."""
        self._requests += 1
        self._place(clock_s)

    def _place(self, clock_s: float) -> None:
        """Conditional beats whose condition is met get their place among the others."""
        for number in self._waiting[:]:
            beat = self._scenario.beats[number]
            if beat.after is None or not self._met(beat.after):
                continue
            self._waiting.remove(number)
            at_s = clock_s + beat.at_s
            for entry in ((at_s, number), *endings(number, beat, at_s)):
                if entry[0] < self._scenario.horizon_s:
                    place = bisect_right(self._entries, entry[0], lo=self._next, key=lambda known: known[0])
                    self._entries.insert(place, entry)

    def _met(self, after: After) -> bool:
        if after.tool:
            return self._called[after.tool] >= after.call
        if after.reply is not None:
            return self._replies >= after.reply
        return after.request is not None and self._requests >= after.request
