"""What ``viewers=`` may be, and the guard that turns a plug-in's mistake into a ``ViewerError`` with its name."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from livesim.errors import ViewerError, unknown
from livesim.types import Intent
from livesim.world.needs import ABOUT_ITEM
from livesim.world.parametric import ParametricViewers
from livesim.world.viewers import (
    Heard,
    MoveKind,
    RoomInfo,
    RoomMoment,
    ViewerAct,
    ViewerComment,
    ViewerConfig,
    ViewerMove,
    ViewerSimulator,
)

ViewerSource: TypeAlias = "str | Callable[[], ViewerSimulator] | ViewerSimulator | None"
"""A name (``"parametric"``), ``"module:Class"``, a factory without arguments, an instance, or None for the default."""

VIEWERS: dict[str, Callable[[ViewerConfig], ViewerSimulator]] = {"parametric": ParametricViewers}
"""Shipped audiences by name; each is made from the scenario's ``ViewerConfig``."""

MAX_TEXT = 2000
"""Longer lines are cut, as every platform does."""


def audience(source: ViewerSource, config: ViewerConfig) -> ViewerSimulator:
    """The audience that ``source`` means.

    An instance is used as it is: give each environment its own, or a factory.

    Raises:
        ViewerError: no such name, module or class, or what it made has not the three methods.
    """
    if source is None:
        return ParametricViewers(config)
    if isinstance(source, str):
        made = _by_name(source, config)
    elif _is_audience(source):
        made = source
    elif callable(source):
        try:
            made = source()
        except Exception as error:
            raise ViewerError(f"the viewer factory {source!r} raised {type(error).__name__}: {error}") from error
    else:
        made = source
    if not _is_audience(made):
        raise ViewerError(f"viewers={source!r} made {made!r}, which has not the methods reset, window and react")
    return made  # type: ignore[return-value]  # just checked


def _by_name(name: str, config: ViewerConfig) -> object:
    if name in VIEWERS:
        return VIEWERS[name](config)
    module_name, _, class_name = name.partition(":")
    if not class_name:
        raise ViewerError(unknown("viewers", name, VIEWERS) + '; or give "module:Class"')
    try:
        made: object = getattr(importlib.import_module(module_name), class_name)()
    except Exception as error:
        raise ViewerError(f"viewers {name!r}: {type(error).__name__}: {error}") from error
    return made


def _is_audience(value: object) -> bool:
    return not isinstance(value, type) and all(callable(getattr(value, m, None)) for m in ("reset", "window", "react"))


class Guarded:
    """An audience whose answers are checked; trusted ones are only sorted.

    Args:
        inner: the audience.
    """

    def __init__(self, inner: ViewerSimulator) -> None:
        self.inner = inner
        self._trusted = type(inner) is ParametricViewers
        self._name = type(inner).__name__

    def reset(self, seed: int, room: RoomInfo) -> None:
        """Start a new stream. Raises ViewerError."""
        try:
            self.inner.reset(seed, room)
        except Exception as error:
            raise self._failed("reset", error) from error

    def window(self, room: RoomMoment, dt_s: float) -> list[tuple[float, ViewerAct]]:
        """Acts with their times, ascending, all inside the window. Raises ViewerError."""
        try:
            acts = self.inner.window(room, dt_s)
        except Exception as error:
            raise self._failed("window", error) from error
        end_s = room.clock_s + dt_s
        if self._trusted:
            # a follow-up may have been planned for a second that has passed while the host spoke
            return [(end_s if act.at_s is None else max(act.at_s, room.clock_s), act) for act in acts]
        return self._checked("window", acts, room.clock_s, end_s, room.listed)

    def react(self, heard: Heard, listed: tuple[int, ...]) -> list[tuple[float, ViewerAct]]:
        """Acts after a reply with their times, ascending, none before its end. Raises ViewerError."""
        try:
            acts = self.inner.react(heard)
        except Exception as error:
            raise self._failed("react", error) from error
        return self._checked("react", acts, heard.done_s, math.inf, listed)

    def _checked(
        self, method: str, acts: object, start_s: float, end_s: float, listed: tuple[int, ...]
    ) -> list[tuple[float, ViewerAct]]:
        if isinstance(acts, str) or not isinstance(acts, Sequence):
            raise ViewerError(f"{self._name}.{method} returned {acts!r:.200}, not a sequence of acts")
        timed: list[tuple[float, ViewerAct]] = []
        for act in acts:
            problem = _problem(act, listed)
            if problem:
                raise ViewerError(f"{self._name}.{method} returned {act!r:.300}: {problem}")
            now_s = end_s if math.isfinite(end_s) else start_s
            timed.append((now_s if act.at_s is None else min(max(float(act.at_s), start_s), end_s), act))
        return sorted(timed, key=lambda pair: pair[0])

    def _failed(self, method: str, error: Exception) -> ViewerError:
        return ViewerError(f"{self._name}.{method} raised {type(error).__name__}: {error}")


def _problem(act: object, listed: tuple[int, ...]) -> str:
    """What is wrong with an act, or ``""``."""
    if not isinstance(act, ViewerComment | ViewerMove):
        return "neither a ViewerComment nor a ViewerMove"
    if not isinstance(act.viewer, str) or not act.viewer:
        return "viewer must be a name"
    if act.at_s is not None and not (isinstance(act.at_s, int | float) and math.isfinite(act.at_s)):
        return "at_s must be a finite number of seconds or None"
    if isinstance(act, ViewerMove):
        if not isinstance(act.kind, MoveKind):
            return f"kind must be one of {', '.join(MoveKind)}"
        needs_link = act.kind in (MoveKind.CLICK, MoveKind.CART, MoveKind.ORDER)
        return (
            "a click, cart or order needs the link of an item" if needs_link and not isinstance(act.link, int) else ""
        )
    if not isinstance(act.text, str):
        return "text must be a string"
    for want in act.wants:
        if want.intent not in set(Intent):
            return unknown("intent", want.intent, Intent)
        if want.intent in ABOUT_ITEM and not isinstance(want.link, int):
            return f"the intent {want.intent} needs the link of an item; listed: {listed}"
    return ""
