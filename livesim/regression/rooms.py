"""``walk``: what a scenario's stream comes to while nobody answers: its requests, prompts and truths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from livesim.env import LiveStreamEnv
from livesim.errors import ScenarioError
from livesim.harness import shelf
from livesim.scenarios.opening import happen, open_stream, timeline
from livesim.scenarios.script import Scenario
from livesim.sight import Sight
from livesim.world.facts import facts
from livesim.world.state import Stream
from rewards.signals import Fact

MOST = 200
"""So many requests are looked at."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A request as it opens: the prompt that the agent reads, and the hidden half."""

    prompt: str
    sight: Sight


@dataclass(frozen=True, slots=True)
class Rooms:
    """What was seen.

    Attributes:
        requests: in order, as they open while none is answered.
        tools: canonical tools that the harness shows.
        skills: canonical skills.
        links: listed at the start.
        options: labels of each item.
        facts: subject and name -> every value that was true at some time.
        private: texts that must not be spoken.
        idle: places of beats, from 0, that changed nothing.
    """

    requests: tuple[Opening, ...]
    tools: tuple[str, ...]
    skills: tuple[str, ...]
    links: tuple[int, ...]
    options: tuple[tuple[str, ...], ...]
    facts: Mapping[tuple[str, str], tuple[Fact, ...]]
    private: tuple[str, ...]
    idle: frozenset[int]


def walk(scenario: Scenario) -> Rooms:
    """Look at a scenario without an agent.

    Raises:
        LiveSimError: the scenario does not fit its harness, names a tool that is not there, or holds no request.
    """
    how = scenario.play
    env = LiveStreamEnv(scenario=scenario, harness=how.harness, augment=how.augment, requests=1)
    options = {} if how.harness_seed is None else {"harness_seed": how.harness_seed}
    requests = []
    for number in range(MOST):
        try:
            _, info = env.reset(seed=how.seed, options={**options, "request": number})
        except ScenarioError:
            if number:
                break
            raise
        prompt = "\n".join(message["content"] for message in info["messages"])
        requests.append(Opening(prompt, env.sight()))
    state = shelf.load(how.harness)
    start = open_stream(scenario, how.seed)
    links = start.catalog.links
    labels = tuple(tuple(sku.label for sku in product.skus) for product in start.catalog.products)
    private = tuple(text for order in start.orders for text in order.private)
    seen, idle = _times(scenario, start)
    for opening in requests:
        _note(seen, opening.sight.truth)
    return Rooms(
        requests=tuple(requests),
        tools=tuple(view.canonical for view in state.tools if view.canonical),
        skills=tuple(skill.id for skill in state.skills),
        links=links,
        options=labels,
        facts={key: tuple(values) for key, values in seen.items()},
        private=private,
        idle=idle,
    )


Seen = dict[tuple[str, str], list[Fact]]


def _times(scenario: Scenario, now: Stream) -> tuple[Seen, frozenset[int]]:
    """Facts after every entry of the timeline, and the beats that changed nothing; conditional beats come last."""
    seen: Seen = {}
    links = now.catalog.links
    _note(seen, _truth(now))
    idle = set()
    late = [(scenario.horizon_s, beat) for beat in scenario.beats if beat.after is not None]
    for at_s, entry in (*timeline(scenario, now), *late):
        events = happen(entry, scenario, links, now, at_s)
        for event in events:
            now.apply(event)
        now.clock_s = max(now.clock_s, at_s)
        _note(seen, _truth(now))
        if not events and not isinstance(entry, str) and entry in scenario.beats:
            idle.add(scenario.beats.index(entry))
    return seen, frozenset(idle)


def _truth(now: Stream) -> tuple[Fact, ...]:
    return facts(now.catalog, now.stock, now.promotions, now.clock_s, now.used, orders=now.orders)


def _note(seen: Seen, truth: tuple[Fact, ...]) -> None:
    for fact in truth:
        known = seen.setdefault((fact.subject, fact.name), [])
        if fact not in known:
            known.append(fact)
