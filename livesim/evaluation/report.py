"""``report.html``: one static file with tables, curves, one replay side by side, latency and what was run."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from livesim.errors import ConfigError
from livesim.evaluation import table
from livesim.evaluation.charts import Bar, Line, bars, lines
from livesim.evaluation.metrics import Slice
from livesim.evaluation.records import FOUR_HEADS, Record
from livesim.evaluation.run import Evaluation
from livesim.whole import write_whole

TEMPLATE = "report.html"


@dataclass(frozen=True, slots=True)
class Curves:
    """A chart of training: title, what it shows in one clause, lines."""

    title: str
    about: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything the page shows.

    Attributes:
        title: name of the run.
        evaluations: in the order of the table.
        against: labels of the two arms that are compared and replayed, first the one that should have learnt to adapt.
        curves: of training.
        facts: name and value: date, machine, duration, hashes ...
        config: the resolved configuration as text.
        notes: sentences to show with the table.
        alone: evaluations that served one request at a time, for latency.
        tables: shown before everything else.
        claims: sentences shown with them: what was aimed at and what was found.
    """

    title: str
    evaluations: tuple[Evaluation, ...]
    against: tuple[str, str] | None = None
    curves: tuple[Curves, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    config: str = ""
    notes: tuple[str, ...] = ()
    alone: tuple[Evaluation, ...] = ()
    tables: tuple[table.Table, ...] = ()
    claims: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bubble:
    """One message of a replay: who, what, and marks such as ``"timeout"``."""

    role: str
    text: str
    mark: str = ""
    marks: tuple[str, ...] = ()


def write(report: Report, path: Path) -> None:
    """Render the page.

    Raises:
        ConfigError: the ``report`` extra is not installed.
    """
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
        from markupsafe import Markup
    except ImportError:
        raise ConfigError("a report needs Jinja2: pip install 'livesim[report]'") from None
    env = Environment(loader=PackageLoader("livesim", "evaluation"), autoescape=True, undefined=StrictUndefined)
    html = env.get_template(TEMPLATE).render(_values(report, Markup))
    write_whole(path, html)


def replay_case(first: Sequence[Record], second: Sequence[Record]) -> tuple[tuple[Record, Record] | None, str]:
    """The pair of episodes to show, and by which rule it was chosen.

    The first case that the two arms end differently on (all heads full or not), else the first case of all.
    """
    other = {r.id: r for r in second if r.scored}
    pairs = [(r, other[r.id]) for r in first if r.scored and r.id in other]
    differing = [p for p in pairs if p[0].strict != p[1].strict]
    if differing:
        return differing[0], "the first case on which one of the two has all heads full and the other has not"
    return (pairs[0], "the first case: the two never differ in having all heads full") if pairs else (None, "")


def bubbles(record: Record) -> tuple[Bubble, ...]:
    """The conversation with its marks: what each turn was, and which calls a fault hit."""
    shown: list[Bubble] = []
    turn = -1
    for message in record.messages:
        if message["role"] == "assistant":
            turn += 1
        step = record.steps[turn] if 0 <= turn < len(record.steps) else None
        if step is None:
            shown.append(Bubble(message["role"], message["content"]))
        elif message["role"] == "assistant":
            shown.append(Bubble("assistant", message["content"], _TURN.get(step.outcome, step.outcome)))
        else:
            hit = tuple(c.fault or c.error for c in (record.calls[i] for i in step.calls) if c.fault or c.error)
            answer = "hook" if step.outcome in ("feedback", "closed") else "result"
            shown.append(Bubble("tool", message["content"], answer, hit))
    return tuple(shown)


_TURN = {
    "skill": "loads a skill",
    "calls": "calls a tool",
    "feedback": "sent back",
    "reply": "spoken",
    "closed": "closed without a reply",
}


def _values(report: Report, safe: Callable[[str], Any]) -> Mapping[str, Any]:
    evaluations = report.evaluations
    against = report.against
    tables = [
        table.head_table(evaluations),
        table.detail_table(evaluations),
        table.variant_table(evaluations),
        table.latency_table(evaluations),
    ]
    if report.alone:
        tables.append(table.latency_table(report.alone, "latency of a request, served alone"))
    return {
        "title": report.title,
        "intervals": table.INTERVALS,
        "first": report.tables,
        "claims": report.claims,
        "verdicts": table.verdicts(evaluations, *against) if against else (),
        "notes": report.notes,
        "scores": table.score_table(evaluations),
        "score_chart": safe(bars(_suite_groups(evaluations))),
        "strict_chart": safe(bars(_dimension_groups(evaluations, lambda s: s.strict.scaled(100)))),
        "dimension_chart": safe(bars(_dimension_groups(evaluations, lambda s: s.score))),
        "dimensions": table.dimension_table(evaluations),
        "tables": [found for found in tables if found.rows],
        "curves": [(c.title, c.about, safe(lines(_coloured(c.lines, evaluations)))) for c in report.curves],
        "replay": _replay(evaluations, against) if against else None,
        "facts": report.facts,
        "config": report.config,
        "samples": _hashes(evaluations),
    }


def _coloured(drawn: Sequence[Line], evaluations: Sequence[Evaluation]) -> list[Line]:
    """A line that is named after a model has the model's colour."""
    places = {e.label: i for i, e in enumerate(evaluations)}
    return [dataclasses.replace(line, colour=places.get(line.series, line.colour)) for line in drawn]


def _suite_groups(evaluations: Sequence[Evaluation]) -> list[tuple[str, list[Bar]]]:
    suites = list(dict.fromkeys(suite for e in evaluations for suite in e.records))
    found = [(e.label, e.summaries) for e in evaluations]
    return [
        *(
            (f"{table.short(suite)} score", [Bar(label, s[suite].score) for label, s in found if suite in s])
            for suite in suites
        ),
        *(
            (
                f"{table.short(suite)} all heads full, %",
                [Bar(label, s[suite].strict.scaled(100)) for label, s in found if suite in s],
            )
            for suite in suites
        ),
    ]


def _dimension_groups(evaluations: Sequence[Evaluation], value: Callable[[Slice], Any]) -> list[tuple[str, list[Bar]]]:
    suite = table.CHANGED_SUITE
    found = [(e.label, e.summaries[suite].dimensions) for e in evaluations if suite in e.records]
    names = list(dict.fromkeys(name for _, slices in found for name in slices))
    return [
        (name.replace("_", " "), [Bar(label, value(slices[name])) for label, slices in found if name in slices])
        for name in names
    ]


def _replay(evaluations: Sequence[Evaluation], against: tuple[str, str]) -> Mapping[str, Any] | None:
    arms = {e.label: e for e in evaluations}
    if not all(label in arms and table.CHANGED_SUITE in arms[label].records for label in against):
        return None
    first, second = (arms[label].records[table.CHANGED_SUITE] for label in against)
    pair, rule = replay_case(first, second)
    if pair is None:
        return None
    return {
        "rule": rule,
        "case": pair[0],
        "prompt": next((m["content"] for m in pair[0].messages if m["role"] == "system"), ""),
        # The compared arm stands on the right, where the eye ends.
        "arms": [
            {
                "label": label,
                "record": record,
                "bubbles": [b for b in bubbles(record) if b.role != "system"],
                "heads": [(head, record.heads[head], record.reasons.get(head, ())) for head in FOUR_HEADS],
            }
            for label, record in ((against[1], pair[1]), (against[0], pair[0]))
        ],
    }


def _hashes(evaluations: Sequence[Evaluation]) -> list[tuple[str, str]]:
    found = []
    for e in evaluations:
        found.append((f"{e.label}: model", str(e.meta.get("model", ""))))
    harness = {str(e.meta.get("harness_hash", "")) for e in evaluations} - {""}
    return [*found, *(("original harness", h) for h in sorted(harness))]
