"""Before and after: points of an evaluation, the gain of a step, and the categories that lost by it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from livesim.evaluation.intervals import Interval, bootstrap_ratio
from livesim.evaluation.metrics import Difference, paired
from livesim.evaluation.records import FOUR_HEADS, Record
from livesim.seeding import stream


def points(record: Record) -> float:
    """100 x mean of the four heads."""
    return 100 * sum(record.heads[head] for head in FOUR_HEADS) / len(FOUR_HEADS)


def error(record: Record) -> float:
    """What is lacking to 100 points."""
    return 100.0 - points(record)


@dataclass(frozen=True, slots=True)
class Means:
    """An evaluation in short: points, the paper's score, the four heads (all 0 to 100), and how many episodes."""

    points: float
    score: float
    accuracy: float
    effectiveness: float
    tool_rationality: float
    skill_selection: float
    episodes: int


def means(records: Sequence[Record]) -> Means:
    """The means of the scored episodes. Raises ValueError when there are none."""
    scored = [record for record in records if record.scored]
    if not scored:
        raise ValueError("no episode was scored")
    heads = {head: 100 * sum(r.heads[head] for r in scored) / len(scored) for head in FOUR_HEADS}
    return Means(
        points=round(sum(heads.values()) / len(FOUR_HEADS), 4),
        score=round((heads["accuracy"] + heads["effectiveness"]) / 2, 4),
        episodes=len(scored),
        **{head: round(value, 4) for head, value in heads.items()},
    )


@dataclass(frozen=True, slots=True)
class Change:
    """How a category fared: its name, cases in both evaluations, points before and after."""

    category: str
    cases: int
    before: float
    after: float

    @property
    def gain(self) -> float:
        """Points won; below 0: lost."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two evaluations of the same cases.

    Attributes:
        overall: the paired difference in points.
        categories: every intent, and every suite when there are several; the worst first.
        regressions: the categories that lost more than is allowed.
    """

    overall: Difference
    categories: tuple[Change, ...]
    regressions: tuple[Change, ...]


def compare(before: Sequence[Record], after: Sequence[Record], *, allowed: float = 8.0, cases: int = 5) -> Comparison:
    """What a step changed.

    Args:
        before: records of the published harness.
        after: of the candidate, same cases.
        allowed: points that a category may lose; a small category swings by itself.
        cases: a category with fewer is shown, but stops nothing.
    """
    other = {r.id: r for r in before if r.scored}
    pairs = [(other[r.id], r) for r in after if r.scored and r.id in other]
    groups: dict[str, list[tuple[Record, Record]]] = {}
    for old, new in pairs:
        for category in (*dict.fromkeys(old.intents), f"suite {old.suite}", *_faulted(old, new)):
            groups.setdefault(category, []).append((old, new))
    if sum(name.startswith("suite ") for name in groups) < 2:
        groups = {name: group for name, group in groups.items() if not name.startswith("suite ")}
    changes = [
        Change(
            name,
            len(group),
            round(sum(points(old) for old, _ in group) / len(group), 4),
            round(sum(points(new) for _, new in group) / len(group), 4),
        )
        for name, group in groups.items()
    ]
    changes.sort(key=lambda change: (change.gain, change.category))
    lost = tuple(change for change in changes if change.gain < -allowed and change.cases >= cases)
    return Comparison(paired(after, before, points), tuple(changes), lost)


def _faulted(old: Record, new: Record) -> tuple[str, ...]:
    return ("failed tools",) if any(call.fault for record in (old, new) for call in record.calls) else ()


def keyed(records: Sequence[Record], seed: int) -> tuple[Record, ...]:
    """Records of one seed with ids and tasks that stay apart from those of other seeds and suites."""
    return tuple(dataclasses.replace(r, id=f"{seed}/{r.suite}/{r.id}", task=seed * 1_000_000 + r.task) for r in records)


def error_reduction(before: Sequence[Record], after: Sequence[Record]) -> Interval:
    """Share of the error that is gone: ``1 - error after / error before`` over the same cases, 1 at most.

    The interval is a percentile bootstrap over tasks, paired; see ``bootstrap_ratio`` for when there is none. NaN when
    there was no error.
    """
    other = {r.id: r for r in after if r.scored}
    tasks: dict[int, list[tuple[float, float]]] = {}
    for record in before:
        if record.scored and record.id in other:
            tasks.setdefault(record.task, []).append((error(record), error(other[record.id])))
    was = [sum(old for old, _ in group) for group in tasks.values()]
    now = [sum(new for _, new in group) for group in tasks.values()]
    left = bootstrap_ratio(now, was, stream(0, "error_reduction"))
    return Interval(1 - left.mean, 1 - left.high, 1 - left.low)
