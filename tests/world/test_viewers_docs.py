"""What docs/viewers.md shows runs as it is printed, and the examples under configs/viewers load."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from livesim.world.audience import audience
from livesim.world.parametric import ParametricViewers
from livesim.world.viewers import ViewerConfig
from livesim.world.viewing import sources
from livesim.world.viewing.logs.formats import FORMATS
from livesim.world.viewing.presets import presets
from livesim.world.viewing.script import ScriptViewers
from livesim.world.viewing.worded import WordedViewers

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "viewers.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", TEXT, re.S))
def test_the_examples_run(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(code, {"__name__": "example"})
    printed = capsys.readouterr().out
    assert printed
    if "chat.csv" in code:
        shown = re.search(r"```\n(chat\.csv: .*?)```", TEXT, re.S)
        assert shown is not None
        assert printed.strip() == shown[1].strip()


def test_the_example_of_a_viewer_is_about_thirty_lines() -> None:
    code = next(code for code in re.findall(r"```python\n(.*?)```", TEXT, re.S) if "class Bargainers" in code)
    body = code[code.index("class Bargainers") : code.index("env = gym.make")]
    assert len([line for line in body.splitlines() if line.strip()]) <= 30


def test_every_preset_kind_and_format_is_mentioned() -> None:
    assert all(f'"{name}"' in TEXT for name in presets())
    assert all(kind in TEXT for kind in sources.BUILT_IN)
    named = {
        "yt-dlp": "yt-dlp",
        "twitch-downloader": "TwitchDownloader",
        "bilibili": "Bilibili",
        "tiktok": "TikTokLive",
    }
    assert all(named.get(name, name) in TEXT for name in FORMATS)


def test_the_example_files_load(tmp_path: Path) -> None:
    folder = ROOT / "configs" / "viewers"
    assert {path.stem for path in folder.glob("*.yaml")} == {"parametric", "script", "replay", "llm"}
    assert isinstance(audience(folder / "script.yaml", ViewerConfig()), ScriptViewers)
    assert isinstance(audience(folder / "parametric.yaml", ViewerConfig()), ParametricViewers)
    assert isinstance(audience(folder / "llm.yaml", ViewerConfig()), WordedViewers)
    (tmp_path / "replay.yaml").write_text((folder / "replay.yaml").read_text())
    (tmp_path / "chat.csv").write_text("Time,User,Message\n1,mia,hi\n")
    made = audience(tmp_path / "replay.yaml", ViewerConfig())
    assert len(made.lines) == 1  # type: ignore[attr-defined]


def test_a_script_in_the_docs_is_a_script(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(next(iter(re.findall(r"```yaml\n(.*?)```", TEXT, re.S))))
    assert len(yaml.safe_load((tmp_path / "s.yaml").read_text())) == len(ScriptViewers(tmp_path / "s.yaml").lines) == 2
