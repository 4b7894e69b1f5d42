"""Marginals of a viewer simulator against targets: hand-made audiences with known numbers, and the shipped ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from livesim.errors import ConfigError, ViewerError
from livesim.evaluation.calibration import RUSH_TARGETS, TARGETS, Row, Target, Verdict, calibrate
from livesim.evaluation.intervals import Interval
from livesim.seeding import derive
from livesim.types import Intent
from livesim.world.viewers import (
    BURST_SHARES,
    SHARES,
    Heard,
    MoveKind,
    RoomInfo,
    RoomMoment,
    ViewerAct,
    ViewerComment,
    ViewerConfig,
    ViewerMove,
)

LOGS = Path(__file__).parents[1] / "world" / "fixtures" / "logs"


class Clockwork:
    """Every minute one viewer comes, asks the same two things twice, buys and stays for 30 s."""

    def reset(self, seed: int, room: RoomInfo) -> None:
        self.on_air = room.on_air
        self.other = next(item.link for item in room.items if item.link != room.on_air)

    def window(self, room: RoomMoment, dt_s: float) -> Sequence[ViewerAct]:
        acts: list[ViewerAct] = []
        for minute in range(1, 30):
            at_s, viewer = 60.0 * minute, f"v{minute}"
            if not room.clock_s <= at_s < room.clock_s + dt_s:
                continue
            kinds = (MoveKind.ENTER, MoveKind.CLICK, MoveKind.ORDER)
            acts += [ViewerMove(viewer, kind, self.on_air, at_s=at_s) for kind in kinds]
            acts += [ViewerComment(viewer, "how much?", Intent.PRICE, self.on_air, at_s=at_s + d) for d in (1, 2)]
            acts.append(ViewerComment(viewer, f"link {self.other}?", Intent.SHOW_ITEM, self.other, at_s=at_s + 3))
        for minute in range(1, 30):
            if room.clock_s <= 60.0 * minute + 30 < room.clock_s + dt_s:
                acts.append(ViewerMove(f"v{minute}", MoveKind.LEAVE, at_s=60.0 * minute + 30))
        return acts

    def react(self, heard: Heard) -> Sequence[ViewerAct]:
        return ()


def test_known_numbers_are_measured_exactly() -> None:
    report = calibrate(Clockwork, [1, 2], horizon_s=1800.0)
    measured = {row.name: row.measured.mean for row in report.rows}
    assert measured["share of price"] == pytest.approx(2 / 3)
    assert measured["share of show_item"] == pytest.approx(1 / 3)
    assert measured["questions that name no item"] == pytest.approx(2 / 3)
    assert measured["questions about another item"] == pytest.approx(1 / 3)
    assert measured["duplicates"] == pytest.approx(1 / 3)
    assert measured["comments a minute"] == pytest.approx(29 * 3 / 30)
    assert measured["median stay"] == measured["mean stay"] == 30.0
    assert measured["stays over 60 s"] == 0.0
    assert measured["viewers present"] == pytest.approx(29 * 30 / 1800)
    assert measured["comments a minute per 30 viewers"] == pytest.approx(2.9 * 30 / (29 * 30 / 1800))
    assert measured["viewers who comment"] == measured["viewers who click"] == measured["order after click"] == 1.0
    assert measured["cart after click"] == measured["payment after order"] == 0.0
    assert measured["rush factor"] == 1.0
    assert report.row("duplicates").verdict is Verdict.UNKNOWN
    assert "share of price" in report.outside


def test_targets_are_the_domain_facts() -> None:
    assert {i: TARGETS[f"share of {i}"].value for i in Intent} == dict(SHARES)
    assert {i: RUSH_TARGETS[f"share of {i}"].value for i in Intent} == dict(BURST_SHARES)
    assert TARGETS["median stay"].value == 22.0
    assert TARGETS["viewers who comment"].value == 0.02
    for name, target in TARGETS.items():
        assert math.isnan(target.value) or target.low <= target.value <= target.high, name


@pytest.mark.parametrize(
    ("interval", "verdict"),
    [
        (Interval(0.5, 0.4, 0.6), Verdict.WITHIN),
        (Interval(0.5, 0.4, 0.7), Verdict.WITHIN),
        (Interval(0.9, 0.6, 1.2), Verdict.OPEN),
        (Interval(0.5, 0.1, 0.9), Verdict.OPEN),  # so wide that it tells nothing
        (Interval(0.9, 0.8, 1.2), Verdict.OUTSIDE),
        (Interval(0.2, 0.1, 0.3), Verdict.OUTSIDE),
        (Interval(0.9, math.nan, math.nan), Verdict.OPEN),  # a single stream
        (Interval(0.6, math.nan, math.nan), Verdict.OPEN),
        (Interval(math.nan, math.nan, math.nan), Verdict.SILENT),
    ],
)
def test_a_verdict_needs_the_whole_interval(interval: Interval, verdict: Verdict) -> None:
    assert Row("x", interval, Target(0.5, 0.4, 0.7, "A"), 3).verdict is verdict


def test_the_parametric_viewers_meet_their_stays_and_funnel() -> None:
    config = ViewerConfig(viewers=40, comments_per_min=4, concentration=0.0)
    report = calibrate("parametric", range(8), config=config)
    for name in ("median stay", "mean stay", "stays over 60 s", "viewers who click", "order after click"):
        assert report.row(name).verdict is Verdict.WITHIN, name
    assert report.row("comments a minute per 30 viewers").verdict is Verdict.WITHIN


class Returning:
    """One viewer stays for 20 s, and comes back a minute later for 40 s."""

    def reset(self, seed: int, room: RoomInfo) -> None:
        self.moves = [(10.0, MoveKind.ENTER), (30.0, MoveKind.LEAVE), (90.0, MoveKind.ENTER), (130.0, MoveKind.LEAVE)]

    def window(self, room: RoomMoment, dt_s: float) -> Sequence[ViewerAct]:
        due = [(at_s, kind) for at_s, kind in self.moves if room.clock_s <= at_s < room.clock_s + dt_s]
        return [ViewerMove("mia", kind, at_s=at_s) for at_s, kind in due]

    def react(self, heard: Heard) -> Sequence[ViewerAct]:
        return ()


def test_who_comes_back_stays_twice_and_is_not_there_in_between() -> None:
    report = calibrate(Returning, [1, 2], horizon_s=600.0)
    assert report.row("mean stay").measured.mean == report.row("median stay").measured.mean == 30.0
    assert report.row("stays over 60 s").measured.mean == 0.0
    assert report.row("viewers present").measured.mean == pytest.approx(60 / 600)


class Bursts:
    """Comments in the minutes of the rush: calm streams have 1 or none, rushed ones 6 or 4, by their seed."""

    def reset(self, seed: int, room: RoomInfo) -> None:
        self.count = (6 if seed % 2 else 4) if room.bursts else seed % 2
        self.on_air = room.on_air

    def window(self, room: RoomMoment, dt_s: float) -> Sequence[ViewerAct]:
        if not room.clock_s <= 610.0 < room.clock_s + dt_s:
            return ()
        return [ViewerComment(f"v{n}", f"hi {n}", Intent.GREETING, None, at_s=610.0) for n in range(self.count)]

    def react(self, heard: Heard) -> Sequence[ViewerAct]:
        return ()


def test_the_rush_is_a_ratio_of_totals_and_counts_streams_that_were_silent_before() -> None:
    seeds = range(20)
    odd = sum(derive(seed, "viewers") % 2 for seed in seeds)
    report = calibrate(Bursts, seeds, horizon_s=700.0)
    assert report.row("rush factor").measured.mean == pytest.approx((6 * odd + 4 * (20 - odd)) / odd)
    assert report.row("rush factor").samples == 20


def test_the_parametric_viewers_fill_the_room() -> None:
    config = ViewerConfig(viewers=40, comments_per_min=4, concentration=0.0)
    report = calibrate("parametric", range(4), config=config)
    assert report.row("viewers present").measured.mean == pytest.approx(40, rel=0.1)


def test_a_report_can_be_repeated_and_read() -> None:
    first, second = (calibrate("small_room", [1, 2, 3]) for _ in range(2))
    assert first == second
    text = first.table.text()
    assert text.startswith("small_room: 3 streams of 1800 s")
    assert all(row.name in text for row in first.rows)
    assert first.table.markdown().count("\n") == len(TARGETS) + 3


def test_a_replay_shows_nothing_of_stays() -> None:
    report = calibrate(LOGS / "tiktok.jsonl", [1], horizon_s=60.0)
    assert report.row("median stay").verdict is Verdict.SILENT
    assert report.row("rush factor").verdict is Verdict.SILENT
    assert report.row("comments a minute").measured.mean == 3.0


def test_nothing_to_measure_is_refused_and_failures_are_named() -> None:
    with pytest.raises(ConfigError, match="0 seeds"):
        calibrate("parametric", [])
    with pytest.raises(ViewerError, match="did you mean 'parametric'"):
        calibrate("parametrik", [1])
    with pytest.raises(KeyError):
        calibrate("small_room", [1], horizon_s=60.0).row("weather")
