"""A child engine is watched, limited, read and ended with everything it started."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import psutil
import pytest

from livesim.errors import TrainingError
from livesim.training.process import Progress, parse, progress, run_engine

LINE = (
    "\x1b[36m(LiveTaskRunner pid=7)\x1b[0m step:3 - actor/pg_loss:-0.25 - timing_s/step:np.float64(12.5) - "
    "heads/total/mean:1e-05 - train/total_tokens(B):2.5e-06 - bad:nan"
)


def child(code: str) -> list[str]:
    return [sys.executable, "-u", "-c", code]


def test_metrics_are_read_from_verls_console_line() -> None:
    metrics = parse(LINE)
    assert metrics is not None
    assert metrics["step"] == 3
    assert metrics["actor/pg_loss"] == -0.25
    assert metrics["timing_s/step"] == 12.5
    assert metrics["heads/total/mean"] == 1e-05
    assert metrics["train/total_tokens(B)"] == 2.5e-06
    assert metrics["bad"] != metrics["bad"]
    assert parse("Saving checkpoint to: global_step_3") is None


def test_what_is_left_follows_the_pace_after_the_first_step() -> None:
    found = [{"step": 1.0, "at_s": 100.0}, {"step": 2.0, "at_s": 110.0}, {"step": 3.0, "at_s": 120.0}]
    assert progress(found, 10, 50.0).left_s == pytest.approx(70.0)
    assert progress([], 10, 50.0) == Progress(0, 10, 50.0, None, {})


def test_a_run_leaves_a_log_and_a_line_of_metrics_a_step(tmp_path: Path) -> None:
    seen: list[Progress] = []
    code = "print('step:1 - loss:2.0'); print('hello'); print('step:2 - loss:1.5')"
    found = run_engine(child(code), environment={}, folder=tmp_path, steps=2, limit_s=30, watch=seen.append)
    assert [m["loss"] for m in found] == [2.0, 1.5]
    assert "hello" in (tmp_path / "log.txt").read_text()
    assert [json.loads(line)["step"] for line in (tmp_path / "metrics.jsonl").read_text().splitlines()] == [1.0, 2.0]
    assert seen[-1].share == 1.0


def test_tensorboard_shows_the_steps_of_every_run_that_counts(tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    stage = tmp_path / "run" / "rl"
    stage.mkdir(parents=True)
    code = "print('step:1 - loss:2.0 - odd:nan'); print('step:2 - loss:1.5')"
    run_engine(child(code), environment={}, folder=stage, steps=2, limit_s=30)
    (stage / "metrics.jsonl").write_text('{"step": 1.0, "loss": 2.0}\n')  # step 2 was not saved
    run_engine(child("print('step:2 - loss:1.25')"), environment={}, folder=stage, steps=2, limit_s=30)
    found = accumulator.EventAccumulator(str(tmp_path / "run" / "tensorboard" / "rl"))
    found.Reload()
    assert found.Tags()["scalars"] == ["loss"]
    assert [(event.step, event.value) for event in found.Scalars("loss")] == [(1, 2.0), (2, 1.25)]


def test_a_failure_shows_the_end_of_the_log(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"exit code 3(.|\n)*the reason"):
        run_engine(
            child("print('the reason'); raise SystemExit(3)"), environment={}, folder=tmp_path, steps=1, limit_s=30
        )


def test_a_nan_is_read_as_one() -> None:
    found = parse("step:1 - train/loss:nan - actor/kl_loss:np.float64(nan) - lr:0.1")
    assert found is not None
    assert {name for name, value in found.items() if value != value} == {"train/loss", "actor/kl_loss"}


def test_the_limit_ends_the_child_and_its_children_in_other_sessions(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, time\n"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], start_new_session=True)\n"
        "print('grandchild', p.pid)\ntime.sleep(60)"
    )
    began_s = time.monotonic()
    with pytest.raises(TrainingError, match="limit of 2 s"):
        run_engine(child(code), environment={}, folder=tmp_path, steps=1, limit_s=2)
    assert time.monotonic() - began_s < 30
    line = next(x for x in (tmp_path / "log.txt").read_text().splitlines() if x.startswith("grandchild"))
    assert not psutil.pid_exists(int(line.split()[1]))


@pytest.mark.parametrize(
    "line",
    [
        "The actor died unexpectedly before finishing this task.",
        "node_manager.cc:3517: 4 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed",
    ],
)
def test_a_lost_worker_is_noticed_before_the_limit(tmp_path: Path, line: str) -> None:
    code = f"import time; print({line!r}); time.sleep(60)"
    with pytest.raises(TrainingError, match="a worker died"):
        run_engine(child(code), environment={}, folder=tmp_path, steps=1, limit_s=40)
