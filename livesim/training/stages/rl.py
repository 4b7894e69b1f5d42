"""Stage 3: GRPO with segment GDPO over the environment's heads, under a harness that changes (HSA-RL)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from livesim.model_folder import identity
from livesim.training import data, verl_overrides
from livesim.training.process import Watch, nobody
from livesim.training.settings import RlConfig, TrainConfig
from livesim.training.stage_settings import hsa, lasting
from livesim.training.stages.common import run_stage, write_loop


def run(train: TrainConfig, config: RlConfig, model: Path, folder: Path, watch: Watch = nobody) -> Path:
    """Train ``model`` on its own episodes; returns the folder of the new model. Arguments as in ``stages.sft.run``."""

    def rows(path: Path) -> None:
        found = data.episodes(train.world, config, train.seed)
        data.write_card(
            {
                "requests": len(found),
                "group": config.group,
                "seed": train.seed,
                "world": train.world.model_dump(mode="json"),
                "variants": data.variants(found, train.world.harness),
            },
            folder / "card.json",
        )
        data.write_rows(found, path)

    def overrides(path: Path) -> Sequence[str]:
        loop = write_loop(
            folder,
            "live_stream",
            "livesim.training.agent_loop.LiveStreamLoop",
            turn_tokens=config.turn_tokens,
            deadline_s=config.deadline_s,
        )
        return verl_overrides.rl(
            config,
            train.engine,
            model=model,
            data=path,
            folder=folder.resolve() / "checkpoints",
            loop=loop,
            name=train.name,
            seed=train.seed,
        )

    return run_stage(
        "rl",
        folder,
        inputs={
            "seed": train.seed,
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
        command=["livesim.training.entry"],
        steps=config.steps,
        limit_s=config.limit_s,
        watch=watch,
    )
