"""Runs a command under a guard, watches it, and leaves nothing behind."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from livesim.errors import LiveSimError
from livesim.training import guard
from livesim.training.process import tail

POLL_S = 1.0


def run(
    command: Sequence[str],
    log: Path,
    *,
    environment: Mapping[str, str] | None = None,
    watch: Callable[[], None] = lambda: None,
    limit_s: float | None = None,
) -> None:
    """Run to the end; output goes to ``log`` (appended).

    Args:
        command: program and arguments.
        log: file.
        environment: added to this process's own.
        watch: called about once a second.
        limit_s: wall seconds after which the command is given up (a dead worker can make an engine wait for ever).

    Raises:
        LiveSimError: the command failed or ran out of time; shows the end of the log.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as out:
        out.write(f"\n$ {' '.join(command)}\n".encode())
        out.flush()
        process = guard.start(command, stdout=out, environment={**os.environ, **(environment or {})})
        started_s = time.monotonic()
        try:
            with guard.ended_by_sigterm():
                while process.poll() is None:
                    try:
                        process.wait(POLL_S)
                    except subprocess.TimeoutExpired:
                        watch()
                    if limit_s is not None and time.monotonic() - started_s > limit_s:
                        told = f"took longer than {limit_s:.0f} s and was ended; {tail(log)}"
                        raise LiveSimError(f"{_name(command)} {told}")
                watch()
        finally:
            guard.end(process)
    if process.returncode != 0:
        raise LiveSimError(f"{_name(command)} failed with exit code {process.returncode}; {tail(log)}")


def _name(command: Sequence[str]) -> str:
    return " ".join(Path(part).name if i == 0 else part for i, part in enumerate(command[:4]))
