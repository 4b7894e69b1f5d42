"""Stage 1: supervised fine-tuning on teacher episodes (HSA-SFT; the fixed-harness control is the same function)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from livesim import roster
from livesim.errors import TrainingError
from livesim.training import data, verl_overrides
from livesim.training.process import Watch, nobody
from livesim.training.settings import SftConfig, TrainConfig
from livesim.training.stage_settings import hsa, lasting
from livesim.training.stages.common import identity, run_stage, single_process


def run(train: TrainConfig, config: SftConfig, model: Path, folder: Path, watch: Watch = nobody) -> Path:
    """Train ``model`` on the teacher's episodes; returns the folder of the new model.

    Args:
        train: seed, world, teacher and engine.
        config: of the stage: ``train.sft``, or ``train.fixed`` for the control.
        model: folder to start from.
        folder: of the stage.
        watch: told of progress.

    Raises:
        TrainingError: the teacher or the engine failed.
    """

    def prepare() -> Sequence[str]:
        from transformers import AutoTokenizer

        groups, card = data.lessons(
            teacher(train.teacher), train.world, config, train.seed, AutoTokenizer.from_pretrained(model)
        )
        shared = verl_overrides.attention(train.engine) == "shared_prefix"
        rows = [data.bundle(g) for g in groups] if shared else [data.plain_row(x) for g in groups for x in g]
        path = data.write_rows(rows, folder.resolve() / "rows.parquet")
        data.write_card(
            {**card, "row_tokens": sum(len(r["input_ids"]) for r in rows), "rows": len(rows)}, folder / "card.json"
        )
        size = config.batch if shared else config.batch * train.world.tasks_per_harness
        return verl_overrides.sft(
            config.model_copy(update={"batch": size}) if not shared else config,
            train.engine,
            model=model,
            data=path,
            folder=folder.resolve() / "checkpoints",
            name=train.name,
            steps=config.steps,
        )

    return run_stage(
        "sft",
        folder,
        inputs={
            "seed": train.seed,
            "teacher": train.teacher,
            "world": train.world.model_dump(mode="json"),
            "augment": hsa(config.augment).model_dump(mode="json"),
            "config": lasting(config),
            "engine": lasting(train.engine),
            "model": identity(model),
        },
        source=model,
        engine=train.engine,
        prepare=prepare,
        command=launcher(train),
        steps=config.steps,
        limit_s=config.limit_s,
        extra_environment=single_process() if train.engine.device == "cpu" else None,
        watch=watch,
    )


def launcher(train: TrainConfig) -> list[str]:
    """Plain python for one process, torchrun for more."""
    engine = train.engine
    if engine.gpus * engine.nodes == 1 and engine.device == "cpu":
        return ["livesim.training.sft_entry"]
    return [
        "torch.distributed.run",
        f"--nproc-per-node={engine.gpus}",
        f"--nnodes={engine.nodes}",
        *(["--standalone"] if engine.nodes == 1 else ["--rdzv-backend=c10d", f"--rdzv-endpoint={_first_node()}"]),
        "-m",
        "livesim.training.sft_entry",
    ]


def _first_node() -> str:
    """Where the nodes of one training meet; the same command is run on each of them."""
    address = os.environ.get("MASTER_ADDR")
    if not address:
        raise TrainingError("engine.nodes > 1: set MASTER_ADDR (and MASTER_PORT, default 29500) to the first node")
    return f"{address}:{os.environ.get('MASTER_PORT', '29500')}"


def teacher(name: str) -> data.Teacher:
    """Factory of the teacher: ``name``, or ``name_with_mistakes`` where it is to slip."""
    return lambda mistakes: roster.agent(f"{name}_with_mistakes" if mistakes else name)
