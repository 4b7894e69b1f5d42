"""``walk``: what a scenario's stream comes to while nobody answers: its requests, prompts and truths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from livesim.arguments import augment_config, drawn_variant
from livesim.errors import ScenarioError
from livesim.harness import shelf
from livesim.harness.session import Session
from livesim.harness.state import HarnessState
from livesim.midstream import edited
from livesim.observation import room_view
from livesim.scenarios.opening import happen, open_stream, timeline
from livesim.scenarios.script import Scenario
from livesim.seeding import derive
from livesim.simulator import SKIPPED, Simulator
from livesim.types import Request
from livesim.world.facts import facts
from livesim.world.state import Stream
from rewards.signals import Fact

MOST = 1000
"""So many requests are looked at."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A request as it opens: what the agent reads, the harness in force, and what is true then."""

    request: Request
    prompt: str
    harness: HarnessState
    truth: tuple[Fact, ...]

    @property
    def tools(self) -> tuple[str, ...]:
        """Canonical tools that the harness shows."""
        return tuple(view.canonical for view in self.harness.tools if view.canonical)

    @property
    def skills(self) -> tuple[str, ...]:
        """Canonical skills."""
        return tuple(skill.id for skill in self.harness.skills)


@dataclass(frozen=True, slots=True)
class Rooms:
    """What was seen.

    Attributes:
        requests: in order, as they open while none is answered; the first ``MOST``.
        settled: no stream of this scenario holds more requests, however it is answered.
        tools: canonical tools that the harness shows in some request.
        skills: canonical skills that it has in some request.
        links: of the items by place, those that are delisted later too.
        options: labels of each item.
        facts: subject and name -> every value that was true at some time.
        truth: all of them.
        private: texts that must not be spoken.
        idle: places of beats, from 0, that changed nothing.
    """

    requests: tuple[Opening, ...]
    settled: bool
    tools: tuple[str, ...]
    skills: tuple[str, ...]
    links: tuple[int, ...]
    options: tuple[tuple[str, ...], ...]
    facts: Mapping[tuple[str, str], tuple[Fact, ...]]
    truth: tuple[Fact, ...]
    private: tuple[str, ...]
    idle: frozenset[int]

    @property
    def seen(self) -> str:
        """How many requests there are, in words."""
        return f"the stream has {len(self.requests)} requests{'' if self.settled else ' while nobody answers'}"

    def unlisted(self, link: int) -> str:
        """What is wrong with a link that no item has, in words; names the nearest."""
        near = min(self.links, key=lambda known: (abs(known - link), known))
        listed = ", ".join(map(str, sorted(self.links)))
        place = f"; the item of place {link} is link {self.links[link - 1]}" if 1 <= link <= len(self.links) else ""
        return f"link {link} is not listed; links: {listed}{place or f'; did you mean link {near}?'}"


def walk(scenario: Scenario) -> Rooms:
    """Look at a scenario without an agent.

    Raises:
        LiveSimError: the scenario does not fit its harness, names a tool that is not there, or holds no request.
    """
    requests = tuple(islice(_openings(scenario), MOST))
    if not requests:
        raise ScenarioError("no request ever opens: nobody writes anything that can still be asked before the end")
    start = open_stream(scenario, scenario.play.seed)
    places = scenario.catalog.places(start.catalog.links)
    products = {product.link: product for product in start.catalog.products}
    private = tuple(text for order in start.orders for text in order.private)
    seen, idle = _times(scenario, places, start)
    for opening in requests:
        _note(seen, opening.truth)
    return Rooms(
        requests=requests,
        settled=scenario.written and len(requests) < MOST,
        tools=tuple(dict.fromkeys(tool for opening in requests for tool in opening.tools)),
        skills=tuple(dict.fromkeys(skill for opening in requests for skill in opening.skills)),
        links=places,
        options=tuple(tuple(sku.label for sku in products[link].skus) for link in places),
        facts={key: tuple(values) for key, values in seen.items()},
        truth=tuple(fact for values in seen.values() for fact in values),
        private=private,
        idle=idle,
    )


def _openings(scenario: Scenario) -> Iterator[Opening]:
    """Every request as it opens; each passes unanswered before the next."""
    how = scenario.play
    seed = derive(how.seed, "harness") if how.harness_seed is None else how.harness_seed
    variant = drawn_variant(shelf.load(scenario.harness(shelf.names())), augment_config(how.augment), seed, None)
    state, made = variant.state, 0
    edited(state, scenario.edits, variant=not variant.original)  # an edit that does not fit is an error, met or not
    simulator = Simulator(scenario, how.seed)
    while (pending := simulator.next_request()) is not None:
        edits = simulator.edits
        state, made = edited(state, edits[made:], variant=not variant.original), len(edits)
        messages = Session(state, pending.request, room_view(simulator.stream)).messages
        prompt = "\n".join(message.content for message in messages)
        yield Opening(pending.request, prompt, state, simulator.truth())
        simulator.close(SKIPPED)


Seen = dict[tuple[str, str], dict[Fact, None]]


def _times(scenario: Scenario, places: Sequence[int], now: Stream) -> tuple[Seen, frozenset[int]]:
    """Facts after every entry of the timeline, and the beats that changed nothing; conditional beats come last."""
    seen: Seen = {}
    _note(seen, _truth(now))
    idle = set()
    late = [(scenario.horizon_s, number) for number, beat in enumerate(scenario.beats) if beat.after is not None]
    for at_s, entry in (*timeline(scenario, now), *late):
        events = happen(entry, scenario, places, now, at_s)
        for event in events:
            now.apply(event)
        now.clock_s = max(now.clock_s, at_s)
        if events:
            _note(seen, _truth(now))
        elif isinstance(entry, int):
            idle.add(entry)
    return seen, frozenset(idle)


def _truth(now: Stream) -> tuple[Fact, ...]:
    return facts(now.catalog, now.stock, now.promotions, now.clock_s, now.used, orders=now.orders)


def _note(seen: Seen, truth: tuple[Fact, ...]) -> None:
    for fact in truth:
        seen.setdefault((fact.subject, fact.name), {})[fact] = None
