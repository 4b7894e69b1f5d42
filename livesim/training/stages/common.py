"""What every stage does around its engine: done already?, data, run, export, tidy up."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from livesim.errors import TrainingError
from livesim.training import export
from livesim.training.environment import engine_environment
from livesim.training.process import Watch, run_engine
from livesim.training.settings import EngineConfig

KEPT = ("log.txt", "metrics.jsonl", "stage.json", "card.json", "rows.parquet", "model", "rollouts", "overrides.txt")
"""What stays in a stage's folder when it is done."""


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
    prepare: Callable[[], Sequence[str]],
    command: Sequence[str],
    steps: int,
    limit_s: float,
    extra_environment: Mapping[str, str] | None = None,
    watch: Watch,
) -> Path:
    """Run one stage in ``folder`` and return its model folder; at once when it is done already with these inputs.

    A run that was stopped goes on from its last checkpoint, if it kept any.

    Args:
        name: of the stage.
        folder: of the stage.
        inputs: everything the result depends on.
        source: model folder that the stage starts from.
        engine: where it runs.
        prepare: writes the data and gives verl's overrides.
        command: module and what stands before the overrides.
        steps: that must be reached.
        limit_s: wall-clock seconds.
        extra_environment: variables of this stage.
        watch: told of progress.

    Raises:
        TrainingError: the engine failed, ran out of time, or ended before the last step.
    """
    folder = folder.resolve()
    model, checkpoints = folder / "model", folder / "checkpoints"
    key = hashlib.sha256(json.dumps(inputs, sort_keys=True, default=str).encode()).hexdigest()[:16]
    done = _read(folder / "stage.json")
    if done.get("key") == key and done.get("done") and model.is_dir():
        return model
    if done.get("key") != key and folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    export.note(folder, {"key": key, "done": False, "stage": name, "inputs": inputs})
    _forget_after(folder / "metrics.jsonl", export.resumable(checkpoints))
    resolved = list(prepare())
    (folder / "overrides.txt").write_text("\n".join(resolved) + "\n", encoding="utf-8")
    run_engine(
        [sys.executable, "-u", "-m", *command, *resolved],
        environment={
            **engine_environment(engine.device),
            **(extra_environment or {}),
        },
        folder=folder,
        steps=steps,
        limit_s=limit_s,
        watch=watch,
    )
    if (last := export.reached(checkpoints)) != steps:
        raise TrainingError(f"{name} ended without an error at step {last} of {steps}; see {folder / 'log.txt'}")
    export.export(checkpoints, source, model)
    export.note(folder, {"key": key, "done": True, "stage": name, "inputs": inputs})
    for left in folder.iterdir():
        if left.name not in KEPT:
            shutil.rmtree(left) if left.is_dir() else left.unlink()
    return model


def identity(model: Path) -> str:
    """What a model folder is: the key of the stage that made it, or the size and time of its weights."""
    made = _read(model.parent / "stage.json").get("key")
    if made:
        return str(made)
    return ",".join(f"{p.name}:{p.stat().st_size}:{p.stat().st_mtime_ns}" for p in sorted(model.glob("*.safetensors")))


def write_loop(folder: Path, name: str, target: str, **settings: object) -> Path:
    """The file that tells verl's workers which agent loop a row's ``agent_name`` stands for."""
    import yaml

    path = folder.resolve() / "agent_loop.yaml"
    path.write_text(yaml.safe_dump([{"name": name, "_target_": target, **settings}]), encoding="utf-8")
    return path


def _forget_after(metrics: Path, step: int) -> None:
    """Drop the metrics of steps that a stopped run did but did not save."""
    if metrics.exists():
        lines = metrics.read_text(encoding="utf-8").splitlines()
        kept = [line for line in lines if line.endswith("}") and json.loads(line)["step"] <= step]
        metrics.write_text("".join(line + "\n" for line in kept), encoding="utf-8")


def _read(path: Path) -> dict[str, object]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
