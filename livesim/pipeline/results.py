"""What an experiment found: arms over their seeds, paired differences, T4, harness edits."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from livesim.evaluation import crossed
from livesim.evaluation.crossed import Bounds, Place
from livesim.evaluation.ifeval import results as ifeval
from livesim.evaluation.ifeval.answers import Answered
from livesim.evaluation.ifeval.answers import load as load_answers
from livesim.evaluation.intervals import Interval
from livesim.evaluation.metrics import GAPS, POINTS, UNKNOWN, Difference, place
from livesim.evaluation.records import Record
from livesim.evaluation.run import Evaluation, load
from livesim.evaluation.table import CHANGED_SUITE, INTERVALS, ORIGINAL_SUITE, Table, number, short
from livesim.evolution import heldout
from livesim.evolution.heldout import HeldoutResult
from livesim.pipeline.arms import Experiment, name_of
from livesim.pipeline.plan import BASE

FULL = "full, %"
Value = Callable[[Record], float]
MEASURES: Mapping[str, Value] = {"score": lambda r: r.score, FULL: lambda r: 100.0 * r.strict}
"""The paper's score, and the share with all four heads full."""


@dataclass(frozen=True, slots=True)
class Tested:
    """An arm and what its models did.

    Attributes:
        name: of the arm.
        label: in tables.
        evaluations: by the seed of the training; None: nothing was trained.
        answers: to IFEval, of the seeds that were asked.
        edits: of the seeds whose harness was edited.
    """

    name: str
    label: str
    evaluations: Mapping[int | None, Evaluation]
    answers: tuple[Answered, ...] = ()
    edits: tuple[HeldoutResult, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What an experiment has found so far: the arms with a model that was evaluated, and the two that are compared."""

    arms: tuple[Tested, ...]
    against: tuple[str, str]

    def arm(self, name: str) -> Tested | None:
        """The arm of a name; None while none of its models has been evaluated."""
        return next((arm for arm in self.arms if arm.name == name), None)


@dataclass(frozen=True, slots=True)
class Case:
    """A case: what it shares with others, and its value for each seed of training."""

    place: Place
    values: tuple[float, ...]


def collect(experiment: Experiment, folder: Path, done: Collection[str]) -> Found:
    """Read what the steps that are ``done`` left in the folder of a run."""
    models: dict[str, dict[int | None, str]] = {BASE: {None: BASE}}
    for name, arm in experiment.arms.items():
        models[name] = {seed: name_of(name, seed) for seed in experiment.seeds[: arm.seeds]}
    labels = {BASE: BASE, **{name: arm.label for name, arm in experiment.arms.items()}}
    found = (_tested(folder, name, labels[name], names, done) for name, names in models.items())
    return Found(tuple(arm for arm in found if arm.evaluations), experiment.against)


def _tested(folder: Path, name: str, label: str, models: Mapping[int | None, str], done: Collection[str]) -> Tested:
    def folders(kind: str) -> dict[int | None, Path]:
        return {seed: folder / f"{kind}_{model}" for seed, model in models.items() if f"{kind}_{model}" in done}

    edits = [(path / "heldout.json").read_text(encoding="utf-8") for path in folders("edits").values()]
    return Tested(
        name,
        label,
        {seed: load(path) for seed, path in folders("eval").items()},
        tuple(map(load_answers, folders("ifeval").values())),
        tuple(heldout.from_json(text)[0] for text in edits),
    )


def cases(arm: Tested, suite: str, value: Value) -> dict[str, Case]:
    """Case -> its values over the arm's seeds. A case counts when it was scored for every seed."""
    return _cases([{r.id: (place(r), value(r)) for r in _scored(e, suite)} for e in arm.evaluations.values()])


def mean(found: Sequence[Case], bounds: Bounds = POINTS) -> Interval:
    """Mean over cases and seeds, with an interval over both; of one seed, over cases alone.

    Args:
        found: the cases; without any, the mean is unknown.
        bounds: the lowest and the highest value that there can be.
    """
    return crossed.mean_over_seeds([c.values for c in found], [c.place for c in found], bounds) if found else UNKNOWN


def average(found: Sequence[Case], measure: str) -> Interval:
    """Of values of one of ``MEASURES``: the mean; of ``FULL`` a share, whose interval has a width at 0 and 1, too."""
    if measure != FULL or not found:
        return mean(found)
    full = [[value > 0 for value in case.values] for case in found]
    return crossed.share_over_seeds(full, [case.place for case in found]).scaled(100)


def difference(first: Tested, second: Tested, suite: str, value: Value) -> Difference:
    """``first`` minus ``second``. A pair is one case, played by the two models of one seed of training.

    What was not trained is the other half of a pair for every seed; other seeds that only one arm has do not count.
    """
    rows = []
    for seed in shared_seeds(first, second):
        other = second.evaluations[None if None in second.evaluations else seed]
        theirs = {r.id: value(r) for r in _scored(other, suite)}
        ours = [r for r in _scored(first.evaluations[seed], suite) if r.id in theirs]
        rows.append({r.id: (place(r), value(r) - theirs[r.id]) for r in ours})
    found = [*_cases(rows).values()]
    return Difference(sum(len(case.values) for case in found), mean(found, GAPS))


def loss(arm: Tested, value: Value) -> Interval:
    """T2 minus T1 of one model on the same tasks, over cases and seeds."""
    rows = []
    for evaluation in arm.evaluations.values():
        base = {r.task: value(r) for r in _scored(evaluation, ORIGINAL_SUITE)}
        changed = [r for r in _scored(evaluation, CHANGED_SUITE) if r.task in base]
        rows.append({r.id: (place(r), value(r) - base[r.task]) for r in changed})
    return mean([*_cases(rows).values()], GAPS)


def shared_seeds(first: Tested, second: Tested) -> list[int | None]:
    """The seeds of ``first`` for which ``second`` has a model, too; what was not trained goes with every seed."""
    return [seed for seed in first.evaluations if None in second.evaluations or seed in second.evaluations]


def suites(found: Found) -> list[str]:
    """What any model was evaluated on, in order."""
    return list(dict.fromkeys(suite for arm in found.arms for e in arm.evaluations.values() for suite in e.records))


def _scored(evaluation: Evaluation, suite: str) -> list[Record]:
    return [record for record in evaluation.records.get(suite, ()) if record.scored]


def _cases(seeds: Sequence[Mapping[str, tuple[Place, float]]]) -> dict[str, Case]:
    """Case -> its values over seeds, where every seed has one."""
    names = [name for name in (seeds[0] if seeds else ()) if all(name in one for one in seeds)]
    return {name: Case(seeds[0][name][0], tuple(one[name][1] for one in seeds)) for name in names}


def tables(found: Found) -> tuple[Table, ...]:
    """Every table of the experiment."""
    if not found.arms:
        return ()
    shown = [_scores(found), _seeds(found), _dimensions(found), _differences(found)]
    answered = [arm.answers[0] for arm in found.arms if arm.answers]
    if answered:
        shown += [ifeval.table(answered), ifeval.change_table(answered, answered[0]), ifeval.kinds(answered)]
    if any(arm.edits for arm in found.arms):
        shown.append(heldout.grid([result for arm in found.arms for result in arm.edits]))
    return tuple(table for table in shown if table.rows)


def _scores(found: Found) -> Table:
    names = suites(found)
    columns = ["model", "seeds"]
    for suite in names:
        columns += [f"{short(suite)} {measure}" for measure in MEASURES]
    rows = []
    for arm in found.arms:
        row = [arm.label, "-" if None in arm.evaluations else str(len(arm.evaluations))]
        for suite in names:
            row += [number(average([*cases(arm, suite, value).values()], name)) for name, value in MEASURES.items()]
        rows.append((*row, *(number(loss(arm, value)) for value in MEASURES.values())))
    title = (
        f"means over seeds; score = 100 x mean(accuracy, effectiveness), full = all four heads; {INTERVALS}; "
        "with two seeds or more for new trainings, too"
    )
    return Table(title, (*columns, *(f"T2 - T1 {measure}" for measure in MEASURES)), tuple(rows))


def _seeds(found: Found) -> Table:
    """The score of every seed: how much of a difference may be luck in training."""
    names = suites(found)
    rows = []
    for arm in found.arms:
        cells = []
        for suite in names:
            values = [e.summaries[suite].score.mean for e in arm.evaluations.values() if suite in e.summaries]
            spread = f" (sd {statistics.stdev(values):.1f})" if len(values) > 1 else ""
            cells.append(", ".join(f"{value:.1f}" for value in values) + spread)
        rows.append((arm.label, *cells))
    return Table("score of every seed", ("model", *(short(suite) for suite in names)), tuple(rows))


def _dimensions(found: Found) -> Table:
    measured = {arm.label: cases(arm, CHANGED_SUITE, MEASURES[FULL]) for arm in found.arms}
    names = list(dict.fromkeys(case.place.kind for one in measured.values() for case in one.values()))
    rows = [
        (label, *(number(average([c for c in one.values() if c.place.kind == name], FULL), 0) for name in names))
        for label, one in measured.items()
    ]
    return Table("T2 by what was changed: all four heads full, %", ("model", *names), tuple(rows))


def _differences(found: Found) -> Table:
    """Every arm against the one that should have learnt to adapt."""
    hat, names = found.arm(found.against[0]), suites(found)
    rows = []
    for arm in found.arms if hat is not None else ():
        if hat is not None and arm is not hat:
            gaps = (number(difference(hat, arm, suite, MEASURES["score"]).points) for suite in names)
            rows.append((f"{hat.label} - {arm.label}", str(len(shared_seeds(hat, arm))), *gaps))
    title = "paired differences of the score: the same case, models of the same seed of training; intervals as above"
    return Table(title, ("", "seeds", *map(short, names)), tuple(rows))
