"""Part "ranking": six fixed policies keep their order over seeds and whatever assumed number is off by half."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, TypeAlias

from livesim import roster
from livesim.env import LiveStreamEnv
from livesim.errors import ScenarioError
from livesim.evaluation.intervals import Interval, bootstrap_mean
from livesim.rollout import play
from livesim.validation.budget import Budget, Tick, no_tick
from livesim.validation.checks import Check, Curve, Part, Verdict
from livesim.validation.levers import ROOM, scenario_of
from livesim.validation.variations import Constant, constants, variations
from livesim.world.viewers import ViewerConfig

POLICIES = ("oracle", "oracle_with_mistakes", "novice", "novice:0.1", "call_everything", "silent")
"""One that knows everything, one that errs and mends it, two that follow rules, a cheat, and nothing at all."""

HORIZON_S = 120.0
"""Stream seconds of an episode."""

ENOUGH = 0.8
"""Tau of at least this: of the 15 pairs of six policies at most one changes places (one: .867, two: .733)."""


class Visit(NamedTuple):
    """One episode: points a request, and orders a viewer."""

    points: float
    orders: float


POINTS, ORDERS = 0, 1
"""Places in a ``Visit``."""

Standing: TypeAlias = Mapping[str, Sequence[Visit]]
"""Policy -> its episodes, the same seeds for all."""

Way: TypeAlias = Callable[[Sequence[int]], Standing]
"""Plays the rooms of these seeds with a number changed."""


@dataclass(frozen=True, slots=True)
class Stability:
    """How a ranking compares with the base: ``tau`` of the points, and pairs whose sales turned round."""

    name: str
    tau: float
    turned: tuple[str, ...]


def measure(budget: Budget, tick: Tick = no_tick) -> Part:
    """The base ranking, each of its seeds, and every varied number.

    Args:
        budget: ``base_rooms`` and ``varied_rooms`` episodes of each policy.
        tick: told of progress.
    """
    ways = sweeps(budget.weights)
    total = budget.base_rooms + budget.varied_rooms * sum(map(len, ways.values()))
    base = standing(ROOM, range(budget.base_rooms))
    done = budget.base_rooms
    tick(done / total)
    swept = []
    for name, both in ways.items():
        swept.append(looked_at(name, base, both, budget))
        done += budget.varied_rooms * len(both)
        tick(done / total)
    title = (
        f"{budget.base_rooms} episodes of {HORIZON_S:.0f} s of {len(POLICIES)} policies, "
        f"{budget.varied_rooms} under each number halved and raised by half, {budget.base_rooms} where those disagree; "
        "tau of points"
    )
    checks = [over_seeds(base), *swept]
    curves = (_curve("points a request", base, POINTS), _curve("orders a viewer", base, ORDERS))
    return Part("ranking", title, tuple(checks), curves)


def sweeps(weights: bool) -> dict[str, list[Way]]:
    """Name of every assumed number -> what plays the rooms of some seeds with it halved, and with it raised."""
    ways: dict[str, list[Way]] = {}
    for name, configs in variations(ROOM, weights=weights).items():
        ways[name] = [partial(standing, config) for config in configs]
    for name, both in constants().items():
        ways[name] = [partial(_under, constant) for constant in both]
    return ways


def _under(constant: Constant, seeds: Sequence[int]) -> Standing:
    with constant.in_force():
        return standing(ROOM, seeds)


def looked_at(name: str, base: Standing, both: Sequence[Way], budget: Budget) -> Check:
    """A number in few rooms; in as many as the base where those say that it turns the ranking, since few often do."""
    few, many = (range(rooms) for rooms in (budget.varied_rooms, budget.base_rooms))
    first = over_numbers(name, [compared(name, base, way(few)) for way in both])
    if first.verdict is Verdict.HOLDS:
        return first
    second = over_numbers(name, [compared(name, base, way(many)) for way in both])
    seen = f"in {len(many)} rooms; in {len(few)} tau {first.value.mean:.2f}"
    return replace(second, note="; ".join(filter(None, (second.note, seen, first.note))))


def standing(config: ViewerConfig, seeds: Sequence[int], policies: Sequence[str] = POLICIES) -> dict[str, list[Visit]]:
    """Every policy's episodes in rooms of these viewers; a room in which nobody writes ranks nobody and is left out."""
    env = LiveStreamEnv(scenario=scenario_of(config, horizon_s=HORIZON_S), requests=None)
    found: dict[str, list[Visit]] = {policy: [] for policy in policies}
    for seed in seeds:
        try:
            visits = [_visit(env, policy, seed) for policy in policies]
        except ScenarioError:
            continue
        for policy, visit in zip(policies, visits, strict=True):
            found[policy].append(visit)
    return found


def _visit(env: LiveStreamEnv, policy: str, seed: int) -> Visit:
    episode = play(roster.agent(policy), env, seed)
    now = env.simulator.stream
    return Visit(episode.total / len(episode.requests), len(now.sales) / max(1, now.entered))


def compared(name: str, base: Standing, other: Standing) -> Stability:
    """A ranking against the base.

    Sales of two policies count as turned round when the base is certain of their order and the other ranking is
    certain of the opposite; points are exact enough to be ranked by their means.
    """
    sold, selling = certain(base, ORDERS), certain(other, ORDERS)
    turned = tuple(f"{a} / {b}" for (a, b), sign in sold.items() if selling.get((a, b), sign) != sign)
    return Stability(name, tau(certain(base, POINTS), other), turned)


def certain(ranking: Standing, place: int) -> dict[tuple[str, str], int]:
    """Pairs whose paired interval is on one side of 0: 1 when the first is ahead, -1 when the second is."""
    found = {}
    for first, second in itertools.combinations(ranking, 2):
        if not ranking[first]:
            break
        gaps = [a[place] - b[place] for a, b in zip(ranking[first], ranking[second], strict=True)]
        interval = bootstrap_mean(gaps)
        if interval.low > 0 or interval.high < 0:  # the NaN ends of a single seed are neither
            found[first, second] = 1 if interval.low > 0 else -1
    return found


def tau(order: Mapping[tuple[str, str], int], ranking: Standing) -> float:
    """Kendall's tau of a ranking by mean points with the pairs of the base that have an order; NaN without any.

    Two policies that the base can't tell apart have no order to keep. *Source:* Kendall (1938), over those pairs.
    """
    means = {policy: sum(visit.points for visit in visits) for policy, visits in ranking.items()}
    kept = [sign * ((means[a] > means[b]) - (means[a] < means[b])) for (a, b), sign in order.items()]
    return sum(kept) / len(kept) if kept else math.nan


def over_seeds(base: Standing) -> Check:
    """Mean tau of the rankings of single seeds with that of all; the least is in the note."""
    order = certain(base, POINTS)
    rooms = range(len(next(iter(base.values()))))
    taus = [tau(order, {policy: visits[room : room + 1] for policy, visits in base.items()}) for room in rooms]
    value = bootstrap_mean(taus)
    ranked = sorted(base, key=lambda policy: -sum(visit.points for visit in base[policy]))
    steps = [" > " if order.get((a, b)) or order.get((b, a)) else " = " for a, b in itertools.pairwise(ranked)]
    note = f"least {min(taus):.2f}; {''.join(itertools.chain(*zip(ranked, (*steps, ''), strict=True)))}"
    verdict = Verdict.HOLDS if value.mean >= ENOUGH else Verdict.FAILS
    return Check("order of single seeds", verdict, value, ENOUGH, 1.0, source="ours", note=note)


def over_numbers(name: str, found: Sequence[Stability]) -> Check:
    """The worse of the two variations of a number."""
    own = [stability for stability in found if stability.name == name]
    least = min(stability.tau for stability in own)
    turned = sorted({pair for stability in own for pair in stability.turned})
    verdict = Verdict.HOLDS if least >= ENOUGH and not turned else Verdict.FAILS
    note = f"sales turned round: {', '.join(turned)}" if turned else ""
    return Check(f"{name} +-50 %", verdict, Interval(least, math.nan, math.nan), ENOUGH, 1.0, source="ours", note=note)


def _curve(label: str, base: Standing, place: int) -> Curve:
    values = tuple(bootstrap_mean([visit[place] for visit in visits]) for visits in base.values())
    return Curve(label, tuple(range(len(base))), values, "policy", label, words=tuple(base))
