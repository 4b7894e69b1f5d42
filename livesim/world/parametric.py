"""``ParametricViewers``: the shipped audience; arrivals, stays, comments and purchases by hazards, words by grammar."""

from __future__ import annotations

import heapq
import math
import zlib
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from livesim.seeding import stream
from livesim.world import comments
from livesim.world.dice import Dice
from livesim.world.viewers import (
    Heard,
    MoveKind,
    RoomInfo,
    RoomMoment,
    ViewerAct,
    ViewerComment,
    ViewerConfig,
    ViewerMove,
)
from livesim.world.wants import ASKED_AGAIN, Tongue

BLOCK_S = 60.0
"""The future is drawn in blocks of so many seconds, each from a stream of its own."""

CHILD_DELAY_S = 15.0
"""Mean delay of a comment that another one set off. *Source:* facts/domain.md section 1.2, assumed."""

PATIENCE_S = 30.0
"""How fast an answer loses its effect: ``exp(-delay / PATIENCE_S)``. An assumption."""

NAMES = [
    "mia",
    "leo",
    "ana",
    "tom",
    "zoe",
    "max",
    "ivy",
    "sam",
    "lily",
    "noah",
    "ella",
    "finn",
    "ruby",
    "jack",
    "nora",
    "luke",
    "rosa",
    "owen",
    "jade",
    "carl",
    "emma",
    "theo",
    "clara",
    "hugo",
    "lena",
    "otto",
    "anna",
    "paul",
    "ida",
    "felix",
    "mona",
    "erik",
    "vera",
    "oscar",
    "lucy",
    "nina",
    "dean",
    "alma",
    "rolf",
    "tess",
]


class _Kind(IntEnum):
    MOVE = 0
    LEAVE = 1
    COMMENT = 2


class _Due(NamedTuple):
    """Something planned. The sequence number decides between equal times, so nothing else is ever compared."""

    at_s: float
    number: int
    kind: _Kind
    viewer: str
    move: ViewerMove | None = None
    want_seed: int = 0
    word_seed: int = 0


class _Stay(NamedTuple):
    viewer: str
    enter_s: float
    leave_s: float


class ParametricViewers:
    """Viewers who come, ask, buy and leave by hazards.

    Who comes, when, and what they ask first is planned from the seed alone; what the host does changes only how long
    askers stay, what they buy and whether they ask again. Hence two runs with one seed see the same comments, whatever
    the agent, the harness or the faults.

    Args:
        config: the numbers; see ``ViewerConfig``.
    """

    def __init__(self, config: ViewerConfig | None = None) -> None:
        self.config = config or ViewerConfig()

    def reset(self, seed: int, room: RoomInfo) -> None:
        """Start a new stream."""
        self._seed = seed
        self._room = room
        self._tongue = Tongue(self.config, seed, room)
        self._due: list[_Due] = []
        self._number = 0
        self._block = 0
        self._leaves: dict[str, float] = {}
        self._stays: list[_Stay] = []
        self._named = int(stream(seed, "viewers", "names").integers(0, len(NAMES)))
        self._count = 0
        self._asked_again: set[str] = set()

    def window(self, room: RoomMoment, dt_s: float) -> Sequence[ViewerAct]:
        """What was planned for the next ``dt_s`` seconds."""
        end_s = room.clock_s + dt_s
        while self._block * BLOCK_S <= end_s:
            self._plan(self._block)
            self._block += 1
        acts: list[ViewerAct] = []
        due = self._due
        while due and due[0].at_s < end_s:
            acts.extend(self._happen(heapq.heappop(due), room))
        return acts

    def react(self, heard: Heard) -> Sequence[ViewerAct]:
        """Askers who are still there stay longer and buy more after a right, useful and quick answer."""
        acts: list[ViewerAct] = []
        for comment in {c.viewer: c for c in heard.comments}.values():
            if self._leaves.get(comment.viewer, -math.inf) > heard.spoken_s:
                acts.extend(self._answered(comment, heard))
        return acts

    def _happen(self, due: _Due, room: RoomMoment) -> Sequence[ViewerAct]:
        if due.kind is _Kind.COMMENT:
            burst = self._factor(due.at_s) > 1
            return (self._tongue.say(due.viewer, due.at_s, due.want_seed, due.word_seed, room, burst),)
        if due.kind is _Kind.LEAVE:
            later_s = self._leaves.get(due.viewer, due.at_s)
            if later_s > due.at_s:
                self._put(later_s, _Kind.LEAVE, due.viewer)
                return ()
            self._leaves.pop(due.viewer, None)
            return (ViewerMove(due.viewer, MoveKind.LEAVE, at_s=due.at_s),)
        move = due.move
        if move is None:
            return ()
        if move.link is None and move.kind in (MoveKind.CLICK, MoveKind.CART, MoveKind.ORDER):
            return (ViewerMove(move.viewer, move.kind, room.on_air, at_s=due.at_s),) if room.on_air else ()
        return (move,)

    def _plan(self, block: int) -> None:
        """Draw one block of the future: stays first, then who comments when."""
        config, start_s = self.config, block * BLOCK_S
        rng = stream(self._seed, "viewers", "block", block)
        top = max([1.0, *(b.factor for b in self._room.bursts if b.start_s < start_s + BLOCK_S and b.end_s > start_s)])
        mean_dwell_s = config.dwell_median_s * math.exp(config.dwell_sigma**2 / 2)
        self._stays = [stay for stay in self._stays if stay.leave_s > start_s]
        if block == 0:
            # length-biased stays, seen at a random point of their length: the room is in its steady state at once
            present = int(rng.poisson(config.viewers))
            stays = rng.lognormal(math.log(config.dwell_median_s) + config.dwell_sigma**2, config.dwell_sigma, present)
            self._come(np.zeros(present), np.maximum(stays * rng.random(present), 1.0), rng)
        enter_s = self._times(rng, config.viewers / mean_dwell_s, min(top, 3.0), start_s, cap=3.0)
        self._come(
            enter_s,
            np.maximum(rng.lognormal(math.log(config.dwell_median_s), config.dwell_sigma, len(enter_s)), 1.0),
            rng,
        )
        rate = config.comments_per_min / 60.0 * (1.0 - config.excitation)
        at_s = self._times(rng, rate, top, start_s, cap=math.inf)
        count = len(at_s)
        children = rng.poisson(config.excitation, count)
        seeds = rng.integers(0, 2**63, (count, 2 + int(children.max(initial=0))))
        marks = rng.random((count, 3))
        for i in range(count):
            want_seed = int(seeds[i, 0])
            self._comment(float(at_s[i]), marks[i], want_seed, int(seeds[i, 1]))
            for child in range(int(children[i])):
                own = Dice(int(seeds[i, 2 + child]))
                later_s = float(at_s[i]) - CHILD_DELAY_S * math.log(1.0 - own.share())
                self._comment(later_s, (own.share(), own.share(), 1.0), want_seed, own.bits())

    def _comment(self, at_s: float, marks: Sequence[float] | np.ndarray, want_seed: int, word_seed: int) -> None:
        """Plan one comment of somebody who is there then; ``marks`` choose who, and whether it is sent twice."""
        there = [stay.viewer for stay in self._stays if stay.enter_s <= at_s < stay.leave_s]
        if there:
            viewer = there[int(marks[0] * len(there))]
        else:
            viewer = self._one(max(0.0, at_s - 2.0), 20.0 + 40.0 * float(marks[0]))
        self._put(at_s, _Kind.COMMENT, viewer, want_seed=want_seed, word_seed=word_seed)
        if marks[2] < self.config.duplicate_share:
            self._put(at_s + 0.5 + float(marks[1]), _Kind.COMMENT, viewer, want_seed=want_seed, word_seed=word_seed)

    def _come(self, enter_s: np.ndarray, dwell_s: np.ndarray, rng: np.random.Generator) -> None:
        config = self.config
        wishes = rng.random((len(enter_s), 5))
        for i in range(len(enter_s)):
            at_s, stay_s = float(enter_s[i]), float(dwell_s[i])
            viewer = self._one(at_s, stay_s)
            when, click, cart, order, pay = (float(w) for w in wishes[i])
            if click < config.click:
                at_s += when * stay_s
                self._buy(viewer, at_s, None, "", cart < config.cart, order < config.order, pay < config.pay)

    def _one(self, enter_s: float, dwell_s: float) -> str:
        """Plan one viewer's coming and going; returns the name."""
        turn, place = divmod(self._named + self._count, len(NAMES))
        viewer = f"{NAMES[place]}{turn}" if turn else NAMES[place]
        self._count += 1
        leave_s = enter_s + dwell_s
        self._leaves[viewer] = leave_s
        self._stays.append(_Stay(viewer, enter_s, leave_s))
        self._put(enter_s, _Kind.MOVE, viewer, ViewerMove(viewer, MoveKind.ENTER, at_s=enter_s))
        self._put(leave_s, _Kind.LEAVE, viewer)
        return viewer

    def _buy(self, viewer: str, at_s: float, link: int | None, option: str, cart: bool, order: bool, pay: bool) -> None:
        steps = [(MoveKind.CLICK, 0.0, True), (MoveKind.CART, 2.0, cart), (MoveKind.ORDER, 4.0, order)]
        for kind, after_s, done in [*steps, (MoveKind.PAY, 6.0, order and pay)]:
            if done:
                move = ViewerMove(viewer, kind, link, option, at_s=at_s + after_s)
                self._put(at_s + after_s, _Kind.MOVE, viewer, move)

    def _put(
        self,
        at_s: float,
        kind: _Kind,
        viewer: str,
        move: ViewerMove | None = None,
        want_seed: int = 0,
        word_seed: int = 0,
    ) -> None:
        self._number += 1
        heapq.heappush(self._due, _Due(at_s, self._number, kind, viewer, move, want_seed, word_seed))

    def _times(self, rng: np.random.Generator, rate: float, top: float, start_s: float, cap: float) -> np.ndarray:
        """Times of an inhomogeneous Poisson process in one block, by thinning, ascending."""
        at_s = np.sort(start_s + BLOCK_S * rng.random(int(rng.poisson(rate * top * BLOCK_S))))
        if top <= 1.0:
            return at_s
        keep = rng.random(len(at_s)) * top
        return np.array([t for t, k in zip(at_s, keep, strict=True) if k < min(self._factor(float(t)), cap)])

    def _factor(self, at_s: float) -> float:
        """How many times as often as usual comments come at this second."""
        return max([1.0, *(b.factor for b in self._room.bursts if b.start_s <= at_s < b.end_s)])

    def _answered(self, comment: ViewerComment, heard: Heard) -> Sequence[ViewerAct]:
        config, viewer = self.config, comment.viewer
        dice = Dice(self._seed ^ zlib.crc32(f"{viewer} {heard.request}".encode()))
        # every draw is made whatever the answer was, so that runs which differ in it stay paired
        click, cart, order, pay, go, again, wait = (dice.share() for _ in range(7))
        good = heard.correct * heard.useful
        effect = good * math.exp(-max(0.0, heard.spoken_s - heard.asked_s) / PATIENCE_S)
        self._leaves[viewer] += 25.0 * effect
        if comment.link is not None and click < min(1.0, config.click * (1.0 + 3.0 * effect)):
            carts, orders = cart < config.cart * (1.0 + effect), order < config.order * (1.0 + 2.0 * effect)
            option = str(comment.slots.get("option", ""))
            self._buy(viewer, heard.done_s + 1.0, comment.link, option, carts, orders, pay < config.pay)
        if good >= 0.5 or comment.intent not in ASKED_AGAIN:
            return ()
        if again < config.follow_up_share and viewer not in self._asked_again:
            self._asked_again.add(viewer)
            text = comments.follow_up(comment.text, dice, config.wording)
            at_s = heard.done_s + 1.0 + 4.0 * wait
            self._leaves[viewer] = max(self._leaves[viewer], at_s + 10.0)
            return (ViewerComment(viewer, text, comment.intent, comment.link, comment.slots, at_s, comment.more),)
        if go < 0.5:
            return (ViewerMove(viewer, MoveKind.LEAVE, at_s=heard.done_s),)
        return ()
