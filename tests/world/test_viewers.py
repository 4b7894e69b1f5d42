"""The audience: shares, stays, bursts, reactions, and plug-ins that misbehave."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from livesim.config import parse
from livesim.errors import ConfigError, ViewerError
from livesim.types import Intent
from livesim.world.audience import Guarded, audience
from livesim.world.needs import ABOUT_ITEM
from livesim.world.parametric import ParametricViewers
from livesim.world.viewers import (
    SHARES,
    Burst,
    Heard,
    ItemInfo,
    MoveKind,
    RoomInfo,
    RoomMoment,
    ViewerAct,
    ViewerComment,
    ViewerConfig,
    ViewerMove,
    ViewerSimulator,
)

ITEMS = (
    ItemInfo(2, "linen shirt", "clothing", ("red/M", "red/L"), ("material", "fit"), 186, 90),
    ItemInfo(3, "steel pan", "home", ("red", "blue"), ("material", "width"), warranty=True),
    ItemInfo(7, "green tea", "food", ("single",), ("origin",)),
)
LINKS = (2, 3, 7)


def play(config: ViewerConfig, seed: int, until_s: float, bursts: tuple[Burst, ...] = ()) -> list[ViewerAct]:
    viewers = ParametricViewers(config)
    viewers.reset(seed, RoomInfo(ITEMS, 3, until_s, ("A1000",), bursts))
    acts: list[ViewerAct] = []
    clock_s = 0.0
    while clock_s < until_s:
        acts += viewers.window(RoomMoment(clock_s, 3, LINKS), 7.0)
        clock_s += 7.0
    return acts


def comments(acts: Sequence[ViewerAct]) -> list[ViewerComment]:
    return [act for act in acts if isinstance(act, ViewerComment)]


BIG = ViewerConfig(viewers=200, comments_per_min=300, concentration=0.0, excitation=0.0)


def test_the_same_seed_gives_the_same_acts_however_the_time_is_cut() -> None:
    first = play(BIG, 5, 140.0)
    viewers = ParametricViewers(BIG)
    viewers.reset(5, RoomInfo(ITEMS, 3, 140.0, ("A1000",)))
    second: list[ViewerAct] = []
    for step in range(1400):
        second += viewers.window(RoomMoment(step / 10, 3, LINKS), 0.1)
    assert [a for a in first if (a.at_s or 0) < 139] == [a for a in second if (a.at_s or 0) < 139]
    assert play(BIG, 6, 140.0) != first


def test_stays_are_lognormal_with_the_stated_median_and_mean() -> None:
    acts = play(ViewerConfig(viewers=300, comments_per_min=1), 1, 1400.0)
    entered: dict[str, float] = {}
    stays = []
    for act in acts:
        if isinstance(act, ViewerMove) and act.kind is MoveKind.ENTER:
            entered[act.viewer] = float(act.at_s or 0)
        elif isinstance(act, ViewerMove) and act.kind is MoveKind.LEAVE and 0 < entered[act.viewer] < 700:
            stays.append(float(act.at_s or 0) - entered[act.viewer])
    assert len(stays) > 2000
    assert np.median(stays) == pytest.approx(22, rel=0.1)
    assert np.mean(np.array(stays) > 60) == pytest.approx(0.24, abs=0.03)


def test_about_as_many_viewers_are_present_as_configured_from_the_start() -> None:
    counts = []
    for seed in range(40):
        present = 0
        acts = play(ViewerConfig(viewers=50), seed, 63.0)
        for act in acts:
            if isinstance(act, ViewerMove) and (act.at_s or 0) <= 60:
                present += {MoveKind.ENTER: 1, MoveKind.LEAVE: -1}.get(act.kind, 0)
        counts.append(present)
    assert np.mean(counts) == pytest.approx(50, rel=0.12)


def test_intents_come_in_the_shares_of_the_domain_facts() -> None:
    found = Counter(c.intent for c in comments(play(BIG, 2, 1400.0)))
    total = sum(found.values())
    assert total > 5000
    for intent, share in SHARES.items():
        assert found[intent] / total == pytest.approx(share, abs=0.015), intent


def test_streams_differ_in_their_mix_when_it_may_vary() -> None:
    config = BIG.model_copy(update={"concentration": 30.0})
    shares = []
    for seed in range(6):
        found = comments(play(config, seed, 210.0))
        shares.append(sum(c.intent is Intent.PRICE for c in found) / len(found))
    assert np.std(shares) > 0.02


def test_items_asked_about_are_often_not_on_air() -> None:
    asked = [c for c in comments(play(BIG, 3, 1400.0)) if c.intent in ABOUT_ITEM and c.intent is not Intent.SIZE]
    elsewhere = [c for c in asked if c.link != 3]
    named = [c for c in asked if any(t in c.text for t in ("3", "three", "steel pan"))]
    assert len(elsewhere) / len(asked) == pytest.approx(0.25, abs=0.03)
    assert 0.3 < 1 - len(elsewhere) / len(asked) - len([c for c in named if c.link == 3]) / len(asked) < 0.4
    assert all(any(str(w) in c.text for w in _words(c.link)) for c in elsewhere)


def _words(link: int | None) -> tuple[str, ...]:
    return {2: ("2", "two", "linen shirt"), 7: ("7", "seven", "green tea")}[link or 0]


def test_some_comments_have_two_wants() -> None:
    found = comments(play(BIG, 4, 1000.0))
    share = sum(bool(c.more) for c in found) / len(found)
    assert 0.04 < share < 0.08  # of 8 % drawn, equal intents and participation make none


def test_size_is_asked_only_of_items_with_a_size_chart() -> None:
    sizes = [c for c in comments(play(BIG, 8, 400.0)) if c.intent is Intent.SIZE]
    assert sizes
    assert {c.link for c in sizes} == {2}
    assert all(148 <= int(c.slots["height_cm"]) <= 186 and 42 <= int(c.slots["weight_kg"]) <= 90 for c in sizes)


def test_a_burst_multiplies_comments_and_changes_the_mix() -> None:
    config = ViewerConfig(viewers=100, comments_per_min=30, concentration=0.0, excitation=0.0)
    acts = comments(play(config, 1, 600.0, (Burst(300.0, 360.0, 5.0),)))
    inside = [c for c in acts if 300 <= (c.at_s or 0) < 360]
    before = [c for c in acts if 240 <= (c.at_s or 0) < 300]
    assert 3 < len(inside) / len(before) < 8
    assert sum(c.intent is Intent.PARTICIPATION for c in inside) / len(inside) > 0.3


def test_an_intent_of_weight_zero_never_occurs() -> None:
    config = ViewerConfig(viewers=50, comments_per_min=300, intents={Intent.PRICE: 1.0, Intent.STOCK: 0.0})
    assert {c.intent for c in comments(play(config, 1, 200.0))} == {Intent.PRICE}


@pytest.mark.parametrize("intents", [{}, {"price": 0}, {"price": -1}, {"price": float("nan")}])
def test_wrong_weights_are_refused(intents: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="intents"):
        parse(ViewerConfig, {"intents": intents}, "viewers")


def outcome(seed: int, correct: float, useful: float, delay_s: float) -> tuple[int, int, int]:
    """Follow-ups, orders and viewers left in the 60 s after answers of one kind."""
    viewers = ParametricViewers(ViewerConfig(viewers=30, comments_per_min=20, click=0.3, order=0.3))
    viewers.reset(seed, RoomInfo(ITEMS, 3, 300.0, ("A1000",)))
    asked = comments(viewers.window(RoomMoment(0.0, 3, LINKS), 30.0))
    heard = Heard("r1", "x", tuple(asked), correct, useful, 30.0 - delay_s, 30.0, 34.0)
    acts = list(viewers.react(heard)) + list(viewers.window(RoomMoment(30.0, 3, LINKS), 60.0))
    orders = sum(isinstance(a, ViewerMove) and a.kind is MoveKind.ORDER for a in acts)
    left = sum(isinstance(a, ViewerMove) and a.kind is MoveKind.LEAVE for a in acts)
    again = sum(isinstance(a, ViewerComment) for a in acts)
    return again, orders, left


def test_better_and_quicker_answers_sell_more_and_are_asked_again_less() -> None:
    def total(correct: float, useful: float, delay_s: float) -> tuple[int, ...]:
        return tuple(
            sum(column) for column in zip(*(outcome(s, correct, useful, delay_s) for s in range(60)), strict=True)
        )

    good, slow, half, bad = total(1, 1, 2), total(1, 1, 60), total(1, 0.5, 2), total(0, 0, 2)
    assert good[1] > slow[1] > bad[1]
    assert good[1] >= half[1] >= bad[1]
    assert good[0] < bad[0]
    assert good[2] < bad[2]


def test_what_is_asked_first_does_not_depend_on_the_answers() -> None:
    def firsts(correct: float) -> list[tuple[str, str]]:
        viewers = ParametricViewers(ViewerConfig(viewers=30, comments_per_min=30))
        viewers.reset(1, RoomInfo(ITEMS, 3, 300.0))
        lines = []
        for step in range(20):
            now = comments(viewers.window(RoomMoment(step * 10.0, 3, LINKS), 10.0))
            lines += [(c.viewer, c.text) for c in now]
            end_s = step * 10.0 + 10.0
            viewers.react(Heard(f"r{step}", "", tuple(now), correct, correct, end_s, end_s, end_s + 3))
        return lines

    assert firsts(0.0) == firsts(1.0)


class Plain:
    """A plug-in whose answers can be set."""

    answer: Any = ()

    def reset(self, seed: int, room: RoomInfo) -> None: ...

    def window(self, room: RoomMoment, dt_s: float) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def react(self, heard: Heard) -> Any:
        return ()


RUBBISH = [
    None,
    "price?",
    42,
    ["price?"],
    [ViewerComment("", "hi", Intent.GREETING)],
    [ViewerComment("mia", 5, Intent.GREETING)],  # type: ignore[arg-type]
    [ViewerComment("mia", "hi", "hello")],  # type: ignore[arg-type]
    [ViewerComment("mia", "how much?", Intent.PRICE)],
    [ViewerComment("mia", "hi", Intent.GREETING, at_s=float("nan"))],
    [ViewerMove("mia", MoveKind.CLICK)],
    [ViewerMove("mia", "jump")],  # type: ignore[arg-type]
    ValueError("boom"),
]


@pytest.mark.parametrize("answer", RUBBISH)
def test_a_plug_in_that_returns_rubbish_is_named(answer: Any) -> None:
    plain = Plain()
    plain.answer = answer
    with pytest.raises(ViewerError, match=r"Plain\.window"):
        Guarded(plain).window(RoomMoment(0.0, 3, LINKS), 5.0)


def test_times_outside_the_window_are_moved_to_its_ends() -> None:
    plain = Plain()
    plain.answer = [
        ViewerComment("mia", "b", Intent.GREETING, at_s=99.0),
        ViewerComment("leo", "a", Intent.GREETING, at_s=-3.0),
        ViewerComment("ana", "c", Intent.GREETING),
    ]
    acts = Guarded(plain).window(RoomMoment(10.0, 3, LINKS), 5.0)
    assert [(at_s, act.viewer) for at_s, act in acts] == [(10.0, "leo"), (15.0, "mia"), (15.0, "ana")]


def test_viewers_may_be_a_name_a_path_a_factory_or_an_instance() -> None:
    config = ViewerConfig(viewers=3)
    made = audience("parametric", config)
    assert isinstance(made, ParametricViewers)
    assert made.config is config
    assert isinstance(audience("livesim.world.parametric:ParametricViewers", config), ParametricViewers)
    assert isinstance(audience(Plain, config), Plain)
    plain = Plain()
    assert audience(plain, config) is plain
    assert isinstance(audience(None, config), ParametricViewers)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("parametrik", "did you mean 'parametric'"),
        ("livesim.nowhere:X", "livesim.nowhere"),
        (lambda: 3, "has not the methods"),
        (object(), "has not the methods"),
        (lambda: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_a_wrong_source_is_named(source: Any, words: str) -> None:
    with pytest.raises(ViewerError, match=words):
        audience(source, ViewerConfig())


def test_the_example_of_the_protocol_runs_as_it_is_printed() -> None:
    text = str(ViewerSimulator.__doc__)
    code = text[text.index("from livesim.types") : text.index("env = gym.make")]
    names: dict[str, Any] = {}
    exec(textwrap.dedent("        " + code), names)
    viewers = Guarded(names["LogViewers"]([(4.0, "mia", "how much is link 2?", "price", 2)]))
    viewers.reset(1, RoomInfo(ITEMS, 3, 60.0))
    assert viewers.window(RoomMoment(0.0, 3, LINKS), 3.0) == []
    ((at_s, comment),) = viewers.window(RoomMoment(3.0, 3, LINKS), 3.0)
    assert (at_s, comment.viewer) == (4.0, "mia")
    assert isinstance(comment, ViewerComment)
    bad = Heard("r1", "no idea", (comment,), 0.0, 0.0, 4.0, 6.0, 8.0)
    ((again_s, again),) = viewers.react(bad, LINKS)
    assert (again_s, again) == (8.0, ViewerComment("mia", "so? how much is link 2?", Intent.PRICE, 2, comment.slots))


def test_hostile_viewers_type_control_tokens_around_a_whole_question() -> None:
    config = BIG.model_copy(update={"adversarial_share": 1.0, "intents": {Intent.PRICE: 1.0}})
    found = comments(play(config, 1, 100.0))
    assert any("<|im_end|>" in c.text for c in found)
    assert any("</tool_call>" in c.text for c in found)
    assert all(c.intent is Intent.PRICE for c in found)
