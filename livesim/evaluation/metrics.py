"""Records -> numbers: scores with intervals, recovery outcomes, pass^k, worst variant, paired differences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from livesim.evaluation import crossed
from livesim.evaluation.crossed import Bounds, Place
from livesim.evaluation.intervals import Interval, pass_hat, percentile
from livesim.evaluation.records import FOUR_HEADS, Record
from livesim.evaluation.suites import ORIGINAL
from rewards.recovery import Recovery

UNKNOWN = Interval(math.nan, math.nan, math.nan)
POINTS: Bounds = (0.0, 100.0)
"""What a score, or a share in percent, can be."""
GAPS: Bounds = (-100.0, 100.0)
"""What the difference of two can be."""
HEADS: Mapping[str, Bounds] = {**dict.fromkeys(FOUR_HEADS, (0.0, 1.0)), "length": (-1.0, 0.0)}
"""What the mean of a head is taken over, and what it can be."""
WORST_NEEDS = 3  # episodes a variant must have before it can be called the worst


@dataclass(frozen=True, slots=True)
class Slice:
    """A group of episodes: how many, their score (0 to 100), and the share with all four heads full."""

    episodes: int
    score: Interval
    strict: Interval


@dataclass(frozen=True, slots=True)
class Latency:
    """P50 and P95 over requests; ``wall`` in real seconds, ``stream`` in stream seconds."""

    wall_p50_s: float
    wall_p95_s: float
    stream_p50_s: float
    stream_p95_s: float


@dataclass(frozen=True, slots=True)
class Summary:
    """One model on one suite.

    Attributes:
        suite: its name.
        episodes: scored ones.
        infrastructure_errors: excluded ones.
        score: 100 x mean(accuracy, effectiveness), as in the paper.
        heads: mean of each head and of ``length``.
        strict: share of episodes with all four heads full.
        recovery: outcome -> count, over requests that a fault hit.
        pass_k: k -> chance that k draws of a task all succeed strictly; k > 1 only where tasks were repeated.
        worst_variant: label of the harness variant with the lowest score, ``""`` when there is none.
        worst: its numbers.
        dimensions: what was changed -> its slice.
        latency: P50 and P95.
    """

    suite: str
    episodes: int
    infrastructure_errors: int
    score: Interval = UNKNOWN
    heads: Mapping[str, Interval] = field(default_factory=dict)
    strict: Interval = UNKNOWN
    recovery: Mapping[str, int] = field(default_factory=dict)
    pass_k: Mapping[int, float] = field(default_factory=dict)
    worst_variant: str = ""
    worst: Slice | None = None
    dimensions: Mapping[str, Slice] = field(default_factory=dict)
    latency: Latency = Latency(math.nan, math.nan, math.nan, math.nan)


def place(record: Record) -> Place:
    """What an episode shares with others."""
    return Place(record.task, None if record.variant == ORIGINAL else record.variant, record.dimension)


def summarise(suite: str, records: Sequence[Record]) -> Summary:
    """All numbers of one model on one suite. Episodes that could not be scored are counted and left out."""
    scored = [r for r in records if r.scored]
    lost = len(records) - len(scored)
    if not scored:
        return Summary(suite, 0, lost)
    places = [*map(place, scored)]
    whole = _slice(scored)
    worst_variant, worst = _worst(scored)
    return Summary(
        suite=suite,
        episodes=len(scored),
        infrastructure_errors=lost,
        score=whole.score,
        heads={h: crossed.mean([r.heads[h] for r in scored], places, ends) for h, ends in HEADS.items()},
        strict=whole.strict,
        recovery=_recovery(scored),
        pass_k=_pass_k(scored),
        worst_variant=worst_variant,
        worst=worst,
        dimensions={name: _slice(group) for name, group in _by(scored, lambda r: r.dimension).items()},
        latency=Latency(
            percentile([r.wall_s for r in scored], 0.5),
            percentile([r.wall_s for r in scored], 0.95),
            percentile([r.stream_s for r in scored], 0.5),
            percentile([r.stream_s for r in scored], 0.95),
        ),
    )


@dataclass(frozen=True, slots=True)
class Difference:
    """Two arms on the same cases: mean of the paired differences in points, and how many pairs."""

    pairs: int
    points: Interval

    @property
    def verdict(self) -> int:
        """1: the first arm is ahead beyond the interval; -1: behind; 0: the interval holds zero, or there is none."""
        return int(self.points.low > 0) - int(self.points.high < 0)

    @property
    def has_interval(self) -> bool:
        """False when there are no pairs, or when all share one task or one variant."""
        return not math.isnan(self.points.low)


def paired(first: Sequence[Record], second: Sequence[Record], value: Callable[[Record], float]) -> Difference:
    """``first`` minus ``second`` on the cases that both scored: a pair is one case, played by both.

    Args:
        first: records of one arm.
        second: records of the other.
        value: what is compared, in points of 0 to 100, e.g. ``lambda r: r.score``.
    """
    other = {r.id: r for r in second if r.scored}
    return _difference([(place(r), value(r) - value(other[r.id])) for r in first if r.scored and r.id in other])


def losses(
    original: Sequence[Record], changed: Sequence[Record], value: Callable[[Record], float]
) -> dict[str, tuple[Place, float]]:
    """Case under a changed harness -> its place, and its value minus that of its task under the original harness."""
    base = {r.task: value(r) for r in original if r.scored}
    return {r.id: (place(r), value(r) - base[r.task]) for r in changed if r.scored and r.task in base}


def change_loss(original: Sequence[Record], changed: Sequence[Record], value: Callable[[Record], float]) -> Difference:
    """What a change of harness costs one model: changed minus original on the same tasks."""
    return _difference([*losses(original, changed, value).values()])


def loss_gap(first: Mapping[str, tuple[Place, float]], second: Mapping[str, tuple[Place, float]]) -> Difference:
    """``first`` minus ``second`` of what ``losses`` gave for two models; above 0: the first loses less."""
    return _difference([(where, gap - second[name][1]) for name, (where, gap) in first.items() if name in second])


def _difference(gaps: Sequence[tuple[Place, float]]) -> Difference:
    if not gaps:
        return Difference(0, UNKNOWN)
    places = [where for where, _ in gaps]
    return Difference(len(gaps), crossed.mean([gap for _, gap in gaps], places, GAPS))


def _slice(records: Sequence[Record]) -> Slice:
    places = [*map(place, records)]
    return Slice(
        len(records),
        crossed.mean([r.score for r in records], places, POINTS),
        crossed.share([r.strict for r in records], places),
    )


def _by(records: Sequence[Record], key: Callable[[Record], str]) -> dict[str, list[Record]]:
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
    return groups


def _recovery(records: Sequence[Record]) -> dict[str, int]:
    hit = [r.recovery for r in records if r.recovery is not Recovery.NONE]
    return {str(outcome): hit.count(outcome) for outcome in Recovery if outcome is not Recovery.NONE}


def _pass_k(records: Sequence[Record]) -> dict[int, float]:
    tasks = list(_by(records, lambda r: str(r.task)).values())
    trials = min(len(group) for group in tasks)
    return {
        k: sum(pass_hat(sum(r.strict for r in group), len(group), k) for group in tasks) / len(tasks)
        for k in range(1, trials + 1)
    }


def _worst(records: Sequence[Record]) -> tuple[str, Slice | None]:
    groups = _by([r for r in records if r.variant != ORIGINAL], lambda r: r.variant)
    slices = {name: _slice(group) for name, group in groups.items() if len(group) >= WORST_NEEDS}
    if not slices:
        return "", None
    name = min(slices, key=lambda n: (slices[n].score.mean, n))
    return name, slices[name]
