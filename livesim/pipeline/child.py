"""Runs a command in a process group of its own, watches it, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from livesim.errors import LiveSimError

POLL_S = 1.0
GRACE_S = 20.0  # between asking a group to end and ending it
TAIL = 30  # lines of the log that an error shows


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
        # Its own session: the whole tree (Ray, engines) can be ended at once, and gets a fair share of the cores.
        process = subprocess.Popen(
            list(command),
            stdout=out,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})},
            start_new_session=True,
        )
        started_s = time.monotonic()
        previous = _end_on_sigterm()
        try:
            while process.poll() is None:
                try:
                    process.wait(POLL_S)
                except subprocess.TimeoutExpired:
                    watch()
                if limit_s is not None and time.monotonic() - started_s > limit_s:
                    raise LiveSimError(f"{_name(command)} took longer than {limit_s:.0f} s and was ended; {_tail(log)}")
            watch()
        finally:
            _end(process)
            if previous is not None:
                signal.signal(signal.SIGTERM, previous)
    if process.returncode != 0:
        raise LiveSimError(f"{_name(command)} failed with exit code {process.returncode}; {_tail(log)}")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what is left of the group, also when the command itself is gone."""
    for number, patience_s in ((signal.SIGTERM, GRACE_S), (signal.SIGKILL, 5.0)):
        try:
            os.killpg(process.pid, number)
        except (ProcessLookupError, PermissionError):
            break
        deadline_s = time.monotonic() + patience_s
        while time.monotonic() < deadline_s and _alive(process):
            time.sleep(0.1)
    process.wait()


def _alive(process: subprocess.Popen[bytes]) -> bool:
    process.poll()
    try:
        os.killpg(process.pid, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _end_on_sigterm() -> Callable[..., object] | int | None:
    """Turn SIGTERM into SystemExit, so that ``finally`` runs; None outside the main thread."""

    def leave(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    try:
        return signal.signal(signal.SIGTERM, leave)
    except ValueError:
        return None


def _name(command: Sequence[str]) -> str:
    return " ".join(Path(part).name if i == 0 else part for i, part in enumerate(command[:4]))


def _tail(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-TAIL:]
    return f"end of {log}:\n" + "\n".join(f"  {line[:300]}" for line in lines)
