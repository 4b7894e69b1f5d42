"""Viewers whose lines are known beforehand: scripts and replayed logs, alone and in a stream."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from livesim.config import parse
from livesim.errors import ConfigError, ViewerError
from livesim.scenarios.library import load
from livesim.simulator import Simulator
from livesim.types import Intent
from livesim.world.audience import Guarded
from livesim.world.viewers import Heard, ItemInfo, RoomInfo, RoomMoment, ViewerComment, Want
from livesim.world.viewing.replay import ReplayConfig, ReplayViewers
from livesim.world.viewing.script import Script, ScriptViewers, read_script

LOGS = Path(__file__).with_name("fixtures") / "logs"
ROOM = RoomInfo(
    (ItemInfo(2, "linen shirt", "clothing", ("red/M",), ("material",), 186, 90), ItemInfo(3, "steel pan", "home")),
    3,
    60.0,
)

SCRIPT = """
- {at_s: 9, viewer: leo, text: "size of the {title}? 170 cm 60 kg", intent: size, item: 1,
   slots: {height_cm: 170, weight_kg: 60}}
- {at_s: 4, viewer: mia, text: "how much is link 3, and when does it ship?", intent: price, link: 3,
   more: [{intent: shipping, link: 3}]}
- {at_s: 9, viewer: ana, text: "hi from {nowhere}", intent: greeting}
"""


def script(text: str, tmp_path: Path) -> ScriptViewers:
    path = tmp_path / "script.yaml"
    path.write_text(text)
    return ScriptViewers(path)


def test_lines_are_said_in_the_window_that_holds_their_second(tmp_path: Path) -> None:
    viewers = Guarded(script(SCRIPT, tmp_path))
    viewers.reset(1, ROOM)
    said = [viewers.window(RoomMoment(start_s, 3, (2, 3)), 3.0) for start_s in (0.0, 3.0, 6.0, 9.0)]
    mia = ViewerComment(
        "mia", "how much is link 3, and when does it ship?", Intent.PRICE, 3, {}, 4.0, (Want(Intent.SHIPPING, 3),)
    )
    leo = ViewerComment(
        "leo", "size of the linen shirt? 170 cm 60 kg", Intent.SIZE, 2, {"height_cm": 170, "weight_kg": 60}, 9.0
    )
    ana = ViewerComment("ana", "hi from {nowhere}", Intent.GREETING, at_s=9.0)
    assert said == [[], [(4.0, mia)], [], [(9.0, leo), (9.0, ana)]]
    assert viewers.react(Heard("r1", "no", (mia,), 0.0, 0.0, 4.0, 5.0, 6.0), (2, 3)) == []


def test_a_reset_starts_the_script_again_and_the_seed_changes_nothing(tmp_path: Path) -> None:
    viewers = script(SCRIPT, tmp_path)
    runs = []
    for seed in (1, 2):
        viewers.reset(seed, ROOM)
        runs.append(list(viewers.window(RoomMoment(0.0, 3, (2, 3)), 60.0)))
    assert runs[0] == runs[1]
    assert len(runs[0]) == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "lines"),
        ("- {at_s: 1, viewer: mia, text: hi, intent: greting}", "'greeting'"),
        ("- {at_s: -1, viewer: mia, text: hi, intent: greeting}", r"lines\.0\.at_s"),
        ("- {at_s: 1, viewer: mia, text: hi, intent: greeting, links: 2}", "did you mean 'link'"),
        ("- {at_s: 1, viewer: mia, text: hi, intent: price}", "is about an item"),
        ("- {at_s: 1, viewer: mia, text: hi, intent: price, link: 2, item: 1}", "either link or item"),
        ("- {at_s: 1, viewer: mia, text: hi, intent: size, link: 2}", "height_cm and weight_kg"),
        ("- {at_s: 1, viewer: mia, text: hi, intent: price, link: 2, slots: {quantiti: 2}}", "did you mean 'quantity'"),
        ("- {at_s: 1, viewer: mia, text: hi, intent: price, link: 2, slots: {quantity: many}}", "from 1 to 99"),
        ("- {at_s: 1, viewer: mia, text: hi", "no readable YAML"),
        ("5", "script.yaml"),
    ],
)
def test_a_wrong_script_names_file_line_and_field(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        script(text, tmp_path)
    assert "script.yaml" in str(caught.value)


def test_a_line_about_an_item_that_the_room_lacks_is_named(tmp_path: Path) -> None:
    viewers = script("- {at_s: 1, viewer: mia, text: hi, intent: price, item: 5}", tmp_path)
    with pytest.raises(ViewerError, match=r"line at 1\.0 s, mia: item 5 of 2"):
        viewers.reset(1, ROOM)


def test_a_script_makes_the_requests_of_a_stream() -> None:
    lines = [
        {"at_s": 5, "viewer": "mia", "text": "how much is link {link}?", "intent": "price", "item": 2},
        {"at_s": 40, "viewer": "leo", "text": "{title} please", "intent": "show_item", "item": 1},
    ]
    viewers = ScriptViewers(parse(Script, {"lines": lines}, "test"))
    simulator = Simulator(load("tiny"), 1, viewers=viewers)
    first = simulator.next_request()
    assert first is not None
    links = simulator.stream.catalog.links
    assert [(c.viewer, c.text) for c in first.request.comments] == [("mia", f"how much is link {links[1]}?")]
    assert [(n.intent, n.subject) for n in first.needs] == [("price", f"link:{links[1]}")]
    simulator.close("rounds")
    second = simulator.next_request()
    assert second is not None
    assert second.needs[0].intent == "show_item"
    assert simulator.clock_s >= 40
    simulator.close("rounds")
    assert simulator.next_request() is None


def test_a_log_is_replayed_with_needs_where_they_are_sure() -> None:
    viewers = ReplayViewers(LOGS / "chat_downloader.json")
    guard = Guarded(viewers)
    guard.reset(1, ROOM)
    said = guard.window(RoomMoment(0.0, 3, (2, 3)), 60.0)
    assert [(at_s, act.intent, act.link) for at_s, act in said if isinstance(act, ViewerComment)] == [
        (0.0, Intent.GREETING, None),
        (17.4, Intent.PRICE, 2),
        (25.0, Intent.CHITCHAT, None),  # "love this" may be about anything
        (35.0, Intent.CHITCHAT, None),
    ]
    assert viewers.sure_share == 0.5
    assert viewers.report.kept == 4


def test_labels_decide_what_a_replayed_comment_wants() -> None:
    viewers = ReplayViewers(ReplayConfig(file=str(LOGS / "labelled.csv")))
    viewers.reset(1, ROOM)
    said: list[Any] = list(viewers.window(RoomMoment(0.0, 3, (2, 3)), 60.0))
    assert [(act.intent, act.link) for act in said] == [(Intent.PRICE, 2), (Intent.CHITCHAT, None)]
    assert viewers.sure_share == 1.0


def test_every_fixture_log_plays_a_stream_to_its_end() -> None:
    for path in sorted(LOGS.iterdir()):
        if path.name == "headless.csv":
            continue
        simulator = Simulator(load("tiny"), 3, viewers=path)
        requests = 0
        while (pending := simulator.next_request()) is not None:
            assert pending.needs
            requests += 1
            simulator.close("rounds")
        assert requests >= 1, path.name


def test_the_same_log_gives_the_same_timeline() -> None:
    def events() -> list[Any]:
        simulator = Simulator(load("tiny"), 3, viewers=LOGS / "tiktok.jsonl")
        while simulator.next_request() is not None:
            simulator.close("rounds")
        return simulator.events

    assert events() == events()


def test_a_script_read_twice_is_equal(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(SCRIPT)
    assert read_script(path) == read_script(path)
