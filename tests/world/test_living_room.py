"""Living rooms: presets meet their targets, the crowd is counted right, and what viewers hear moves them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from livesim.config import parse
from livesim.errors import ConfigError
from livesim.evaluation.calibration import RUSH_TARGETS, TARGETS, calibrate
from livesim.scenarios.opening import open_stream
from livesim.scenarios.script import CatalogConfig, Scenario
from livesim.simulator import Simulator
from livesim.types import Intent
from livesim.world import events as ev
from livesim.world.audience import Guarded
from livesim.world.behaviour import Behaviour, Influence, Persona
from livesim.world.crowd import CROWD_FROM, Crowd
from livesim.world.mood import Mood, Talk
from livesim.world.names import name
from livesim.world.parametric import ParametricViewers
from livesim.world.returns import pressure, return_share
from livesim.world.state import replay
from livesim.world.viewers import (
    CrowdMove,
    Heard,
    ItemInfo,
    MoveKind,
    RoomInfo,
    RoomMoment,
    ViewerAct,
    ViewerComment,
    ViewerConfig,
    ViewerMove,
)
from livesim.world.viewing.presets import preset

ITEMS = (
    ItemInfo(2, "linen shirt", "clothing", ("red/M", "red/L"), ("material", "fit"), 186, 90),
    ItemInfo(3, "steel pan", "home", ("red", "blue"), ("material", "width"), warranty=True),
)
LINKS = (2, 3)
LIVING = ViewerConfig(viewers=60, comments_per_min=30, behaviour=Behaviour())
BIG = ViewerConfig(viewers=2000, comments_per_min=100, behaviour=Behaviour())


def play(config: ViewerConfig, seed: int, until_s: float, step_s: float = 5.0) -> list[ViewerAct]:
    viewers = ParametricViewers(config)
    viewers.reset(seed, RoomInfo(ITEMS, 3, until_s, ("A1000",)))
    acts: list[ViewerAct] = []
    for step in range(round(until_s / step_s)):
        acts += viewers.window(RoomMoment(step * step_s, 3, LINKS), step_s)
    return acts


def comments(acts: Sequence[ViewerAct]) -> list[ViewerComment]:
    return [act for act in acts if isinstance(act, ViewerComment)]


def only(persona: Persona, **more: float) -> ViewerConfig:
    behaviour = Behaviour(personas={persona: 1.0}, writers=1.0, complaint_share=1.0)
    return LIVING.model_copy(update={"behaviour": behaviour, **more})


@pytest.mark.parametrize("name", ["small_room", "flash_sale"])
def test_presets_meet_what_is_known_of_real_rooms(name: str) -> None:
    report = calibrate(name, range(12), targets=RUSH_TARGETS if name == "flash_sale" else TARGETS)
    assert [row for row in report.outside if not row.startswith("share of")] == []
    assert len(report.outside) <= 1  # 5 % of 15 shares miss by chance


def test_a_mid_room_has_more_comments_than_one_voice_can_answer() -> None:
    report = calibrate("mid_room", range(2), horizon_s=700.0)
    assert 50 <= report.row("comments a minute").measured.mean <= 200
    assert 0.5 <= report.row("comments a minute per 30 viewers").measured.mean <= 6
    assert 0.005 <= report.row("viewers who comment").measured.mean <= 0.03


@pytest.mark.parametrize("config", [LIVING, BIG])
def test_the_same_seed_gives_the_same_room_however_the_time_is_cut(config: ViewerConfig) -> None:
    first, second = (play(config, 5, 100.0, step_s) for step_s in (10.0, 0.5))
    assert comments(first) == comments(second) != []
    entered = [sum(act.entered for act in acts if isinstance(act, CrowdMove)) for acts in (first, second)]
    assert entered[0] == entered[1]
    assert comments(play(config, 6, 100.0)) != comments(first)


def test_two_rooms_do_not_disturb_each_other() -> None:
    alone = play(LIVING, 5, 60.0)
    rooms = [ParametricViewers(LIVING) for _ in range(2)]
    for seed, viewers in zip((5, 6), rooms, strict=True):
        viewers.reset(seed, RoomInfo(ITEMS, 3, 60.0, ("A1000",)))
    acts: list[ViewerAct] = []
    for step in range(12):
        acts += rooms[0].window(RoomMoment(step * 5.0, 3, LINKS), 5.0)
        rooms[1].window(RoomMoment(step * 5.0, 3, LINKS), 5.0)
    assert acts == alone


def test_the_hash_seed_of_the_process_changes_nothing() -> None:
    code = (
        "from livesim.scenarios.script import Scenario\nfrom livesim.simulator import Simulator\n"
        "from livesim.world.behaviour import Behaviour\nfrom livesim.world.viewers import ViewerConfig\n"
        "numbers = ViewerConfig(viewers=800, comments_per_min=40, behaviour=Behaviour())\n"
        "sim = Simulator(Scenario(name='x', viewers=numbers, horizon_s=60), 3)\n"
        "while sim.next_request() is not None:\n    sim.speak('Hurry, it is 9 yuan.', correct=0.0, useful=0.0)\n"
        "print(sim.events)"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert b"CrowdMoved" in runs[0]


def test_a_compressed_room_has_no_crowd_and_moves_only_those_who_asked() -> None:
    acts = play(ViewerConfig(viewers=CROWD_FROM + 100, comments_per_min=10), 1, 30.0)
    assert not any(isinstance(act, CrowdMove) for act in acts)


def test_the_crowd_is_counted_like_named_viewers() -> None:
    present, entered, clicked = 0, 0, 0
    for act in play(BIG, 1, 600.0):
        if isinstance(act, CrowdMove):
            present += act.entered - act.left - act.named
            entered += act.entered - act.named
            clicked += act.clicks
        elif isinstance(act, ViewerMove):
            present += {MoveKind.ENTER: 1, MoveKind.LEAVE: -1}.get(act.kind, 0)
            entered += act.kind is MoveKind.ENTER
            clicked += act.kind is MoveKind.CLICK
    assert present == pytest.approx(2000, rel=0.25)  # pushes and the start add to the mean
    assert clicked / entered == pytest.approx(0.12, abs=0.02)


def test_a_viewer_who_gets_a_name_leaves_the_crowd() -> None:
    import numpy as np

    crowd = Crowd(columns=3)
    wishes = np.array([[4.0, 20.0, 1.0], [2.0, 9.0, 0.0]])
    crowd.add(np.array([1.0, 0.0, 3.0]), np.array([9.0, 20.0, 5.0]), wishes)
    assert crowd.wishes(4.0).tolist() == [[2.0, 9.0, 0.0]]
    crowd.release(np.array([9.0]))
    assert crowd.moves(4.0) == (3, 0)
    assert crowd.moves(30.0) == (0, 2)


@settings(max_examples=8)
@given(seed=st.integers(0, 10**6), viewers=st.sampled_from([30.0, 400.0, 3000.0]), correct=st.sampled_from([0.0, 1.0]))
def test_goods_and_money_are_conserved_at_any_size(seed: int, viewers: float, correct: float) -> None:
    numbers = ViewerConfig(viewers=viewers, comments_per_min=viewers / 15, click=0.6, order=0.6, behaviour=Behaviour())
    scenario = Scenario.model_validate(
        {
            "name": "rush",
            "catalog": CatalogConfig(items=(3, 3)),
            "viewers": numbers,
            "horizon_s": 90.0,
            "beats": [{"kind": "flash_start", "at_s": 30, "item": 1, "percent": 30, "lasts_s": 40, "quota": 5}],
        }
    )
    simulator = Simulator(scenario, seed)
    while simulator.next_request() is not None:
        simulator.spend(2.0)
        simulator.speak("Hurry, last chance, 9 yuan.", correct=correct, useful=correct)
    again = open_stream(scenario, seed)
    before = dict(again.stock)
    for event in simulator.events:
        if isinstance(event, ev.OrderPlaced):
            assert again.stock[event.sku] >= event.quantity > 0  # nothing is sold that is not there
        replay(again, [event])
        assert min(again.stock.values()) >= 0
    now = simulator.stream
    assert again == now
    sold = {sku: sum(s.quantity for s in now.sales.values() if s.sku == sku) for sku in before}
    assert now.stock == {sku: pieces - sold[sku] for sku, pieces in before.items()}
    returned = sum(sale.paid_fen for sale in now.sales.values() if sale.returned)
    assert now.paid_fen == now.confirmed_fen + returned
    assert all(sale.paid for sale in now.sales.values() if sale.returned)
    named = sum(isinstance(event, ev.ViewerEntered) for event in simulator.events)
    crowd = sum(event.entered - event.named for event in simulator.events if isinstance(event, ev.CrowdMoved))
    assert now.entered == named + crowd
    assert now.present == len(now.viewers) + now.crowd >= 0


def answered(config: ViewerConfig, seed: int, correct: float, text: str = "x") -> tuple[list[ViewerAct], list[str]]:
    """What follows within a minute when every comment of the first 30 s is answered in the same way."""
    viewers = ParametricViewers(config)
    viewers.reset(seed, RoomInfo(ITEMS, 3, 300.0, ("A1000",)))
    asked = comments(viewers.window(RoomMoment(0.0, 3, LINKS), 30.0))
    acts: list[ViewerAct] = []
    for number, comment in enumerate(asked):
        heard = Heard(f"r{number}", text, (comment,), correct, correct, 30.0, 30.0, 31.0)
        acts += viewers.react(heard)
    return acts + list(viewers.window(RoomMoment(30.0, 3, LINKS), 60.0)), [c.text for c in asked]


def test_a_wrong_answer_is_complained_about_and_an_unhelpful_one_asked_again() -> None:
    config = only(Persona.NEW, follow_up_share=1.0)
    wrong = [c.text for c in comments(answered(config, 1, 0.0)[0])]
    silent = [c.text for c in comments(answered(config, 1, 0.0, text="")[0])]
    assert any(text.startswith(("that's wrong!", "not what the page says.", "you told us nonsense:")) for text in wrong)
    assert not any(text.startswith("that's wrong!") for text in silent)
    assert any(text.startswith(("again:", "I asked:", "so, ", "host?", "you didn't say:")) for text in silent)


def test_a_contradictory_viewer_means_another_item_after_a_right_answer() -> None:
    acts, _ = answered(only(Persona.CONTRADICTORY, comments_per_min=120), 1, 1.0)
    changed = [c for c in comments(acts) if c.text.startswith(("no wait,", "sorry, I meant", "hm no,"))]
    assert changed
    assert all(c.link in LINKS and str(c.intent) in set(Intent) for c in changed)
    assert not any(c.text.startswith("no wait,") for c in comments(answered(only(Persona.NEW), 1, 1.0)[0]))


def test_trolls_never_buy_and_whoever_else_is_there_buys_so_much_more() -> None:
    def orders(*personas: Persona) -> int:
        behaviour = Behaviour(personas=dict.fromkeys(personas, 1.0))
        config = LIVING.model_copy(update={"behaviour": behaviour, "click": 0.4, "order": 0.3})
        acts = [act for seed in range(4) for act in play(config, seed, 900.0)]
        return sum(isinstance(act, ViewerMove) and act.kind is MoveKind.ORDER for act in acts)

    assert orders(Persona.TROLL) == 0
    assert orders(Persona.TROLL, Persona.NEW) == pytest.approx(orders(Persona.NEW), rel=0.25)


def test_urging_is_measured_in_phrases() -> None:
    assert pressure("It is 89 yuan.") == 0.0
    assert pressure("Only 3 pieces are left.") == 0.0  # a figure is no pressure
    assert pressure("Hurry, it is 89 yuan.") == 0.5
    assert pressure("Hurry, last chance, order now!") == 1.0
    assert return_share("clothing") == pytest.approx(0.60)
    assert return_share("food") == pytest.approx(0.15)


def test_the_mood_is_what_was_heard_and_it_fades() -> None:
    influence = Influence(answers=1.0, lies=1.0, urges=1.0, clicks=0.0, talk=0.0, draws=0.0, doubts=0.0, tires=0.0)
    mood = Mood(influence, viewers=30.0)
    mood.heard(10.0, good=1.0, wrong=0.0, urged=0.0)
    assert mood.at(9.0).order == 1.0
    assert mood.at(10.0).order == pytest.approx(2.1416, rel=1e-3)  # exp(tanh(1))
    assert mood.at(10.0).back == pytest.approx(0.8587, rel=1e-3)  # exp(-0.2 tanh(1))
    assert mood.at(70.0).order == pytest.approx(1.4219, rel=1e-3)  # exp(tanh(exp(-1)))


def test_talk_is_an_inverted_u_and_draw_words_spoil_it() -> None:
    def order(*cells: Talk) -> float:
        mood = Mood(Influence(tires=0.0), viewers=30.0)
        mood.talk(cells * 24)
        return mood.at(119.0).order

    none, some, much = order(Talk()), order(Talk(0.17)), order(Talk(2.0))
    assert none < some > much
    assert order(Talk(0.17, draws=0.17)) < some < order(Talk(0.17, doubts=0.17))


def test_an_item_that_stays_on_air_tires() -> None:
    mood = Mood(Influence(), viewers=30.0)
    mood.shown(3, 0.0)
    fresh, tired = mood.at(10.0).click, mood.at(600.0).click
    mood.shown(2, 600.0)
    assert fresh == pytest.approx(1.15)
    assert tired < 0.9
    assert mood.at(601.0).click == pytest.approx(1.15)


def test_names_are_never_given_twice() -> None:
    assert [name(0), name(39), name(40), name(41)] == ["mia", "tess", "mia1", "leo1"]
    assert len({name(number) for number in range(5000)}) == 5000


def test_wrong_numbers_of_a_living_room_are_refused() -> None:
    for data in ({"personas": {}}, {"personas": {"loyal": -1}}, {"influence": {"memory_s": 0}}):
        with pytest.raises(ConfigError):
            parse(ViewerConfig, {"behaviour": data}, "viewers")
    assert preset("small_room").behaviour == Behaviour()


class Herd:
    """A plug-in with a crowd."""

    act: ViewerAct = CrowdMove(entered=5, left=1, clicks=2)

    def reset(self, seed: int, room: RoomInfo) -> None: ...

    def window(self, room: RoomMoment, dt_s: float) -> Sequence[ViewerAct]:
        return [self.act]

    def react(self, heard: Heard) -> Sequence[ViewerAct]:
        return ()


def test_a_plug_in_may_have_a_crowd_and_a_wrong_one_is_named() -> None:
    from livesim.errors import ViewerError

    simulator = Simulator(Scenario(name="x", horizon_s=10.0), 1, viewers=Herd())
    simulator.spend(5.0)
    assert (simulator.stream.present, simulator.stream.entered, simulator.stream.clicks) == (4, 5, 2)
    herd = Herd()
    herd.act = CrowdMove(entered=-1)
    with pytest.raises(ViewerError, match=r"Herd\.window.*whole numbers from 0"):
        Guarded(herd).window(RoomMoment(0.0, 3, LINKS), 5.0)
