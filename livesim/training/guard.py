"""Runs a command for a parent and ends it, with all that it started, when it is over or the parent is gone."""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

PATIENCE_S = 10.0
"""Between asking processes to end and ending them."""

_POLL_S = 0.2
_PR_SET_CHILD_SUBREAPER = 36


def start(
    command: Sequence[str], *, stdout: int | IO[bytes], environment: Mapping[str, str], folder: Path | None = None
) -> subprocess.Popen[str]:
    """Start a command under a guard, in a session of its own; whoever starts it calls ``end``.

    The guard holds one end of a pipe, this process the other: the kernel closes it even after kill -9.

    Args:
        command: program and arguments.
        stdout: where its output and errors go.
        environment: the whole of it.
        folder: working directory; default: that of this process.
    """
    return subprocess.Popen(
        [sys.executable, "-m", __name__, *command],
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=stdout,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,  # Ctrl-C reaches this process alone, and the tree gets a fair share of the cores
    )


def end(process: subprocess.Popen[str]) -> None:
    """Let go of a guarded command; nothing of it is left afterwards."""
    assert process.stdin is not None
    process.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(3 * PATIENCE_S)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextlib.contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Turn SIGTERM into SystemExit, so that ``finally`` runs and the child goes too."""

    def leave(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    try:
        previous = signal.signal(signal.SIGTERM, leave)
    except ValueError:  # not the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


def main(command: Sequence[str]) -> int:
    """Guard a command; its exit code, or 128 and the number of the signal that ended it."""
    _adopt_orphans()
    code: int | None = None
    with ended_by_sigterm():
        process = subprocess.Popen(list(command), stdin=subprocess.DEVNULL)
        try:
            while (code := process.poll()) is None:
                if select.select([sys.stdin], [], [], _POLL_S)[0]:  # end of file
                    break
        finally:
            _end_all()
    return 1 if code is None else code if code >= 0 else 128 - code


def _adopt_orphans() -> None:
    """Ray's and vLLM's processes leave their session and lose their parent: let them become children of this one."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _end_all() -> None:
    import psutil

    for ask in ("terminate", "kill", "kill"):  # twice: what was started while the first were killed
        below = psutil.Process().children(recursive=True)
        for one in below:
            with contextlib.suppress(psutil.NoSuchProcess):
                getattr(one, ask)()
        psutil.wait_procs(below, timeout=PATIENCE_S)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
