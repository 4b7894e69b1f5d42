"""Every scenario of the library with every agent of the roster keeps the contract of the environment."""

from __future__ import annotations

import json
import math
import pickle
from typing import Any

import numpy as np
import pytest

from agents.roster import ROSTER
from livesim.env import LiveStreamEnv
from livesim.rollout import Episode, play
from livesim.scenarios import library
from livesim.scenarios.opening import open_stream
from livesim.world.state import replay

AGENTS = sorted(set(ROSTER) - {"react"})
SEED = 3


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("scenario", library.names())
def test_the_contract_holds(scenario: str, agent: str) -> None:
    env = LiveStreamEnv(scenario=scenario, requests=4)
    first = play(ROSTER[agent](), env, SEED)
    assert first.requests
    for request in first.requests:
        heads = request.heads
        assert all(math.isfinite(value) for value in heads.values())
        assert all(0.0 <= value <= 1.0 for name, value in heads.items() if name != "length")
        assert -1.0 <= heads["length"] <= 0.0
        assert math.isfinite(request.total)
    twin = play(ROSTER[agent](), LiveStreamEnv(scenario=scenario, requests=4), SEED)
    assert twin.to_json(wall=False) == first.to_json(wall=False)
    assert Episode.from_json(first.to_json()) == first


@pytest.mark.parametrize("scenario", library.names())
def test_replaying_the_events_gives_the_same_state(scenario: str) -> None:
    env = LiveStreamEnv(scenario=scenario, requests=6)
    play(ROSTER["oracle"](), env, SEED)
    simulator = env.simulator
    assert replay(open_stream(simulator.scenario, SEED), simulator.events) == simulator.stream


@pytest.mark.parametrize("scenario", library.names())
def test_the_start_varies_with_the_seed_and_belongs_to_the_space(scenario: str) -> None:
    env = LiveStreamEnv(scenario=scenario)
    seen = set()
    for seed in range(6):
        observation, _ = env.reset(seed=seed)
        assert observation in env.observation_space
        seen.add(observation["messages"])
    assert len(seen) == 6


def test_no_part_of_the_observation_is_constant() -> None:
    env = LiveStreamEnv(requests=None, scenario="flash_sale", augment="train")
    seen: dict[str, set[str]] = {}
    for seed in range(10):
        observation, info = env.reset(seed=seed)
        for _ in range(8):
            for name, value in flat(observation).items():
                seen.setdefault(name, set()).add(value)
            if info["end"] != "running":
                break
            observation, *_, info = env.step("")
    assert {name for name, values in seen.items() if len(values) < 2} <= {"room.items"}


def test_observations_share_no_memory() -> None:
    env = LiveStreamEnv()
    one, _ = env.reset(seed=1)
    two, *_ = env.step("hi")
    for name, value in one["room"].items():
        assert not np.shares_memory(value, two["room"][name])


def test_observations_and_info_can_be_pickled() -> None:
    env = LiveStreamEnv(requests=1)
    observation, info = env.reset(seed=1)
    assert pickle.loads(pickle.dumps((observation, info)))[1] == info
    json.dumps(info)


def flat(observation: dict[str, Any]) -> dict[str, str]:
    values = {name: str(value) for name, value in observation.items() if name != "room"}
    return values | {f"room.{name}": str(float(value)) for name, value in observation["room"].items()}
