"""What every stage does around its engine: done already?, data, run, export, tidy up."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from livesim.errors import TrainingError
from livesim.training import export
from livesim.training.environment import engine_environment, node_rank
from livesim.training.process import Watch, run_engine
from livesim.training.settings import EngineConfig

KEPT = ("log.txt", "metrics.jsonl", "stage.json", "card.json", "rows.parquet", "model", "rollouts", "overrides.txt")
"""What stays in a stage's folder when it is done; of other machines, all: they may still be at work there."""

OTHERS = "node_"
"""How the names of their folders begin."""


def single_process() -> dict[str, str]:
    """What torchrun would set for one process, with a port that is free now."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    return {
        "RANK": "0",
        "WORLD_SIZE": "1",
        "LOCAL_RANK": "0",
        "LOCAL_WORLD_SIZE": "1",
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port),
    }


def run_stage(
    name: str,
    folder: Path,
    *,
    inputs: Mapping[str, object],
    source: Path,
    engine: EngineConfig,
    rows: Callable[[Path], None],
    overrides: Callable[[Path], Sequence[str]],
    command: Sequence[str],
    steps: int,
    limit_s: float,
    extra_environment: Mapping[str, str] | None = None,
    watch: Watch,
) -> Path:
    """Run one stage in ``folder`` and return its model folder; at once when it is done already with these inputs.

    A run that was stopped goes on with the rows it had, from its last checkpoint, if it kept any. Of several machines
    that run a stage together on a shared folder, the first one prepares and exports.

    Args:
        name: of the stage.
        folder: of the stage.
        inputs: everything the result depends on.
        source: model folder that the stage starts from.
        engine: where it runs.
        rows: writes the data into a file, whole or not at all.
        overrides: verl's, for that file.
        command: module and what stands before the overrides.
        steps: that must be reached.
        limit_s: wall-clock seconds.
        extra_environment: variables of this stage.
        watch: told of progress.

    Raises:
        TrainingError: the engine failed, ran out of time, ended before the last step, or a loss was NaN.
    """
    folder, node = folder.resolve(), node_rank(engine.nodes)
    model, checkpoints, data = folder / "model", folder / "checkpoints", folder / "rows.parquet"
    key = hashlib.sha256(json.dumps(inputs, sort_keys=True, default=str).encode()).hexdigest()[:16]
    done = _read(folder / "stage.json")
    if done.get("key") == key and done.get("done") and model.is_dir():
        _tidy(folder)
        return model
    if node:
        _wait(lambda: _read(folder / "stage.json").get("key") == key and data.exists(), limit_s)
        work, last = folder / f"{OTHERS}{node}", export.resumable(checkpoints)
    else:
        if done.get("key") != key and folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True, exist_ok=True)
        export.note(folder, {"key": key, "done": False, "stage": name, "inputs": inputs})
        if not data.exists():
            rows(data)
        work, last = folder, export.settle(checkpoints)
    work.mkdir(exist_ok=True)
    resolved = list(overrides(data))
    (work / "overrides.txt").write_text("\n".join(resolved) + "\n", encoding="utf-8")
    _forget_after(work / "metrics.jsonl", last)
    if last < steps:  # or it was stopped after its last step
        run_engine(
            [sys.executable, "-u", "-m", *command, *resolved],
            environment={
                **engine_environment(engine.device),
                **(extra_environment or {}),
            },
            folder=work,
            steps=steps,
            limit_s=limit_s,
            watch=watch,
        )
    if node:
        return model
    if (last := export.resumable(checkpoints)) != steps:
        raise TrainingError(f"{name} ended without an error at step {last} of {steps}; see {folder / 'log.txt'}")
    _check_losses(work / "metrics.jsonl")
    export.export(checkpoints, source, model)
    export.note(folder, {"key": key, "done": True, "stage": name, "inputs": inputs})
    _tidy(folder)
    return model


def write_loop(folder: Path, name: str, target: str, **settings: object) -> Path:
    """The file that tells verl's workers which agent loop a row's ``agent_name`` stands for."""
    import yaml

    path = folder.resolve() / "agent_loop.yaml"
    path.write_text(yaml.safe_dump([{"name": name, "_target_": target, **settings}]), encoding="utf-8")
    return path


def _tidy(folder: Path) -> None:
    for left in folder.iterdir():
        if left.name not in KEPT and not left.name.startswith(OTHERS):
            shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)


def _wait(ready: Callable[[], bool], limit_s: float) -> None:
    """Until the first machine has prepared."""
    started_s = time.monotonic()
    while not ready():
        if time.monotonic() - started_s > limit_s:
            raise TrainingError(f"the machine with NODE_RANK=0 prepared nothing within {limit_s:.0f} s")
        time.sleep(1.0)


def _forget_after(metrics: Path, step: int) -> None:
    """Drop the metrics of steps that a stopped run did but did not save."""
    if metrics.exists():
        lines = metrics.read_text(encoding="utf-8").splitlines()
        kept = [line for line in lines if line.endswith("}") and json.loads(line)["step"] <= step]
        metrics.write_text("".join(line + "\n" for line in kept), encoding="utf-8")


def _check_losses(metrics: Path) -> None:
    """Raises TrainingError for a NaN in any step, also of a run that went on: no model is made of that."""
    for line in metrics.read_text(encoding="utf-8").splitlines() if metrics.exists() else ():
        row = json.loads(line)
        if any(value != value for name, value in row.items() if name.endswith("loss")):
            raise TrainingError(
                f"a loss is NaN in step {row['step']:.0f}, see {metrics}; "
                f"change the settings, or delete {metrics.parent} to train anew"
            )


def _read(path: Path) -> dict[str, object]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
