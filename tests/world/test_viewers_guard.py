"""A user's viewer that raises, hangs or returns rubbish is named, and nothing of it stays behind."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
import textwrap
import threading
import time
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from livesim.errors import ViewerError
from livesim.scenarios.library import load
from livesim.simulator import Simulator
from livesim.types import Intent
from livesim.world.audience import Guarded, guarded
from livesim.world.parametric import ParametricViewers
from livesim.world.viewers import (
    Heard,
    ItemInfo,
    MoveKind,
    RoomInfo,
    RoomMoment,
    ViewerComment,
    ViewerConfig,
    ViewerMove,
    Want,
)
from livesim.world.viewing.deadline import DeadlineError, Worker

ROOM = RoomInfo((ItemInfo(2, "linen shirt", "clothing"),), 2, 60.0)
NOW = RoomMoment(0.0, 2, (2,))
HEARD = Heard("r1", "", (), 0.0, 0.0, 1.0, 2.0, 3.0)


class Odd:
    """A plug-in with one behaviour."""

    deadline_s = 0.2

    def __init__(self, act: Callable[[], Any] = tuple, reset: Callable[[], Any] = tuple) -> None:
        self.act, self.start = act, reset
        self.threads: set[int] = set()

    def reset(self, seed: int, room: RoomInfo) -> None:
        self.threads.add(threading.get_ident())
        self.start()

    def window(self, room: RoomMoment, dt_s: float) -> Any:
        self.threads.add(threading.get_ident())
        return self.act()

    def react(self, heard: Heard) -> Any:
        return self.act()


def spin() -> None:
    while True:
        pass


def threads_of(name: str) -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == f"viewers {name}"]


def gone(name: str) -> bool:
    gc.collect()  # what a test caught may hold on to a guard
    end_s = time.monotonic() + 5
    while threads_of(name) and time.monotonic() < end_s:
        time.sleep(0.01)
    return not threads_of(name)


@pytest.mark.parametrize("hang", [spin, lambda: time.sleep(1.5)], ids=["loop", "sleep"])
@pytest.mark.parametrize("method", ["reset", "window", "react"])
def test_a_viewer_that_hangs_is_named_after_its_deadline_and_its_thread_ends(
    method: str, hang: Callable[[], Any]
) -> None:
    odd = Odd(act=hang, reset=hang if method == "reset" else tuple)
    guard = Guarded(odd)
    start_s = time.monotonic()
    calls: dict[str, Callable[[], object]] = {
        "reset": lambda: guard.reset(1, ROOM),
        "window": lambda: guard.window(NOW, 1.0),
        "react": lambda: guard.react(HEARD, (2,)),
    }
    with pytest.raises(ViewerError, match=rf"Odd\.{method} gave no answer within 0\.2 s"):
        calls[method]()
    assert time.monotonic() - start_s < 1.2
    assert gone("Odd")


class Endless(Sequence[ViewerComment]):
    """A sequence that never ends; looking at it is part of the deadline."""

    def __len__(self) -> int:
        return 10

    def __getitem__(self, at: Any) -> Any:
        time.sleep(0.001)
        return ViewerComment("mia", "hi", Intent.GREETING)


class Mean(ViewerComment):
    """An act that raises when it is looked at."""

    @property
    def wants(self) -> Any:
        raise ValueError("don't look")

    def __repr__(self) -> str:
        raise ValueError("don't look")


def boom() -> Any:
    raise ValueError("boom")


FAILURES: dict[str, tuple[Callable[[], Any], str]] = {
    "raises": (boom, r"Odd\.window raised ValueError: boom"),
    "exits": (lambda: sys.exit(3), r"Odd\.window raised RuntimeError: SystemExit: 3"),
    "endless": (Endless, r"Odd\.window gave no answer"),
    "generator": (lambda: (x for x in ()), r"Odd\.window returned no list or tuple"),
    "bytes": (lambda: b"hi", r"Odd\.window returned no list or tuple"),
    "mean": (lambda: [Mean("mia", "hi", Intent.GREETING)], r"an act of type Mean: ValueError: don't look"),
    "torn text": (lambda: [ViewerComment("mia", "\ud800", Intent.GREETING)], "valid Unicode"),
    "more": (lambda: [ViewerComment("mia", "hi", Intent.GREETING, more=None)], "tuple of Want"),  # type: ignore[arg-type]
    "slots": (lambda: [ViewerComment("mia", "hi", Intent.SIZE, 2, {"height_cm": "tall"})], "height_cm must be a whole"),
    "no slots": (lambda: [ViewerComment("mia", "hi", Intent.PRICE, 2, None)], "slots must be a mapping"),  # type: ignore[arg-type]
    "quantity": (lambda: [ViewerComment("mia", "hi", Intent.PRICE, 2, {"quantity": 10**9})], "from 1 to 99"),
    "link": (lambda: [ViewerComment("mia", "hi", Intent.PRICE, True)], "link must be a whole number"),
    "second want": (
        lambda: [ViewerComment("mia", "hi", Intent.GREETING, more=(Want(Intent.PRICE),))],
        "needs the link of an item",
    ),
    "move": (lambda: [ViewerMove("mia", MoveKind.ORDER, 2, quantity=0)], "quantity a whole number from 1"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_rubbish_and_exceptions_are_named(name: str) -> None:
    act, words = FAILURES[name]
    with pytest.raises(ViewerError, match=words):
        Guarded(Odd(act)).window(NOW, 1.0)
    assert gone("Odd")


def test_after_a_failure_everything_fails_in_the_same_way_until_the_next_reset() -> None:
    odd = Odd(boom)
    guard = Guarded(odd)
    for _ in range(3):
        with pytest.raises(ViewerError, match="boom"):
            guard.window(NOW, 1.0)
    odd.act = tuple
    with pytest.raises(ViewerError, match="boom"):
        guard.react(HEARD, (2,))
    guard.reset(1, ROOM)
    assert guard.window(NOW, 1.0) == []


def test_one_thread_serves_all_calls_and_ends_with_the_guard() -> None:
    assert gone("Odd")
    odd = Odd()
    guard = Guarded(odd)
    guard.reset(1, ROOM)
    for _ in range(20):
        guard.window(NOW, 1.0)
    assert len(odd.threads) == 1
    assert threading.get_ident() not in odd.threads
    assert len(threads_of("Odd")) == 1
    del guard
    assert gone("Odd")


def test_shipped_viewers_run_in_the_callers_thread() -> None:
    guard = Guarded(ParametricViewers())
    guard.reset(1, ROOM)
    guard.window(NOW, 5.0)
    assert not threads_of("ParametricViewers")


def test_a_subclass_of_a_shipped_viewer_is_somebodys_own() -> None:
    class Slow(ParametricViewers):
        deadline_s = 0.1

        def window(self, room: RoomMoment, dt_s: float) -> Any:
            spin()

    guard = Guarded(Slow())
    guard.reset(1, ROOM)
    with pytest.raises(ViewerError, match=r"Slow\.window gave no answer"):
        guard.window(NOW, 1.0)


@pytest.mark.parametrize("deadline_s", [0, -1, float("nan"), float("inf"), "5", True])
def test_a_deadline_must_be_a_number_of_seconds(deadline_s: Any) -> None:
    odd = Odd()
    odd.deadline_s = deadline_s
    with pytest.raises(ViewerError, match=r"Odd\.deadline_s"):
        Guarded(odd)


def test_a_stream_whose_viewers_fail_ends_with_their_name() -> None:
    calls: Iterator[tuple[()]] = iter([(), (), ()])
    simulator = Simulator(load("tiny"), 1, viewers=lambda: Odd(lambda: next(calls)))
    for _ in range(2):
        with pytest.raises(ViewerError, match=r"Odd\.window raised StopIteration"):
            simulator.next_request()
    assert gone("<lambda>")


class Attached:
    """A plug-in that belongs to the thread it was made in, as a connection of sqlite3 does."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()

    def reset(self, seed: int, room: RoomInfo) -> None:
        assert threading.get_ident() == self.thread

    def window(self, room: RoomMoment, dt_s: float) -> Any:
        assert threading.get_ident() == self.thread
        return ()

    react = window


@pytest.mark.parametrize("source", [Attached, lambda: Attached(), "attached_viewers:Attached"])
def test_a_plug_in_is_made_and_asked_in_one_thread(source: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("attached_viewers")
    module.Attached = Attached  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "attached_viewers", module)
    guard = guarded(source, ViewerConfig())
    guard.reset(1, ROOM)
    assert guard.window(NOW, 1.0) == []
    assert guard.inner.thread != threading.get_ident()  # type: ignore[attr-defined]


def test_a_process_whose_viewers_hang_can_end() -> None:
    code = textwrap.dedent("""
        import time
        import gymnasium as gym
        import livesim
        class Stuck:
            deadline_s = 0.2
            def reset(self, seed, room): pass
            def window(self, room, dt_s): time.sleep(3600)
            def react(self, heard): return ()
        try:
            gym.make("LiveStream-v0", scenario="tiny", viewers=Stuck).reset(seed=1)
        except livesim.errors.ViewerError as error:
            print(error)
    """)
    root = Path(__file__).parents[2]
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=root)
    assert run.returncode == 0, run.stderr[-2000:]
    assert run.stdout.startswith("Stuck.window gave no answer within 0.2 s")


def test_a_worker_hands_on_values_and_errors_and_can_be_copied() -> None:
    worker = Worker("w")
    assert worker.call(lambda: 5, 1.0) == 5
    with pytest.raises(ZeroDivisionError):
        worker.call(lambda: 1 / 0, 1.0)
    with pytest.raises(DeadlineError, match=r"0\.05 s"):
        worker.call(spin, 0.05)
    assert worker.call(lambda: 6, 1.0) == 6
    for other in (copy.deepcopy(worker), pickle.loads(pickle.dumps(worker))):
        assert not other.alive
        assert other.call(lambda: 7, 1.0) == 7
    assert worker.alive
    worker.stop()
    assert not worker.alive
