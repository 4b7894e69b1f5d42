"""What the order of answers is worth: the same streams and the same host, who answers the oldest, the newest or buyers.

Run: ``python benchmarks/bench_serving.py [--streams 40] [--viewers 60]``.

A host who is always right speaks 60 words a request (24 s of voice), so that more wait than can be answered. The
audience are people who leave when they are tired (preset ``flash_sale``). Printed are means over the streams with 95 %
intervals, and differences to ``oldest`` in pairs of streams with one seed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from livesim.evaluation.intervals import bootstrap_mean
from livesim.scenarios import library
from livesim.scenarios.script import Scenario
from livesim.simulator import Simulator
from livesim.world import events as ev
from livesim.world.serving import DISCIPLINES
from livesim.world.viewing.presets import preset

WORDS = 60
"""Of each reply."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One stream: comments answered and gone stale, %, mean wait; orders and paid yuan for 100 viewers."""

    answered: float
    stale: float
    wait_s: float
    orders: float
    yuan: float


def room(viewers: float) -> Scenario:
    """A flash sale for so many viewers, a quarter of an hour."""
    audience = preset("flash_sale")
    size = {"viewers": viewers, "comments_per_min": audience.comments_per_min * viewers / audience.viewers}
    base = library.load("flash_sale")
    return base.model_copy(update={"viewers": audience.model_copy(update=size), "horizon_s": 900.0})


def stream(scenario: Scenario, seed: int, serve: str) -> Outcome:
    """One stream to its end."""
    world = Simulator(scenario, seed, serve=serve)
    while world.next_request() is not None:
        lasts_s = WORDS / 2.5
        world.speak("thank you " * (WORDS // 2), correct=1.0, useful=1.0, lasts_s=lasts_s)
        world.spend(lasts_s)
    comments = sum(isinstance(event, ev.Commented) for event in world.events)
    orders = sum(isinstance(event, ev.OrderPlaced) for event in world.events)
    share = 100.0 / world.stream.entered
    answered, stale, _, wait_s = world.queue
    of_all = 100.0 / max(1, comments)
    return Outcome(answered * of_all, stale * of_all, wait_s, share * orders, share * world.stream.paid_fen / 100)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", type=int, default=40, help="how many seeds")
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--viewers", type=float, default=60.0, help="mean number present")
    asked = parser.parse_args()
    scenario = room(asked.viewers)
    found = {
        serve: [stream(scenario, seed, serve) for seed in range(asked.first, asked.first + asked.streams)]
        for serve in DISCIPLINES
    }
    columns = ("answered", "stale", "wait_s", "orders", "yuan")
    print(f"{'':18s}" + "".join(f"{name:>24s}" for name in columns))
    for serve, outcomes in found.items():
        print(f"{serve:18s}" + "".join(f"{_mean([getattr(o, name) for o in outcomes]):>24s}" for name in columns))
    for serve in list(found)[1:]:
        pairs = list(zip(found[serve], found["oldest"], strict=True))
        gaps = ([getattr(new, name) - getattr(old, name) for new, old in pairs] for name in columns)
        print(f"{serve + ' - oldest':18s}" + "".join(f"{_mean(values):>24s}" for values in gaps))


def _mean(values: Sequence[float]) -> str:
    found = bootstrap_mean(values)
    return f"{found.mean:.2f} [{found.low:.2f}, {found.high:.2f}]"


if __name__ == "__main__":
    main()
