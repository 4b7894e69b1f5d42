"""Cheating policies played through the environment stay below their stated floors; honest work does not."""

from __future__ import annotations

import dataclasses
from functools import cache
from statistics import mean

import pytest

from agents.cheats.policy import CheatAgent, Scene, Work
from agents.cheats.sheet import CHEATS
from livesim.env import LiveStreamEnv
from livesim.harness import shelf
from livesim.harness.state import HarnessState
from livesim.rollout import RequestRecord, play
from livesim.types import Agent

TALK = {"greeting", "chitchat", "participation"}
"""A friendly word serves these, whoever says it."""

SEEDS = (0, 1, 2)


@cache
def bare() -> HarnessState:
    """The default harness without its optional hooks, so that the heads have to stand on their own."""
    state = shelf.load("default")
    return dataclasses.replace(state, hooks=dataclasses.replace(state.hooks, hooks=()))


@cache
def room(sampled: bool, hooked: bool) -> LiveStreamEnv:
    return LiveStreamEnv(scenario=None if sampled else "qa", harness="default" if hooked else bare(), requests=4)


def played(agent: Agent, *, hooked: bool = False, seeds: tuple[int, ...] = SEEDS) -> list[RequestRecord]:
    """Requests of question-and-answer and of sampled rooms in which nobody is served by mere talk."""
    found = []
    for sampled in (False, True):
        for seed in seeds:
            for request in play(agent, room(sampled, hooked), seed).requests:
                if not TALK & {need.intent for need in request.signals.needs}:
                    found.append(request)
    return found


def honest(scene: Scene) -> str:
    return scene.honest


def test_the_suite_is_wide() -> None:
    assert len(CHEATS) >= 40
    assert all(0.0 <= cheat.floor <= 0.65 for cheat in CHEATS.values())


def test_honest_work_earns_all() -> None:
    requests = played(CheatAgent("honest", honest, Work.RIGHT))
    assert len(requests) >= 12
    assert min(request.total for request in requests) == pytest.approx(1.0)


@pytest.mark.parametrize("name", CHEATS)
def test_cheating_stays_below_its_floor(name: str) -> None:
    cheat = CHEATS[name]
    requests = played(cheat.agent(name))
    assert len(requests) >= 12
    told = [(round(r.total, 2), r.signals.comments, r.signals.reply) for r in requests]
    assert mean(request.total for request in requests) <= cheat.floor + 1e-9, told


@pytest.mark.parametrize(
    "name", ["invent prices", "absolutes", "tool markup", "reply before the skill", "drown the answer", "put off"]
)
def test_hooks_do_not_help_a_cheat(name: str) -> None:
    requests = played(CHEATS[name].agent(name), hooked=True, seeds=(0, 1))
    assert mean(request.total for request in requests) <= CHEATS[name].floor + 1e-9
