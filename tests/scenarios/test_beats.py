"""What happens in a room: conditional beats, used-up coupons, late flash sales, notices, gifts, platforms."""

from __future__ import annotations

from typing import Any

from livesim.observation import ATTENDED, room_view
from livesim.scenarios.opening import open_stream
from livesim.scenarios.script import Scenario
from livesim.simulator import Simulator
from livesim.types import ToolCall
from livesim.world import events as ev
from livesim.world.state import replay
from rewards.signals import Answer, FaultKind

GOODS: dict[str, Any] = {
    "goods": [{"title": "linen shirt", "price": 100}, {"title": "steel pan", "price": 200}],
    "offers": [{"kind": "item_coupon", "item": 1, "spend": 90, "save": 10}, {"kind": "gift", "item": 2, "text": "cup"}],
    "on_air": 1,
}
LINES = [
    {"at_s": 2, "viewer": "mia", "text": "how much is link 1?", "intent": "price", "item": 1},
    {"at_s": 30, "viewer": "leo", "text": "and link 2?", "intent": "price", "item": 2},
]


def stream(beats: list[dict[str, Any]], **changes: Any) -> Simulator:
    data = {"name": "t", "catalog": GOODS, "says": LINES, "beats": beats, "horizon_s": 90} | changes
    return Simulator(Scenario.model_validate(data), 0)


def fact(simulator: Simulator, subject: str, name: str) -> object:
    return next((f.value for f in simulator.truth() if (f.subject, f.name) == (subject, name)), None)


def check(simulator: Simulator, link: int = 1) -> None:
    simulator.call(ToolCall("price_check", {"link": link}, "price_check"))


def test_a_beat_after_a_call_happens_once_right_after_that_call() -> None:
    simulator = stream([{"kind": "price_change", "percent": 50, "after": {"tool": "price_check", "call": 2}}])
    simulator.next_request()
    check(simulator)
    assert fact(simulator, "link:1", "list_price") == 10_000
    assert len(simulator.waiting) == 1
    check(simulator)
    assert fact(simulator, "link:1", "list_price") == 5_000
    check(simulator)
    assert fact(simulator, "link:1", "list_price") == 5_000
    assert simulator.waiting == ()


def test_a_call_that_reaches_no_tool_does_not_count() -> None:
    simulator = stream([{"kind": "price_change", "percent": 50, "after": {"tool": "price_check"}}])
    simulator.next_request()
    simulator.call(ToolCall("price_check", {"lnk": 1}, "price_check"))
    assert len(simulator.waiting) == 1


def test_a_beat_after_a_reply_waits_its_seconds_and_its_flash_sale_ends() -> None:
    beat = {"kind": "flash_start", "at_s": 4, "item": 2, "percent": 50, "lasts_s": 10, "after": {"reply": 1}}
    simulator = stream([beat])
    simulator.next_request()
    simulator.speak("Hello.", correct=1.0, useful=1.0)
    spoken_s = simulator.clock_s
    simulator.spend(3.9)
    assert fact(simulator, "link:2", "flash:price") is None
    simulator.spend(0.2)
    assert fact(simulator, "link:2", "flash:price") == 10_000
    simulator.spend(10)
    assert fact(simulator, "link:2", "flash:price") is None
    times = [e.at_s for e in simulator.events if isinstance(e, ev.PromotionStarted | ev.PromotionEnded)]
    assert times == [spoken_s + 4, spoken_s + 14]


def test_a_beat_after_a_request_is_there_when_it_opens() -> None:
    simulator = stream([{"kind": "delist", "item": 2, "after": {"request": 2}}])
    simulator.next_request()
    simulator.close("replied")
    pending = simulator.next_request()
    assert pending is not None
    assert simulator.stream.catalog.links == (1,)
    assert pending.needs[0].answer is Answer.DECLINE


def test_a_conditional_beat_beyond_the_horizon_never_happens() -> None:
    simulator = stream([{"kind": "delist", "at_s": 80, "item": 2, "after": {"reply": 1}}], horizon_s=60)
    simulator.next_request()
    simulator.speak("Hello.", correct=1.0, useful=1.0)
    simulator.spend(200)
    assert simulator.stream.catalog.links == (1, 2)


def test_a_used_up_coupon_is_published_and_takes_nothing_off() -> None:
    simulator = stream([{"kind": "coupon_exhausted", "at_s": 10, "item": 1}])
    assert fact(simulator, "link:1", "final_price") == 9_000
    simulator.spend(11)
    assert fact(simulator, "link:1", "final_price") == 10_000
    assert [p.id for p in simulator.stream.promotions] == ["o2", "c1"] or len(simulator.stream.promotions) == 2


def test_a_gift_changes_and_goes() -> None:
    beats = [
        {"kind": "gift_change", "at_s": 10, "item": 2, "text": "pouch"},
        {"kind": "gift_change", "at_s": 20, "item": 2},
    ]
    simulator = stream(beats)
    seen = []
    for _ in range(3):
        seen.append(fact(simulator, "link:2", "gift"))
        simulator.spend(11)
    assert seen == ["cup", "pouch", None]


def test_a_late_flash_sale_is_announced_until_it_starts() -> None:
    simulator = stream(
        [{"kind": "flash_start", "at_s": 50, "item": 2, "percent": 50, "lasts_s": 20, "announced_s": 20}]
    )
    promised = "flash sale on link 2 from 00:00:20"
    simulator.spend(30)
    assert room_view(simulator.stream).notices == (promised,)
    assert fact(simulator, "link:2", "final_price") == 20_000
    simulator.spend(25)
    assert room_view(simulator.stream).notices == ("flash sale on link 2 until 00:01:10",)
    assert fact(simulator, "link:2", "final_price") == 10_000


def test_a_notice_comes_and_goes() -> None:
    simulator = stream([{"kind": "notice", "at_s": 5, "text": "back soon", "lasts_s": 10}])
    seen = []
    for _ in range(3):
        seen.append(room_view(simulator.stream).notices)
        simulator.spend(8)
    assert seen == [(), ("back soon",), ()]


def test_where_no_avatar_may_speak_alone_every_need_is_served_by_a_human() -> None:
    simulator = stream([], platform="tiktok_shop_us")
    pending = simulator.next_request()
    assert pending is not None
    assert [(need.intent, need.answer) for need in pending.needs] == [("price", Answer.HANDOFF)]
    assert ATTENDED in room_view(simulator.stream).notices
    assert [breach.rule for breach in simulator.check("Hello there.")] == ["autonomous_avatar"]
    simulator.call(ToolCall("hand_off", {"reason": "a human must host"}, "hand_off"))
    assert simulator.check("A colleague takes over.") == ()
    simulator.speak("A colleague takes over.", correct=1.0, useful=1.0)
    after = simulator.next_request()
    assert after is not None
    assert [need.answer for need in after.needs] == [Answer.FACT]
    assert ATTENDED not in room_view(simulator.stream).notices


def test_another_platform_holds_from_the_next_request_on() -> None:
    simulator = stream([{"kind": "platform_change", "at_s": 8, "platform": "tiktok_shop_us"}])
    simulator.next_request()
    simulator.spend(10)
    assert simulator.stream.platform == "tiktok_shop_us"
    assert simulator.check("Link 1 is 90 yuan.") == ()
    simulator.speak("Link 1 is 90 yuan.", correct=1.0, useful=1.0)
    pending = simulator.next_request()
    assert pending is not None
    assert pending.needs[0].answer is Answer.HANDOFF
    assert simulator.check("Link 2 is 200 yuan.") != ()


def test_the_edits_of_a_stream_are_told_in_the_order_they_happened() -> None:
    beats = [
        {"kind": "harness_edit", "at_s": 20, "edit": {"reply_words": 20}},
        {"kind": "harness_edit", "at_s": 10, "edit": {"address": "dear guests"}},
    ]
    simulator = stream(beats)
    assert simulator.edits == ()
    simulator.spend(15)
    assert [edit.address for edit in simulator.edits] == ["dear guests"]
    simulator.spend(15)
    assert [edit.reply_words for edit in simulator.edits] == [None, 20]


def test_a_scripted_write_fault_says_whether_it_went_through() -> None:
    for applied, pushed in ((True, [1]), (False, [])):
        fault = {"tool": "push_card", "kind": "timeout", "applied": applied}
        simulator = stream([], faults={"script": [fault]})
        simulator.next_request()
        result = simulator.call(ToolCall("push_card", {"link": 1}, "push_card"))
        assert (result.ok, result.fault) == (False, FaultKind.TIMEOUT)
        assert simulator.stream.pushed == pushed


def test_replaying_the_events_of_every_kind_of_beat_gives_the_same_state() -> None:
    beats: list[dict[str, Any]] = [
        {"kind": "coupon_exhausted", "at_s": 4, "item": 1},
        {"kind": "gift_change", "at_s": 5, "item": 2, "text": "pouch"},
        {"kind": "notice", "at_s": 6, "text": "back soon", "lasts_s": 10},
        {"kind": "platform_change", "at_s": 7, "platform": "douyin"},
        {"kind": "harness_edit", "at_s": 8, "edit": {"reply_words": 20}},
        {"kind": "flash_start", "at_s": 50, "item": 2, "percent": 50, "lasts_s": 20, "announced_s": 20},
        {"kind": "price_change", "item": 1, "percent": 80, "after": {"tool": "price_check"}},
        {"kind": "delist", "item": 2, "after": {"reply": 2}},
    ]
    simulator = stream(beats)
    while simulator.next_request() is not None:
        check(simulator)
        simulator.speak("Hello.", correct=1.0, useful=1.0)
        simulator.spend(2)
    assert simulator.waiting == ()
    assert replay(open_stream(simulator.scenario, 0), simulator.events) == simulator.stream
