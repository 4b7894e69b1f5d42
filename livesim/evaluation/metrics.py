"""Records -> numbers: scores with intervals, recovery outcomes, pass^k, worst variant, paired differences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from livesim.evaluation.intervals import Interval, bootstrap_mean, pass_hat, percentile, proportion
from livesim.evaluation.records import FOUR_HEADS, Record
from rewards.recovery import Recovery

UNKNOWN = Interval(math.nan, math.nan, math.nan)
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


def cluster(record: Record) -> str:
    """What an episode shares with others: its harness variant, or, under the original harness, its task alone."""
    return f"task {record.task}" if record.dimension == "original" else record.variant


def summarise(suite: str, records: Sequence[Record]) -> Summary:
    """All numbers of one model on one suite. Episodes that could not be scored are counted and left out."""
    scored = [r for r in records if r.scored]
    lost = len(records) - len(scored)
    if not scored:
        return Summary(suite, 0, lost)
    clusters = [cluster(r) for r in scored]
    whole = _slice(scored)
    worst_variant, worst = _worst(scored)
    return Summary(
        suite=suite,
        episodes=len(scored),
        infrastructure_errors=lost,
        score=whole.score,
        heads={h: bootstrap_mean([r.heads[h] for r in scored], clusters) for h in (*FOUR_HEADS, "length")},
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
        """1: the first arm is ahead beyond the interval; -1: behind; 0: the interval holds zero."""
        return int(self.points.low > 0) - int(self.points.high < 0)


def paired(first: Sequence[Record], second: Sequence[Record], value: Callable[[Record], float]) -> Difference:
    """``first`` minus ``second`` on the cases that both scored, with a bootstrap over clusters.

    Args:
        first: records of one arm.
        second: records of the other.
        value: what is compared, e.g. ``lambda r: r.score``.
    """
    other = {r.id: r for r in second if r.scored}
    pairs = [(r, other[r.id]) for r in first if r.scored and r.id in other]
    if not pairs:
        return Difference(0, UNKNOWN)
    gaps = [value(a) - value(b) for a, b in pairs]
    return Difference(len(pairs), bootstrap_mean(gaps, [cluster(a) for a, _ in pairs]))


def task_losses(
    original: Sequence[Record], changed: Sequence[Record], value: Callable[[Record], float]
) -> dict[int, float]:
    """Task -> mean value under changed harnesses minus its value under the original one, where both were scored."""
    base = {r.task: value(r) for r in original if r.scored}
    tasks = _by([r for r in changed if r.scored and r.task in base], lambda r: str(r.task))
    return {g[0].task: sum(map(value, g)) / len(g) - base[g[0].task] for g in tasks.values()}


def change_loss(original: Sequence[Record], changed: Sequence[Record], value: Callable[[Record], float]) -> Difference:
    """What a change of harness costs one model: changed minus original on the same tasks; a bootstrap over tasks."""
    gaps = list(task_losses(original, changed, value).values())
    return Difference(len(gaps), bootstrap_mean(gaps)) if gaps else Difference(0, UNKNOWN)


def loss_gap(first: Mapping[int, float], second: Mapping[int, float]) -> Difference:
    """``first`` minus ``second`` of what ``task_losses`` gave for two models; above 0: the first loses less."""
    gaps = [first[task] - second[task] for task in first if task in second]
    return Difference(len(gaps), bootstrap_mean(gaps)) if gaps else Difference(0, UNKNOWN)


def _slice(records: Sequence[Record]) -> Slice:
    clusters = [cluster(r) for r in records]
    return Slice(
        len(records),
        bootstrap_mean([r.score for r in records], clusters),
        proportion([r.strict for r in records], clusters),
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
    groups = _by([r for r in records if r.dimension != "original"], lambda r: r.variant)
    slices = {name: _slice(group) for name, group in groups.items() if len(group) >= WORST_NEEDS}
    if not slices:
        return "", None
    name = min(slices, key=lambda n: (slices[n].score.mean, n))
    return name, slices[name]
