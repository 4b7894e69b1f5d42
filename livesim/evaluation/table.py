"""The comparison as text: models against suites with intervals, and who wins, computed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from livesim.evaluation.counted import counted
from livesim.evaluation.intervals import Interval
from livesim.evaluation.metrics import Difference, Summary, change_loss, loss_gap, losses, paired
from livesim.evaluation.records import FOUR_HEADS, Record
from livesim.evaluation.run import Evaluation
from livesim.evaluation.suites import suites
from livesim.harness.augment import GIVEN_UP, REFUSED

ORIGINAL_SUITE = "live_stream_qa"
CHANGED_SUITE = "harness_variant_qa"
INTERVALS = "95 % intervals for new tasks and new harness variants: cases that share either count as dependent"


@dataclass(frozen=True, slots=True)
class Table:
    """A titled grid of text; the first ``names`` columns are names, the others numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int = 1

    def markdown(self) -> str:
        """As a Markdown table."""
        rule = "|".join("---" if i < self.names else "---:" for i in range(len(self.columns)))
        cells = [[cell.replace("|", "\\|") for cell in row] for row in (self.columns, *self.rows)]
        header, *rows = (f"| {' | '.join(row)} |" for row in cells)
        lines = [header, f"|{rule}|", *rows]
        return f"**{self.title}**\n\n" + "\n".join(lines)

    def text(self) -> str:
        """As aligned plain text."""
        widths = [max(len(row[i]) for row in (self.columns, *self.rows)) for i in range(len(self.columns))]
        lines = [self._line(row, widths) for row in (self.columns, *self.rows)]
        return "\n".join([self.title, lines[0], "-" * max(map(len, lines)), *lines[1:]])

    def _line(self, row: Sequence[str], widths: Sequence[int]) -> str:
        cells = (c.ljust(w) if i < self.names else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        return "  ".join(cells).rstrip()


def number(interval: Interval, digits: int = 1) -> str:
    """``"83.1 [78.0, 88.2]"``; ``"-"`` when there is no value, no brackets when there is no interval."""
    if math.isnan(interval.mean):
        return "-"
    if math.isnan(interval.low):
        return f"{interval.mean:.{digits}f}"
    return f"{interval.mean:.{digits}f} [{interval.low:.{digits}f}, {interval.high:.{digits}f}]"


def score_table(evaluations: Sequence[Evaluation]) -> Table:
    """Score and strict success of every model on every suite, and what the change of harness costs it."""
    shown = _suites(evaluations)
    loss = {ORIGINAL_SUITE, CHANGED_SUITE} <= set(shown)
    columns = ["model"]
    for suite in shown:
        columns += [f"{short(suite)} score", f"{short(suite)} full, %"]
    if loss:
        columns += ["T2 - T1 score", "T2 - T1 full, %"]
    rows = []
    for evaluation in evaluations:
        row = [evaluation.label]
        summaries = evaluation.summaries
        for suite in shown:
            found = summaries.get(suite)
            row += ["-", "-"] if found is None else [number(found.score), number(found.strict.scaled(100))]
        if loss:
            row += [number(_loss(evaluation, value).points) for value in (_score, _strict)]
        rows.append(tuple(row))
    named = ", ".join(f"{short(suite)} = {suite}" for suite in shown)
    title = f"{named}; score = 100 x mean(accuracy, effectiveness); full = all four heads; {INTERVALS}"
    return Table(title, tuple(columns), tuple(rows))


def head_table(evaluations: Sequence[Evaluation]) -> Table:
    """Mean of every head, 0 to 1."""
    rows = []
    for evaluation in evaluations:
        for suite, summary in evaluation.summaries.items():
            heads = [number(summary.heads[h], 2) if h in summary.heads else "-" for h in (*FOUR_HEADS, "length")]
            rows.append((evaluation.label, suite, str(summary.episodes), *heads))
    return Table("heads", ("model", "suite", "episodes", *FOUR_HEADS, "length"), tuple(rows), names=2)


def dimension_table(evaluations: Sequence[Evaluation], suite: str = CHANGED_SUITE) -> Table:
    """Share with all four heads full, in percent, by what was changed."""
    found = {e.label: e.summaries[suite] for e in evaluations if suite in e.records}
    names = list(dict.fromkeys(name for summary in found.values() for name in summary.dimensions))
    rows = []
    for label, summary in found.items():
        slices = summary.dimensions
        rows.append((label, *(number(slices[n].strict.scaled(100), 0) if n in slices else "-" for n in names)))
    return Table(f"{suite}: all heads full, %, by what was changed", ("model", *names), tuple(rows))


def detail_table(evaluations: Sequence[Evaluation]) -> Table:
    """Recovery outcomes, pass^k, the variant with the lowest score (partly chance: it is the least of many), losses."""
    rows = [
        (evaluation.label, suite, *_details(summary))
        for evaluation in evaluations
        for suite, summary in evaluation.summaries.items()
    ]
    columns = ("model", "suite", "recovered / honest / hallucinated / gave up", "pass^k", "lowest variant", "lost")
    return Table("under faults and in repetition", columns, tuple(rows), names=2)


def variant_table(evaluations: Sequence[Evaluation], suite: str = CHANGED_SUITE) -> Table:
    """The harness variants that were met: how many were proved, how many drafts were refused on the way, and why."""
    rows = []
    for evaluation in (e for e in evaluations if suite in e.records):
        met = {r.variant: r.draws for r in evaluation.records[suite] if r.draws}
        counts = sum((Counter(draws) for draws in met.values()), Counter[str]())
        refused = {why.removeprefix(REFUSED): n for why, n in counts.items() if why.startswith(REFUSED)}
        left = sum(n for why, n in counts.items() if why.startswith(GIVEN_UP))
        why = "; ".join(f"{n} x {reason}" for reason, n in sorted(refused.items())) or "-"
        rows.append((evaluation.label, *map(str, (len(met), counts["proved"], left, sum(refused.values()))), why))
    columns = ("model", "variants", "proved", "dimensions given up", "drafts refused", "why")
    return Table(f"{suite}: proof of the variants", columns, tuple(rows))


def latency_table(evaluations: Sequence[Evaluation], title: str = "latency of a request, served in a batch") -> Table:
    """P50 and P95 a request: real seconds (in a batch: of the batch) and stream seconds."""
    rows = []
    for evaluation in evaluations:
        for suite, summary in evaluation.summaries.items():
            took = summary.latency
            rows.append(
                (
                    evaluation.label,
                    suite,
                    *(
                        "-" if math.isnan(v) else f"{v:.2f}"
                        for v in (took.wall_p50_s, took.wall_p95_s, took.stream_p50_s, took.stream_p95_s)
                    ),
                )
            )
    columns = ("model", "suite", "wall P50, s", "wall P95, s", "stream P50, s", "stream P95, s")
    return Table(title, columns, tuple(rows), names=2)


def verdicts(evaluations: Sequence[Evaluation], first: str, second: str) -> tuple[str, ...]:
    """Sentences on ``first`` against ``second`` (labels): who is ahead beyond the interval, or that nobody is.

    Nothing is assumed of who should win. A pair is one case, played by both. Each sentence has a 95 % interval of its
    own; of twenty sentences on arms that are alike, one is expected to find a difference.
    """
    arms = {e.label: e for e in evaluations}
    if first not in arms or second not in arms:
        return ()
    one, two = arms[first], arms[second]
    lines = []
    for suite in _suites([one, two]):
        if suite not in one.records or suite not in two.records:
            continue
        for what, value in (("score", _score), ("all heads full", _strict)):
            gap = paired(one.records[suite], two.records[suite], value)
            lines.append(f"{suite}, {what}: {says(gap, first, second)}")
    if all({ORIGINAL_SUITE, CHANGED_SUITE} <= set(arm.records) for arm in (one, two)):
        for what, value in (("score", _score), ("all heads full", _strict)):
            ours, theirs = (losses(*_pair(arm), value) for arm in (one, two))
            gap = loss_gap(ours, theirs)
            even = "no interval to tell them apart" if not gap.has_interval else "no difference beyond the interval"
            words = {1: f"{first} loses less", -1: f"{first} loses MORE", 0: even}
            lines.append(
                f"the change of harness, {what}: {first} {number(_loss(one, value).points)}, "
                f"{second} {number(_loss(two, value).points)} points; {words[gap.verdict]}: {number(gap.points)} "
                f"over {counted(gap.pairs, 'pair')}"
            )
    return tuple(lines)


def says(gap: Difference, first: str, second: str) -> str:
    """Who is ahead, beyond the interval, or that nobody is."""
    if not gap.pairs:
        return "no case was scored for both"
    points = f"{number(gap.points)} points over {counted(gap.pairs, 'pair')}"
    if gap.verdict > 0:
        return f"{first} is ahead of {second} by {points}"
    if gap.verdict < 0:
        return f"{first} is BEHIND {second}: {points}"
    if not gap.has_interval:
        return f"too few tasks or variants for an interval between {first} and {second}: {points}"
    return f"no difference beyond the interval between {first} and {second}: {points}"


def render(evaluations: Sequence[Evaluation], against: tuple[str, str] | None = None) -> str:
    """Every table and, where two arms are named, the verdicts: what the terminal shows."""
    tables = [score_table(evaluations), head_table(evaluations)]
    if any(CHANGED_SUITE in e.records for e in evaluations):
        tables += [dimension_table(evaluations), variant_table(evaluations)]
    tables += [detail_table(evaluations), latency_table(evaluations)]
    parts = [table.text() for table in tables]
    if against is not None and (lines := verdicts(evaluations, *against)):
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def short(suite: str) -> str:
    """Short name of a suite; its own name when it is not registered."""
    known = suites().get(suite)
    return suite if known is None else known.short


def _suites(evaluations: Sequence[Evaluation]) -> list[str]:
    return list(dict.fromkeys(suite for e in evaluations for suite in e.records))


def _score(record: Record) -> float:
    return record.score


def _strict(record: Record) -> float:
    return 100.0 * record.strict


def _loss(evaluation: Evaluation, value: Callable[[Record], float]) -> Difference:
    return change_loss(*_pair(evaluation), value)


def _pair(evaluation: Evaluation) -> tuple[Sequence[Record], Sequence[Record]]:
    return evaluation.records.get(ORIGINAL_SUITE, ()), evaluation.records.get(CHANGED_SUITE, ())


def _details(summary: Summary) -> tuple[str, str, str, str]:
    counts = summary.recovery
    outcomes = " / ".join(str(counts.get(name, 0)) for name in ("recovered", "honest", "hallucinated", "gave_up"))
    ks = sorted(summary.pass_k)
    shown = ks if len(ks) <= 3 else [1, 2, ks[-1]]
    passes = ", ".join(f"{k}: {100 * summary.pass_k[k]:.0f} %" for k in shown) or "-"
    worst = summary.worst
    lowest = f"{summary.worst_variant} {worst.score.mean:.1f} ({counted(worst.episodes, 'case')})" if worst else "-"
    return outcomes, passes, lowest, str(summary.infrastructure_errors)
