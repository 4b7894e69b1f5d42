"""Part "noise": how often the recommended analyses see a difference between two arms that are the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from livesim.evaluation.intervals import wilson
from livesim.seeding import stream
from livesim.validation.budget import Budget, Tick, no_tick
from livesim.validation.checks import Check, Part, Verdict
from livesim.validation.levers import METRICS, scenario_of
from livesim.validation.room import Host, play_room
from livesim.validation.statistics import Rooms, change, linearised_test, randomisation_test

NOMINAL = 0.05
"""Every analysis promises to be wrong so often at most."""

HORIZON_S = 300.0
"""Stream seconds of a room."""

METRIC = "paid money per viewer"
"""The heaviest tail of all outcomes, hence the hardest case."""


class Analysis(NamedTuple):
    """An analysis as users of the simulator are advised to do it: rooms an arm, and whether it sees a difference."""

    rooms: int
    sees: Callable[[Rooms, Rooms], bool]


def _paired(first: Rooms, second: Rooms) -> bool:
    found = change(first, second)
    return found.low > 0 or found.high < 0


ANALYSES: Mapping[str, Analysis] = {
    "few whole rooms, randomisation test": Analysis(10, lambda a, b: randomisation_test(a, b) < NOMINAL),
    "many whole rooms, linearised ratio": Analysis(60, lambda a, b: linearised_test(a, b) < NOMINAL),
    "paired rooms, bootstrap of the ratio": Analysis(60, _paired),
}
"""Replies are public, so whole rooms are compared. *Source:* docs/domain.md section 7."""


def measure(budget: Budget, tick: Tick = no_tick, analyses: Mapping[str, Analysis] = ANALYSES) -> Part:
    """The share of false alarms of each analysis.

    A pool of rooms with one and the same host is played once; every comparison deals rooms that differ in their seed
    alone to two arms at random.

    Args:
        budget: ``pool`` rooms, ``comparisons`` for each analysis.
        tick: told of progress.
        analyses: those to try.
    """
    scenario, metric = scenario_of(horizon_s=HORIZON_S), METRICS[METRIC]
    pool = []
    for seed in range(budget.pool):
        pool.append(metric(play_room(scenario, seed, Host())))
        tick(0.7 * (seed + 1) / budget.pool)
    checks = []
    for number, (name, analysis) in enumerate(analyses.items(), start=1):
        checks.append(false_alarms(name, analysis, pool, budget.comparisons))
        tick(0.7 + 0.3 * number / len(analyses))
    title = f"A/A comparisons dealt from {budget.pool} rooms of {HORIZON_S:.0f} s, {METRIC}"
    return Part("noise", title, tuple(checks))


def false_alarms(name: str, analysis: Analysis, pool: Rooms, comparisons: int) -> Check:
    """The share of comparisons of equals in which an analysis sees a difference, against the nominal one."""
    rng = stream(0, "aa", name)
    alarms = 0
    for _ in range(comparisons):
        dealt = [pool[place] for place in rng.choice(len(pool), 2 * analysis.rooms, replace=False)]
        alarms += analysis.sees(dealt[: analysis.rooms], dealt[analysis.rooms :])
    rate = wilson(alarms, comparisons)
    verdict = Verdict.HOLDS if rate.low <= NOMINAL <= rate.high else Verdict.FAILS
    note = f"{alarms} of {comparisons} comparisons, {analysis.rooms} rooms an arm"
    return Check(name, verdict, rate, NOMINAL, NOMINAL, source="domain 7", note=note)
