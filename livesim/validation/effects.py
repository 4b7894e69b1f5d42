"""Part "effects": signs of the causal anchors, measured in paired rooms with common random numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from livesim.evaluation.intervals import Interval
from livesim.validation.budget import Budget, Tick, no_tick
from livesim.validation.checks import Check, Curve, Part, Verdict
from livesim.validation.levers import ARMS, LEVERS, METRICS, NOT_MODELLED, ROOM, VOLUMES, Arm, Lever, scenario_of
from livesim.validation.room import Outcome, play_room
from livesim.validation.statistics import change, level
from livesim.world.audience import ViewerSource


def measure(budget: Budget, tick: Tick = no_tick) -> Part:
    """Every lever, the inverted U of comment volume, and what is not modelled.

    Args:
        budget: ``rooms`` for each arm, ``steps`` for each volume.
        tick: told of progress.
    """
    work = sum(arm.rooms for arm in ARMS.values()) * budget.rooms + len(VOLUMES) * budget.steps
    played: dict[str, list[Outcome]] = {}
    done = 0
    for name, arm in ARMS.items():
        played[name] = play(arm, range(arm.rooms * budget.rooms))
        done += len(played[name])
        tick(done / work)
    volumes = []
    for volume in VOLUMES:
        arm = Arm(scenario=scenario_of(ROOM.model_copy(update={"comments_per_min": volume})))
        volumes.append(play(arm, range(budget.steps)))
        done += budget.steps
        tick(done / work)
    checks = [signed(lever, played[lever.control], played[lever.treated]) for lever in LEVERS]
    checks += inverted_u(volumes)
    checks += [Check(name, Verdict.NOT_MODELLED, source="domain 4", note=why) for name, why in NOT_MODELLED.items()]
    orders = METRICS["orders per viewer"]
    curve = Curve(
        "comment volume",
        VOLUMES,
        tuple(level([orders(room) for room in rooms]) for rooms in volumes),
        f"comments a minute, {ROOM.viewers:g} viewers",
        "orders per viewer",
        log=True,
    )
    title = f"{budget.rooms} paired rooms of 600 s for each arm, three times as many for fit; relative change"
    return Part("effects", title, tuple(checks), (curve,))


def play(arm: Arm, seeds: Sequence[int], viewers: ViewerSource = None) -> list[Outcome]:
    """The rooms of an arm, one a seed; ``viewers`` instead of the room's own as in ``gym.make``."""
    return [play_room(arm.scenario, seed, arm.host, viewers) for seed in seeds]


def signed(lever: Lever, control: Sequence[Outcome], treated: Sequence[Outcome]) -> Check:
    """Whether the whole interval of a lever's effect lies on the right side of 0."""
    metric = METRICS[lever.metric]
    found = change([metric(room) for room in control], [metric(room) for room in treated])
    note = f"{lever.metric}; in the field: {lever.published}"
    return _sided(lever.name, found, lever.sign, note)


def inverted_u(volumes: Sequence[Sequence[Outcome]]) -> list[Check]:
    """Sales rise from the least to the best volume of comments, and fall from the best to the most.

    The best volume is chosen on the rooms with even places and both changes are measured on the others, so that the
    choice does not feign a fall.
    """
    metric = METRICS["orders per viewer"]
    halves = [[[metric(room) for room in rooms[start::2]] for rooms in volumes] for start in (0, 1)]
    means = [level(rooms).mean for rooms in halves[0]]
    best = max(range(len(means)), key=lambda place: means[place])
    found = []
    for name, first, second, sign in (
        ("comments raise sales up to a volume", 0, best, 1),
        ("more comments than that lower sales", best, len(means) - 1, -1),
    ):
        note = f"from {VOLUMES[first]:g} to {VOLUMES[second]:g} a minute; in the field: inverted U, P"
        if first == second:
            found.append(Check(name, Verdict.FAILS, source="domain 4", note=f"the best volume is {VOLUMES[best]:g}"))
        else:
            found.append(_sided(name, change(halves[1][first], halves[1][second]), sign, note))
    return found


def _sided(name: str, found: Interval, sign: int, note: str) -> Check:
    right = found.low > 0 if sign > 0 else found.high < 0
    low, high = (0.0, math.inf) if sign > 0 else (-math.inf, 0.0)
    wrong = found.high < 0 if sign > 0 else found.low > 0
    if not right:
        note = f"{'the wrong way' if wrong else 'the interval holds 0'}; {note}"
    verdict = Verdict.HOLDS if right else Verdict.FAILS
    return Check(name, verdict, found, low, high, source="domain 4", note=note, percent=True)
