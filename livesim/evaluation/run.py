"""Runs suites with one host: resumable, one JSON line an episode, a summary at the end."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from livesim.errors import CompletionError, ConfigError
from livesim.evaluation.lockstep import Host, Room, play
from livesim.evaluation.machine import describe
from livesim.evaluation.metrics import Summary, summarise
from livesim.evaluation.progress import Tick
from livesim.evaluation.records import Record, RecordFile, check_meta
from livesim.evaluation.suites import Setting, Suite, suites
from livesim.types import JsonValue
from livesim.whole import write_whole

FORMAT = 1  # of records and summaries; raised when old files no longer compare
ERROR_SHARE = 0.02  # of infrastructure errors that an evaluation may have and still count


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One model on some suites: its label, its settings, its records and, worked out once, their numbers."""

    label: str
    meta: Mapping[str, JsonValue]
    records: Mapping[str, tuple[Record, ...]] = field(default_factory=dict)
    summaries: Mapping[str, Summary] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        numbers = {suite: summarise(suite, records) for suite, records in self.records.items()}
        object.__setattr__(self, "summaries", numbers)

    @property
    def errors(self) -> tuple[Record, ...]:
        """Episodes that the provider lost."""
        return tuple(r for records in self.records.values() for r in records if not r.scored)

    def check(self, limit: float = ERROR_SHARE) -> None:
        """Raise CompletionError when more than ``limit`` (a share) of the episodes could not be scored."""
        total = sum(len(records) for records in self.records.values())
        lost = self.errors
        if total and len(lost) / total > limit:
            raise CompletionError(
                f"{len(lost)} of {total} episodes of {self.label!r} got no completion (limit {limit:.0%}); "
                f"they are not scored. Run the same command again to retry them. First: {lost[0].error}"
            )


def evaluate(
    host: Host,
    chosen: Sequence[Suite],
    settings: Mapping[str, Setting],
    out: Path,
    *,
    make: Callable[[], Room],
    meta: Mapping[str, JsonValue] | None = None,
    tick: Tick = lambda suite, done, total: None,
) -> Evaluation:
    """Play every case that is not on disk yet.

    Args:
        host: takes the turns.
        chosen: what to run, in order.
        settings: by suite name.
        out: folder for ``<suite>.jsonl``, ``meta.json`` and ``summary.json``.
        make: a fresh env that serves one request an episode.
        meta: further settings that must agree when the evaluation is continued, e.g. the hash of the model.
        tick: told of progress.

    Raises:
        ConfigError: ``out`` holds an evaluation with other settings.
    """
    whole: dict[str, JsonValue] = {
        "format": FORMAT,
        "label": host.name,
        "suites": {suite.name: dataclasses.asdict(settings[suite.name]) for suite in chosen},
        **(meta or {}),
    }
    check_meta(out / "meta.json", whole)
    cases = {suite.name: suite.cases(settings[suite.name]) for suite in chosen}
    files = {name: RecordFile(out / f"{name}.jsonl") for name in cases}
    found = {name: {r.id: r for r in file.read()} for name, file in files.items()}

    def told(name: str) -> None:
        records = (found[name].get(case.id) for case in cases[name])
        tick(name, sum(record is not None and record.scored for record in records), len(cases[name]))

    for name in cases:
        told(name)
    todo = [case for name in cases for case in cases[name] if not (r := found[name].get(case.id)) or not r.scored]
    for ended in play(todo, host, make):  # one queue, so that the end of a suite leaves no place empty
        for name in dict.fromkeys(record.suite for record in ended):
            fresh = [record for record in ended if record.suite == name]
            files[name].append(fresh)
            found[name].update((record.id, record) for record in fresh)
            told(name)
    records = {name: tuple(found[name][case.id] for case in cases[name]) for name in cases}
    evaluation = Evaluation(host.name, whole, records)
    write_summary(evaluation, out / "summary.json")
    return evaluation


def load(out: Path) -> Evaluation:
    """An evaluation from its folder, its records in the order of the cases, whichever ended first.

    Raises:
        ConfigError: there is none.
    """
    known = suites()
    try:
        meta = json.loads((out / "meta.json").read_text(encoding="utf-8"))
        names = list(dict.fromkeys([*(name for name in known if name in meta["suites"]), *meta["suites"]]))
        settings = {name: Setting(**meta["suites"][name]) for name in names}
    except (OSError, ValueError, KeyError, TypeError):
        raise ConfigError(f"{out} holds no evaluation of suites (its meta.json says which)") from None
    records: dict[str, tuple[Record, ...]] = {}
    for name in names:
        found = {record.id: record for record in RecordFile(out / f"{name}.jsonl").read()}
        cases = known[name].cases(settings[name]) if name in known else ()
        records[name] = tuple({**{case.id: found[case.id] for case in cases if case.id in found}, **found}.values())
    return Evaluation(meta["label"], meta, records)


def write_summary(evaluation: Evaluation, path: Path) -> None:
    """All numbers as JSON; NaN becomes null. The only file with a trace of the machine in it."""
    text = {
        "label": evaluation.label,
        "machine": describe(),
        "suites": {name: dataclasses.asdict(summary) for name, summary in evaluation.summaries.items()},
    }
    write_whole(path, json.dumps(_finite(text), indent=2, ensure_ascii=False) + "\n")


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(key): _finite(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        if hasattr(value, "_asdict"):
            return _finite(value._asdict())
        return [_finite(inner) for inner in value]
    return value
