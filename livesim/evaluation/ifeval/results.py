"""Answers -> the four metrics with intervals, and paired tests against another model on the same prompts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from livesim.evaluation import crossed
from livesim.evaluation.crossed import Place
from livesim.evaluation.ifeval.answers import Answer, Answered
from livesim.evaluation.intervals import Interval, mcnemar
from livesim.evaluation.metrics import GAPS
from livesim.evaluation.table import Table, number

METRICS: Mapping[str, Callable[[Answer], tuple[bool, ...]]] = {
    "prompt strict": lambda answer: (all(answer.strict),),
    "instruction strict": lambda answer: answer.strict,
    "prompt loose": lambda answer: (all(answer.loose),),
    "instruction loose": lambda answer: answer.loose,
}
"""Name -> hits of one answer: of the whole prompt, or of each of its instructions."""


@dataclass(frozen=True, slots=True)
class Change:
    """One model against another on the prompts that both answered.

    Attributes:
        metric: its name.
        points: first minus second, in points; the interval is for new prompts.
        p: of the exact McNemar test, for the metrics of whole prompts; None for those of instructions, which come
            several to a prompt.
    """

    metric: str
    points: Interval
    p: float | None


def metrics(answers: Sequence[Answer]) -> dict[str, Interval]:
    """The four metrics in percent; instructions of one prompt count as dependent. Empty when nothing is scored."""
    found: dict[str, Interval] = {}
    for name, hits in METRICS.items() if answers else ():
        hit = [(one, _place(at)) for at, answer in enumerate(answers) for one in hits(answer)]
        found[name] = crossed.share([one for one, _ in hit], [place for _, place in hit]).scaled(100)
    return found


def changes(first: Answered, second: Answered) -> tuple[Change, ...]:
    """``first`` against ``second`` on every metric; none when they share no prompt."""
    other = {answer.id: answer for answer in second.scored}
    pairs = [(answer, other[answer.id]) for answer in first.scored if answer.id in other]
    return tuple(_change(name, hits, pairs) for name, hits in METRICS.items()) if pairs else ()


def table(models: Sequence[Answered]) -> Table:
    """The four metrics of every model."""
    rows = []
    for model in models:
        found = metrics(model.scored)
        cells = (number(found[name]) if name in found else "-" for name in METRICS)
        rows.append((model.label, str(len(model.scored)), *cells))
    title = "T4 = IFEval, % followed; 95 % intervals"
    return Table(title, ("model", "prompts", *METRICS), tuple(rows))


def change_table(models: Sequence[Answered], base: Answered) -> Table:
    """What every model gained or lost against ``base``, with the McNemar test's p for whole prompts."""
    rows = []
    for model in models:
        if model is base:
            continue
        found = {change.metric: change for change in changes(model, base)}
        rows.append((model.label, *(_cell(found[name]) if name in found else "-" for name in METRICS)))
    title = f"T4 against {base.label}, points on the same prompts; p: exact McNemar test"
    return Table(title, ("model", *METRICS), tuple(rows))


def kinds(models: Sequence[Answered]) -> Table:
    """Share of each kind of instruction that is followed strictly, in percent."""
    hits: dict[str, list[list[bool]]] = {}
    for column, model in enumerate(models):  # by number: two models may have one label
        for answer in model.scored:
            for kind, hit in zip(answer.instructions, answer.strict, strict=True):
                hits.setdefault(kind, [[] for _ in models])[column].append(hit)
    rows = [(kind, *map(_share, found)) for kind, found in sorted(hits.items())]
    return Table("T4 by kind of instruction, strict", ("kind", *(model.label for model in models)), tuple(rows))


def _change(name: str, hits: Callable[[Answer], tuple[bool, ...]], pairs: Sequence[tuple[Answer, Answer]]) -> Change:
    gaps = [
        (100.0 * a - 100.0 * b, _place(at))
        for at, (one, two) in enumerate(pairs)
        for a, b in zip(hits(one), hits(two), strict=True)
    ]
    points = crossed.mean([gap for gap, _ in gaps], [place for _, place in gaps], GAPS)
    if not name.startswith("prompt"):
        return Change(name, points, None)
    return Change(name, points, mcnemar(sum(gap > 0 for gap, _ in gaps), sum(gap < 0 for gap, _ in gaps)))


def _place(prompt: int) -> Place:
    """Instructions of one prompt share it, and nothing else is shared."""
    return Place(prompt, None, "prompt")


def _cell(change: Change) -> str:
    return number(change.points) + ("" if change.p is None else f", p = {change.p:.3g}")


def _share(hits: Sequence[bool]) -> str:
    return f"{sum(hits)}/{len(hits)}" if hits else "-"
