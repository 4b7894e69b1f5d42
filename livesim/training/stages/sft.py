"""Stage 1: supervised fine-tuning on teacher episodes (HSA-SFT; the fixed-harness control is the same function)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from livesim import roster
from livesim.errors import TrainingError
from livesim.model_folder import identity
from livesim.training import data, rehearsal, verl_overrides
from livesim.training.process import Watch, nobody
from livesim.training.settings import SftConfig, TrainConfig, slipping
from livesim.training.stage_settings import hsa, lasting
from livesim.training.stages.common import run_stage, single_process


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

    def rows(path: Path) -> None:
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(model)
        groups, card = data.lessons(teacher(train.teacher), train.world, config, train.seed, tokenizer)
        if general := rehearsal.lessons(train, config, model, tokenizer, folder.resolve(), watch):
            groups += general
            card["rehearsal"] = data.counted(general)
        bundled = verl_overrides.bundled(train.engine)
        found = [data.bundle(g) for g in groups] if bundled else [data.plain_row(x) for g in groups for x in g]
        data.write_card(
            {**card, "row_tokens": sum(len(r["input_ids"]) for r in found), "rows": len(found)}, folder / "card.json"
        )
        data.write_rows(found, path)

    def overrides(path: Path) -> Sequence[str]:
        return verl_overrides.sft(
            config,
            train.engine,
            model=model,
            data=path,
            folder=folder.resolve() / "checkpoints",
            name=train.name,
            seed=train.seed,
            tasks=train.world.tasks_per_harness,
        )

    return run_stage(
        "sft",
        folder,
        inputs={
            "seed": train.seed,
            "teacher": train.teacher,
            "world": train.world.contents(),
            "augment": hsa(config.augment).model_dump(mode="json"),
            "config": lasting(config),
            "engine": lasting(train.engine),
            "model": identity(model),
        },
        source=model,
        engine=train.engine,
        rows=rows,
        overrides=overrides,
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
        *(["--standalone"] if engine.nodes == 1 else _meeting()),
        "-m",
        "livesim.training.sft_entry",
    ]


def _meeting() -> list[str]:
    """Where the nodes of one training meet; the same command is run on each of them.

    Raises:
        TrainingError: the environment does not say where, or which node this is.
    """
    address, rank = (os.environ.get(name) for name in ("MASTER_ADDR", "NODE_RANK"))
    if not address or not rank:
        raise TrainingError(
            "engine.nodes > 1: set MASTER_ADDR (and MASTER_PORT, default 29500) to the first node, and NODE_RANK to 0 "
            "there and to 1, 2 ... on the others"
        )
    port = os.environ.get("MASTER_PORT", "29500")
    return [f"--node-rank={rank}", f"--master-addr={address}", f"--master-port={port}"]


def teacher(name: str) -> data.Teacher:
    """Factory of the teacher, and of its twin where it is to slip."""
    return lambda mistakes: roster.agent(slipping(name) if mistakes else name)
