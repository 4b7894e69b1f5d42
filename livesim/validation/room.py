"""One room with a scripted host of known quality: what viewers did, for experiments that need no agent."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from livesim.scenarios.script import Scenario
from livesim.simulator import Pending, Simulator
from livesim.types import Intent, RequestEnd
from livesim.world.audience import ViewerSource
from livesim.world.dice import Dice
from livesim.world.events import Commented

SPEECH_S = 6.0
"""A reply takes so long; about fifteen words."""

PLAIN = "I looked that up for you and the answer is on the card now"
"""A reply that urges nobody."""

PUSHY = "hurry, this is your last chance, order now before it's gone"
"""A reply that urges as hard as it can."""


@dataclass(frozen=True, slots=True)
class Host:
    """A host who answers every request in the same way.

    Attributes:
        answers: share of requests that are answered at all; the others are passed over.
        correct: share of answers that are right.
        right_on: intents that are answered right; None: ``correct`` decides alone.
        delay_s: stream seconds from the request to the first word.
        text: what is said.
    """

    answers: float = 1.0
    correct: float = 1.0
    right_on: frozenset[Intent] | None = None
    delay_s: float = 3.0
    text: str = PLAIN


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a room.

    Attributes:
        viewers: who came (UV).
        orders: placed.
        first_orders: of the item that is listed first.
        asker_orders: of viewers who wrote something.
        askers: viewers who wrote something.
        paid: orders that were paid.
        returned: paid orders that come back.
        paid_fen: money that arrived.
    """

    viewers: int
    orders: int
    first_orders: int
    asker_orders: int
    askers: int
    paid: int
    returned: int
    paid_fen: int


def play_room(scenario: Scenario, seed: int, host: Host, viewers: ViewerSource = None) -> Outcome:
    """One room from its first second to its last.

    Whether a request is answered, and rightly, depends on the seed and on who asked when, so that two hosts in the
    same room meet the same luck: a better host is right wherever a worse one is.

    Args:
        scenario: the room.
        seed: of the room.
        host: who speaks in it.
        viewers: as in ``gym.make(..., viewers=...)``; None: those of the scenario.
    """
    room = Simulator(scenario, seed, viewers=viewers)
    first = room.stream.catalog.links[0]
    while (pending := room.next_request()) is not None:
        asked = pending.request.comments[0]
        luck = Dice(seed ^ zlib.crc32(f"{asked.viewer} {asked.at_s}".encode()))
        answered, right = luck.chance(host.answers), luck.chance(host.correct)
        if not answered:
            room.close(RequestEnd.ROUNDS)
            continue
        room.spend(host.delay_s)
        right = right and _can(host, pending)
        room.speak(host.text, correct=float(right), useful=1.0, lasts_s=SPEECH_S)
        room.spend(SPEECH_S)
    now = room.stream
    askers = {event.viewer for event in room.events if isinstance(event, Commented)}
    return Outcome(
        viewers=now.entered,
        orders=len(now.sales),
        first_orders=sum(sale.link == first for sale in now.sales.values()),
        asker_orders=sum(sale.viewer in askers for sale in now.sales.values()),
        askers=len(askers),
        paid=sum(sale.paid for sale in now.sales.values()),
        returned=sum(sale.returned for sale in now.sales.values()),
        paid_fen=now.paid_fen,
    )


def _can(host: Host, pending: Pending) -> bool:
    return host.right_on is None or all(need.intent in host.right_on for need in pending.needs)
