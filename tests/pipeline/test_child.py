"""A child's failure shows its log, and nothing of it outlives the parent's wish."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from livesim.errors import LiveSimError
from livesim.pipeline import child


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_failure_shows_exit_code_and_end_of_the_log(tmp_path: Path) -> None:
    with pytest.raises(LiveSimError, match=r"(?s)exit code 3;.*last words"):
        child.run([sys.executable, "-c", "print('last words'); raise SystemExit(3)"], tmp_path / "log")


def test_environment_and_log(tmp_path: Path) -> None:
    log = tmp_path / "deep" / "log"
    for _ in range(2):
        child.run([sys.executable, "-c", "import os; print(os.environ['COLOUR'])"], log, environment={"COLOUR": "teal"})
    assert log.read_text().count("teal") == 2


def test_a_time_limit_ends_the_whole_group(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, time\n"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(p.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    log, ticks = tmp_path / "log", []
    started_s = time.monotonic()
    with pytest.raises(LiveSimError, match="took longer than 2 s"):
        child.run([sys.executable, "-c", code], log, limit_s=2.0, watch=lambda: ticks.append(1))
    assert time.monotonic() - started_s < 50  # not the 60 of the child
    assert ticks
    grandchild = int(next(line for line in log.read_text().splitlines() if line.strip().isdigit()))
    assert not alive(grandchild)


def test_what_a_finished_child_left_running_is_ended_too(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys\n"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(p.pid, flush=True)\n"
    )
    child.run([sys.executable, "-c", code], tmp_path / "log")
    pid = int(next(line for line in (tmp_path / "log").read_text().splitlines() if line.strip().isdigit()))
    assert pid != os.getpid()
    assert not alive(pid)
