"""Nothing hidden is in an observation: not the truth, not the needs, not the canonical names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from livesim.env import LiveStreamEnv
from livesim.tools.builtin import SPECS
from livesim.types import Intent
from livesim.world.viewers import Heard, RoomInfo, RoomMoment, ViewerAct, ViewerComment

SECRET_TOPIC = "zzsecrettopic"
SECRET_ORDER = "ZZSECRET77"


class Planting:
    """Viewers whose hidden meaning carries secrets that no text holds."""

    def reset(self, seed: int, room: RoomInfo) -> None:
        self.room = room

    def window(self, room: RoomMoment, dt_s: float) -> Sequence[ViewerAct]:
        slots = {"topic": SECRET_TOPIC, "order": SECRET_ORDER}
        link = room.listed[0]
        return [
            ViewerComment("mia", "hm", Intent.ATTRIBUTE, link, slots, room.clock_s),
            ViewerComment("leo", "and?", Intent.AFTER_SALES, None, slots, room.clock_s),
        ]

    def react(self, heard: Heard) -> Sequence[ViewerAct]:
        return []


def everything(observation: dict[str, Any], info: dict[str, Any]) -> str:
    texts = [observation[name] for name in ("messages", "tools", "harness")]
    return "\n".join([*texts, json.dumps(info, ensure_ascii=False)])


def test_what_viewers_mean_is_never_shown() -> None:
    env = LiveStreamEnv(viewers=Planting, requests=2)
    observation, info = env.reset(seed=1)
    assert SECRET_ORDER in str(env.sight().needs)
    for _ in range(8):
        shown = everything(observation, info)
        assert SECRET_TOPIC not in shown
        assert SECRET_ORDER not in shown
        observation, _, terminated, _, info = env.step("let me see")
        if terminated:
            break


def test_prices_and_stock_are_not_shown_before_a_tool_says_them() -> None:
    env = LiveStreamEnv(scenario="quiet_room", requests=1, faults="none")
    for seed in range(10):
        observation, info = env.reset(seed=seed)
        product = env.simulator.stream.catalog.products[0]
        changed = [info["messages"][1]["content"], observation["harness"], json.dumps(info["room"])]
        assert f"{product.list_price_fen}" not in "".join(changed[1:2])
        price = f"{product.list_price_fen // 100} yuan"
        assert price not in changed[0]
        assert price not in changed[2]


@pytest.mark.parametrize("seed", range(6))
def test_canonical_names_are_not_shown_by_a_renamed_harness(seed: int) -> None:
    env = LiveStreamEnv(augment="heldout:tool_definition", requests=1)
    observation, info = env.reset(seed=seed)
    renamed = {view.canonical: view.name for view in env.variant.state.tools if view.canonical}
    shown = everything(observation, info)
    skills = {skill.name for skill in env.variant.state.skills}
    hidden = [name for name, surface in renamed.items() if surface != name and name in SPECS]
    assert hidden
    for name in hidden:
        if name not in renamed.values() and name not in skills:
            assert f'"{name}"' not in shown.replace('\\"', '"')


def test_faults_and_facts_stay_hidden_in_results() -> None:
    env = LiveStreamEnv(scenario="quiet_room", requests=3, faults="stress")
    hit = 0
    for seed in range(5):
        _, info = env.reset(seed=seed)
        while info["end"] == "running":
            *_, info = env.step('<tool_call>{"name":"price_check","arguments":{"link":1}}</tool_call>')
            hit += sum(call.fault is not None for call in env.calls)
            public = {name: value for name, value in info.items() if name not in ("tools", "harness", "reasons")}
            public["messages"] = info["messages"][1:]
            text = json.dumps(public)
            for word in ("fault", "facts", "final_price", "coupon:", "needs"):
                assert f'"{word}' not in text.replace('\\"', "'")
    assert hit > 0
