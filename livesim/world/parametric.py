"""``ParametricViewers``: the shipped audience; arrivals, stays, comments and purchases by hazards, words by grammar."""

from __future__ import annotations

import heapq
import math
import zlib
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from livesim.types import Intent
from livesim.world import comments
from livesim.world.behaviour import COMPRESSED, Persona
from livesim.world.cast import Cast
from livesim.world.crowd import CROWD_FROM, LEAVE_S, Crowd
from livesim.world.dice import Dice
from livesim.world.mood import CELL_S, Lift, Mood, Talk
from livesim.world.names import name
from livesim.world.plan import BLOCK_S, Block, Plan
from livesim.world.returns import pressure, return_share
from livesim.world.viewers import (
    CrowdMove,
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

BUYING_S = 7.0
"""From the item's page to the payment it takes less than so many seconds. An assumption."""

MOST_BACK = 0.98
"""Some keep anything."""

RUSH_BUYS, CALM_BUYS = 1.4, 0.9
"""A bargain hunter's chance to order in a flash sale and outside, as factors. Assumptions."""


_ENTER, _LEAVE, _LINE, _WISH, _MOVE = range(5)
"""What is due."""


class _Line(NamedTuple):
    """A comment to come; its writer stays until ``leave_s``, ``persona`` is theirs, ``asks`` whose wants it follows."""

    leave_s: float
    persona: int
    asks: int
    want: int
    word: int


class _Wish(NamedTuple):
    """What decides whether somebody who stays until ``leave_s`` opens an item's page now, and what comes of it."""

    leave_s: float
    persona: int
    click: float
    cart: float
    order: float
    pay: float


_PERSONA, _CLICK, _CART, _ORDER, _COLUMNS = 3, 4, 5, 6, 8
"""Columns of a wish in the crowd: when, until when, who, what kind, and the four draws of ``_Wish``."""


class _Due(NamedTuple):
    """Something planned. The sequence number decides between equal times, so nothing else is ever compared."""

    at_s: float
    number: int
    kind: int
    viewer: int
    what: _Line | _Wish | ViewerMove | None


_Rows: TypeAlias = Sequence[_Line | _Wish | None]


class _Writer(NamedTuple):
    """Somebody who wrote and is still there."""

    number: int
    leave_s: float
    persona: int


class ParametricViewers:
    """Viewers who come, ask, buy, leave and keep or return what they bought, by hazards.

    Who comes, when, and what they ask first is planned from the seed alone; what the host does changes only how long
    askers stay, what is bought, kept and asked again. Hence two runs with one seed see the same first comments,
    whatever the agent, the harness or the faults. Only in a living room some are driven away by a bad answer, and what
    they would have asked later is lost; in a compressed one everybody stays as long as planned.

    The plan is made of arrays; Python looks only at those who do something that is seen. Rooms above ``CROWD_FROM``
    viewers count all others.

    Args:
        config: the numbers; see ``ViewerConfig``.
    """

    def __init__(self, config: ViewerConfig | None = None) -> None:
        self.config = config or ViewerConfig()
        self._lives = self.config.behaviour is not None
        self._behaviour = self.config.behaviour or COMPRESSED
        self._cast = Cast(self.config)

    def reset(self, seed: int, room: RoomInfo) -> None:
        """Start a new stream."""
        config = self.config
        self._seed = seed
        self._category = {item.link: item.category for item in room.items}
        self._tongue = Tongue(config, seed, room, self._cast)
        self._plan = Plan(config, self._cast, seed, room.bursts, room.horizon_s)
        self._mood = Mood(self._behaviour.influence, config.viewers)
        self._crowd = Crowd(_COLUMNS) if self._lives and config.viewers > CROWD_FROM else None
        self._due: list[_Due] = []
        self._number = self._block = 0
        self._writers: dict[str, _Writer] = {}
        self._told: dict[str, float] = {}
        self._asked_again: dict[str, float] = {}
        self._gone: set[str] = set()  # left or about to: nobody of them is seen again

    def window(self, room: RoomMoment, dt_s: float) -> Sequence[ViewerAct]:
        """What happens in the next ``dt_s`` seconds."""
        end_s = room.clock_s + dt_s
        while self._block * BLOCK_S <= end_s:
            self._draw(self._plan.block(self._block))
            self._block += 1
        self._mood.shown(room.on_air, room.clock_s)
        acts: list[ViewerAct] = []
        if self._crowd is not None:
            acts.append(self._crowd_moves(self._crowd, room, end_s))
        due = self._due
        while due and due[0].at_s < end_s:
            act = self._happen(heapq.heappop(due), room)
            if act is not None:
                acts.append(act)
        return acts

    def react(self, heard: Heard) -> Sequence[ViewerAct]:
        """Askers who are still there stay longer and buy more after a right, useful and quick answer."""
        wrong = 1.0 - heard.correct if heard.text else 0.0
        fits = any(want.intent is Intent.SIZE for comment in heard.comments for want in comment.wants)
        good = heard.correct * heard.useful * (self._behaviour.fits if fits else 1.0)
        self._mood.heard(heard.done_s, good, wrong, pressure(heard.text))
        acts: list[ViewerAct] = []
        for comment in {c.viewer: c for c in heard.comments}.values():
            writer = self._writers.get(comment.viewer)
            if writer is not None and writer.leave_s > heard.spoken_s and comment.viewer not in self._gone:
                acts.extend(self._answered(comment, writer, heard, wrong))
        return acts

    def _happen(self, due: _Due, room: RoomMoment) -> ViewerAct | None:
        at_s, _, kind, number, what = due
        viewer = name(number)
        if kind == _ENTER:
            return ViewerMove(viewer, MoveKind.ENTER, at_s=at_s)
        if kind == _LEAVE:
            writer = self._writers.pop(viewer, None)
            if writer is None or writer.leave_s <= at_s:
                self._gone.add(viewer)
                return ViewerMove(viewer, MoveKind.LEAVE, at_s=at_s)
            self._writers[viewer] = writer
            self._put(writer.leave_s, _LEAVE, number)
            return None
        if viewer in self._gone:
            return None
        if isinstance(what, _Line):
            if what.leave_s > at_s:
                self._writers.setdefault(viewer, _Writer(number, what.leave_s, what.persona))
            burst = self._plan.rush(at_s) > 1
            return self._tongue.say(viewer, at_s, what.want, what.word, room, burst, what.asks)
        if isinstance(what, _Wish):
            lift = self._mood.at(at_s)
            if room.on_air and what.click < self._cast.click[what.persona] * lift.click:
                self._buy(number, at_s, room.on_air, "", what, 0.0, lift)
            return None
        return what

    def _crowd_moves(self, crowd: Crowd, room: RoomMoment, end_s: float) -> CrowdMove:
        """What the crowd does at once; those who may order get a name."""
        due, lift = crowd.wishes(end_s), self._mood.at(room.clock_s)
        persona = due[:, _PERSONA].astype(np.int64)
        clicks = (due[:, _CLICK] < self._cast.click[persona] * lift.click) & (room.on_air > 0)
        orders = clicks & (due[:, _ORDER] < self._cast.order[persona] * lift.order * RUSH_BUYS)
        carts = clicks & ~orders & (due[:, _CART] < self.config.cart)
        named = due[orders]
        crowd.release(named[:, LEAVE_S])
        for at_s, leave_s, viewer, kind, *draws in named.tolist():
            self._put(at_s, _ENTER, int(viewer))
            self._put(at_s, _WISH, int(viewer), _Wish(leave_s, int(kind), *draws))
            self._put(leave_s, _LEAVE, int(viewer))
        entered, left = crowd.moves(end_s)
        looked = int(clicks.sum()) - len(named)
        return CrowdMove(entered, left, len(named), looked, int(carts.sum()), at_s=room.clock_s)

    def _draw(self, block: Block) -> None:
        """Everything of a block that is seen becomes due; the rest joins the crowd."""
        come, wishes = block.come, block.wishes
        drawn = len(wishes)
        persona = come.persona[:drawn]
        keen = wishes[:, 1] < self._cast.click[persona] * self._mood.most_click
        named = np.ones(len(come), dtype=bool)
        if self._crowd is not None:
            named = block.writes
            which = np.flatnonzero(~named & keen)
            rows = (wishes[which, 0], come.leave_s[which], come.viewer[which], persona[which], *wishes[which, 1:].T)
            self._crowd.add(come.enter_s[~named], come.leave_s[~named], np.stack(rows, axis=1))
        seen = come.only(named)
        self._plan_rows(seen.enter_s, _ENTER, seen.viewer, [None] * len(seen))
        self._plan_rows(seen.leave_s, _LEAVE, seen.viewer, [None] * len(seen))
        which = np.flatnonzero(keen & named[:drawn])
        columns = (come.leave_s[which], persona[which], *wishes[which, 1:].T)
        wanted = list(map(_Wish._make, zip(*(column.tolist() for column in columns), strict=True)))
        self._plan_rows(wishes[which, 0], _WISH, come.viewer[which], wanted)
        lines, there = block.lines, block.there
        places = lines.place
        columns = (there.leave_s[places], there.persona[places], lines.persona, lines.want, lines.word)
        said = list(map(_Line._make, zip(*(column.tolist() for column in columns), strict=True)))
        self._plan_rows(lines.at_s, _LINE, there.viewer[places], said)
        heapq.heapify(self._due)
        self._mood.talk(self._talk(lines.at_s.tolist(), said))

    def _plan_rows(self, at_s: np.ndarray, kind: int, viewer: np.ndarray, what: _Rows) -> None:
        numbers = range(self._number + 1, self._number + 1 + len(at_s))
        rows = zip(at_s.tolist(), numbers, [kind] * len(at_s), viewer.tolist(), what, strict=True)
        self._due.extend(map(_Due._make, rows))
        self._number += len(at_s)

    def _talk(self, at_s: Sequence[float], lines: Sequence[_Line]) -> list[Talk]:
        """What is written in each cell of the block that is drawn now."""
        cells = [[0.0, 0.0, 0.0] for _ in range(int(BLOCK_S / CELL_S))]
        for when_s, line in zip(at_s, lines, strict=True) if self._lives else ():
            cell = cells[min(int((when_s - self._block * BLOCK_S) / CELL_S), len(cells) - 1)]
            intent = self._tongue.intent(line.want, line.asks, self._plan.rush(when_s) > 1)
            cell[0] += 1
            cell[1] += intent is Intent.PARTICIPATION
            cell[2] += intent in (Intent.COMPARISON, Intent.AFTER_SALES)
        return [Talk(*cell) for cell in cells]

    def _buy(self, viewer: int, at_s: float, link: int, option: str, wish: _Wish, effect: float, lift: Lift) -> None:
        """Somebody opens an item's page; what follows is decided now and happens in the next seconds.

        ``effect`` is that of an answer they were given, 0 where they did not ask.
        """
        config, traits, who = self.config, self._cast.traits[wish.persona], name(viewer)
        order = self._cast.order[wish.persona] * (1.0 + self._behaviour.answer_orders * effect) * lift.order
        if self._cast.is_a(wish.persona, Persona.BARGAIN):
            order *= RUSH_BUYS if self._plan.rush(at_s) > 1 else CALM_BUYS
        ordered = wish.order < order
        paid = ordered and wish.pay < config.pay
        back = return_share(self._category.get(link, "")) * traits.back * lift.back * self._told.get(who, 1.0)
        returned = paid and Dice(self._seed ^ zlib.crc32(f"{who} {at_s}".encode())).chance(min(back, MOST_BACK))
        carted = wish.cart < config.cart * (1.0 + effect)
        steps = (
            (MoveKind.CLICK, 0.0, True),
            (MoveKind.CART, 2.0, carted),
            (MoveKind.ORDER, 4.0, ordered),
            (MoveKind.PAY, 6.0, paid),
            (MoveKind.RETURN, 6.0, returned),
        )
        for kind, after_s, done in steps:
            if done:
                self._put(at_s + after_s, _MOVE, viewer, ViewerMove(who, kind, link, option, at_s=at_s + after_s))
        writer = self._writers.get(who, _Writer(viewer, wish.leave_s, wish.persona))
        self._writers[who] = writer._replace(leave_s=max(writer.leave_s, at_s + BUYING_S))  # nobody leaves in between

    def _put(self, at_s: float, kind: int, viewer: int, what: _Wish | ViewerMove | None = None) -> None:
        self._number += 1
        heapq.heappush(self._due, _Due(at_s, self._number, kind, viewer, what))

    def _answered(self, comment: ViewerComment, writer: _Writer, heard: Heard, wrong: float) -> Sequence[ViewerAct]:
        """What one asker does about the answer."""
        config, behaviour, viewer = self.config, self._behaviour, comment.viewer
        traits = self._cast.traits[writer.persona]
        dice = Dice(self._seed ^ zlib.crc32(f"{viewer} {heard.request}".encode()))
        # every draw is made whatever the answer was, so that runs which differ in it stay paired
        click, cart, order, pay, go, again, wait = (dice.share() for _ in range(7))
        good = heard.correct * heard.useful
        patience_s = behaviour.patience_s * traits.patience
        effect = good * math.exp(-max(0.0, heard.spoken_s - heard.asked_s) / patience_s)
        self._stay(viewer, writer.leave_s + behaviour.stay_longer_s * effect)
        effect *= traits.credit * (behaviour.fits if comment.intent is Intent.SIZE else 1.0)
        influence = behaviour.influence
        self._told[viewer] = math.exp(influence.misled * wrong - influence.informed * min(1.0, effect))
        clicks = self._cast.click[writer.persona] * (1.0 + behaviour.answer_clicks * effect)
        if comment.link is not None and click < min(1.0, clicks):
            lift = self._mood.at(heard.spoken_s)
            wish = _Wish(self._writers[viewer].leave_s, writer.persona, click, cart, order, pay)
            option = str(comment.slots.get("option", ""))
            self._buy(writer.number, heard.done_s + 1.0, comment.link, option, wish, effect, lift)
        at_s = heard.done_s + 1.0 + 4.0 * wait
        if good >= 0.5 or comment.intent not in ASKED_AGAIN:
            return self._other(comment, at_s, again, dice) if self._changes_mind(writer) else ()
        eager = config.follow_up_share * (1.5 if traits.patience < 1 else 1.0)
        if again < eager and viewer not in self._asked_again:
            self._asked_again[viewer] = at_s
            complains = wrong > 0.5 and again < eager * behaviour.complaint_share
            word = comments.complain if complains else comments.follow_up
            text = word(comment.text, dice, config.wording)
            self._stay(viewer, max(self._writers[viewer].leave_s, at_s + 10.0))
            return (ViewerComment(viewer, text, comment.intent, comment.link, comment.slots, at_s, comment.more),)
        if self._lives and go < behaviour.give_up_share:
            self._gone.add(viewer)
            return (ViewerMove(viewer, MoveKind.LEAVE, at_s=max(heard.done_s, self._asked_again.get(viewer, 0.0))),)
        return ()

    def _changes_mind(self, writer: _Writer) -> bool:
        return self._cast.is_a(writer.persona, Persona.CONTRADICTORY)

    def _other(self, comment: ViewerComment, at_s: float, again: float, dice: Dice) -> Sequence[ViewerAct]:
        """A contradictory viewer, once answered, means another item."""
        if again >= 0.5 or comment.viewer in self._asked_again:
            return ()
        self._asked_again[comment.viewer] = at_s
        line = self._tongue.another(comment, at_s, dice)
        if line is None:
            return ()
        self._stay(comment.viewer, max(self._writers[comment.viewer].leave_s, at_s + 10.0))
        return (line,)

    def _stay(self, viewer: str, until_s: float) -> None:
        self._writers[viewer] = self._writers[viewer]._replace(leave_s=until_s)
