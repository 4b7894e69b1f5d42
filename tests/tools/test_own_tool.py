"""A user's own tool in an environment: registered, shown by a harness folder, called, its facts spoken."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from livesim.cli import app
from livesim.config import StrictModel
from livesim.env import LiveStreamEnv
from livesim.errors import ConfigError, HarnessError
from livesim.evolution.command import Order, run
from livesim.evolution.heldout import heldout_edit_test
from livesim.evolution.settings import EvolveConfig
from livesim.harness import shelf
from livesim.harness.codec import render_call
from livesim.harness.folder import load_folder
from livesim.tools.answer import Answer
from livesim.tools.arguments import Arguments
from livesim.tools.builtin import SPECS
from livesim.tools.own import own_toolbox
from livesim.tools.shop import ShopView
from livesim.tools.spec import ToolSpec
from livesim.tools.toolbox import Toolbox
from rewards.signals import Fact, FactKind


class RatingArguments(StrictModel):
    link: int


def rating(shop: ShopView, arguments: Arguments) -> Answer:
    fact = Fact(f"link:{arguments['link']}", "rating", FactKind.VALUE, "4.8")
    return Answer.of({"link": arguments["link"], "rating": "4.8"}, [fact])


def test_a_tool_of_ones_own_is_shown_and_answers_in_an_env(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(shelf.SHELF / "compact", tmp_path / "mine"))
    with (folder / "tools.yaml").open("a", encoding="utf-8") as file:
        file.write("- tool: rating\n  name: stars\n")
    with pytest.raises(HarnessError, match="unknown tool 'rating'"):
        LiveStreamEnv("tiny", folder)
    box = Toolbox()
    box.register(ToolSpec("rating", "stars that buyers gave", RatingArguments), rating)
    env = LiveStreamEnv("tiny", folder, augment="train", toolbox=box)
    env.reset(seed=1)
    view = env.sight().harness.view("rating")
    assert view is not None
    link = env.sight().room.items[0].link
    _, _, _, _, info = env.step(render_call(view.name, {view.params[0].name: link}))
    assert json.dumps({"link": link, "rating": "4.8"}, separators=(",", ":")) in info["new_messages"][0]["content"]
    assert env.sight().calls[-1].facts[0].value == "4.8"


MODULE = """
from livesim.config import StrictModel
from livesim.tools.answer import Answer
from livesim.tools.spec import ToolSpec
from livesim.tools.toolbox import Toolbox


class RatingArguments(StrictModel):
    link: int


spec = ToolSpec("rating", "stars that buyers gave", RatingArguments)
toolbox = Toolbox()
toolbox.register(spec, lambda shop, arguments: Answer.of({"rating": "4.8"}, []))
nothing = 3
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A harness that shows a tool of the module ``own_rating``, and that module in the working directory."""
    folder = Path(shutil.copytree(shelf.SHELF / "compact", tmp_path / "mine"))
    with (folder / "tools.yaml").open("a", encoding="utf-8") as file:
        file.write("- tool: rating\n  name: stars  # ours\n")
    (tmp_path / "own_rating.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    monkeypatch.delitem(sys.modules, "own_rating", raising=False)
    return folder


def harness(*words: object) -> str:
    result = CliRunner().invoke(app, ["harness", "--toolbox", "own_rating:toolbox", *(str(word) for word in words)])
    assert result.exit_code == 0, result.output + repr(result.exception)
    return result.output


def test_every_command_on_harnesses_knows_the_tools_of_a_toolbox(mine: Path) -> None:
    assert "stars that buyers gave" in harness("show", mine)
    assert "rating" in harness("tools")
    assert "0 errors" in harness("lint", mine)
    before = (mine / "tools.yaml").read_bytes()
    harness("edit", mine, "--rule", 'skills.item_qa=Stars: "{tool:rating}".', "--set", "tools.rating.name=sterne")
    assert b"sterne" in (mine / "tools.yaml").read_bytes()
    harness("edit", mine, "--revert", 2)
    assert (mine / "tools.yaml").read_bytes() == before
    harness("copy", mine, mine.parent / "other")
    assert harness("diff", mine, mine.parent / "other") == "no difference\n"


def test_variants_with_a_tool_of_ones_own_are_proved_by_playing_them(mine: Path) -> None:
    told = harness("prove", mine, "--variants", 3)
    assert sum(int(line.split()[0]) for line in told.splitlines() if line.endswith(("proved", "original"))) == 3


def test_the_held_out_edit_test_plays_with_a_toolbox(mine: Path, tmp_path: Path) -> None:
    (found,) = heldout_edit_test(
        ["novice"],
        [0],
        [1],
        out=tmp_path / "out",
        harness=str(mine),
        config=EvolveConfig(episodes=4, steps=1),
        toolbox="own_rating:toolbox",
    )
    assert found.test_before.points > 0


def test_a_harness_with_a_tool_of_ones_own_evolves(mine: Path, tmp_path: Path) -> None:
    config = EvolveConfig(episodes=8, steps=1, keep_all=True)
    order = Order("novice", tmp_path / "out", str(mine), yes=True, config=config, toolbox="own_rating:toolbox")
    trail = run(order)
    assert len(trail.steps) == 2
    state = load_folder(tmp_path / "out/harness", {**SPECS, **own_toolbox("own_rating:toolbox").specs})
    assert state.view("rating") is not None
    assert state.hash == trail.steps[1].harness


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("own_rating", "write module:object"),
        ("no_such_module:x", "No module named"),
        ("own_rating:box", "no attribute 'box'"),
        ("own_rating:nothing", "int, not a Toolbox"),
    ],
)
def test_what_is_no_toolbox_is_refused(mine: Path, name: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        own_toolbox(name)
