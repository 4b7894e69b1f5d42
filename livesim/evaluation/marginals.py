"""Plays an audience in an empty room, without a host, and counts what it does: the marginals of a simulator."""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TypeAlias

from livesim.evaluation.intervals import Interval, bootstrap_mean, bootstrap_ratio
from livesim.scenarios.opening import open_stream, room_info
from livesim.scenarios.script import CatalogConfig, Scenario
from livesim.seeding import derive, stream
from livesim.types import Intent
from livesim.world.audience import ViewerSource, guarded
from livesim.world.needs import ABOUT_ITEM
from livesim.world.viewers import (
    Burst,
    CrowdMove,
    MoveKind,
    RoomInfo,
    RoomMoment,
    ViewerComment,
    ViewerConfig,
    ViewerMove,
)
from livesim.world.viewing.intents import named

Seen: TypeAlias = "ViewerComment | ViewerMove"
"""An act of somebody with a name; the crowd of a room above ``crowd.CROWD_FROM`` viewers is left out."""

STEP_S = 5.0
"""Windows of so many seconds, as the simulator asks for them in a silent room."""

DUPLICATE_S = 2.0
"""The same text of the same viewer within so many seconds is a duplicate. *Source:* docs/domain.md section 2."""

RUSH = Burst(600.0, 690.0, 5.0)
"""The announced flash sale in which the rush is measured; 5 lies within the 4 to 8 that the facts assume."""


@dataclass(slots=True)
class Marginals:
    """Samples of one or more streams.

    Names of the samples are those of ``calibration.TARGETS``.

    Attributes:
        values: observations, each with the seed of its stream; the marginal is their mean.
        ratios: for each stream two totals; the marginal is the ratio of their sums.
    """

    values: dict[str, list[tuple[int, float]]] = field(default_factory=lambda: defaultdict(list))
    ratios: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, name: str, seed: int, value: float) -> None:
        """One observation."""
        self.values[name].append((seed, value))

    def add_ratio(self, name: str, top: float, bottom: float) -> None:
        """The totals of one stream."""
        self.ratios[name].append((top, bottom))

    def measured(self, name: str) -> tuple[Interval, int]:
        """A marginal with its 95 % interval over streams, and from how many samples; NaN from none."""
        if pairs := self.ratios.get(name):
            tops, bottoms = zip(*pairs, strict=True)
            return bootstrap_ratio(tops, bottoms, stream(0, "bootstrap")), len(pairs)
        if samples := self.values.get(name):
            seeds, values = zip(*samples, strict=True)
            return bootstrap_mean(values, seeds), len(samples)
        return Interval(math.nan, math.nan, math.nan), 0


def observe(source: ViewerSource, config: ViewerConfig, seed: int, horizon_s: float, into: Marginals) -> None:
    """Play one stream of the calm room, and one with a rush, and add what is seen to ``into``.

    Nobody answers, so what viewers do after an answer is not part of it.

    Args:
        source: the viewers, as in ``viewers=``.
        config: numbers of parametric viewers.
        seed: of the streams.
        horizon_s: seconds of each stream.
        into: collects the samples.

    Raises:
        ViewerError: the viewers failed.
    """
    scenario = Scenario(name="calibration", catalog=CatalogConfig(items=(8, 8)), viewers=config, horizon_s=horizon_s)
    opened = open_stream(scenario, seed)
    room, moment = room_info(scenario, opened), RoomMoment(0.0, opened.on_air, opened.catalog.links)
    calm = _play(source, config, seed, room, moment)
    _comments(calm, room, moment, seed, into)
    _stays(calm, horizon_s, seed, into)
    _funnel(calm, seed, into)
    if horizon_s > RUSH.end_s:
        rushed = _play(source, config, seed, dataclasses.replace(room, bursts=(RUSH,)), moment)
        counts = [
            sum(_in_rush(at_s) for at_s, act in acts if isinstance(act, ViewerComment)) for acts in (calm, rushed)
        ]
        into.add_ratio("rush factor", counts[1], counts[0])


def _in_rush(at_s: float) -> bool:
    return RUSH.start_s <= at_s < RUSH.end_s


def _play(
    source: ViewerSource, config: ViewerConfig, seed: int, room: RoomInfo, start: RoomMoment
) -> list[tuple[float, Seen]]:
    guard = guarded(source, config)
    guard.reset(derive(seed, "viewers"), room)
    acts: list[tuple[float, Seen]] = []
    clock_s = 0.0
    while clock_s < room.horizon_s:
        window = guard.window(dataclasses.replace(start, clock_s=clock_s), STEP_S)
        acts += [(at_s, act) for at_s, act in window if not isinstance(act, CrowdMove)]
        clock_s += STEP_S
    return acts


def _comments(acts: list[tuple[float, Seen]], room: RoomInfo, moment: RoomMoment, seed: int, into: Marginals) -> None:
    items = {item.link: item for item in room.items}
    last: dict[tuple[str, str], float] = {}
    said = [(at_s, act) for at_s, act in acts if isinstance(act, ViewerComment)]
    for at_s, comment in said:
        for intent in Intent:
            into.add(f"share of {intent}", seed, comment.intent is intent)
        into.add("two wants in a comment", seed, bool(comment.more))
        earlier_s = last.get((comment.viewer, comment.text), -math.inf)
        into.add("duplicates", seed, at_s - earlier_s <= DUPLICATE_S)
        last[comment.viewer, comment.text] = at_s
        if comment.intent in ABOUT_ITEM:
            links, _ = named(comment.text, items)
            into.add("questions that name no item", seed, not links)
            into.add("questions about another item", seed, comment.link != moment.on_air)
    into.add("comments a minute", seed, 60.0 * len(said) / room.horizon_s)


def _stays(acts: list[tuple[float, Seen]], horizon_s: float, seed: int, into: Marginals) -> None:
    """Stays of those who came after the start and in the first two thirds, so that long ones are seen to their end.

    Who comes back stays twice.
    """
    here: dict[str, float] = {}
    came: set[str] = set()
    stays: list[tuple[float, float]] = []  # from and to
    present, last_s, viewer_s = 0, 0.0, 0.0
    for at_s, act in acts:
        kind = None if isinstance(act, ViewerComment) else act.kind
        if kind not in (MoveKind.ENTER, MoveKind.LEAVE):
            continue
        viewer_s, last_s = viewer_s + present * (at_s - last_s), at_s
        present += 1 if kind is MoveKind.ENTER else -1
        if kind is MoveKind.ENTER:
            came.add(act.viewer)
            here.setdefault(act.viewer, at_s)
        elif act.viewer in here:
            stays.append((here.pop(act.viewer), at_s))
    if not came:
        return
    viewer_s += present * (horizon_s - last_s)
    stays += [(from_s, horizon_s) for from_s in here.values()]
    lengths = [to_s - from_s for from_s, to_s in stays if 0 < from_s < horizon_s * 2 / 3]
    if lengths:
        into.add("median stay", seed, statistics.median(lengths))
        into.add("mean stay", seed, statistics.fmean(lengths))
    for length in lengths:
        into.add("stays over 60 s", seed, length > 60)
        into.add("stays over 5 min", seed, length > 300)
    into.add("viewers present", seed, viewer_s / horizon_s)
    comments = sum(isinstance(act, ViewerComment) for _, act in acts)
    into.add_ratio("comments a minute per 30 viewers", 60.0 * 30.0 * comments, viewer_s)
    writers = {act.viewer for _, act in acts if isinstance(act, ViewerComment)}
    for viewer in sorted(came):
        into.add("viewers who comment", seed, viewer in writers)


def _funnel(acts: list[tuple[float, Seen]], seed: int, into: Marginals) -> None:
    """Each step given the one before; only audiences that report who comes have a first one."""
    did: dict[MoveKind, set[str]] = {kind: set() for kind in MoveKind}
    for _, act in acts:
        if not isinstance(act, ViewerComment):
            did[act.kind].add(act.viewer)
    steps = (
        ("viewers who click", MoveKind.ENTER, MoveKind.CLICK),
        ("cart after click", MoveKind.CLICK, MoveKind.CART),
        ("order after click", MoveKind.CLICK, MoveKind.ORDER),
        ("payment after order", MoveKind.ORDER, MoveKind.PAY),
    )
    for name, before, after in steps:
        for viewer in did[before]:
            into.add(name, seed, viewer in did[after])
