"""What an experiment found: arms over their seeds, paired differences, T4, harness edits, and the paper's claims."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from livesim.evaluation.ifeval import results as ifeval
from livesim.evaluation.ifeval.answers import Answered
from livesim.evaluation.ifeval.answers import load as load_answers
from livesim.evaluation.intervals import Interval, bootstrap_mean
from livesim.evaluation.metrics import UNKNOWN, cluster
from livesim.evaluation.records import Record
from livesim.evaluation.run import Evaluation, load
from livesim.evaluation.table import CHANGED_SUITE, ORIGINAL_SUITE, Table, number, short
from livesim.evolution.heldout import HeldoutResult, from_json
from livesim.pipeline.arms import Experiment
from livesim.pipeline.models import BASE

Value = Callable[[Record], float]
MEASURES: Mapping[str, Value] = {"score": lambda r: r.score, "full, %": lambda r: 100.0 * r.strict}
"""The paper's score, and the share with all four heads full."""


@dataclass(frozen=True, slots=True)
class Tested:
    """An arm and what its models did: one evaluation a seed; answers to IFEval and edits where there are any."""

    name: str
    label: str
    evaluations: tuple[Evaluation, ...]
    answers: tuple[Answered, ...] = ()
    edits: tuple[HeldoutResult, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """Everything an experiment found: its arms, the base first, and the two that are compared."""

    arms: tuple[Tested, ...]
    against: tuple[str, str]

    def arm(self, name: str) -> Tested:
        """The arm of a name."""
        return next(arm for arm in self.arms if arm.name == name)


@dataclass(frozen=True, slots=True)
class Case:
    """A case as an arm's models did on average: what it shares with others, its task and its value."""

    cluster: Hashable
    task: int
    dimension: str
    value: float


def collect(experiment: Experiment, folder: Path) -> Found:
    """Read what the steps left in the folder of a run."""
    arms = [_tested(folder, BASE, "base", [BASE])]
    for name, arm in experiment.arms.items():
        if arm.evaluated:
            arms.append(_tested(folder, name, arm.label, [f"{name}-{seed}" for seed in experiment.seeds[: arm.seeds]]))
    return Found(tuple(arms), experiment.against)


def _tested(folder: Path, name: str, label: str, models: Sequence[str]) -> Tested:
    edits = [path for model in models if (path := folder / f"edits_{model}" / "heldout.json").exists()]
    return Tested(
        name,
        label,
        tuple(load(folder / f"eval_{model}") for model in models),
        tuple(load_answers(path) for model in models if (path := folder / f"ifeval_{model}").exists()),
        tuple(from_json(path.read_text(encoding="utf-8"))[0] for path in edits),
    )


def cases(arm: Tested, suite: str, value: Value) -> dict[str, Case]:
    """Case -> its mean over the arm's seeds. A case counts when it was scored for every seed."""
    found: dict[str, list[Record]] = {}
    for evaluation in arm.evaluations:
        for record in evaluation.records.get(suite, ()):
            if record.scored:
                found.setdefault(record.id, []).append(record)
    return {
        name: Case(cluster(rs[0]), rs[0].task, rs[0].dimension, statistics.fmean(map(value, rs)))
        for name, rs in found.items()
        if len(rs) == len(arm.evaluations)
    }


def mean(found: Sequence[Case]) -> Interval:
    """Mean over cases, with a bootstrap over clusters; the seeds of training are averaged before."""
    return bootstrap_mean([c.value for c in found], [c.cluster for c in found]) if found else UNKNOWN


def difference(first: Tested, second: Tested, suite: str, value: Value) -> Interval:
    """``first`` minus ``second`` on the cases of both, with a bootstrap over clusters."""
    ours, theirs = cases(first, suite, value), cases(second, suite, value)
    both = {name: case for name, case in ours.items() if name in theirs}
    return mean([replace(case, value=case.value - theirs[name].value) for name, case in both.items()])


def loss(arm: Tested, value: Value) -> Interval:
    """T2 minus T1 on the same tasks, with a bootstrap over tasks."""
    original = {case.task: case.value for case in cases(arm, ORIGINAL_SUITE, value).values()}
    gaps: dict[int, list[float]] = {}
    for case in cases(arm, CHANGED_SUITE, value).values():
        if case.task in original:
            gaps.setdefault(case.task, []).append(case.value - original[case.task])
    return bootstrap_mean([statistics.fmean(gap) for gap in gaps.values()]) if gaps else UNKNOWN


def tables(found: Found) -> tuple[Table, ...]:
    """Every table of the experiment."""
    shown = [_scores(found), _seeds(found), _dimensions(found), _differences(found)]
    answered = [arm.answers[0] for arm in found.arms if arm.answers]
    if answered:
        shown += [ifeval.table(answered), ifeval.change_table(answered, answered[0]), ifeval.kinds(answered)]
    if any(arm.edits for arm in found.arms):
        shown.append(_edits(found))
    return tuple(shown)


def render(found: Found) -> str:
    """Tables and claims as text: what the terminal shows."""
    lines = "\n".join(f"- {line}" for line in claims(found))
    return "\n\n".join([*(table.text() for table in tables(found)), f"the paper's claims at this scale\n{lines}"])


def claims(found: Found) -> tuple[str, ...]:
    """What was aimed at, what was found, and whether that is it; nothing is said of what was not measured."""
    hat, control = found.arm(found.against[0]), found.arm(found.against[1])
    score = MEASURES["score"]
    t1, change = mean([*cases(hat, ORIGINAL_SUITE, score).values()]), loss(hat, score)
    theirs = loss(control, score)
    lines = [
        _claim(f"T1 score of {hat.label} at least 94", number(t1), t1.mean >= 94),
        _claim(f"T2 score of {hat.label} within 0.5 of T1", number(change), change.mean >= -0.5),
        _claim(f"{control.label} loses at least 15 points from T1 to T2", number(theirs), theirs.mean <= -15),
    ]
    base = found.arm(BASE)
    if hat.answers and base.answers:
        for one in ifeval.changes(hat.answers[0], base.answers[0]):
            told = number(one.points) + ("" if one.p is None else f", p = {one.p:.3g}")
            aim = f"IFEval {one.metric} of {hat.label} not below the base's, beyond the interval"
            lines.append(_claim(aim, told, one.points.high >= 0))
    if hat.edits and control.edits:
        ours, rest = hat.edits[0].reduction.mean, control.edits[0].reduction.mean
        aim = f"harness edits remove at least 2.8 times as much of the error of {hat.label} as of {control.label}"
        lines.append(_claim(aim, f"{ours:.1%} against {rest:.1%}", ours > 0 and ours >= 2.8 * rest))
    return tuple(lines)


def _claim(aim: str, told: str, met: bool) -> str:
    return f"{aim}: {'yes' if met else 'NO'}, {told}"


def _scores(found: Found) -> Table:
    names = _suites(found)
    columns = ["model", "seeds"]
    for suite in names:
        columns += [f"{short(suite)} {measure}" for measure in MEASURES]
    rows = []
    for arm in found.arms:
        row = [arm.label, str(len(arm.evaluations))]
        for suite in names:
            row += [number(mean([*cases(arm, suite, value).values()])) for value in MEASURES.values()]
        rows.append((*row, *(number(loss(arm, value)) for value in MEASURES.values())))
    title = (
        "means over seeds, 95 % intervals over cases; score = 100 x mean(accuracy, effectiveness), full = four heads"
    )
    return Table(title, (*columns, *(f"T2 - T1 {measure}" for measure in MEASURES)), tuple(rows))


def _seeds(found: Found) -> Table:
    """The score of every seed: how much of a difference may be luck in training."""
    names = _suites(found)
    rows = []
    for arm in found.arms:
        cells = []
        for suite in names:
            values = [e.summaries[suite].score.mean for e in arm.evaluations if suite in e.summaries]
            spread = f" (sd {statistics.stdev(values):.1f})" if len(values) > 1 else ""
            cells.append(", ".join(f"{value:.1f}" for value in values) + spread)
        rows.append((arm.label, *cells))
    return Table("score of every seed", ("model", *(short(suite) for suite in names)), tuple(rows))


def _dimensions(found: Found) -> Table:
    measured = {arm.label: cases(arm, CHANGED_SUITE, MEASURES["full, %"]) for arm in found.arms}
    names = list(dict.fromkeys(case.dimension for one in measured.values() for case in one.values()))
    rows = [
        (label, *(number(mean([c for c in one.values() if c.dimension == name]), 0) for name in names))
        for label, one in measured.items()
    ]
    return Table("T2 by what was changed: all four heads full, %", ("model", *names), tuple(rows))


def _differences(found: Found) -> Table:
    """Every arm against the one that should have learnt to adapt."""
    hat, names = found.arm(found.against[0]), _suites(found)
    rows = [
        (f"{hat.label} - {arm.label}", *(number(difference(hat, arm, suite, MEASURES["score"])) for suite in names))
        for arm in found.arms
        if arm.name != hat.name
    ]
    return Table("paired differences of the score, on the same cases", ("", *map(short, names)), tuple(rows))


def _edits(found: Found) -> Table:
    rows = []
    for arm in found.arms:
        for result in arm.edits:
            gone = number(result.reduction.scaled(100))
            dev = f"{result.dev_before.points:.1f} -> {result.dev_after.points:.1f}"
            test = f"{result.test_before.points:.1f} -> {result.test_after.points:.1f}"
            rows.append((arm.label, str(result.steps), dev, test, gone))
    columns = ("frozen model", "edits kept", "dev points", "test points", "test error removed, %")
    return Table("held-out harness edits", columns, tuple(rows))


def _suites(found: Found) -> list[str]:
    return list(dict.fromkeys(suite for arm in found.arms for e in arm.evaluations for suite in e.records))
