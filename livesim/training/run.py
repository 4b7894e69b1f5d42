"""The three stages one after the other, each from the model of the one before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

from livesim.errors import ConfigError
from livesim.training.base_model import ensure_base_model
from livesim.training.environment import node_rank
from livesim.training.lock import locked
from livesim.training.process import Progress
from livesim.training.settings import Stage, TrainConfig

StageWatch = Callable[[Stage, Progress], None]
StageBegin = Callable[[Stage, Path], None]


def starting_model(train: TrainConfig) -> Path:
    """The folder of the model before SFT. Raises ConfigError when it is no folder."""
    if train.model == "base":
        return ensure_base_model()
    folder = Path(train.model)
    if not folder.is_dir():
        raise ConfigError(f"model: {train.model!r} is no folder; 'base' stands for the packaged SmolLM2-135M-Instruct")
    return folder.resolve()


def run_stages(
    train: TrainConfig,
    folder: Path,
    only: Sequence[Stage] = (),
    watch: StageWatch = lambda stage, progress: None,
    begin: StageBegin = lambda stage, model: None,
) -> dict[Stage, Path]:
    """Run the configured stages; a stage that is done already with the same inputs is skipped.

    Args:
        train: the run.
        folder: of the run; a stage works in ``folder/<stage>``.
        only: these stages; default: all that are configured. A stage starts from the newest model before it.
        watch: told of progress.
        begin: told of each stage and the model that it starts from; without one of an earlier stage that is the base.

    Returns:
        Model folder of every stage that ran.

    Raises:
        ConfigError: a stage is asked for that is not configured, or another process works in ``folder``.
        TrainingError: a stage failed.
    """
    missing = [stage for stage in only if stage not in train.stages()]
    if missing:
        raise ConfigError(f"stage {missing[0]} is not configured; configured: {', '.join(train.stages()) or 'none'}")
    node = node_rank(train.engine.nodes)
    with nullcontext() if node else locked(folder):
        # Ray takes its nodes from the first one; only torchrun wants the command on each.
        return _run(train, folder, [s for s in only or train.stages() if not node or s is Stage.SFT], watch, begin)


def _run(
    train: TrainConfig, folder: Path, chosen: Sequence[Stage], watch: StageWatch, begin: StageBegin
) -> dict[Stage, Path]:
    from livesim.training.stages import opd, rl, sft

    base = starting_model(train)
    model, made = base, {}
    for stage in train.stages():
        work = folder / stage
        if stage not in chosen:
            model = work / "model" if (work / "model").is_dir() else model
            continue
        begin(stage, model)

        def tell(progress: Progress, stage: Stage = stage) -> None:
            watch(stage, progress)

        if stage is Stage.SFT and train.sft:
            model = sft.run(train, train.sft, model, work, tell)
        elif stage is Stage.OPD and train.opd:
            model = opd.run(train, train.opd, model, base, work, tell)
        elif stage is Stage.RL and train.rl:
            model = rl.run(train, train.rl, model, work, tell)
        made[stage] = model
    return made
