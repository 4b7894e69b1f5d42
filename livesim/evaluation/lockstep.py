"""Plays many episodes at once: each asks for its next turn, and steps its env as soon as that turn is there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from livesim.errors import CompletionError, LiveSimError
from livesim.evaluation.changes import changes
from livesim.evaluation.records import CallLine, Record, Status, StepLine
from livesim.evaluation.suites import Case, stream_of
from livesim.harness import shelf
from livesim.harness.augment import Variant
from livesim.harness.codec import kept
from livesim.sight import Sight
from livesim.types import Agent, Completer, Conversation, JsonValue, Turn
from rewards.recovery import outcome
from rewards.signals import Signals
from rewards.stored import plain

Info: TypeAlias = dict[str, Any]  # Gymnasium's own type of an info


class Room(Protocol):
    """What is used of ``LiveStreamEnv``."""

    signals: Signals | None
    variant: Variant

    @property
    def clock_s(self) -> float:
        """Stream seconds since the start."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Info]:
        """Start an episode."""

    def step(self, action: Turn) -> tuple[Any, Any, bool, bool, Info]:
        """One assistant turn."""

    def sight(self) -> Sight:
        """The hidden half of the open request."""

    def close(self) -> None:
        """Free what the env holds."""


class Engine(Completer, Protocol):
    """A completer that takes up new conversations while it still works on others."""

    def submit(self, conversation: Conversation, *, seed: int | None = None) -> int:
        """Take up a conversation; the ticket that its completion will come back with."""

    def collect(self) -> dict[int, str]:
        """Completions that are there by now, by ticket: at least one while any is open. Raises CompletionError."""


@dataclass(slots=True)
class Live:
    """An episode that is being played."""

    case: Case
    room: Room
    messages: Conversation
    tools: Sequence[Mapping[str, JsonValue]]
    info: Info
    opened_wall_s: float
    opened_stream_s: float
    steps: tuple[StepLine, ...] = ()
    reward: float = 0.0


class Host(Protocol):
    """Whoever takes the turns: ``width`` episodes at a time."""

    name: str
    width: int

    def ask(self, asker: Live) -> None:
        """Ask for the next turn of an open episode."""

    def answered(self) -> Sequence[tuple[Live, Turn | CompletionError]]:
        """The turns that are there by now, or why there is none; at least one while any is asked for."""


class Asker(Protocol):
    """Whoever waits for the next turn of a conversation: an episode, or a bare prompt."""

    @property
    def messages(self) -> Conversation:
        """The conversation so far."""


A = TypeVar("A", bound=Asker)


class AgentHost:
    """An agent; it may keep state over a whole episode, so it plays one at a time."""

    width = 1

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.name = agent.name
        self._asked: list[Live] = []

    def ask(self, asker: Live) -> None:
        """Remember who asks."""
        self._asked.append(asker)

    def answered(self) -> list[tuple[Live, Turn | CompletionError]]:
        """The agent's turn; a sighted one looks first."""
        asked, self._asked = self._asked, []
        return [(live, self._turn(live)) for live in asked]

    def _turn(self, live: Live) -> Turn | CompletionError:
        if not live.steps:
            self.agent.reset(live.case.seed)
        see = getattr(self.agent, "see", None)
        if self.agent.sighted and see is not None:
            see(live.room.sight())
        try:
            return self.agent.act(live.messages, live.tools)
        except CompletionError as error:
            return error


class BatchHost(Generic[A]):
    """An in-process engine: who has ended makes room in its batch for the next, nobody waits for the slowest."""

    def __init__(self, engine: Engine, width: int) -> None:
        self.engine = engine
        self.name = engine.name
        self.width = width
        self._asked: dict[int, A] = {}

    def ask(self, asker: A) -> None:
        """Into the engine's batch."""
        self._asked[self.engine.submit(asker.messages)] = asker

    def answered(self) -> list[tuple[A, str | CompletionError]]:
        """Whatever has ended; when the engine fails, everything that was asked for is lost."""
        try:
            return [(self._asked.pop(ticket), text) for ticket, text in self.engine.collect().items()]
        except CompletionError as error:
            asked, self._asked = self._asked, {}
            return [(asker, error) for asker in asked.values()]


class ThreadHost(Generic[A]):
    """A completer asked once for each conversation, in threads (an endpoint); one failure loses one turn.

    The threads are daemons: a run that is stopped does not wait for answers that are still under way.
    """

    def __init__(self, completer: Completer, width: int) -> None:
        self.completer = completer
        self.name = completer.name
        self.width = width
        self._done: SimpleQueue[tuple[A, str | BaseException]] = SimpleQueue()

    def ask(self, asker: A) -> None:
        """In a thread of its own; the caller keeps to ``width``."""
        Thread(target=self._answer, args=(asker,), daemon=True).start()

    def answered(self) -> list[tuple[A, str | CompletionError]]:
        """Whatever has come. Raises what a completer raised that is no CompletionError."""
        ended = [self._done.get()]
        while not self._done.empty():
            ended.append(self._done.get())
        return [(asker, _expected(answer)) for asker, answer in ended]

    def _answer(self, asker: A) -> None:
        try:
            self._done.put((asker, self.completer.complete([asker.messages])[0]))
        except BaseException as error:  # whatever it is, the one who waits must hear of it
            self._done.put((asker, error))


def _expected(answer: str | BaseException) -> str | CompletionError:
    if isinstance(answer, str | CompletionError):
        return answer
    raise answer


def play(cases: Sequence[Case], host: Host, make: Callable[[], Room]) -> Iterator[list[Record]]:
    """Play the cases, ``host.width`` at a time; yields the records of each round in which some ended.

    Args:
        cases: in order of starting.
        host: takes the turns.
        make: a fresh env that serves one request an episode; envs are used again.
    """
    waiting = list(reversed(cases))
    free: list[Room] = []
    rooms: list[Room] = []
    going = 0
    try:
        while waiting or going:
            while waiting and going < host.width:
                if not free:
                    free.append(make())
                    rooms.append(free[-1])
                host.ask(_open(waiting.pop(), free.pop()))
                going += 1
            ended: list[Record] = []
            for episode, turn in host.answered():
                record = _advance(episode, turn)
                if record is None:
                    host.ask(episode)
                else:
                    ended.append(record)
                    free.append(episode.room)
                    going -= 1
            if ended:
                yield ended
    finally:
        for room in rooms:
            room.close()


def options(case: Case) -> dict[str, object]:
    """The options of ``env.reset`` for a case."""
    chosen: dict[str, object] = {
        "scenario": stream_of(case),
        "harness": case.harness,
        "augment": case.augment,
        "harness_seed": case.harness_seed,
        "faults": case.faults,
    }
    return {name: value for name, value in chosen.items() if value is not None}


def _open(case: Case, room: Room) -> Live:
    _, info = room.reset(seed=case.seed, options=options(case))
    return Live(
        case=case,
        room=room,
        messages=info["messages"],
        tools=info["tools"],
        info=info,
        opened_wall_s=time.perf_counter(),
        opened_stream_s=room.clock_s,
    )


def _advance(live: Live, turn: Turn | CompletionError) -> Record | None:
    """Step one env; the record when its request is over or cannot go on."""
    if isinstance(turn, CompletionError):
        return _record(live, status=Status.INFRASTRUCTURE_ERROR, error=str(turn))
    _, reward, terminated, truncated, info = live.room.step(turn)
    live.reward += float(reward)
    # Built from the step's own messages: once the request is closed an env may show the next one's conversation.
    said = {"role": "assistant", "content": kept(turn)}
    live.messages = [*live.messages, said, *info["new_messages"]]
    live.info = info
    done = info["request_done"] or terminated or truncated
    calls = live.room.signals.calls if done and live.room.signals else live.room.sight().calls
    seen = sum(len(step.calls) for step in live.steps)
    step = StepLine(str(info["outcome"]), str(info["segment"]), tuple(range(seen, len(calls))))
    live.steps = (*live.steps, step)
    return _closed(live) if done else None


def _closed(live: Live) -> Record:
    signals, info = live.room.signals, live.info
    if signals is None or "heads" not in info:
        raise LiveSimError(f"case {live.case.id!r} of {live.case.suite} ended without heads: {info.get('end')!r}")
    heads = dict(info["heads"])
    calls = tuple(
        CallLine(c.tool, dict(c.arguments), c.ok, str(c.error or ""), str(c.fault or "")) for c in signals.calls
    )
    return _record(
        live,
        heads=heads,
        reasons={head: tuple(why) for head, why in info["reasons"].items()},
        request_end=str(info["request_end"]),
        reply=signals.reply,
        comments=signals.comments,
        intents=tuple(need.intent for need in signals.needs),
        calls=calls,
        skills_loaded=signals.skills_loaded,
        recovery=outcome(signals, accuracy=heads["accuracy"], effectiveness=heads["effectiveness"]),
        stream_s=live.room.clock_s - live.opened_stream_s,
        signals=plain(signals),
    )


def _record(live: Live, **found: Any) -> Record:
    case = live.case
    return Record(
        id=case.id,
        suite=case.suite,
        task=case.task,
        seed=case.seed,
        dimension=case.dimension,
        variant=case.variant,
        reward=live.reward,
        steps=live.steps,
        harness=live.room.variant.state.hash,
        changes=() if live.room.variant.original else changes(shelf.load(case.harness), live.room.variant.state),
        draws=dict(live.room.variant.count()) if case.augment else {},
        wall_s=time.perf_counter() - live.opened_wall_s,
        messages=tuple(dict(message) for message in live.messages),
        **found,
    )
