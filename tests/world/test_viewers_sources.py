"""What a name of viewers means; presets, files, plug-ins of another package; what goes wrong is named."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from livesim.errors import ConfigError, ViewerError
from livesim.world.audience import audience
from livesim.world.parametric import ParametricViewers
from livesim.world.viewers import ViewerConfig
from livesim.world.viewing import sources
from livesim.world.viewing.deadline import Worker
from livesim.world.viewing.presets import FOLDER, preset, presets
from livesim.world.viewing.replay import ReplayViewers
from livesim.world.viewing.script import ScriptViewers

ROOT = Path(__file__).parents[2]
LOGS = Path(__file__).with_name("fixtures") / "logs"
CONFIG = ViewerConfig(viewers=3)


def test_the_presets_are_parametric_viewers_by_name() -> None:
    assert presets() == ("adversarial", "flash_sale", "impatient", "mid_room", "small_room")
    for name in presets():
        made = audience(name, CONFIG)
        assert isinstance(made, ParametricViewers)
        assert made.config == preset(name) != ViewerConfig()


def test_the_presets_are_what_their_names_say() -> None:
    small, mid, plain = preset("small_room"), preset("mid_room"), ViewerConfig()
    assert 5 <= small.viewers <= 20  # docs/domain.md section 2: five to twenty at the start
    assert 50 <= mid.comments_per_min <= 200  # the same: a mid room
    assert preset("flash_sale").intents["participation"] == 0.40
    assert preset("adversarial").adversarial_share > 5 * plain.adversarial_share
    assert preset("impatient").dwell_median_s < plain.dwell_median_s


def test_presets_ship_with_the_package() -> None:
    assert "world/presets/*.yaml" in (ROOT / "setup.cfg").read_text()
    assert all((FOLDER / f"{name}.yaml").is_file() for name in presets())


def test_every_name_has_a_line_for_people() -> None:
    lines = sources.listing()
    assert set(lines) == set(sources.names())
    assert all("\n" not in line and line for line in lines.values())


def test_files_by_name_and_by_path(tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("- {at_s: 1, viewer: mia, text: hi, intent: greeting}\n")
    replay = tmp_path / "replay.yaml"
    replay.write_text(f"kind: replay\nfile: {LOGS / 'tiktok.jsonl'}\nspeed: 2\n")
    numbers = tmp_path / "numbers.yaml"
    numbers.write_text("kind: parametric\nviewers: 7\n")
    for source in (str(script), script, f"script:{script}"):
        assert isinstance(audience(source, CONFIG), ScriptViewers)
    for source in (str(replay), replay, f"replay:{LOGS / 'tiktok.jsonl'}", LOGS / "tiktok.jsonl"):
        assert isinstance(audience(source, CONFIG), ReplayViewers)
    made = audience(numbers, CONFIG)
    assert isinstance(made, ParametricViewers)
    assert made.config == ViewerConfig(viewers=7)


def test_a_log_is_looked_for_beside_the_file_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "chat.csv").write_text("time,user,text\n0,a,hi\n")
    (tmp_path / "replay.yaml").write_text("kind: replay\nfile: chat.csv\n")
    made = audience(tmp_path / "replay.yaml", CONFIG)
    assert isinstance(made, ReplayViewers)
    assert made.report.kept == 1


@pytest.mark.parametrize(
    ("source", "error", "words"),
    [
        ("smal_room", ViewerError, "did you mean 'small_room'"),
        ("repaly:x.json", ViewerError, "did you mean 'replay'"),
        ("script", ViewerError, "script:FILE"),
        ("replay:nowhere.json", ViewerError, r"no comment log nowhere\.json"),
        ("parametric:5", ViewerError, "take no argument"),
        ("llm:localhost", ViewerError, "is no URL"),
        ("nowhere.yaml", ConfigError, r"no file nowhere\.yaml"),
        ("livesim.types:Nothing", ViewerError, "has no attribute 'Nothing'"),
        ("livesim.types:Comment", ViewerError, "missing 3 required positional arguments"),
        (lambda: ReplayViewers("nowhere.json"), ViewerError, r"^no comment log nowhere\.json"),
        (dict, ViewerError, "has not the methods"),
    ],
)
def test_a_wrong_source_is_named(source: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        audience(source, CONFIG)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kind: replai\nfile: x", "did you mean 'replay'"),
        ("viewers: 3", "unknown kind of viewers None"),
        ("kind: parametric\nviewer: 3", "did you mean 'viewers'"),
        ("kind: replay\nfile: x\nspeed: 0", "speed"),
        ("kind: replay\nfile: x\nstart_s: 5\nend_s: 4", "must lie after"),
        ("kind: llm\nbase_url: localhost", "must begin with http"),
        ("just words", "unknown kind of viewers None"),
    ],
)
def test_a_wrong_file_of_viewers_names_file_and_field(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=words) as caught:
        audience(path, CONFIG)
    assert "mine.yaml" in str(caught.value)


class Point:
    """An entry point whose import fails, or which offers something."""

    def __init__(self, name: str, offered: Any, value: str = "some:thing") -> None:
        self.name, self.offered, self.value, self.dist = name, offered, value, None

    def load(self) -> Any:
        if isinstance(self.offered, Exception):
            raise self.offered
        return self.offered


def plug(monkeypatch: pytest.MonkeyPatch, *points: Point | EntryPoint) -> None:
    monkeypatch.setattr(sources, "entry_points", lambda group: list(points) if group == sources.GROUP else [])


def test_a_plug_in_that_cannot_be_loaded_is_warned_of_by_name_and_hides_no_other(monkeypatch: Any) -> None:
    plug(monkeypatch, Point("broken", RuntimeError("no licence")), Point("whole", ParametricViewers))
    with pytest.warns(UserWarning, match=r"'broken' of an unknown package \(some:thing\).*no licence"):
        lines = sources.listing()
    assert "whole" in lines
    assert "broken" not in lines
    assert isinstance(audience("whole", CONFIG), ParametricViewers)
    with pytest.raises(ViewerError, match=r"'broken'.*RuntimeError: no licence"):
        audience("broken", CONFIG)


def test_a_plug_in_cannot_take_a_shipped_name(monkeypatch: Any) -> None:
    plug(monkeypatch, Point("small_room", dict))
    with pytest.warns(UserWarning, match="'small_room'.*hidden"):
        assert sources.plugins() == {}


def test_two_plug_ins_of_one_name_are_refused(monkeypatch: Any) -> None:
    plug(monkeypatch, Point("same", dict, "a:A"), Point("same", dict, "b:B"))
    with pytest.raises(ViewerError, match=r"two packages offer viewers 'same'.*a:A.*b:B"):
        sources.plugins()


def test_a_real_entry_point_is_understood() -> None:
    point = EntryPoint("p", "livesim.world.parametric:ParametricViewers", sources.GROUP)
    assert isinstance(sources._plugged(point, None, Worker("viewers p")), ParametricViewers)


BAD_MODULES = {
    "hangs": ("while True: pass", "no answer within 0.3 s"),
    "sleeps": ("import time; time.sleep(2)", "no answer within 0.3 s"),
    "raises": ("1 / 0", "ZeroDivisionError: division by zero"),
    "refuses": ("from livesim.errors import ConfigError\nraise ConfigError('no licence')", "no licence"),
    "exits": ("raise SystemExit(3)", "SystemExit: 3"),
    "needs": ("import no_such_thing", "ModuleNotFoundError: No module named 'no_such_thing'"),
    "makes": ("class Viewers:\n    def __init__(self):\n        while True: pass", "no answer within 0.3 s"),
}


@pytest.mark.parametrize("name", BAD_MODULES)
def test_a_module_that_hangs_or_fails_at_import_is_named(name: str, tmp_path: Path, monkeypatch: Any) -> None:
    text, words = BAD_MODULES[name]
    module = f"bad_viewers_{name}"
    (tmp_path / f"{module}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    if "within" in words:  # the others may take their time on a busy machine
        monkeypatch.setattr(sources, "MAKE_DEADLINE_S", 0.3)
    with pytest.raises(ViewerError) as caught:
        audience(f"{module}:Viewers", CONFIG)
    assert str(caught.value).startswith(f"viewers '{module}:Viewers'")
    assert words in str(caught.value)
    plug(monkeypatch, EntryPoint("bad", f"{module}:Viewers", sources.GROUP))
    with pytest.raises(ViewerError, match="'bad' of an unknown package"):
        audience("bad", CONFIG)
    if name != "makes":  # nobody is made to list the names
        with pytest.warns(UserWarning, match=r"'bad' of an unknown package .* cannot be loaded"):
            assert "bad" not in sources.listing()


@pytest.mark.slow
def test_a_plug_in_of_another_package_is_found_and_runs(tmp_path: Path) -> None:
    """Installs the demo package as a user would, and plays an episode with its viewers in another process."""
    demo = tmp_path / "demo"
    source = ROOT / "tests" / "plugins" / "livesim_viewer_demo"
    for path in sorted(source.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            target = demo / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-build-isolation", "--quiet"]
    done = subprocess.run([*install, "--target", str(site), str(demo)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    code = textwrap.dedent(f"""
        import sys, warnings
        sys.path.insert(0, {str(site)!r})
        import gymnasium as gym
        import livesim
        from livesim.world.viewing import sources
        assert "demo" in sources.names(), sources.names()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            print(sources.listing()["demo"])
        print([str(w.message) for w in caught])
        env = gym.make("LiveStream-v0", scenario="tiny", viewers="demo:5", requests=2)
        _, info = env.reset(seed=3)
        print(info["messages"][-1]["content"].splitlines()[-1])
        try:
            gym.make("LiveStream-v0", viewers="demo:often").reset(seed=1)
        except Exception as error:
            print(type(error).__name__, error)
        sys.argv = ["livesim", "play", "--viewers", "demo:4", "--scenario", "tiny", "--requests", "1"]
        from livesim.cli import main
        try:
            main()
        except SystemExit as stop:
            print("exit code", stop.code)
    """)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 0, run.stderr[-3000:]
    described, warned, asked, refused, *shown = run.stdout.strip().splitlines()
    assert described.startswith("Every few seconds somebody asks the price")
    assert "'broken_demo' of livesim-viewer-demo" in warned
    assert "needs a licence" in warned
    assert "how much is link" in asked
    assert refused.startswith("ViewerError viewers 'demo' of livesim-viewer-demo")
    assert "could not convert string to float: 'often'" in refused
    assert any("how much is link" in line for line in shown)
    assert shown[-1] == "exit code 0"
