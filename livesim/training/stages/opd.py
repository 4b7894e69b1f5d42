"""Stage 2: on-policy distillation on general prompts, towards the model before SFT."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from livesim.model_folder import identity
from livesim.training import data, verl_overrides
from livesim.training.process import Watch, nobody
from livesim.training.prompt_sources import draw
from livesim.training.settings import OpdConfig, TrainConfig
from livesim.training.stage_settings import lasting
from livesim.training.stages.common import run_stage, write_loop


def run(train: TrainConfig, config: OpdConfig, model: Path, teacher: Path, folder: Path, watch: Watch = nobody) -> Path:
    """Pull ``model`` back towards ``teacher`` where no host is asked for; returns the folder of the new model.

    Args:
        train: seed and engine.
        config: of the stage.
        model: folder to start from.
        teacher: the model before SFT.
        folder: of the stage.
        watch: told of progress.
    """

    def rows(path: Path) -> None:
        asked = draw(config.steps * config.prompts, train.seed, config.sources)
        found = [
            {
                "data_source": verl_overrides.TEACHER_KEY,
                "agent_name": "general",
                "prompt": p.messages,
                "reward_model": {"style": "none", "ground_truth": ""},
                "extra_info": {"index": i},
            }
            for i, p in enumerate(asked)
        ]
        data.write_card(
            {"prompts": len(found), "distinct": len({p.user for p in asked}), "seed": train.seed}, folder / "card.json"
        )
        data.write_rows(found, path)

    def overrides(path: Path) -> Sequence[str]:
        return verl_overrides.opd(
            config,
            train.engine,
            model=model,
            teacher=teacher,
            data=path,
            folder=folder.resolve() / "checkpoints",
            loop=write_loop(folder, "general", "livesim.training.general_loop.GeneralLoop"),
            name=train.name,
            seed=train.seed,
        )

    return run_stage(
        "opd",
        folder,
        inputs={
            "seed": train.seed,
            "config": lasting(config),
            "engine": lasting(train.engine),
            "model": identity(model),
            "teacher": identity(teacher),
        },
        source=model,
        engine=train.engine,
        rows=rows,
        overrides=overrides,
        command=["livesim.training.entry"],
        steps=config.steps,
        limit_s=config.limit_s,
        watch=watch,
    )
