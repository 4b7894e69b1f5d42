"""Resumable steps: a marker with the hash of its inputs says that a step is done; what is stale is done anew."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from livesim.types import JsonValue
from livesim.whole import write_whole

Tick = Callable[[float], None]
"""Told how much of a step is done, 0 to 1."""


PRIOR_S = 100.0  # keeps one short step from deciding what all others will take


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a pipeline.

    Attributes:
        name: of its folder and marker; unique.
        title: for people.
        inputs: everything that its result depends on, as plain values, apart from the steps in ``needs``.
        run: does the work in the folder it is given; may find its own half-done work there and go on with it.
        needs: names of earlier steps whose results are used.
        expected_s: wall seconds on two idle cores, for the estimate of what is left.
    """

    name: str
    title: str
    inputs: JsonValue
    run: Callable[[Path, Tick], None]
    needs: tuple[str, ...] = ()
    expected_s: float = 60.0


@dataclass(slots=True)
class Clock:
    """What is left, by the expected seconds of the steps and how this machine compares with them.

    Attributes:
        expected: step -> expected seconds.
        took: step -> seconds, for finished steps that ran now.
        skipped: steps that were done before.
    """

    expected: dict[str, float]
    took: dict[str, float] = field(default_factory=dict)
    skipped: set[str] = field(default_factory=set)

    @property
    def pace(self) -> float:
        """Seconds per expected second so far; one that went as expected for ``PRIOR_S`` is taken for granted."""
        planned = sum(self.expected[name] for name in self.took)
        return (sum(self.took.values()) + PRIOR_S) / (planned + PRIOR_S)

    def left_s(self, current: str = "", elapsed_s: float = 0.0, share: float = 0.0) -> float:
        """Seconds until the end.

        Args:
            current: the running step.
            elapsed_s: seconds that it has run.
            share: of it that is done, 0 to 1.
        """
        rest = sum(
            seconds
            for name, seconds in self.expected.items()
            if name not in self.took and name not in self.skipped and name != current
        )
        if not current:
            return rest * self.pace
        planned = self.expected[current] * self.pace
        if share <= 0:
            return rest * self.pace + max(0.0, planned - elapsed_s)
        # Early on a step's own rate says little (start-up); later it says more than the plan. So of the whole that its
        # rate foretells, ``elapsed_s / share``, as much counts as is done.
        whole = elapsed_s + (1 - share) * planned
        return rest * self.pace + (1 - share) * whole


class Watcher:
    """What a pipeline tells of its progress; this one keeps silent."""

    def begin(self, step: Step, number: int, total: int, clock: Clock) -> None:
        """A step starts."""

    def tick(self, step: Step, share: float, elapsed_s: float, clock: Clock) -> None:
        """``share`` of the step is done."""

    def end(self, step: Step, seconds: float, skipped: bool, clock: Clock) -> None:
        """A step is over, or was done before; ``seconds`` over all calls that worked on it."""


def run(steps: Sequence[Step], folder: Path, watcher: Watcher | None = None) -> dict[str, float]:
    """Carry out what is not done yet, in order; returns the seconds each step took when it ran.

    A step is done when its marker holds the hash of its inputs and of the steps it needs. A half-done step with the
    same hash is continued in its folder; one with another hash starts in an empty folder.

    Args:
        steps: in order; ``needs`` point backwards.
        folder: of the run; a step works in ``folder/<name>``.
        watcher: told of progress.

    Raises:
        ValueError: two steps of one name, or a step needs one that does not come before it.
    """
    watch = watcher or Watcher()
    keys = _keys(steps)
    clock = Clock({step.name: step.expected_s for step in steps})
    seconds: dict[str, float] = {}
    for number, step in enumerate(steps, start=1):
        key = keys[step.name]
        marker = folder / "steps" / f"{step.name}.json"
        found = _read(marker)
        if found.get("key") == key and found.get("done"):
            clock.skipped.add(step.name)
            seconds[step.name] = _seconds(found)
            watch.end(step, seconds[step.name], True, clock)
            continue
        work = folder / step.name
        before_s = _seconds(found) if found.get("key") == key else 0.0
        if found.get("key") != key and work.exists():
            marker.unlink(missing_ok=True)  # first: a kill in between must leave no marker of what is half gone
            shutil.rmtree(work)
        work.mkdir(parents=True, exist_ok=True)
        _write(marker, {"key": key, "done": False, "seconds": before_s})
        watch.begin(step, number, len(steps), clock)
        started_s = time.monotonic()

        def tick(share: float, step: Step = step, started_s: float = started_s) -> None:
            watch.tick(step, share, time.monotonic() - started_s, clock)

        try:
            step.run(work, tick)
        finally:
            spent_s = time.monotonic() - started_s
            seconds[step.name] = before_s + spent_s
            _write(marker, {"key": key, "done": False, "seconds": seconds[step.name]})
        _write(marker, {"key": key, "done": True, "seconds": seconds[step.name]})
        clock.took[step.name] = spent_s
        watch.end(step, seconds[step.name], False, clock)
    return seconds


def listed(steps: Sequence[Step], folder: Path) -> str:
    """The steps as a table: what each needs, the hours it is expected to take, and whether it is done.

    Raises:
        ValueError: see ``run``.
    """
    keys = _keys(steps)
    wide = max(len(step.name) for step in steps)
    long = max(len(step.title) for step in steps)
    lines, left_s = [], 0.0
    for number, step in enumerate(steps, start=1):
        found = _read(folder / "steps" / f"{step.name}.json")
        known = found.get("key") == keys[step.name]
        done = bool(known and found.get("done"))
        state = "done" if done else "begun" if known else "to do"
        left_s += 0.0 if done else step.expected_s
        needs = f"needs {', '.join(step.needs)}" if step.needs else ""
        hours = f"{step.expected_s / 3600:5.2f} h"
        lines.append(f"{number:3d}  {step.name:{wide}}  {step.title:{long}}  {hours}  {state:5}  {needs}".rstrip())
    whole_s = sum(step.expected_s for step in steps)
    return "\n".join([*lines, f"{whole_s / 3600:.1f} h in all on two idle cores, {left_s / 3600:.1f} h of them to do"])


def _keys(steps: Sequence[Step]) -> dict[str, str]:
    """The hash of each step's inputs and of the steps that it needs."""
    keys: dict[str, str] = {}
    for step in steps:
        if step.name in keys or any(name not in keys for name in step.needs):
            raise ValueError(f"step {step.name!r} occurs twice or needs a step that does not come before it")
        keys[step.name] = _key(step, [keys[name] for name in step.needs])
    return keys


def _key(step: Step, needs: Sequence[str]) -> str:
    data = json.dumps([step.name, step.inputs, list(needs)], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(data.encode()).hexdigest()[:16]


def _read(marker: Path) -> dict[str, JsonValue]:
    try:
        found = json.loads(marker.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # never written, or the machine died while it was: not done
        return {}
    return found if isinstance(found, dict) else {}


def _write(marker: Path, data: dict[str, JsonValue]) -> None:
    write_whole(marker, json.dumps(data) + "\n")


def _seconds(found: dict[str, JsonValue]) -> float:
    value = found.get("seconds", 0.0)
    return float(value) if isinstance(value, (int, float)) else 0.0
