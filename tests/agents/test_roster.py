"""Every agent of the roster is found by name and plays; the floors stay low."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agents.novice import NoviceAgent
from agents.oracle import OracleAgent
from agents.random import RandomAgent
from agents.roster import ROSTER
from agents.scripted import ScriptedAgent
from livesim import roster
from livesim.env import LiveStreamEnv
from livesim.errors import ConfigError
from livesim.rollout import play
from livesim.types import Agent

PLAYERS = sorted(set(ROSTER) - {"react"})


@pytest.mark.parametrize("name", PLAYERS)
def test_every_agent_plays(name: str) -> None:
    episode = play(roster.agent(name), LiveStreamEnv(requests=2), 3)
    assert episode.agent == name
    assert len(episode.requests) == 2


def test_an_endpoint_is_named_by_its_address() -> None:
    assert roster.agent("react:http://127.0.0.1:8000/v1#tiny").name == "tiny"
    for name in ("react", "react:", "react:here"):
        with pytest.raises(ConfigError, match="'react': an address is URL or URL#MODEL"):
            roster.agent(name)


@pytest.mark.parametrize("name", sorted(set(PLAYERS) - {"novice"}))
@pytest.mark.parametrize("argument", ["", "0.5"])
def test_an_agent_that_takes_nothing_says_so(name: str, argument: str) -> None:
    with pytest.raises(ConfigError, match=f"'{name}' takes nothing behind a colon, got '{argument}'"):
        roster.agent(f"{name}:{argument}")


def test_an_unknown_agent_is_named() -> None:
    with pytest.raises(ConfigError, match="oracle"):
        roster.agent("oracel")


def test_a_script_repeats_its_last_turn_and_starts_again() -> None:
    agent = ScriptedAgent(["a", "b"])
    assert [agent.act([], []) for _ in range(3)] == ["a", "b", "b"]
    agent.reset(1)
    assert agent.act([], []) == "a"


@pytest.mark.parametrize("make", [OracleAgent, RandomAgent, NoviceAgent])
@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_lies_between_nought_and_one(make: Callable[[float], Agent], share: float) -> None:
    with pytest.raises(ValueError, match=r"in \[0, 1\]"):
        make(share)


FLOORS = {"silent": 0.02, "echo": 0.3, "call_everything": 0.45, "random": 0.05}


@pytest.mark.parametrize(("name", "floor"), FLOORS.items())
def test_floors_stay_low(name: str, floor: float) -> None:
    env = LiveStreamEnv(requests=4)
    totals = [request.total for seed in range(15) for request in play(roster.agent(name), env, seed).requests]
    assert sum(totals) / len(totals) <= floor
