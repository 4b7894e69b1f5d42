"""verl's configuration of every stage, composed and validated; nothing is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from livesim.training import verl_overrides
from livesim.training.hydra_text import Overrides
from livesim.training.settings import Stage, TrainConfig

if TYPE_CHECKING:
    from omegaconf import DictConfig


def compose(stage: Stage, changes: Sequence[str]) -> DictConfig:
    """Verl's configuration with our overrides, by hydra and from the installed package."""
    from hydra import compose as hydra_compose
    from hydra import initialize_config_module
    from hydra.core.global_hydra import GlobalHydra

    GlobalHydra.instance().clear()
    name = "sft_trainer_engine" if stage is Stage.SFT else "ppo_trainer"
    with initialize_config_module("verl.trainer.config", version_base=None):
        composed: DictConfig = hydra_compose(name, overrides=list(changes))
    return composed


def validate(stage: Stage, composed: Any) -> None:
    """Verl's own checks, and every part as its dataclass; nothing is loaded. Raises what verl raises."""
    from verl.utils.config import omega_conf_to_dataclass

    if stage is Stage.SFT:
        for part in ("engine", "optim", "checkpoint"):
            omega_conf_to_dataclass(composed[part])
        return
    from livesim.training.entry import check_config

    check_config(composed)
    for part in ("actor", "rollout"):
        omega_conf_to_dataclass(composed.actor_rollout_ref[part])
    omega_conf_to_dataclass(composed.distillation)


def planned(config: TrainConfig) -> dict[Stage, Overrides]:
    """The overrides of every configured stage, with the names of files that need not be there yet."""
    root = Path("runs") / config.name
    base = config.model if config.model != "base" else "SmolLM2-135M-Instruct"
    model: Path | str = base
    plans: dict[Stage, Overrides] = {}
    if config.sft:
        part = root / "sft"
        plans[Stage.SFT] = verl_overrides.sft(
            config.sft,
            config.engine,
            model=model,
            data=part / "rows.parquet",
            folder=part / "checkpoints",
            name=config.name,
            seed=config.seed,
            tasks=config.world.tasks_per_harness,
        )
        model = part / "model"
    if config.opd:
        part = root / "opd"
        plans[Stage.OPD] = verl_overrides.opd(
            config.opd,
            config.engine,
            model=model,
            teacher=base,
            data=part / "rows.parquet",
            folder=part / "checkpoints",
            loop=part / "agent_loop.yaml",
            name=config.name,
            seed=config.seed,
        )
        model = part / "model"
    if config.rl:
        part = root / "rl"
        plans[Stage.RL] = verl_overrides.rl(
            config.rl,
            config.engine,
            model=model,
            data=part / "rows.parquet",
            folder=part / "checkpoints",
            loop=part / "agent_loop.yaml",
            name=config.name,
            seed=config.seed,
        )
    return plans
