"""Viewers of a scenario by kind: lines, logs, models, plug-ins; strict, and never a viewer that hangs on."""

from __future__ import annotations

import gc
import shutil
import threading
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.oracle import OracleAgent
from livesim.env import LiveStreamEnv
from livesim.errors import HarnessError, ScenarioError, ViewerError
from livesim.harness import shelf
from livesim.regression.lint import lint
from livesim.regression.play import rehearse
from livesim.regression.rooms import walk
from livesim.scenarios.library import load
from livesim.scenarios.script import Scenario
from livesim.simulator import Simulator
from livesim.types import Intent
from livesim.world.events import Commented
from livesim.world.viewers import Heard, RoomInfo, RoomMoment, ViewerAct, ViewerComment, ViewerConfig
from livesim.world.viewing import sources
from livesim.world.viewing.presets import preset
from livesim.world.viewing.worded import WordedViewers

PLAIN = "name: x\ncatalog: {seed: 3, items: 3}\nhorizon_s: 60\n"


def write(folder: Path, viewers: str, more: str = "") -> Path:
    path = folder / "x.yaml"
    path.write_text(f"{PLAIN}viewers: {viewers}\n{more}")
    return path


class Asker:
    """Asks the price of the first item over and over, until it does what it was told to do at second 20."""

    deadline_s = 0.3

    def __init__(self, what: str = "asks") -> None:
        self.what = what

    def reset(self, seed: int, room: RoomInfo) -> None:
        self.next_s = 2.0

    def window(self, room: RoomMoment, dt_s: float) -> list[ViewerAct]:
        acts: list[ViewerAct] = []
        while self.next_s < room.clock_s + dt_s:
            if self.next_s > 20 and self.what != "asks":
                acts = self.fail()
                return acts
            acts.append(ViewerComment("mia", f"at {self.next_s:g}?", Intent.PRICE, room.listed[0], at_s=self.next_s))
            self.next_s += 8.0
        return acts

    def react(self, heard: Heard) -> list[ViewerAct]:
        return []

    def fail(self) -> Any:
        if self.what == "raises":
            raise KeyError("price")
        while self.what == "hangs":
            pass
        return ["rubbish"]


class Point:
    """An entry point of an installed package."""

    name, value, dist = "asker", "askers:Asker", None

    def load(self) -> type:
        return Asker


@pytest.fixture(autouse=True)
def plugged(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sources, "entry_points", lambda group: [Point()] if group == sources.GROUP else [])
    before = set(threading.enumerate())  # another file's failed test may hold on to a room and its viewers
    yield
    for thread in set(threading.enumerate()) - before:
        if thread.name.startswith("viewers "):
            gc.collect()
            thread.join(10.0)  # it ends at its next instruction, when a busy machine lets it run
            assert not thread.is_alive(), thread.name


def comments(scenario: Scenario) -> list[str]:
    simulator = Simulator(scenario, 0)
    simulator.spend(59)
    return [event.text for event in simulator.events if isinstance(event, Commented)]


def test_numbers_with_and_without_their_kind_are_the_same_scenario(tmp_path: Path) -> None:
    plain, named = (load(write(tmp_path, text)) for text in ("{viewers: 4}", "{kind: parametric, viewers: 4}"))
    assert plain == named
    assert plain.hash == named.hash
    assert plain.viewers == ViewerConfig(viewers=4)
    assert load(write(tmp_path, "mid_room")).viewers == preset("mid_room")
    assert load(write(tmp_path, "{kind: mid_room, click: 0.5}")).viewers == preset("mid_room").model_copy(
        update={"click": 0.5}
    )


def test_a_script_is_what_is_said(tmp_path: Path) -> None:
    lines = "[{at_s: 4, viewer: mia, text: hi, intent: greeting}]"
    scenario = load(write(tmp_path, f"{{kind: script, lines: {lines}}}"))
    assert [line.text for line in scenario.says] == ["hi"]
    assert scenario.hash == load(write(tmp_path, "{}", f"says: {lines}\n")).hash
    assert comments(scenario) == ["hi"]


@pytest.mark.parametrize(
    ("viewers", "name", "content"),
    [
        ("{kind: replay, file: log.csv}", "log.csv", "time,user,text\n3,mia,hello\n"),
        ("replay:log.csv", "log.csv", "time,user,text\n3,mia,hello\n"),
        ("script:lines.yaml", "lines.yaml", "- {at_s: 3, viewer: mia, text: hello, intent: greeting}\n"),
        ("lines.yaml", "lines.yaml", "- {at_s: 3, viewer: mia, text: hello, intent: greeting}\n"),
    ],
)
def test_files_of_viewers_start_at_the_scenario_not_at_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, viewers: str, name: str, content: str
) -> None:
    folder = tmp_path / "scenarios"
    folder.mkdir()
    (folder / name).write_text(content)
    file = write(folder, viewers)
    monkeypatch.chdir(tmp_path)
    pending = Simulator(load(file.relative_to(tmp_path)), 0).next_request()
    assert pending is not None
    assert [comment.text for comment in pending.request.comments] == ["hello"]


def test_words_of_a_model_are_kept_beside_the_scenario(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "scenarios"
    folder.mkdir()
    file = write(folder, "{kind: llm, base_url: 'http://127.0.0.1:9/v1', cache: words.jsonl}")
    monkeypatch.chdir(tmp_path)
    viewers = load(file.relative_to(tmp_path)).audience()
    assert isinstance(viewers, WordedViewers)
    assert viewers.config.cache == "scenarios/words.jsonl"


def test_a_harness_folder_starts_at_the_scenario_and_a_shipped_name_stays_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "scenarios"
    folder.mkdir()
    shutil.copytree(shelf.SHELF / "compact", folder / "own")
    (tmp_path / "own").mkdir()
    (folder / "default").mkdir()
    lines = "says: [{at_s: 3, viewer: mia, text: hello, intent: greeting}]\nexpect: {answered: 1}\n"
    file = folder / "x.yaml"
    monkeypatch.chdir(tmp_path)
    for name, tools in (("own", 6), ("./own", 6), (str(folder / "own"), 6), ("default", 13)):
        file.write_text(f"{PLAIN}{lines}play: {{harness: {name}}}\n")
        scenario = load(file.relative_to(tmp_path))
        assert rehearse(scenario, OracleAgent()).passed
        assert lint(scenario) == ()
        assert len(walk(scenario).tools) == tools
    file.write_text(f"{PLAIN}{lines}play: {{harness: owm}}\n")
    with pytest.raises(HarnessError, match="unknown harness 'scenarios/owm'"):
        rehearse(load(file.relative_to(tmp_path)), OracleAgent())


def test_a_log_lies_beside_the_scenario_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "chat.csv").write_text("time,user,text\n2,mia,hello all\n9,leo,nice\n")
    scenario = load(write(tmp_path, "{kind: replay, file: chat.csv, speed: 2}"))
    assert comments(scenario) == ["hello all", "nice"]
    assert Scenario.model_validate(scenario.model_dump(mode="json")).hash == scenario.hash
    assert rehearse(scenario, OracleAgent()).episode.requests


def test_a_model_words_what_the_scenarios_own_numbers_draw(tmp_path: Path) -> None:
    scenario = load(write(tmp_path, "{kind: llm, base_url: 'http://127.0.0.1:1/v1', model: m}"))
    assert isinstance(scenario.audience(), WordedViewers)
    assert scenario.hash != load(write(tmp_path, "{}")).hash


def test_a_plug_in_by_name_and_an_argument_over_it(tmp_path: Path) -> None:
    scenario = load(write(tmp_path, "asker"))
    assert comments(scenario)[:2] == ["at 2?", "at 10?"]
    assert comments(load(write(tmp_path, "{kind: asker}"))) == comments(scenario)
    done = rehearse(load("timeout_once"), OracleAgent(), viewers="asker")
    assert "mia: at 2?" in "\n".join(map(str, done.timeline))


@pytest.mark.parametrize(
    ("viewers", "words"),
    [
        ("{kind: repaly, file: chat.csv}", "did you mean 'replay'"),
        ("{kind: askr}", "did you mean 'asker'"),
        ("smal_room", "did you mean 'small_room'"),
        ("{kind: replay, fil: chat.csv}", "did you mean 'file'"),
        ("{kind: replay}", "file: Field required"),
        ("{kind: llm, base_url: here}", "must begin with http"),
        ("{kind: parametric, viewrs: 3}", "did you mean 'viewers'"),
        ("{kind: mid_room, clik: 0.5}", "did you mean 'click'"),
        ("{kind: asker, every: 3}", "take no fields beside it, got every; write 'asker:ARGUMENT'"),
        ("{kind: script}", "hold lines and nothing else"),
        ("{kind: script, lines: [{at_s: 1, viewer: a, text: hi, intent: greetin}]}", "greetin"),
    ],
)
def test_a_wrong_kind_or_field_is_named_with_the_nearest(tmp_path: Path, viewers: str, words: str) -> None:
    with pytest.raises(ScenarioError, match=words) as caught:
        load(write(tmp_path, viewers))
    assert "x.yaml" in str(caught.value)


def test_only_one_can_play_the_audience(tmp_path: Path) -> None:
    line = "[{at_s: 4, viewer: mia, text: hi, intent: greeting}]"
    for viewers in ("asker", f"{{kind: script, lines: {line}}}"):
        with pytest.raises(ScenarioError, match=r"says"):
            load(write(tmp_path, viewers, f"says: {line}\n"))


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("raises", r"Asker\.window raised KeyError: 'price'"),
        ("hangs", r"Asker\.window gave no answer within 0\.3 s"),
        ("talks rubbish", r"Asker\.window returned 'rubbish'"),
    ],
)
def test_a_viewer_that_fails_midway_ends_the_episode_by_name(what: str, words: str, tmp_path: Path) -> None:
    env = LiveStreamEnv(scenario=load(write(tmp_path, f"'asker:{what}'")), requests=None)
    env.reset(seed=0)
    with pytest.raises(ViewerError, match=words):
        deque((env.step("") for _ in range(40)), maxlen=0)
    with pytest.raises(ViewerError, match=words):  # and the episode stays ended
        env.step("")
    env.close()
    LiveStreamEnv(scenario="tiny").reset(seed=0)
