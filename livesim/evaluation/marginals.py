"""Plays an audience in an empty room, without a host, and counts what it does: the marginals of a simulator."""

from __future__ import annotations

import dataclasses
import math
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TypeAlias

from livesim.scenarios.opening import open_stream, room_info
from livesim.scenarios.script import CatalogConfig, Scenario
from livesim.seeding import derive
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
    """Samples of one or more streams; each value stands with the seed of its stream.

    Names of the samples are those of ``calibration.TARGETS``.
    """

    values: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    seeds: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, name: str, seed: int, value: float) -> None:
        """One observation."""
        self.values[name].append(value)
        self.seeds[name].append(seed)


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
    stream = open_stream(scenario, seed)
    room, moment = room_info(scenario, stream), RoomMoment(0.0, stream.on_air, stream.catalog.links)
    calm = _play(source, config, seed, room, moment)
    _comments(calm, room, moment, seed, into)
    _stays(calm, horizon_s, seed, into)
    _funnel(calm, seed, into)
    if horizon_s > RUSH.end_s:
        rushed = _play(source, config, seed, dataclasses.replace(room, bursts=(RUSH,)), moment)
        counts = [
            sum(_in_rush(at_s) for at_s, act in acts if isinstance(act, ViewerComment)) for acts in (calm, rushed)
        ]
        if counts[0]:
            into.add("rush factor", seed, counts[1] / counts[0])


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
    """Stays of those who came after the start and in the first two thirds, so that long ones are seen to their end."""
    entered: dict[str, float] = {}
    stays: dict[str, float] = {}
    present, last_s, viewer_s = 0, 0.0, 0.0
    for at_s, act in acts:
        kind = None if isinstance(act, ViewerComment) else act.kind
        if kind not in (MoveKind.ENTER, MoveKind.LEAVE):
            continue
        viewer_s, last_s = viewer_s + present * (at_s - last_s), at_s
        present += 1 if kind is MoveKind.ENTER else -1
        if kind is MoveKind.ENTER:
            entered.setdefault(act.viewer, at_s)
        elif act.viewer in entered:
            stays[act.viewer] = at_s - entered[act.viewer]
    if not entered:
        return
    viewer_s += present * (horizon_s - last_s)
    counted = [v for v, at_s in entered.items() if 0 < at_s < horizon_s * 2 / 3]
    lengths = sorted(stays.get(viewer, horizon_s - entered[viewer]) for viewer in counted)
    if lengths:
        into.add("median stay", seed, lengths[len(lengths) // 2])
        into.add("mean stay", seed, sum(lengths) / len(lengths))
    for length in lengths:
        into.add("stays over 60 s", seed, length > 60)
        into.add("stays over 5 min", seed, length > 300)
    mean_present = viewer_s / horizon_s
    into.add("viewers present", seed, mean_present)
    comments = sum(isinstance(act, ViewerComment) for _, act in acts)
    if mean_present > 0:
        into.add("comments a minute per 30 viewers", seed, 60.0 * comments / horizon_s * 30.0 / mean_present)
    writers = {act.viewer for _, act in acts if isinstance(act, ViewerComment)}
    for viewer in entered:
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
