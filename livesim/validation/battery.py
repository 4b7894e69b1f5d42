"""What ``livesim validate`` does: run the parts behind a progress bar, write table, JSON and pictures."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, cast

from livesim.errors import ConfigError, unknown
from livesim.types import JsonValue
from livesim.validation import effects, marginals, monotone, noise, ranking
from livesim.validation.budget import FULL, QUICK, Budget, Tick, no_tick
from livesim.validation.checks import Part, Verdict
from livesim.validation.plots import draw
from rewards.stored import plain

Measure: TypeAlias = Callable[[Budget, Tick], Part]

PARTS: Mapping[str, Measure] = {
    "marginals": marginals.measure,
    "effects": effects.measure,
    "monotone": monotone.measure,
    "noise": noise.measure,
    "ranking": ranking.measure,
}
"""Name of a part -> what measures it, in the order of the report."""


@dataclass(frozen=True, slots=True)
class Report:
    """The whole battery."""

    budget: Budget
    parts: tuple[Part, ...]

    @property
    def failing(self) -> tuple[str, ...]:
        """``part: check`` of everything that does not hold."""
        return tuple(name for part in self.parts for name in part.failing)

    @property
    def text(self) -> str:
        """Every part as a table, then the sum."""
        checks = [check for part in self.parts for check in part.checks]
        counts = ", ".join(f"{sum(c.verdict is v for c in checks)} {v}" for v in Verdict)
        lines = [part.table.text() for part in self.parts]
        lines.append("\n".join([f"{len(checks)} checks: {counts}", *(f"FAILS {name}" for name in self.failing)]))
        return "\n\n".join(lines)

    def as_json(self) -> str:
        """The same as JSON; what is not finite is null."""
        data = cast(dict[str, JsonValue], plain(self))
        return json.dumps(_finite(data | {"failing": list(self.failing)}), indent=1)


def run(out: Path, *, quick: bool = False, parts: Sequence[str] = (), bar: bool = True) -> Report:
    """Measure the parts and write ``table.txt``, ``validate.json`` and one picture a part.

    Args:
        out: folder of the results.
        quick: a minute and a half instead of several.
        parts: names; none: all.
        bar: show a progress bar (needs the ``cli`` extra).

    Raises:
        ConfigError: no such part.
    """
    for name in parts:
        if name not in PARTS:
            raise ConfigError(unknown("part", name, PARTS))
    budget = QUICK if quick else FULL
    report = Report(budget, ())
    with _bars() if bar else nullcontext(lambda name: no_tick) as ticks:
        for name, measure in PARTS.items():
            if not parts or name in parts:
                report = Report(budget, (*report.parts, measure(budget, ticks(name))))
                _write(report, out)  # after each part: a run that is stopped leaves what it has
    return report


def _write(report: Report, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / "table.txt").write_text(report.text + "\n", encoding="utf-8")
    (out / "validate.json").write_text(report.as_json() + "\n", encoding="utf-8")
    part = report.parts[-1]
    draw(part, out / f"{part.name}.png")


@contextmanager
def _bars() -> Iterator[Callable[[str], Tick]]:
    """A progress bar for each part that is begun."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<10}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns) as progress:

        def begin(name: str) -> Tick:
            task = progress.add_task(name, total=1.0)
            return lambda share: progress.update(task, completed=share)

        yield begin


def _finite(value: JsonValue) -> JsonValue:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value
