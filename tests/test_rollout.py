"""The record of an episode."""

from __future__ import annotations

import json

import gymnasium as gym
import pytest

from agents.oracle import OracleAgent
from agents.scripted import ScriptedAgent
from livesim.env import LiveStreamEnv
from livesim.rollout import Episode, play
from rewards.score import score


@pytest.fixture(scope="module")
def episode() -> Episode:
    return play(OracleAgent(), LiveStreamEnv(requests=3, faults="stress", augment="train"), 4)


def test_an_episode_survives_json(episode: Episode) -> None:
    assert Episode.from_json(episode.to_json()) == episode


def test_stored_signals_score_the_same_without_a_replay(episode: Episode) -> None:
    stored = Episode.from_json(episode.to_json())
    for request in stored.requests:
        again = score(request.signals)
        assert again.heads == request.heads
        assert again.total == request.total


def test_conversations_are_whole(episode: Episode) -> None:
    for request in episode.requests:
        roles = [message["role"] for message in request.messages]
        assert roles[:2] == ["system", "user"]
        said = [message["content"] for message in request.messages if message["role"] == "assistant"]
        assert said == [turn.text for turn in request.turns]
        assert roles[2:] == [role for _ in said for role in ("assistant", "tool")][: len(roles) - 2]


def test_stream_time_and_real_time_are_kept_apart(episode: Episode) -> None:
    turns = [turn for request in episode.requests for turn in request.turns]
    assert all(turn.wall_s > 0 for turn in turns)
    assert all(turn.stream_s > 0 for turn in turns)
    dry = json.loads(episode.to_json(wall=False))
    assert {turn["wall_s"] for request in dry["requests"] for turn in request["turns"]} == {0.0}


def test_the_same_seed_gives_the_same_record() -> None:
    records = {play(OracleAgent(), LiveStreamEnv(requests=2), 3).to_json(wall=False) for _ in range(2)}
    assert len(records) == 1


def test_wrapped_environments_are_played_too() -> None:
    env = gym.make("LiveStream-v0", requests=1, disable_env_checker=True)
    assert play(ScriptedAgent(["hello"]), env, 1).requests


def test_other_environments_are_refused() -> None:
    with pytest.raises(TypeError, match="CartPole"):
        play(ScriptedAgent([]), gym.make("CartPole-v1"), 1)


def test_means_and_totals_follow_the_requests(episode: Episode) -> None:
    assert episode.total == pytest.approx(sum(request.total for request in episode.requests))
    accuracy = [request.heads["accuracy"] for request in episode.requests]
    assert episode.heads["accuracy"] == pytest.approx(sum(accuracy) / len(accuracy))
    assert episode.end == "served"
    assert episode.harness == "default"
