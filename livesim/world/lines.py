"""When who writes: comments of a block as arrays, by the room's rate or by the hazards of those who are there."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TypeAlias

import numpy as np

from livesim.world.dice import Dice
from livesim.world.viewers import ViewerConfig

CHILD_DELAY_S = 15.0
"""Mean delay of a comment that another one set off. *Source:* docs/domain.md section 2, assumed."""

Factor: TypeAlias = Callable[[np.ndarray], np.ndarray]
"""Seconds -> how many times as often as usual something happens then."""


@dataclass(frozen=True, slots=True)
class Stays:
    """Who is there from when to when: arrays of equal length, one place a viewer.

    Attributes:
        viewer: numbers, see ``names.name``.
        enter_s, leave_s: seconds of stream time.
        persona: index of the kind.
    """

    viewer: np.ndarray
    enter_s: np.ndarray
    leave_s: np.ndarray
    persona: np.ndarray

    def __len__(self) -> int:
        return len(self.viewer)

    def only(self, which: np.ndarray) -> Stays:
        """Those at the places, or under the mask, ``which``."""
        return Stays(*(getattr(self, f.name)[which] for f in fields(self)))

    def and_those(self, more: Stays) -> Stays:
        """These and, after them, more."""
        return Stays(*(np.concatenate([getattr(self, f.name), getattr(more, f.name)]) for f in fields(self)))


@dataclass(frozen=True, slots=True)
class Lines:
    """Comments to come: arrays of equal length, one place a comment.

    Attributes:
        at_s: seconds of stream time.
        place: of the writer in the ``Stays`` they were drawn from.
        persona: whose mix of intents they follow: for one that another set off, the kind of the first writer.
        want: seeds of what is wanted, equal for comments on the same matter.
        word: seeds of how it is said.
    """

    at_s: np.ndarray
    place: np.ndarray
    persona: np.ndarray
    want: np.ndarray
    word: np.ndarray

    def __len__(self) -> int:
        return len(self.at_s)


class ByRate:
    """A compressed room: comments come at the room's rate, from anybody who is there.

    One that finds nobody is written by somebody who is made up for it, so that a request is never far off. A comment
    sets off others once; those set off none.
    """

    def __init__(self, config: ViewerConfig) -> None:
        self._config = config
        self.rate = config.comments_per_min / 60.0 * (1.0 - config.excitation)

    def lines(
        self, rng: np.random.Generator, at_s: np.ndarray, there: Stays, make_up: Callable[[float, float], Stays]
    ) -> tuple[Lines, Stays]:
        """The comments that first ones at ``at_s`` lead to, and everybody who was there, made up ones included."""
        children = rng.poisson(self._config.excitation, len(at_s))
        seeds = rng.integers(0, 2**63, (len(at_s), 2 + int(children.max(initial=0))))
        marks = rng.random((len(at_s), 3))
        rows: list[tuple[float, int, int, int]] = []

        def write(when_s: float, who: float, again: float, twice: float, want: int, word: int) -> None:
            nonlocal there
            present = np.flatnonzero((there.enter_s <= when_s) & (when_s < there.leave_s))
            if len(present):
                place = int(present[int(who * len(present))])
            else:
                place = len(there)
                there = there.and_those(make_up(max(0.0, when_s - 2.0), 20.0 + 40.0 * who))
            rows.append((when_s, place, want, word))
            if twice < self._config.duplicate_share:
                rows.append((when_s + 0.5 + again, place, want, word))

        for i, when_s in enumerate(at_s.tolist()):
            first = int(seeds[i, 0])
            who, again, twice = marks[i].tolist()
            write(when_s, who, again, twice, first, int(seeds[i, 1]))
            for child in range(int(children[i])):
                own = Dice(int(seeds[i, 2 + child]))
                later_s = when_s - CHILD_DELAY_S * math.log(1.0 - own.share())
                write(later_s, own.share(), own.share(), 1.0, first, own.bits())
        place = np.array([row[1] for row in rows], dtype=np.int64)
        seeds_of = np.array([row[2:] for row in rows], dtype=np.uint64).reshape(-1, 2)
        when = np.array([row[0] for row in rows])
        return Lines(when, place, there.persona[place], seeds_of[:, 0], seeds_of[:, 1]), there


class ByHazard:
    """A living room: each writer who is there writes with the same hazard, and every comment may set off others.

    Args:
        config: the numbers.
        set_off_s: mean delay of a comment that another one set off.
        writers: mean number of writers present, so that the room has ``comments_per_min`` in the mean.
    """

    def __init__(self, config: ViewerConfig, set_off_s: float, writers: float) -> None:
        self._config, self._set_off_s = config, set_off_s
        self._hazard = config.comments_per_min / 60.0 * (1.0 - config.excitation) / writers

    def lines(
        self, rng: np.random.Generator, there: Stays, start_s: float, end_s: float, factor: Factor, top: float
    ) -> Lines:
        """The comments of these writers from ``start_s`` to ``end_s``, and what they set off.

        Args:
            rng: of this block.
            there: writers alone.
            start_s: of the block.
            end_s: likewise.
            factor: of the hazard; never above ``top``.
            top: its highest value.
        """
        from_s = np.maximum(there.enter_s, start_s)
        for_s = np.maximum(0.0, np.minimum(there.leave_s, end_s) - from_s)
        place = np.repeat(np.arange(len(there)), rng.poisson(self._hazard * top * for_s))
        at_s = from_s[place] + rng.random(len(place)) * for_s[place]
        kept = rng.random(len(at_s)) * top < factor(at_s)
        waves = [self._told(rng, at_s[kept], place[kept], there)]
        while len(waves[-1]):
            waves.append(self._set_off(rng, waves[-1], there))
        twice = self._again(rng, waves, there)
        return Lines(*(np.concatenate([getattr(w, f.name) for w in (*waves, twice)]) for f in fields(Lines)))

    def _told(self, rng: np.random.Generator, at_s: np.ndarray, place: np.ndarray, there: Stays) -> Lines:
        seeds = rng.integers(0, 2**63, (2, len(at_s)), dtype=np.uint64)
        return Lines(at_s, place, there.persona[place], seeds[0], seeds[1])

    def _set_off(self, rng: np.random.Generator, wave: Lines, there: Stays) -> Lines:
        """The comments that a generation sets off, written by anybody who is there then."""
        parent = np.repeat(np.arange(len(wave)), rng.poisson(self._config.excitation, len(wave)))
        at_s = wave.at_s[parent] + rng.exponential(self._set_off_s, len(parent))
        place = _somebody(rng, at_s, there)
        found = place >= 0
        parent, word = parent[found], rng.integers(0, 2**63, len(parent), dtype=np.uint64)[found]
        return Lines(at_s[found], place[found], wave.persona[parent], wave.want[parent], word)

    def _again(self, rng: np.random.Generator, waves: list[Lines], there: Stays) -> Lines:
        """Comments that are sent twice, by writers who are still there."""
        first = Lines(*(np.concatenate([getattr(wave, f.name) for wave in waves]) for f in fields(Lines)))
        later_s = first.at_s + 0.5 + rng.random(len(first))
        twice = (rng.random(len(first)) < self._config.duplicate_share) & (later_s < there.leave_s[first.place])
        return Lines(later_s[twice], *(getattr(first, f.name)[twice] for f in fields(Lines)[1:]))


def _somebody(rng: np.random.Generator, at_s: np.ndarray, there: Stays) -> np.ndarray:
    """For each second the place of one who is there then, -1 where eight tries find nobody."""
    order = np.argsort(there.enter_s, kind="stable")
    come = np.searchsorted(there.enter_s[order], at_s, side="right")
    found = np.full(len(at_s), -1)
    for _ in range(8):
        open_ = np.flatnonzero((found < 0) & (come > 0))
        tried = order[(rng.random(len(open_)) * come[open_]).astype(np.int64)]
        there_still = there.leave_s[tried] > at_s[open_]
        found[open_[there_still]] = tried[there_still]
    return found
