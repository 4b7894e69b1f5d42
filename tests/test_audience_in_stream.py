"""What viewers and host do to the room they share: who is counted, who was answered, who was called, who is busy."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from livesim.scenarios.library import load
from livesim.scenarios.script import Scenario
from livesim.simulator import Simulator
from livesim.types import Intent, ToolCall
from livesim.world import events as ev
from livesim.world.viewers import Heard, MoveKind, RoomInfo, RoomMoment, ViewerAct, ViewerComment, ViewerMove


class Lines:
    """An audience that says what it is given, and remembers what it heard."""

    def __init__(self, *acts: ViewerAct) -> None:
        self.acts = acts
        self.heard: list[Heard] = []

    def reset(self, seed: int, room: RoomInfo) -> None: ...

    def window(self, room: RoomMoment, dt_s: float) -> Sequence[ViewerAct]:
        return [a for a in self.acts if room.clock_s <= (a.at_s or 0.0) < room.clock_s + dt_s]

    def react(self, heard: Heard) -> Sequence[ViewerAct]:
        self.heard.append(heard)
        return ()


def quiet(**changes: object) -> Scenario:
    catalog = {"seed": 1, "items": 3, "categories": ["clothing"], "promotions": False}
    return Scenario.model_validate({"name": "t", "catalog": catalog, "horizon_s": 60} | changes)


def hand_off(sim: Simulator) -> None:
    assert sim.call(ToolCall("hand_off", {"reason": "may not speak alone"}, "hand_off")).ok


@pytest.mark.parametrize("viewers", [None, "small_room"], ids=["compressed", "living"])
@pytest.mark.parametrize("correct", [0.0, 1.0])
def test_nobody_who_was_drawn_comes_back_after_leaving(viewers: str | None, correct: float) -> None:
    for seed in range(3):
        sim = Simulator(load("qa"), seed, viewers=viewers)
        while sim.next_request() is not None:
            sim.spend(1.0)
            sim.speak("It is 89 yuan.", correct=correct, useful=correct)
        came = [event.viewer for event in sim.events if isinstance(event, ev.ViewerEntered)]
        assert len(came) == len(set(came)) == sim.stream.entered


def test_a_viewer_who_comes_back_is_there_again_and_counts_once() -> None:
    sim = Simulator(
        quiet(),
        1,
        viewers=Lines(
            ViewerMove("mia", MoveKind.ENTER, at_s=1.0),
            ViewerMove("mia", MoveKind.LEAVE, at_s=2.0),
            ViewerComment("mia", "hi", Intent.GREETING, at_s=9.0),
        ),
    )
    sim.spend(5.0)
    assert (sim.stream.present, sim.stream.entered) == (0, 1)
    sim.spend(5.0)
    assert (sim.stream.present, sim.stream.entered) == (1, 1)


def test_everybody_who_said_the_same_is_answered_though_it_is_shown_once() -> None:
    lines = Lines(*(ViewerComment(who, "666", Intent.PARTICIPATION, at_s=1.0) for who in ("mia", "leo", "ana")))
    sim = Simulator(quiet(merge_s=3.0, merge_max=1), 1, viewers=lines)
    pending = sim.next_request()
    assert pending is not None
    assert [(c.viewer, c.text) for c in pending.request.comments] == [("mia", "666")]
    sim.speak("Thank you.", correct=1, useful=1)
    assert [c.viewer for c in lines.heard[0].comments] == ["mia", "leo", "ana"]
    assert sim.next_request() is None


def test_the_same_words_about_another_item_are_another_question() -> None:
    first, second, _ = Simulator(quiet(), 1, viewers=Lines()).stream.catalog.links
    asks = [
        ViewerComment(who, "price?", Intent.PRICE, link, at_s=1.0) for who, link in (("mia", first), ("leo", second))
    ]
    pending = Simulator(quiet(), 1, viewers=Lines(*asks)).next_request()
    assert pending is not None
    assert [need.subject for need in pending.needs] == [f"link:{first}", f"link:{second}"]
    assert [c.viewer for c in pending.request.comments] == ["mia", "leo"]


def asked_twice(first_platform: str, second_platform: str) -> Simulator:
    """Two greetings; the platform changes at second 10, while the first one is open."""
    lines = Lines(*(ViewerComment("mia", "hi", Intent.GREETING, at_s=at_s) for at_s in (1.0, 30.0)))
    beats = [{"kind": "platform_change", "at_s": 10, "platform": second_platform}]
    sim = Simulator(quiet(platform=first_platform, beats=beats), 1, viewers=lines)
    assert sim.next_request() is not None
    return sim


def test_a_colleague_called_for_the_open_request_stays_when_the_platform_changes() -> None:
    sim = asked_twice("tiktok_shop_us", "taobao")
    hand_off(sim)
    sim.spend(10.0)
    assert sim.stream.platform == "taobao"
    assert sim.check("A colleague is here.") == ()

    sim = asked_twice("taobao", "tiktok_shop_us")
    hand_off(sim)
    sim.spend(10.0)
    sim.speak("A colleague is here.", correct=1, useful=1)
    pending = sim.next_request()
    assert pending is not None
    assert [need.answer for need in pending.needs] == ["social"]
    assert sim.check("Welcome.") == ()


def test_a_colleague_of_an_earlier_request_or_none_does_not_serve_new_rules() -> None:
    for early in (True, False):
        sim = asked_twice("taobao", "tiktok_shop_us")
        if early:
            hand_off(sim)
            sim.speak("A colleague is here.", correct=1, useful=1)
        sim.spend(10.0)
        if not early:
            sim.speak("Welcome.", correct=1, useful=1)
        pending = sim.next_request()
        assert pending is not None
        assert [need.answer for need in pending.needs] == ["handoff"]
        assert [breach.rule for breach in sim.check("Welcome.")] == ["autonomous_avatar"]


def test_a_published_flash_sale_is_a_rush_for_the_tools_and_moves_no_viewer() -> None:
    outages = {"outages": {"per_hour": 12, "busy_factor": 16}}
    offer = {"kind": "flash", "item": 1, "percent": 20, "starts_s": 30, "ends_s": 100}

    def failures(offers: list[dict[str, object]]) -> int:
        scenario = quiet(catalog={"seed": 1, "items": 3, "promotions": False, "offers": offers}, faults=outages)
        found = 0
        for seed in range(40):
            sim = Simulator(scenario, seed, viewers=Lines())
            for _ in range(8):
                link = sim.stream.on_air
                found += sim.call(ToolCall("price_check", {"link": link}, "price_check")).fault is not None
                sim.spend(6.0)
        return found

    assert failures([offer]) > 2 * failures([])
    said = []
    for offers in ([offer], []):
        catalog = {"seed": 1, "items": 3, "promotions": False, "offers": offers}
        sim = Simulator(quiet(catalog=catalog), 5)
        sim.spend(60.0)
        said.append([(event.at_s, event.viewer) for event in sim.events if isinstance(event, ev.Commented)])
    assert said[0] == said[1] != []
