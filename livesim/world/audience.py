"""What ``viewers=`` may be, and the guard that turns a plug-in's mistake into a ``ViewerError`` with its name."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias, TypeVar

from livesim.errors import LiveSimError, ViewerError, unknown
from livesim.types import Intent
from livesim.world.needs import ABOUT_ITEM
from livesim.world.parametric import ParametricViewers
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
    ViewerSimulator,
    Want,
)
from livesim.world.viewing.deadline import DeadlineError, Worker
from livesim.world.viewing.slots import slot_problem
from livesim.world.viewing.sources import find, from_file, made_by, replay, shipped

T = TypeVar("T")

ViewerSource: TypeAlias = "str | Path | Callable[[], ViewerSimulator] | ViewerSimulator | None"
"""A name (see ``viewing.sources.find``), a file, a factory without arguments, an instance, or None for the default."""

MAX_TEXT = 2000
"""Longer lines are cut, as every platform does."""

DEADLINE_S = 10.0
"""Wall seconds that ``window`` and ``react`` of a plug-in may take; one that needs more says so as ``deadline_s``."""

RESET_DEADLINE_S = 60.0
"""The same for ``reset``, which may load a model."""


def guarded(source: ViewerSource, config: ViewerConfig) -> Guarded:
    """The guarded audience that ``source`` means; a plug-in is imported, made and asked in one thread of its own.

    Args:
        source: an instance is used as it is, made wherever it was: give each environment its own, or a factory.
        config: the scenario's own numbers.

    Raises:
        ViewerError: see ``audience``.
        ConfigError: likewise.
    """
    name = source if isinstance(source, str) else getattr(source, "__name__", type(source).__name__)
    worker = Worker(f"viewers {name}")
    return Guarded(audience(source, config, worker), worker)


def audience(source: ViewerSource, config: ViewerConfig, worker: Worker | None = None) -> ViewerSimulator:
    """The audience that ``source`` means.

    Args:
        source: see ``guarded``.
        config: the scenario's own numbers.
        worker: somebody else's code is imported and called in its thread; None: in one of its own.

    Raises:
        ViewerError: no such name, module or class, a log that cannot be read, or what was made lacks a method.
        ConfigError: a file of viewers is wrong.
    """
    if source is None:
        return ParametricViewers(config)
    worker = worker or Worker("viewers")
    if isinstance(source, str):
        made = find(source, config, worker)
    elif isinstance(source, Path):
        made = from_file(source, config) if source.suffix in (".yaml", ".yml") else replay(source)
    elif _is_audience(source):
        made = source
    elif callable(source):
        made = made_by(source, f"the viewer factory {source!r}", worker)
    else:
        made = source
    if not _is_audience(made):
        raise ViewerError(f"viewers={source!r} made {made!r}, which has not the methods reset, window and react")
    return made  # type: ignore[return-value]  # just checked


def _is_audience(value: object) -> bool:
    return not isinstance(value, type) and all(callable(getattr(value, m, None)) for m in ("reset", "window", "react"))


class Guarded:
    """An audience whose answers are checked and, unless it is a shipped one, awaited no longer than a deadline.

    After the first failure every further call fails in the same way, and no thread is left that anybody waits for.

    Args:
        inner: the audience.
        worker: runs its methods, if it is no shipped one; None: a new thread.

    Raises:
        ViewerError: its ``deadline_s`` is no positive number of seconds.
    """

    def __init__(self, inner: ViewerSimulator, worker: Worker | None = None) -> None:
        self.inner = inner
        self._trusted = type(inner) is ParametricViewers
        self._name = type(inner).__name__
        self._worker = None if shipped(inner) else worker or Worker(f"viewers {self._name}")
        self._failure = ""
        deadline_s = getattr(inner, "deadline_s", None)
        if deadline_s is not None and not (_is_number(deadline_s) and 0 < deadline_s < math.inf):
            raise ViewerError(f"{self._name}.deadline_s must be a positive number of seconds, got {deadline_s!r}")
        self._deadline_s, self._reset_deadline_s = deadline_s or DEADLINE_S, deadline_s or RESET_DEADLINE_S

    def reset(self, seed: int, room: RoomInfo) -> None:
        """Start a new stream. Raises ViewerError."""
        self._failure = ""
        self._call("reset", partial(self.inner.reset, seed, room), self._reset_deadline_s)

    def window(self, room: RoomMoment, dt_s: float) -> list[tuple[float, ViewerAct]]:
        """Acts with their times, ascending, all inside the window. Raises ViewerError."""
        acts = self._acts("window", partial(self.inner.window, room, dt_s))
        end_s = room.clock_s + dt_s
        if self._trusted:
            # a follow-up may have been planned for a second that has passed while the host spoke
            return [(end_s if act.at_s is None else max(act.at_s, room.clock_s), act) for act in acts]
        return self._checked("window", acts, room.clock_s, end_s, room.listed)

    def react(self, heard: Heard, listed: tuple[int, ...]) -> list[tuple[float, ViewerAct]]:
        """Acts after a reply with their times, ascending, none before its end. Raises ViewerError."""
        acts = self._acts("react", partial(self.inner.react, heard))
        return self._checked("react", acts, heard.done_s, math.inf, listed)

    def check(self) -> None:
        """Raises ViewerError again when a call of this stream has failed."""
        if self._failure:
            raise ViewerError(self._failure)

    def _call(self, method: str, call: Callable[[], T], deadline_s: float) -> T:
        self.check()
        try:
            return call() if self._worker is None else self._worker.call(call, deadline_s)
        except DeadlineError as error:
            text = f"{self._name}.{method} gave {error}; deadline_s of the class sets another"
            raise self._failed(text) from None
        except LiveSimError as error:
            raise self._failed(f"{self._name}.{method}: {error}") from error
        except Exception as error:  # the boundary to somebody else's code
            raise self._failed(f"{self._name}.{method} raised {type(error).__name__}: {error}") from error

    def _acts(self, method: str, call: Callable[[], object]) -> Sequence[ViewerAct]:
        acts = self._call(method, partial(_taken, call), self._deadline_s)
        if acts is None:
            raise self._failed(f"{self._name}.{method} returned no list or tuple of acts")
        return acts

    def _checked(
        self, method: str, acts: Sequence[ViewerAct], start_s: float, end_s: float, listed: tuple[int, ...]
    ) -> list[tuple[float, ViewerAct]]:
        timed: list[tuple[float, ViewerAct]] = []
        for act in acts:
            try:
                problem = _problem(act, listed)
                shown = f"{act!r:.300}" if problem else ""
            except Exception as error:  # an act of somebody's own class may do anything when it is looked at
                problem, shown = f"{type(error).__name__}: {error}", f"an act of type {type(act).__name__}"
            if problem:
                raise self._failed(f"{self._name}.{method} returned {shown}: {problem}")
            now_s = end_s if math.isfinite(end_s) else start_s
            timed.append((now_s if act.at_s is None else min(max(float(act.at_s), start_s), end_s), act))
        return sorted(timed, key=lambda pair: pair[0])

    def _failed(self, text: str) -> ViewerError:
        """The error that ends the episode; the thread ends with it, and the next ``reset`` starts another."""
        self._failure = text
        if self._worker is not None:
            self._worker.stop()
        return ViewerError(text)


def _taken(call: Callable[[], object]) -> Sequence[ViewerAct] | None:
    """All that a call returns, while its deadline runs; None when it is no sequence."""
    acts = call()
    return tuple(acts) if isinstance(acts, Sequence) and not isinstance(acts, str | bytes) else None


def _problem(act: object, listed: tuple[int, ...]) -> str:
    """What is wrong with an act, or ``""``."""
    if isinstance(act, CrowdMove):
        return _crowd_problem(act)
    if not isinstance(act, ViewerComment | ViewerMove):
        return "neither a ViewerComment nor a ViewerMove nor a CrowdMove"
    if not isinstance(act.viewer, str) or not act.viewer or _torn(act.viewer):
        return "viewer must be a name"
    if problem := _time_problem(act.at_s):
        return problem
    if act.link is not None and not _is_whole(act.link):
        return "link must be a whole number or None"
    if isinstance(act, ViewerMove):
        if not isinstance(act.kind, MoveKind):
            return f"kind must be one of {', '.join(MoveKind)}"
        if not isinstance(act.option, str) or not _is_whole(act.quantity) or not 1 <= act.quantity <= 99:
            return "option must be text and quantity a whole number from 1 to 99"
        needs_link = act.kind in (MoveKind.CLICK, MoveKind.CART, MoveKind.ORDER)
        return "a click, cart or order needs the link of an item" if needs_link and act.link is None else ""
    if not isinstance(act.text, str) or _torn(act.text):
        return "text must be a string of valid Unicode"
    if not isinstance(act.more, tuple) or not all(isinstance(want, Want) for want in act.more):
        return "more must be a tuple of Want"
    for want in act.wants:
        if want.intent not in set(Intent):
            return unknown("intent", want.intent, Intent)
        if want.link is not None and not _is_whole(want.link):
            return "link must be a whole number or None"
        if want.intent in ABOUT_ITEM and want.link is None:
            return f"the intent {want.intent} needs the link of an item; listed: {listed}"
        if problem := slot_problem(want.slots):
            return problem
    return ""


def _crowd_problem(act: CrowdMove) -> str:
    counts = (act.entered, act.left, act.named, act.clicks, act.carts)
    if not all(_is_whole(count) and count >= 0 for count in counts):
        return "entered, left, named, clicks and carts must be whole numbers from 0"
    return _time_problem(act.at_s)


def _time_problem(at_s: object) -> str:
    fine = at_s is None or (isinstance(at_s, int | float) and _is_number(at_s) and math.isfinite(at_s))
    return "" if fine else "at_s must be a finite number of seconds or None"


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _torn(text: str) -> bool:
    """It holds half a character, which no file and no tokenizer can take."""
    return any("\ud800" <= mark <= "\udfff" for mark in text) if not text.isascii() else False
