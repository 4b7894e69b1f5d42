"""Runs an engine as a child process: log file, time limit, metrics read from its console, nothing left behind."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from livesim.errors import TrainingError
from livesim.training import guard
from livesim.training.events import Events

_STEP = re.compile(r"step:(\d+) - (.+)")
_PAIR = re.compile(r"([\w/.()@-]+):(?:np\.\w+\()?(-?(?:\d[\d.]*(?:e[+-]?\d+)?|nan|inf))\)?(?: - |$)")
_TAIL_LINES = 25
_FATAL = ("The actor died unexpectedly", "killed due to memory pressure", "running low on memory")
# Lines after which verl would wait for ever for rollouts that nobody makes any more.


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage is.

    Attributes:
        step: optimiser steps or rollout phases done.
        steps: in all.
        elapsed_s: since the start of the stage.
        left_s: estimate; None before the first step.
        metrics: of the last step.
    """

    step: int
    steps: int
    elapsed_s: float
    left_s: float | None
    metrics: Mapping[str, float]

    @property
    def share(self) -> float:
        """Share done, 0 to 1; the start-up counts as a twentieth."""
        return 0.05 + 0.95 * self.step / max(self.steps, 1) if self.step else 0.0


Watch = Callable[[Progress], None]


def nobody(progress: Progress) -> None:
    """A watcher that looks away."""


def run_engine(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    folder: Path,
    steps: int,
    limit_s: float,
    watch: Watch = nobody,
) -> list[dict[str, float]]:
    """Run to the end; output in ``folder/log.txt``, one line of ``folder/metrics.jsonl`` and TensorBoard event a step.

    Args:
        command: program and arguments.
        environment: added to this process's own.
        folder: of the stage; also the working directory.
        steps: how many are expected.
        limit_s: wall-clock seconds; when a rollout server dies, verl waits for ever.
        watch: told after every step and every few seconds.

    Returns:
        The metrics of every step of this run.

    Raises:
        TrainingError: it failed, ran out of time or lost a worker; with the end of the log.
    """
    log = folder / "log.txt"
    started_s = time.monotonic()
    found: list[dict[str, float]] = []
    with (
        Events(folder) as events,
        log.open("a", encoding="utf-8") as out,
        (folder / "metrics.jsonl").open("a", encoding="utf-8") as table,
    ):
        out.write(f"$ {' '.join(command)}\n")
        out.flush()
        process = guard.start(
            command,
            stdout=subprocess.PIPE,
            environment={**{k: v for k, v in os.environ.items() if k != "RAY_ADDRESS"}, **environment},
            folder=folder,
        )
        state = {"fatal": ""}

        def read() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                out.write(line)
                out.flush()
                state["fatal"] = state["fatal"] or next((text for text in _FATAL if text in line), "")
                metrics = parse(line)
                if metrics is not None:
                    found.append(metrics)
                    table.write(json.dumps(metrics) + "\n")
                    table.flush()
                    events.add(metrics)

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        try:
            with guard.ended_by_sigterm():
                while process.poll() is None:
                    time.sleep(0.5)
                    elapsed_s = time.monotonic() - started_s
                    watch(progress(found, steps, elapsed_s))
                    if elapsed_s > limit_s:
                        raise TrainingError(f"stopped after its limit of {limit_s:.0f} s; {tail(log)}")
                    if state["fatal"]:
                        time.sleep(2.0)
                        raise TrainingError(f"a worker died ({state['fatal']}); {tail(log)}")
        finally:
            guard.end(process)
            reader.join(5.0)
            if process.stdout is not None and not reader.is_alive():
                process.stdout.close()
    if process.returncode != 0:
        raise TrainingError(f"exit code {process.returncode}; {tail(log)}")
    watch(progress(found, steps, time.monotonic() - started_s))
    return found


def progress(found: Sequence[Mapping[str, float]], steps: int, elapsed_s: float) -> Progress:
    """How far a run is whose steps ended as noted; the rate is that of the steps after the first."""
    if not found:
        return Progress(0, steps, elapsed_s, None, {})
    last = found[-1]
    step = int(last["step"])
    pace = (last["at_s"] - found[0]["at_s"]) / (len(found) - 1) if len(found) > 1 else last.get("timing_s/step", 0.0)
    return Progress(step, steps, elapsed_s, max(0.0, pace * (steps - step)), last)


def parse(line: str) -> dict[str, float] | None:
    """The metrics of a step out of a line of verl's console log; None for any other line."""
    match = _STEP.search(line)
    if match is None:
        return None
    pairs = {name: float(value) for name, value in _PAIR.findall(match.group(2).strip())}
    return {"step": float(match.group(1)), "at_s": round(time.monotonic(), 2), **pairs}


def tail(log: Path) -> str:
    """The end of a log, for an error."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-_TAIL_LINES:]
    return f"end of {log}:\n" + "\n".join(f"  {line[:240]}" for line in lines)
