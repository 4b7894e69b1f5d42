"""``rehearse``: a scenario played once by an agent, as its own ``play`` says."""

from __future__ import annotations

from dataclasses import dataclass

from livesim.env import LiveStreamEnv
from livesim.harness import shelf
from livesim.regression.timeline import Entry, timeline
from livesim.regression.verdict import Line, passed, verdict
from livesim.rollout import Episode, play
from livesim.scenarios.beats import Beat
from livesim.scenarios.script import Scenario
from livesim.types import Agent
from livesim.world.audience import ViewerSource
from livesim.world.events import Event

MAX_TURNS = 400
"""Assistant turns after which an episode is ended; a scenario that needs more is no regression test."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A scenario as it was played.

    Attributes:
        scenario: what was played.
        episode: what the agent did.
        events: what happened in the room.
        lines: the verdict; empty for a scenario without expectations.
        waiting: conditional beats that never happened.
    """

    scenario: Scenario
    episode: Episode
    events: tuple[Event, ...]
    lines: tuple[Line, ...]
    waiting: tuple[Beat, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every expectation is met."""
        return passed(self.lines)

    @property
    def timeline(self) -> tuple[Entry, ...]:
        """What happened and what was done, by time."""
        return timeline(self.episode, self.events, self.scenario)


def rehearse(
    scenario: Scenario,
    agent: Agent,
    *,
    seed: int | None = None,
    harness: str | None = None,
    viewers: ViewerSource = None,
) -> Rehearsal:
    """Play a scenario until its stream is over.

    Args:
        scenario: with its ``play``: seed, harness and variant.
        agent: who hosts.
        seed: instead of the scenario's own.
        harness: name or folder, instead of the scenario's own.
        viewers: who plays the audience, instead of the scenario's own.

    Raises:
        HarnessError, ScenarioError, ViewerError: the scenario does not fit the harness, or holds no request.
        CompletionError: a model endpoint gave no answer.
    """
    how = scenario.play
    env = LiveStreamEnv(
        scenario=scenario,
        harness=harness or scenario.harness(shelf.names()),
        augment=how.augment,
        viewers=viewers,
        requests=None,
        max_turns=MAX_TURNS,
    )
    options = {} if how.harness_seed is None else {"harness_seed": how.harness_seed}
    episode = play(agent, env, how.seed if seed is None else seed, options)
    lines = verdict(scenario.expect, episode) if scenario.expect is not None else ()
    return Rehearsal(scenario, episode, tuple(env.simulator.events), lines, env.simulator.waiting)
