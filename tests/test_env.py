"""The environment: Gymnasium's contract, time, endings, arguments, twins."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from agents.oracle import OracleAgent
from agents.random import RandomAgent
from livesim.env import LiveStreamEnv
from livesim.errors import ConfigError, HarnessError, ScenarioError
from livesim.rollout import play
from livesim.scenarios import library
from livesim.types import End, RequestEnd

HEADS = ["accuracy", "effectiveness", "tool_rationality", "skill_selection", "length"]


@pytest.fixture
def env() -> Iterator[LiveStreamEnv]:
    made = LiveStreamEnv(requests=2)
    yield made
    made.close()


def load_call(env: LiveStreamEnv) -> str:
    agent = OracleAgent()
    agent.reset(0)
    agent.see(env.sight())
    turn = agent.act([], [])
    assert isinstance(turn, str)
    return turn


def test_check_env_is_clean() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gym.make("LiveStream-v0", disable_env_checker=True)
        check_env(env.unwrapped, skip_render_check=False)


def test_the_module_form_needs_no_import() -> None:
    code = "import gymnasium; e = gymnasium.make('livesim:LiveStream-v0'); e.reset(seed=1); print(type(e.unwrapped))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert "LiveStreamEnv" in done.stdout


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vector_environments_work(mode: str) -> None:
    kwargs = {"shared_memory": False} if mode == "async" else {}
    envs = gym.make_vec("LiveStream-v0", num_envs=2, vectorization_mode=mode, vector_kwargs=kwargs)
    try:
        observations, _ = envs.reset(seed=[1, 2])
        assert len(observations["messages"]) == 2
        assert observations["messages"][0] != observations["messages"][1]
        for _ in range(3):
            observations, rewards, *_ = envs.step(("hello", {"role": "assistant", "content": "hi"}))
        assert rewards.shape == (2,)
        assert observations["room"]["clock_s"].shape == (2,)
    finally:
        envs.close()


def test_the_observation_is_what_info_holds(env: LiveStreamEnv) -> None:
    observation, info = env.reset(seed=3)
    assert observation in env.observation_space
    assert json.loads(observation["messages"]) == info["messages"]
    assert json.loads(observation["tools"]) == info["tools"]
    assert json.loads(observation["harness"]) == info["harness"]
    assert [message["role"] for message in info["messages"]] == ["system", "user"]
    assert info["harness"]["hash"] == env.variant.state.hash
    assert set(info["harness"]["hashes"]) == {"skills", "hooks", "prompt", "tools"}
    assert info["end"] == "running"
    assert info["request_done"] is False


def test_one_step_is_one_turn_answered_by_one_message(env: LiveStreamEnv) -> None:
    _, before = env.reset(seed=3)
    turn = load_call(env)
    observation, reward, terminated, truncated, info = env.step(turn)
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert info["messages"][: len(before["messages"])] == before["messages"]
    assert info["messages"][-2] == {"role": "assistant", "content": turn}
    assert info["new_messages"] == [info["messages"][-1]]
    assert info["new_messages"][0]["role"] == "tool"
    assert info["segment"] == "tool"
    assert "heads" not in info
    assert observation in env.observation_space


def test_every_closed_request_has_all_heads() -> None:
    env = LiveStreamEnv(requests=1)
    for agent in (OracleAgent(), RandomAgent()):
        episode = play(agent, env, 5)
        assert list(episode.requests[0].heads) == HEADS
        assert list(episode.requests[0].reasons) == HEADS[:4]


def test_rewards_are_python_floats_and_paid_at_the_end(env: LiveStreamEnv) -> None:
    env.reset(seed=4)
    total = 0.0
    while True:
        _, reward, terminated, truncated, info = env.step("")
        assert type(reward) is float
        assert type(terminated) is bool
        assert type(truncated) is bool
        if not info["request_done"]:
            assert reward == 0.0
        else:
            assert reward == info["total"]
        total += reward
        if terminated or truncated:
            break
    assert info["end"] == End.SERVED
    assert info["request_end"] in (RequestEnd.RETRIES, RequestEnd.ROUNDS)


def test_objects_are_fresh_each_step(env: LiveStreamEnv) -> None:
    observation, info = env.reset(seed=3)
    copy = json.dumps(info["messages"])
    room = {name: float(value) for name, value in observation["room"].items()}
    later, later_info, *_ = (*env.step("hello")[:1], env.step("hello")[4])
    assert json.dumps(info["messages"]) == copy
    assert {name: float(value) for name, value in observation["room"].items()} == room
    later_info["messages"].clear()
    later_info["harness"].clear()
    assert env._info()["messages"]
    for name in room:
        assert not np.shares_memory(observation["room"][name], later["room"][name])


def test_a_fresh_request_opens_after_a_closed_one() -> None:
    env = LiveStreamEnv(requests=3, scenario="mid_room")
    _, first = env.reset(seed=2)
    info: dict[str, Any] = first
    while not info["request_done"]:
        *_, info = env.step("")
    assert info["closed_id"] == first["request_id"]
    assert info["request_id"] != first["request_id"]
    assert [message["role"] for message in info["messages"]] == ["system", "user"]
    assert env.signals is not None
    assert env.signals.request_id == first["request_id"]


def test_time_passes_with_tokens_and_calls(env: LiveStreamEnv) -> None:
    env.reset(seed=3)
    before = env.clock_s
    env.step("x" * 4800)  # 1200 tokens at 120 a second
    assert env.clock_s == pytest.approx(before + 10.0, abs=0.2)
    before = env.clock_s
    env.step({"role": "assistant", "content": "x", "usage": {"completion_tokens": 360}})
    assert env.clock_s == pytest.approx(before + 3.0, abs=0.2)


def test_the_round_limit_is_an_argument() -> None:
    env = LiveStreamEnv(requests=1, max_rounds=1)
    env.reset(seed=3)
    assert env.sight().rounds_left == 1
    *_, terminated, truncated, info = env.step(load_call(env))
    assert (terminated, truncated) == (True, False)
    assert info["request_end"] == RequestEnd.ROUNDS
    assert sum(info["heads"].values()) < 4


def test_the_turn_budget_truncates_and_still_scores() -> None:
    env = LiveStreamEnv(requests=5, max_turns=1)
    env.reset(seed=3)
    _, reward, terminated, truncated, info = env.step(load_call(env))
    assert (terminated, truncated) == (False, True)
    assert info["end"] == End.STEP_BUDGET
    assert info["request_end"] == RequestEnd.BUDGET
    assert list(info["heads"]) == HEADS
    assert reward == info["total"]


def test_the_stream_ends_at_its_horizon() -> None:
    scenario = library.load("quiet_room").model_copy(update={"horizon_s": 60.0})
    env = LiveStreamEnv(scenario=scenario, requests=None)
    for seed in range(20):
        try:
            env.reset(seed=seed)
        except ScenarioError:
            continue
        for _ in range(500):
            *_, terminated, truncated, info = env.step("")
            if terminated or truncated:
                break
        assert info["end"] == End.STREAM_OVER
        assert info["request_end"] in (RequestEnd.TIME, RequestEnd.RETRIES)
        assert info["request_done"] is True
        return
    pytest.fail("no stream with a request within a minute")


def test_stepping_outside_an_episode_is_an_error() -> None:
    env = LiveStreamEnv(requests=1, max_rounds=1)
    with pytest.raises(ResetNeeded):
        env.step("hello")
    env.reset(seed=1)
    env.step("hello")
    with pytest.raises(ResetNeeded):
        env.step("hello")


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        ({"harness": "defualt"}, HarnessError, "default"),
        ({"scenario": "quiet_rom"}, ScenarioError, "quiet_room"),
        ({"augment": "hold_out"}, ConfigError, "heldout"),
        ({"faults": "stres"}, ConfigError, "stress"),
        ({"requests": 0}, ConfigError, "requests"),
        ({"max_rounds": True}, ConfigError, "max_rounds"),
        ({"max_turns": -3}, ConfigError, "-3"),
        ({"render_mode": "human"}, ConfigError, "ansi"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        LiveStreamEnv(**arguments)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"scenrio": "quiet_room"}, "did you mean 'scenario'"),
        ({"harness_seed": "7"}, "harness_seed"),
        ({"request": -1}, "request"),
        ({"faults": "stres"}, "stress"),
        ({"augment": "hold_out"}, "heldout"),
    ],
)
def test_wrong_options_are_named(env: LiveStreamEnv, options: dict[str, Any], match: str) -> None:
    with pytest.raises(ConfigError, match=match):
        env.reset(seed=1, options=options)


def test_options_hold_for_one_episode(env: LiveStreamEnv) -> None:
    _, info = env.reset(seed=1, options={"harness": "compact", "scenario": "quiet_room"})
    assert info["harness"]["name"] == "compact"
    assert info["scenario"]["name"] == "quiet_room"
    _, info = env.reset(seed=1)
    assert info["harness"]["name"] == "default"


def test_the_request_option_begins_later_in_the_same_stream() -> None:
    env = LiveStreamEnv(scenario="mid_room", requests=1)
    _, first = env.reset(seed=6)
    _, later = env.reset(seed=6, options={"request": 3})
    assert later["room"]["clock_s"] > first["room"]["clock_s"]
    assert later["request_id"] != first["request_id"]
    with pytest.raises(ScenarioError, match="100000"):
        env.reset(seed=6, options={"request": 100_000})


def test_the_harness_seed_alone_decides_the_variant() -> None:
    env = LiveStreamEnv(augment="heldout")
    _, one = env.reset(seed=1, options={"harness_seed": 5})
    _, two = env.reset(seed=2, options={"harness_seed": 5})
    _, three = env.reset(seed=1, options={"harness_seed": 6})
    assert one["harness"]["hash"] == two["harness"]["hash"] != three["harness"]["hash"]
    assert one["messages"][1] == three["messages"][1]
    assert one["original"] is False


def test_without_a_seed_episodes_differ_and_follow_the_last_seed() -> None:
    env = LiveStreamEnv()
    env.reset(seed=1)
    seeds = [env.reset()[1]["seed"] for _ in range(3)]
    env.reset(seed=1)
    assert [env.reset()[1]["seed"] for _ in range(3)] == seeds
    assert len(set(seeds)) == 3


def test_rendering_shows_the_room() -> None:
    env = LiveStreamEnv(render_mode="ansi")
    env.reset(seed=3)
    frame = env.render()
    assert frame is not None
    assert "on air: link" in frame
    env.step("hello there")
    assert "hello there" in str(env.render())


def test_faults_change_no_viewer() -> None:
    def comments(faults: str) -> list[str]:
        env = LiveStreamEnv(scenario="mid_room", requests=6, faults=faults)
        _, info = env.reset(seed=11)
        seen = [info["messages"][1]["content"]]
        while info["end"] == "running":
            *_, info = env.step("")
            if info["request_done"]:
                seen.append(info["messages"][1]["content"])
        return seen

    assert comments("none") == comments("stress")


def test_interleaved_environments_do_not_disturb_each_other() -> None:
    def trace(env: LiveStreamEnv, turns: list[str]) -> list[str]:
        return [json.dumps(env.step(turn)[4], sort_keys=True) for turn in turns]

    alone = LiveStreamEnv(scenario="flash_sale", requests=None)
    alone.reset(seed=8)
    turns = ["hi", load_call(alone), "", "welcome", "x", "y", "z"]
    expected = trace(alone, turns)
    one, other = LiveStreamEnv(scenario="flash_sale", requests=None), LiveStreamEnv(augment="train", requests=None)
    one.reset(seed=8)
    other.reset(seed=9)
    mixed = []
    for turn in turns:
        mixed += trace(one, [turn])
        if other.end is not End.RUNNING:
            other.reset()
        other.step(turn)
    assert mixed == expected


TWIN = """
import hashlib, json, sys
sys.path[:0] = []
from agents.oracle import OracleAgent
from agents.random import RandomAgent
from livesim.env import LiveStreamEnv
digest = hashlib.sha256()
for augment, faults in ((None, None), ("train", "stress"), ("heldout", "light")):
    env = LiveStreamEnv(requests=3, augment=augment, faults=faults)
    for agent in (OracleAgent(), RandomAgent()):
        for seed in range(4):
            observation, info = env.reset(seed=seed)
            agent.reset(seed)
            while True:
                line = [observation["messages"], observation["tools"], observation["harness"]]
                line += [float(value) for value in observation["room"].values()]
                digest.update((json.dumps(line) + json.dumps(info)).encode())
                if info["end"] != "running":
                    break
                if agent.sighted:
                    agent.see(env.sight())
                observation, reward, *_, info = env.step(agent.act(info["messages"], info["tools"]))
                digest.update(repr(reward).encode())
print(digest.hexdigest())
"""


def test_two_processes_with_different_hash_seeds_give_the_same_bytes() -> None:
    digests = set()
    for hash_seed in ("1", "2"):
        environ = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, "-c", TWIN], capture_output=True, text=True, check=True, env=environ, timeout=300
        )
        digests.add(done.stdout.strip())
    assert len(digests) == 1
