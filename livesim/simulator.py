"""``Simulator``: one stream in motion; calls, replies and time become events, comments become requests."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace

from livesim.errors import LiveSimError
from livesim.scenarios.beats import Beat
from livesim.scenarios.edits import HarnessEdit
from livesim.scenarios.opening import BURST_LEAD_S, BURST_TAIL_S, open_stream, room_info
from livesim.scenarios.schedule import Schedule
from livesim.scenarios.script import Scenario
from livesim.seeding import derive
from livesim.tools.faults import FaultConfig, FaultInjector, resolve
from livesim.tools.shop import ShopView
from livesim.tools.toolbox import Toolbox
from livesim.types import Comment, Request, ToolCall, ToolResult
from livesim.world import events as ev
from livesim.world import rules
from livesim.world.audience import MAX_TEXT, ViewerSource, guarded
from livesim.world.events import Event
from livesim.world.facts import facts, minutes_left
from livesim.world.needs import asked_about, attended, needs_for
from livesim.world.promotions import flash_windows
from livesim.world.purchases import click_events, order_events, pay_events, return_events
from livesim.world.serving import Serving, discipline, oldest
from livesim.world.state import Stream
from livesim.world.viewers import CrowdMove, Heard, MoveKind, RoomMoment, ViewerAct, ViewerComment, ViewerMove
from livesim.world.waiting import QueueCounts, Waiting
from rewards.signals import Breach, Fact, Need

STEP_S = 5.0
"""A silent room is advanced in steps of so many seconds until somebody writes."""

WORDS_PER_S = 2.5
"""How fast a host speaks English: 150 words a minute."""

SHOP_EVENTS = (
    ev.OrderPlaced,
    ev.StockSet,
    ev.PromotionStarted,
    ev.PromotionEnded,
    ev.PromotionExhausted,
    ev.PriceCorrected,
    ev.ItemDelisted,
)
"""Events after which other facts are true; besides these only the clock makes a difference."""

SKIPPED = "skipped"
"""Reason of ``close`` for a request that was never put to the host; viewers don't react to it."""


@dataclass(frozen=True, slots=True)
class Pending:
    """An open request: its public half, and the hidden needs behind it."""

    request: Request
    needs: tuple[Need, ...]


class Simulator:
    """One stream of a scenario.

    Same scenario, seed, viewers and calls: same events, in any process. Faults draw from a stream of their own, so
    switching them on moves no viewer.

    Args:
        scenario: the stream as data.
        seed: any int.
        viewers: who plays the audience: a name, ``"module:Class"``, a factory, an instance; None: what the scenario
            says, drawn from its numbers where it says nothing.
        faults: a preset's name or a config; None: the scenario's own.
        toolbox: tools of your own beside the built-in ones.
        serve: whom the host answers next; see ``world.serving``.

    Raises:
        ViewerError: ``viewers`` is none, or raised while it was set up; later, when it returns rubbish.
        ServingError: the same of ``serve``.
        ConfigError: no such fault preset, or a fault for a tool that does not exist.
    """

    def __init__(
        self,
        scenario: Scenario,
        seed: int,
        *,
        viewers: ViewerSource = None,
        faults: FaultConfig | str | None = None,
        toolbox: Toolbox | None = None,
        serve: str | Serving = oldest,
    ) -> None:
        self.scenario, self._serve = scenario, discipline(serve)
        self.seed = seed
        self.stream: Stream = open_stream(scenario, seed)
        self.events: list[Event] = []
        self.law = rules.profile(scenario.platform)
        self._toolbox = toolbox or Toolbox()
        config = scenario.fault_config if faults is None else resolve(faults)
        self._toolbox.check(config)
        info = room_info(scenario, self.stream)
        busy = [(burst.start_s, burst.end_s) for burst in info.bursts]
        busy += flash_windows(self.stream.promotions, BURST_LEAD_S, BURST_TAIL_S)
        self._injector = FaultInjector(config, seed, busy)
        self._audience = guarded(scenario.audience() if viewers is None else viewers, scenario.viewers)
        self._audience.reset(derive(seed, "viewers"), info)
        self._schedule = Schedule(scenario, self.stream)
        self._later: list[tuple[float, int, ViewerAct]] = []
        self._waiting = Waiting(scenario.merge_s, scenario.merge_max, scenario.stale_s)
        self._open: tuple[Pending, tuple[ViewerComment, ...]] | None = None
        self._requests = self._acts = 0
        self._shop_events = 0
        self._truth: tuple[object, object, tuple[Fact, ...]] | None = None
        self._checked: tuple[tuple[str, rules.Profile], tuple[Fact, ...], tuple[Breach, ...]] | None = None
        self._beats()

    @property
    def clock_s(self) -> float:
        """Stream time, seconds since the start."""
        return self.stream.clock_s

    @property
    def cut(self) -> bool:
        """The platform cut the stream."""
        return self.stream.cut

    @property
    def over(self) -> bool:
        """The horizon is reached, or the stream was cut."""
        return self.stream.cut or self.stream.clock_s >= self.scenario.horizon_s

    @property
    def pending(self) -> Pending | None:
        """The open request."""
        return None if self._open is None else self._open[0]

    @property
    def queue(self) -> QueueCounts:
        """What became of the viewers' comments so far."""
        return self._waiting.counts

    def next_request(self) -> Pending | None:
        """The next request; time passes until there are comments. None when the stream is over first.

        Raises:
            LiveSimError: the last request is still open.
        """
        if self._open is not None:
            raise LiveSimError(f"request {self._open[0].request.id} is open; speak or close first")
        while not self.over:
            ready_s = self._waiting.ready_s(self.clock_s)
            if ready_s is not None and ready_s <= self.clock_s:
                return self._merge()
            self.spend(STEP_S if ready_s is None else ready_s - self.clock_s)
        return None

    def call(self, call: ToolCall) -> ToolResult:
        """The result of a tool call; its latency passes. Nothing a model wrote makes it raise."""
        now = self.stream
        shop = ShopView(
            catalog=now.catalog,
            stock=now.stock,
            promotions=now.promotions,
            clock_s=now.clock_s,
            used=now.used,
            orders=now.orders,
            pushed=list(now.pushed),
            handoffs=list(now.handoffs),
        )
        pushed, handoffs = len(shop.pushed), len(shop.handoffs)
        result = self._toolbox.call(call, shop, self._injector)
        for link in shop.pushed[pushed:]:
            self._apply(ev.CardPushed(now.clock_s, link))
        for reason in shop.handoffs[handoffs:]:
            self._apply(ev.HandedOff(now.clock_s, reason))
        self.spend(result.latency_s)
        if result.error is None:
            self._schedule.called(call.tool, self.clock_s)
            self._beats()
        return result

    @property
    def edits(self) -> tuple[HarnessEdit, ...]:
        """Edits of the harness that happened so far, oldest first."""
        beats = self.scenario.beats
        return tuple(beat.edit for beat in (beats[at] for at in self.stream.edits) if beat.kind == "harness_edit")

    @property
    def waiting(self) -> tuple[Beat, ...]:
        """Conditional beats whose condition was not met so far."""
        return self._schedule.waiting

    def spend(self, seconds: float) -> None:
        """Let time pass, at most to the horizon: beats and viewers happen in it."""
        end_s = min(self.clock_s + max(0.0, seconds), self.scenario.horizon_s)
        while self.clock_s < end_s:
            beat_s = self._schedule.next_s
            next_s = end_s if beat_s is None else min(end_s, beat_s)
            self._window(next_s)
            self._apply(ev.ClockMoved(next_s))
            self._beats()

    def truth(self) -> tuple[Fact, ...]:
        """Everything that is true in this second and could be asked about, sizes of the open request included."""
        now = self.stream
        moment = (now.clock_s, self._shop_events, self._requests, self._open is None)
        if self._truth is not None and self._truth[0] == moment:
            return self._truth[2]
        bodies, quantities = asked_about(() if self._open is None else self._open[1])
        running = tuple(p for p in now.promotions if p.active(now.clock_s, now.used))
        minutes = tuple(minutes_left(p.ends_s, now.clock_s) for p in running if p.ends_s is not None)
        key = (self._shop_events, running, minutes, bodies, quantities)
        known = self._truth[2] if self._truth is not None and self._truth[1] == key else None
        if known is None:
            known = facts(
                now.catalog,
                now.stock,
                now.promotions,
                now.clock_s,
                now.used,
                orders=now.orders,
                quantities=quantities,
                bodies=bodies,
            )
        self._truth = (moment, key, known)
        return known

    def check(self, reply: str) -> tuple[Breach, ...]:
        """The platform's rules that this reply would break if it were spoken now."""
        law = replace(self.law, autonomous=True) if self.stream.attended else self.law
        truth = self.truth()
        if self._checked is None or self._checked[0] != (reply, law) or self._checked[1] is not truth:
            private = tuple(text for order in self.stream.orders for text in order.private)
            offered = tuple(product.title for product in self.stream.catalog.products)
            breaches = rules.check(reply, law, truth, private=private, offered=offered)
            self._checked = ((reply, law), truth, breaches)  # whoever speaks asks twice: to judge and to note
        return self._checked[2]

    def speak(self, reply: str, *, correct: float, useful: float, lasts_s: float | None = None) -> tuple[Event, ...]:
        """Say the reply to the open request: breaches are noted, the request is closed, viewers react.

        The caller lets the speaking time pass (``spend``); reactions come after it.

        Args:
            reply: what is spoken.
            correct: accuracy, 0 or 1.
            useful: effectiveness, 0 to 1.
            lasts_s: how long it takes; None: by ``WORDS_PER_S``.

        Returns:
            The events of this moment.

        Raises:
            LiveSimError: no request is open.
        """
        pending, comments = self._require_open()
        lasts_s = len(reply.split()) / WORDS_PER_S if lasts_s is None else lasts_s
        first, start_s = len(self.events), self.clock_s
        breaches = self.check(reply)
        self._apply(ev.Spoken(start_s, reply, lasts_s))
        self._waiting.answered(comments, start_s)
        for breach in breaches:
            self._apply(ev.RuleBroken(start_s, breach))
        if self.stream.points >= self.law.cut_points:
            self._apply(ev.StreamCut(start_s))
        self._finish(
            "replied",
            Heard(
                request=pending.request.id,
                text=reply,
                comments=comments,
                correct=correct,
                useful=useful,
                asked_s=float(comments[0].at_s or 0.0),
                spoken_s=start_s,
                done_s=start_s + lasts_s,
            ),
        )
        self._schedule.replied(self.clock_s)
        self._beats()
        return tuple(self.events[first:])

    def close(self, reason: str) -> tuple[Event, ...]:
        """End the open request without a reply; ``reason`` is a ``RequestEnd`` or ``SKIPPED``.

        Raises:
            LiveSimError: no request is open.
        """
        pending, comments = self._require_open()
        first, now_s = len(self.events), self.clock_s
        heard = None
        if reason != SKIPPED:
            heard = Heard(pending.request.id, "", comments, 0.0, 0.0, float(comments[0].at_s or 0.0), now_s, now_s)
        self._finish(reason, heard)
        return tuple(self.events[first:])

    def skip(self, requests: int) -> None:
        """Let so many requests pass unanswered, or all there are."""
        for _ in range(requests):
            if self.next_request() is None:
                break
            self.close(SKIPPED)

    def _apply(self, event: Event) -> None:
        self.stream.apply(event)
        self.events.append(event)
        if isinstance(event, SHOP_EVENTS):
            self._shop_events += 1

    def _require_open(self) -> tuple[Pending, tuple[ViewerComment, ...]]:
        if self._open is None:
            self._audience.check()  # whose failure may be why none is open
            self._waiting.check()
            raise LiveSimError("no request is open; call next_request first")
        return self._open

    def _finish(self, reason: str, heard: Heard | None) -> None:
        pending, _ = self._require_open()
        self._apply(ev.RequestClosed(self.clock_s, pending.request.id, reason))
        self._open = None
        if heard is not None:
            for at_s, act in self._audience.react(heard, self.stream.catalog.links):
                self._acts += 1
                heapq.heappush(self._later, (at_s, self._acts, act))

    def _beats(self) -> None:
        for event in self._schedule.due(self.stream):
            self._apply(event)

    def _window(self, end_s: float) -> None:
        """Everything that viewers do until ``end_s``, in order of time."""
        start_s = self.clock_s
        moment = RoomMoment(start_s, self.stream.on_air, self.stream.catalog.links)
        acts = self._audience.window(moment, end_s - start_s)
        if self._later and self._later[0][0] < end_s:
            while self._later and self._later[0][0] < end_s:
                at_s, _, act = heapq.heappop(self._later)
                acts.append((max(at_s, start_s), act))
            acts.sort(key=lambda pair: pair[0])
        for at_s, act in acts:
            if isinstance(act, ViewerComment):
                self._comment(at_s, act)
            elif isinstance(act, CrowdMove):
                self._crowd(at_s, act)
            else:
                self._move(at_s, act)

    def _comment(self, at_s: float, comment: ViewerComment) -> None:
        self._enter(at_s, comment.viewer)
        text = comment.text[:MAX_TEXT]
        self._apply(ev.Commented(at_s, comment.viewer, text))
        timed = ViewerComment(comment.viewer, text, comment.intent, comment.link, comment.slots, at_s, comment.more)
        self._waiting.add(at_s, timed)

    def _move(self, at_s: float, move: ViewerMove) -> None:
        now, viewer = self.stream, move.viewer
        if move.kind is MoveKind.LEAVE:
            if viewer in now.viewers:
                self._apply(ev.ViewerLeft(at_s, viewer))
            return
        self._enter(at_s, viewer)
        if move.kind in (MoveKind.CLICK, MoveKind.CART):
            events = click_events(move, now, at_s)
        elif move.kind is MoveKind.ORDER:
            events = order_events(move, now, at_s)
        elif move.kind is MoveKind.PAY:
            events = pay_events(move, now, at_s)
        elif move.kind is MoveKind.RETURN:
            events = return_events(move, now, at_s)
        else:
            return
        for event in events:
            self._apply(event)

    def _crowd(self, at_s: float, act: CrowdMove) -> None:
        named = min(act.named, self.stream.crowd + act.entered)
        left = min(act.left, self.stream.crowd + act.entered - named)
        self._apply(ev.CrowdMoved(at_s, act.entered, left, named, act.clicks, act.carts))

    def _enter(self, at_s: float, viewer: str) -> None:
        if viewer not in self.stream.viewers:
            self._apply(ev.ViewerEntered(at_s, viewer))

    def _merge(self) -> Pending:
        """The waiting comments of one window become a request."""
        taken, joined = self._waiting.take(self.clock_s, self._serve)
        self._requests += 1
        self._schedule.opened(self.clock_s)
        self._beats()
        self.law = rules.profile(self.stream.platform)
        lines = tuple(Comment(c.viewer, c.text, round(float(c.at_s or 0.0), 3)) for c in taken)
        request = Request(f"r{self._requests}", lines, round(self.clock_s, 3))
        self._apply(ev.RequestOpened(self.clock_s, request.id))
        needs = needs_for((want for comment in taken for want in comment.wants), self.stream)
        if not self.law.autonomous and not self.stream.attended:
            needs = attended(needs)
        pending = Pending(request, needs)
        self._open = (pending, (*taken, *joined))
        return pending
