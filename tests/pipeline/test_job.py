"""The whole job with agents in place of engines: order, resumption, labels, table and report."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from livesim.cli import app
from livesim.errors import ConfigError, LiveSimError
from livesim.pipeline import child, job
from livesim.pipeline.plan import label, plan
from livesim.training.lock import locked
from livesim.training.process import Progress
from livesim.training.settings import TrainConfig, load
from livesim.training.stages import opd, rl, sft

CONFIG = """
name: tiny
model: {base}
fixed: {{harnesses: 4, augment: none}}
sft: {{harnesses: 4}}
opd: {{steps: 1}}
rl: {{steps: 1}}
evaluation:
  episodes: {{live_stream_qa: 4, harness_variant_qa: 12}}
  base_episodes: {{harness_variant_qa: 6}}
  alone: 2
"""

PLAYS = {"base": "silent", "fixed": "call_everything", "sft": "echo", "rl": "oracle"}
"""Which agent stands for which model."""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    base = tmp_path / "start"
    base.mkdir()
    path = tmp_path / "tiny.yaml"
    path.write_text(CONFIG.format(base=base))
    return path


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Replaces stages and evaluations; what was done is in the list."""
    done: list[str] = []

    def stage(name: str) -> Callable[..., Path]:
        def run(train: TrainConfig, config: Any, model: Path, *rest: Any) -> Path:
            folder, watch = rest[-2:]
            done.append(f"{folder.name} from {model.parent.name if model.name == 'model' else model.name}")
            watch(Progress(1, 2, 1.0, 1.0, {}))
            (folder / "model").mkdir(parents=True, exist_ok=True)
            rows = [{"step": float(i), "train/loss": 1.0 / i, "heads/total/mean": 0.1 * i} for i in (1, 2)]
            (folder / "metrics.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
            return folder / "model"

        return run

    for module in (sft, opd, rl):
        monkeypatch.setattr(module, "run", stage(module.__name__))

    def evaluate(command: Sequence[str], log: Path, *, watch: Callable[[], None], **rest: Any) -> None:
        arguments = list(command[3:])
        model = Path(arguments[arguments.index("--model") + 1])
        made_by = model.parent.name if model.parent.name in PLAYS else "base"
        done.append(f"eval {made_by}")
        arguments[arguments.index("--model") + 1] = PLAYS[made_by]
        found = CliRunner().invoke(app, arguments, catch_exceptions=False)
        assert found.exit_code == 0, found.output
        watch()

    monkeypatch.setattr(child, "run", evaluate)
    return done


def test_everything_in_order_and_nothing_twice(config: Path, tmp_path: Path, log: list[str]) -> None:
    text, report = job.run(config, tmp_path / "runs")
    assert log[:4] == ["fixed from start", "sft from start", "opd from sft", "rl from opd"]
    assert log[4:] == ["eval base", "eval fixed", "eval sft", "eval rl", "eval rl"]
    rows = {line.split("  ")[0]: line for line in text.splitlines() if line.startswith(("base", "fixed", "HSA", "HAT"))}
    assert set(rows) == {"base", "fixed-harness SFT", "HSA-SFT", "HAT"}
    assert "live_stream_qa, score: HAT is ahead of fixed-harness SFT by" in text
    assert "served alone" in text
    assert text.index("T1 score") < text.index("T2 score")
    page = report.read_text(encoding="utf-8")
    assert "HAT is ahead of fixed-harness SFT" in page
    assert "SFT loss" in page
    assert "RL reward" in page
    assert "served alone" in page
    log.clear()
    again, _ = job.run(config, tmp_path / "runs")
    assert log == []
    assert again == text


@pytest.mark.parametrize(
    ("fails", "left"),
    [
        ("base", ["eval base", "eval fixed", "eval sft", "eval rl", "eval rl"]),
        ("HSA-SFT", ["eval sft", "eval rl", "eval rl"]),
    ],
)
def test_a_failed_step_is_the_first_one_of_the_next_run(
    config: Path, tmp_path: Path, log: list[str], monkeypatch: pytest.MonkeyPatch, fails: str, left: list[str]
) -> None:
    real = child.run

    def failing(command: Sequence[str], log_file: Path, **rest: Any) -> None:
        if fails in command:
            raise LiveSimError("out of luck")
        real(command, log_file, **rest)

    monkeypatch.setattr(child, "run", failing)
    with pytest.raises(LiveSimError, match="out of luck"):
        job.run(config, tmp_path / "runs")
    monkeypatch.setattr(child, "run", real)
    log.clear()
    job.run(config, tmp_path / "runs")
    assert log == left


def test_another_learning_rate_retrains_and_reevaluates_that_branch_only(
    config: Path, tmp_path: Path, log: list[str]
) -> None:
    job.run(config, tmp_path / "runs")
    log.clear()
    job.run(config, tmp_path / "runs", ("fixed.lr=0.001",))
    assert [entry.split(" from ")[0] for entry in log] == ["fixed", "eval fixed"]


def test_another_model_under_the_same_path_makes_everything_anew(config: Path, tmp_path: Path, log: list[str]) -> None:
    job.run(config, tmp_path / "runs")
    whole = [*log]
    log.clear()
    (tmp_path / "start" / "model.safetensors").write_bytes(b"other weights")
    job.run(config, tmp_path / "runs")
    assert log == whole


def test_a_model_that_is_not_there_yet_can_be_planned_for_but_not_started_from(config: Path, tmp_path: Path) -> None:
    missing = (f"model={tmp_path / 'nowhere'}",)
    assert "base model" in job.listed(config, tmp_path / "runs", missing)
    with pytest.raises(ConfigError, match="is no folder"):
        job.run(config, tmp_path / "runs", missing)


def test_two_processes_do_not_work_on_one_run(config: Path, tmp_path: Path, log: list[str]) -> None:
    told = f"process {os.getpid()} on .* works on"
    with locked(tmp_path / "runs" / "tiny"), pytest.raises(ConfigError, match=told):
        job.run(config, tmp_path / "runs")
    assert log == []


def test_wrong_sections_are_named(config: Path) -> None:
    for change, told in (
        ("evaluation.episodes={live_stream: 3}", "live_stream_qa"),
        ("evaluation.modles=[base]", "models"),
        ("evaluation.models=[base, hat]", "unknown model 'hat'"),
        ("evaluation.width=0", "width"),
        ("evaluation.models=[base, base]", "models must differ"),
        ("evaluation.episodes={}", "at least 1"),
    ):
        with pytest.raises(ConfigError, match=told):
            plan(load(config, (change,)), config)
    without = load(config, ("rl=null",))
    with pytest.raises(ConfigError, match="names rl, but the file only makes base, fixed, opd, sft"):
        plan(without, config)


def test_the_last_stage_is_hat_whichever_it_is(config: Path) -> None:
    whole = load(config)
    assert [label(n, whole) for n in ("base", "fixed", "sft", "opd", "rl")] == [
        "base",
        "fixed-harness SFT",
        "HSA-SFT",
        "HSA-SFT + OPD",
        "HAT",
    ]
    short = load(config, ("rl=null", "opd=null"))
    assert label("sft", short) == "HAT"
