"""Nothing outlives the process that started it, however that one ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from livesim.training import guard

ORPHAN = """
import os, subprocess, sys, time
code = "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(90)'], "
code += "start_new_session=True); print('orphan', p.pid, flush=True)"
subprocess.run([sys.executable, "-c", code])
print("engine", os.getpid(), flush=True)
time.sleep(float(sys.argv[1]))
sys.exit(5)
"""
"""Leaves a process in a session of its own whose parent is gone, as Ray does."""

PARENT = """
import sys
from pathlib import Path
from livesim.training.process import run_engine
run_engine(sys.argv[2:], environment={}, folder=Path(sys.argv[1]), steps=1, limit_s=60)
"""


def pids(text: str) -> list[int]:
    return [int(line.split()[1]) for line in text.splitlines() if line.startswith(("orphan", "engine"))]


def gone(found: list[int], within_s: float = 15.0) -> bool:
    until_s = time.monotonic() + within_s
    while any(map(psutil.pid_exists, found)) and time.monotonic() < until_s:
        time.sleep(0.1)
    return not any(map(psutil.pid_exists, found))


def wait_for(log: Path) -> list[int]:
    until_s = time.monotonic() + 30
    while not (log.exists() and len(pids(log.read_text())) == 2):
        assert time.monotonic() < until_s
        time.sleep(0.1)
    return pids(log.read_text())


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_engine_and_its_orphans_go_when_their_parent_is_killed(tmp_path: Path, number: int) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path), sys.executable, "-c", ORPHAN, "90"])
    found = wait_for(tmp_path / "log.txt")
    assert all(map(psutil.pid_exists, found))
    parent.send_signal(number)
    parent.wait(30)
    assert gone(found)


def test_what_a_finished_command_leaves_goes_and_its_exit_code_stays(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("wb") as out:
        process = guard.start([sys.executable, "-c", ORPHAN, "0"], stdout=out, environment=os.environ)
        assert process.wait(30) == 5
    found = pids(log.read_text())
    assert len(found) == 2
    assert gone(found, 0)
    guard.end(process)


def test_a_signal_is_told_as_a_shell_tells_it() -> None:
    code = "import os; os.kill(os.getpid(), 9)"
    process = guard.start([sys.executable, "-c", code], stdout=subprocess.DEVNULL, environment=os.environ)
    assert process.wait(30) == 137
    guard.end(process)
