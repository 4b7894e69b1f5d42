"""A user's own tool in an environment: registered, shown by a harness folder, called, its facts spoken."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from livesim.config import StrictModel
from livesim.env import LiveStreamEnv
from livesim.errors import HarnessError
from livesim.harness import shelf
from livesim.harness.codec import render_call
from livesim.tools.answer import Answer
from livesim.tools.arguments import Arguments
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
