"""One stream in motion: determinism, pairing, replay, requests, calls, replies and their consequences."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

import pytest

from livesim.errors import ConfigError, LiveSimError, ViewerError
from livesim.scenarios.library import load, names
from livesim.scenarios.opening import open_stream
from livesim.scenarios.script import Scenario
from livesim.simulator import Simulator
from livesim.types import Intent, ToolCall
from livesim.world import events as ev
from livesim.world.facts import facts
from livesim.world.state import replay
from livesim.world.viewers import Heard, MoveKind, RoomInfo, RoomMoment, ViewerAct, ViewerComment, ViewerMove
from rewards.signals import FactKind, FaultKind


def play(sim: Simulator, correct: float = 1.0, calls: int = 1, limit: int = 1000) -> int:
    """Answer everything with the price of the item on air; returns how many requests there were."""
    count = 0
    while count < limit and sim.next_request() is not None:
        for _ in range(calls):
            sim.spend(0.5)
            sim.call(ToolCall("price_check", {"link": sim.stream.on_air}, "price_check"))
        sim.speak("It is 89 yuan.", correct=correct, useful=correct)
        sim.spend(2.0)
        count += 1
    return count


def said(sim: Simulator) -> list[tuple[float, str, str]]:
    return [(e.at_s, e.viewer, e.text) for e in sim.events if isinstance(e, ev.Commented)]


class Lines:
    """An audience that says what it is given, and remembers what it heard."""

    def __init__(self, *acts: ViewerAct) -> None:
        self.acts = sorted(acts, key=lambda act: act.at_s or 0.0)
        self.heard: list[Heard] = []

    def reset(self, seed: int, room: RoomInfo) -> None:
        self.room = room

    def window(self, room: RoomMoment, dt_s: float) -> Sequence[ViewerAct]:
        return [a for a in self.acts if room.clock_s <= (a.at_s or 0.0) < room.clock_s + dt_s]

    def react(self, heard: Heard) -> Sequence[ViewerAct]:
        self.heard.append(heard)
        return ()


def quiet(**changes: object) -> Scenario:
    data: dict[str, object] = {
        "name": "t",
        "catalog": {"seed": 1, "items": 3, "categories": ["clothing"], "promotions": False},
        "horizon_s": 60,
    }
    return Scenario.model_validate(data | changes)


def hello(viewer: str, at_s: float, text: str = "hi") -> ViewerComment:
    return ViewerComment(viewer, text, Intent.GREETING, at_s=at_s)


@pytest.mark.parametrize("name", names())
def test_the_same_seed_gives_the_same_events_and_replaying_them_the_same_state(name: str) -> None:
    first, second = Simulator(load(name), 11), Simulator(load(name), 11)
    assert play(first, limit=25) > 5
    play(second, limit=25)
    assert first.events == second.events
    assert replay(open_stream(load(name), 11), first.events) == first.stream
    assert said(Simulator(load(name), 12)) != said(first)


def test_faults_move_no_viewer() -> None:
    calm, rough = Simulator(load("quiet_room"), 3, faults="none"), Simulator(load("quiet_room"), 3, faults="stress")
    play(calm, calls=3)
    play(rough, calls=3)
    assert said(calm) == said(rough)
    came = [[e for e in sim.events if isinstance(e, ev.ViewerEntered)] for sim in (calm, rough)]
    assert came[0] == came[1]


def test_the_answers_change_only_what_comes_after_the_first_questions() -> None:
    good, bad = Simulator(load("quiet_room"), 3), Simulator(load("quiet_room"), 3)
    play(good, correct=1.0)
    play(bad, correct=0.0)
    planned = {line[1:] for line in said(good)}
    assert planned <= {line[1:] for line in said(bad)}
    extra = {line[1:] for line in said(bad)} - planned
    assert extra
    assert all(any(text.endswith(first) for _, first in planned) for _, text in extra)


def test_two_interleaved_streams_do_not_disturb_each_other() -> None:
    alone = Simulator(load("flash_sale"), 5)
    play(alone, limit=30)
    one, two = Simulator(load("flash_sale"), 5), Simulator(load("mid_room"), 6)
    for _ in range(30):
        play(one, limit=1)
        play(two, limit=1)
    assert one.events == alone.events


def test_comments_of_one_window_are_merged_and_equal_ones_count_once() -> None:
    lines = Lines(
        hello("mia", 1.0),
        hello("mia", 2.0),
        hello("leo", 2.5, "hello"),
        hello("ana", 3.0),
        hello("tom", 3.5, "hey"),
        hello("zoe", 9.0, "yo"),
    )
    sim = Simulator(quiet(merge_s=3.0), 1, viewers=lines)
    pending = sim.next_request()
    assert pending is not None
    assert [(c.viewer, c.text, c.at_s) for c in pending.request.comments] == [
        ("mia", "hi", 1.0),
        ("leo", "hello", 2.5),
        ("tom", "hey", 3.5),
    ]
    assert len(pending.needs) == 1
    assert sim.stream.comments == 5  # the window was open until the step of 5 s
    assert sim.pending is pending
    sim.speak("Welcome.", correct=1, useful=1)
    second = sim.next_request()
    assert second is not None
    assert [c.viewer for c in second.request.comments] == ["zoe"]
    assert second.request.id != pending.request.id


def test_a_comment_that_waited_too_long_is_dropped() -> None:
    sim = Simulator(quiet(stale_s=10.0), 1, viewers=Lines(hello("mia", 1.0), hello("leo", 30.0)))
    sim.spend(25.0)
    pending = sim.next_request()
    assert pending is not None
    assert [c.viewer for c in pending.request.comments] == ["leo"]


def test_the_stream_is_over_at_its_horizon() -> None:
    sim = Simulator(quiet(), 1, viewers=Lines())
    assert sim.next_request() is None
    assert sim.over
    assert not sim.cut
    assert sim.clock_s == 60.0
    sim.spend(10.0)
    assert sim.clock_s == 60.0


def test_one_request_at_a_time() -> None:
    sim = Simulator(quiet(), 1, viewers=Lines(hello("mia", 1.0)))
    with pytest.raises(LiveSimError, match="no request is open"):
        sim.speak("hi", correct=1, useful=1)
    assert sim.next_request() is not None
    with pytest.raises(LiveSimError, match="r1 is open"):
        sim.next_request()


def test_viewers_hear_replies_and_silence_but_not_what_was_skipped() -> None:
    lines = Lines(hello("mia", 1.0), hello("leo", 10.0, "hey"), hello("ana", 20.0, "yo"))
    sim = Simulator(quiet(), 1, viewers=lines)
    sim.next_request()
    sim.close("skipped")
    sim.next_request()
    sim.close("rounds")
    sim.next_request()
    events = sim.speak("one two three four five", correct=1, useful=0.5)
    assert [type(e).__name__ for e in events] == ["Spoken", "RequestClosed"]
    silent, heard = lines.heard
    assert (silent.text, silent.correct, silent.comments[0].viewer) == ("", 0.0, "leo")
    assert (heard.useful, heard.asked_s, heard.done_s - heard.spoken_s) == (0.5, 20.0, 2.0)


def test_a_call_answers_from_the_stream_and_takes_its_time() -> None:
    sim = Simulator(load("tiny"), 1, faults="none")
    assert sim.next_request() is not None
    before_s = sim.clock_s
    link = sim.stream.catalog.links[0]
    result = sim.call(ToolCall("price_check", {"link": link}, "price_check"))
    assert result.ok
    assert sim.clock_s == pytest.approx(before_s + result.latency_s)
    assert set(result.facts) <= set(sim.truth())
    assert any(f.name == "final_price" and f.kind is FactKind.MONEY for f in result.facts)


@pytest.mark.parametrize("arguments", [{}, {"link": "x"}, {"link": None}, {"lnik": 2}, {"link": 10**30}, {"link": 99}])
@pytest.mark.parametrize("tool", ["price_check", "push_card", "nothing", "", "load_skill"])
def test_any_call_is_answered(tool: str, arguments: dict[str, None]) -> None:
    sim = Simulator(load("tiny"), 1, faults="none")
    result = sim.call(ToolCall(tool, arguments, tool))
    assert not result.ok
    assert result.content


def test_write_tools_change_the_room_through_events() -> None:
    sim = Simulator(load("tiny"), 1, faults="none")
    link = sim.stream.catalog.links[1]
    assert sim.call(ToolCall("push_card", {"link": link}, "push_card")).ok
    assert sim.call(ToolCall("hand_off", {"reason": "refund"}, "hand_off")).ok
    assert sim.stream.pushed == [link]
    assert sim.stream.handoffs == ["refund"]
    assert [type(e).__name__ for e in sim.events if not isinstance(e, ev.ClockMoved)][-2:] != []
    assert ev.CardPushed(0.0, link) in sim.events


def test_a_scripted_fault_hits_the_first_call_and_not_the_second() -> None:
    sim = Simulator(load("recovery"), 2)
    link = sim.stream.catalog.links[0]
    call = ToolCall("price_check", {"link": link}, "price_check")
    first, second = sim.call(call), sim.call(call)
    assert (first.ok, first.fault) == (False, FaultKind.TIMEOUT)
    assert (second.ok, second.fault) == (True, None)


def test_truth_follows_the_beats() -> None:
    script = quiet(beats=[{"kind": "flash_start", "at_s": 10, "item": 1, "percent": 50, "lasts_s": 20}])
    sim = Simulator(script, 1, viewers=Lines())
    link = sim.stream.catalog.links[0]

    def price() -> int:
        return next(int(f.value) for f in sim.truth() if (f.subject, f.name) == (f"link:{link}", "final_price"))

    full = price()
    sim.spend(10.0)
    assert price() == full - full * 50 // 100
    sim.spend(20.0)
    assert price() == full


def test_truth_knows_the_size_that_the_open_request_asks_for() -> None:
    link = Simulator(quiet(), 1, viewers=Lines()).stream.catalog.links[0]
    slots: dict[str, int | str] = {"height_cm": 160, "weight_kg": 50}
    ask = ViewerComment("mia", "160 cm, 50 kg?", Intent.SIZE, link, slots, 1.0)
    sim = Simulator(quiet(), 1, viewers=Lines(ask))
    assert not any(f.name.startswith("size:") for f in sim.truth())
    pending = sim.next_request()
    assert pending is not None
    assert any((f.subject, f.name) == (f"link:{link}", "size:160/50") for f in sim.truth())
    assert pending.needs[0].facts[0][0].name == "size:160/50"


def test_breaches_are_noted_and_severe_ones_cut_the_stream() -> None:
    sim = Simulator(quiet(), 1, viewers=Lines(*(hello(f"v{i}", 1.0 + 10 * i, f"hi {i}") for i in range(4))))
    sim.next_request()
    events = sim.speak("Just DM me.", correct=1, useful=1)
    assert [e.breach.rule for e in events if isinstance(e, ev.RuleBroken)] == ["off_platform"]
    assert not sim.cut
    sim.next_request()
    sim.speak("Add me on WeChat.", correct=1, useful=1)
    assert sim.cut
    assert sim.over
    assert sim.next_request() is None


def test_private_data_of_an_order_must_not_be_spoken() -> None:
    sim = Simulator(load("quiet_room"), 4)
    order = sim.stream.orders[0]
    assert [b.rule for b in sim.check(f"Hello {order.name}.")] == ["private_data"]
    assert sim.check("A colleague looks into it.") == ()


def test_viewers_buy_at_the_price_of_the_second_and_stock_falls() -> None:
    sim = Simulator(quiet(), 1, viewers=Lines())
    product = sim.stream.catalog.products[0]
    acts: list[ViewerAct] = [
        ViewerMove("mia", kind, product.link, at_s=at_s)
        for at_s, kind in enumerate((MoveKind.CLICK, MoveKind.CART, MoveKind.ORDER, MoveKind.PAY), start=1)
    ]
    sim = Simulator(quiet(), 1, viewers=Lines(*acts, ViewerMove("mia", MoveKind.LEAVE, at_s=9.0)))
    before = sum(sim.stream.stock.values())
    sim.spend(8.0)
    assert "mia" in sim.stream.viewers
    sim.spend(2.0)
    now = sim.stream
    assert (now.entered, now.clicks, now.carts, len(now.sales)) == (1, 1, 1, 1)
    assert now.paid_fen == product.list_price_fen
    assert sum(now.stock.values()) == before - 1
    assert now.viewers == {}


def test_what_is_wrong_is_said_when_the_stream_is_made_or_at_the_first_window() -> None:
    with pytest.raises(ConfigError, match="fault preset"):
        Simulator(quiet(), 1, faults="strss")
    with pytest.raises(ConfigError, match="unknown tool in faults"):
        Simulator(quiet(faults={"script": [{"tool": "prise_check", "kind": "timeout"}]}), 1)
    with pytest.raises(ViewerError, match="parametrik"):
        Simulator(quiet(), 1, viewers="parametrik")
    link_less = ViewerComment("mia", "how much?", Intent.PRICE, at_s=1.0)
    with pytest.raises(ViewerError, match=r"Lines\.window.*needs the link"):
        Simulator(quiet(), 1, viewers=Lines(link_less)).next_request()


def test_requests_and_needs_hold_no_secret_in_their_public_half() -> None:
    sim = Simulator(load("mid_room"), 8)
    for _ in range(20):
        pending = sim.next_request()
        assert pending is not None
        assert set(pending.request.__slots__) == {"id", "comments", "opened_s"}
        for comment in pending.request.comments:
            assert set(comment.__slots__) == {"viewer", "text", "at_s"}
        assert pending.needs
        sim.close("skipped")


@pytest.mark.parametrize("name", ["flash_sale", "mid_room"])
def test_the_cached_truth_is_what_a_fresh_look_gives(name: str) -> None:
    sim = Simulator(load(name), 9)
    while not sim.over:
        sim.spend(7.3)
        now = sim.stream
        assert sim.truth() == facts(now.catalog, now.stock, now.promotions, now.clock_s, now.used, orders=now.orders)


DIGEST = """
import hashlib
from livesim.scenarios.library import load
from livesim.simulator import Simulator
sim = Simulator(load("mid_room"), 3)
for _ in range(20):
    sim.next_request()
    sim.speak("It is 89 yuan.", correct=1, useful=1)
    sim.spend(3)
print(hashlib.sha256(repr(sim.events).encode()).hexdigest())
"""


def test_another_process_with_another_hash_seed_sees_the_same_events() -> None:
    digests = set()
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(done.stdout)
    assert len(digests) == 1
