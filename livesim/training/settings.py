"""What a training run is made of, as one strict YAML file: ``TrainConfig``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import Field, JsonValue

from livesim import roster
from livesim.config import StrictModel, changed, load_yaml, parse
from livesim.errors import ConfigError
from livesim.harness import shelf
from livesim.scenarios import library
from livesim.training.stage_settings import OpdConfig, RlConfig, SftConfig

__all__ = [
    "EngineConfig",
    "OpdConfig",
    "RlConfig",
    "SftConfig",
    "Stage",
    "TrainConfig",
    "WorldConfig",
    "changed",
    "load",
]


class Stage(StrEnum):
    """The stages in their order; each starts from the model of the one before."""

    SFT = "sft"
    OPD = "opd"
    RL = "rl"


class EngineConfig(StrictModel):
    """Where and how the engines run.

    Attributes:
        device: ``cpu`` or ``cuda``.
        gpus: devices of each node that train and sample (1 on a CPU).
        nodes: machines (1 on a CPU).
        tensor_parallel: devices that one vLLM engine is spread over; must divide those that sample, in OPD also the
            teacher's.
        micro_tokens: tokens of one forward and backward pass on one device; sets peak memory.
        log_prob_tokens: the same for passes without gradient.
        offload: keep weights and optimiser in host memory between uses; a training step has all of them on the device.
        host_optimizer: keep them there always: the optimiser steps on the host, and the device holds no more than the
            layer at work. Needs 16 bytes of host memory for each parameter.
        gradient_checkpointing: recompute activations.
        attention: ``auto``: shared prompts on a CPU, flash attention on CUDA.
        kv_cache_gib: of each CPU engine. ``gpu_memory_share``: of each device, for vLLM on CUDA.
        gpu_memory_share: see ``kv_cache_gib``.
        sequences: most sequences that one engine samples at once.
    """

    device: Literal["cpu", "cuda"] = "cpu"
    gpus: int = Field(default=1, ge=1)
    nodes: int = Field(default=1, ge=1)
    tensor_parallel: int = Field(default=1, ge=1)
    micro_tokens: int = Field(default=4096, ge=256)
    log_prob_tokens: int = Field(default=8192, ge=256)
    offload: bool = False
    host_optimizer: bool = False
    gradient_checkpointing: bool = False
    attention: str = "auto"
    kv_cache_gib: float = Field(default=0.5, gt=0.0)
    gpu_memory_share: float = Field(default=0.6, gt=0.0, lt=1.0)
    sequences: int = Field(default=32, ge=1)


class WorldConfig(StrictModel):
    """Whose episodes are trained on.

    Attributes:
        scenario: name or file.
        harness: name or folder.
        faults: preset, or None for the scenario's own.
        tasks_per_harness: requests that share one draw of the harness (and so their prompt's first part).
    """

    scenario: str = "qa"
    harness: str = "compact"
    faults: str | None = None
    tasks_per_harness: int = Field(default=4, ge=1)

    def contents(self) -> dict[str, JsonValue]:
        """The fields, and the hashes of what is behind the names: an edited file or folder makes another world."""
        hashes = {"scenario": library.load(self.scenario).hash, "harness": shelf.load(self.harness).hash}
        return {**self.model_dump(mode="json"), "hashes": {**hashes}}


def slipping(teacher: str) -> str:
    """Name of the agent that is the same teacher, but slips once in each episode."""
    return f"{teacher}_with_mistakes"


class TrainConfig(StrictModel):
    """One training run.

    Attributes:
        name: of its folder under ``runs``.
        model: ``base`` (the packaged SmolLM2-135M-Instruct) or a folder in Hugging Face form.
        seed: all seeds of data and sampling derive from it.
        teacher: name of the agent whose episodes are imitated.
        engine: where it runs.
        world: whose episodes.
        fixed: the control: SFT on the original harness only; not part of the three stages.
        sft: stage 1. ``opd``: stage 2. ``rl``: stage 3. A missing stage is left out.
        opd: see ``sft``.
        rl: see ``sft``.
        evaluation: for the pipeline; not read by the trainer.
    """

    name: str
    model: str = "base"
    seed: int = 0
    teacher: str = "oracle"
    engine: EngineConfig = EngineConfig()
    world: WorldConfig = WorldConfig()
    fixed: SftConfig | None = None
    sft: SftConfig | None = None
    opd: OpdConfig | None = None
    rl: RlConfig | None = None
    evaluation: dict[str, JsonValue] = Field(default_factory=dict)

    def model_post_init(self, context: object, /) -> None:
        """Engines must fit their devices, the teacher of stage 2 beside them; that of stage 1 must be able to slip."""
        if self.engine.device == "cpu" and self.engine.gpus * self.engine.nodes > 1:
            raise ValueError(
                f"engine.gpus ({self.engine.gpus}) and engine.nodes ({self.engine.nodes}) must be 1 on a CPU: "
                "its engine is one process"
            )
        if self.opd and self.engine.device == "cuda" and self.opd.teacher_gpus >= self.engine.gpus:
            raise ValueError(
                f"opd.teacher_gpus ({self.opd.teacher_gpus}) must be less than engine.gpus ({self.engine.gpus})"
            )
        for what, gpus in self._engines().items():
            if gpus * self.engine.nodes % self.engine.tensor_parallel:
                raise ValueError(
                    f"engine.tensor_parallel ({self.engine.tensor_parallel}) must divide the devices of {what} "
                    f"({gpus * self.engine.nodes})"
                )
        for name, stage in (("fixed", self.fixed), ("sft", self.sft)):
            if stage and stage.mistakes and slipping(self.teacher) not in (known := roster.names()):
                able = [agent for agent in known if slipping(agent) in known]
                raise ValueError(
                    f"{name}.mistakes is {stage.mistakes}, but only {' and '.join(able)} slip on purpose: set "
                    f"{name}.mistakes=0 for teacher {self.teacher!r}, whose own mistakes are used as they come"
                )

    def _engines(self) -> dict[str, int]:
        """What vLLM engines are for, and the devices of a node that they share."""
        gpus, found = self.engine.gpus, {}
        if self.rl:
            found["rl"] = gpus
        if self.opd:
            teacher = self.opd.teacher_gpus if self.engine.device == "cuda" else 0
            found["opd"] = gpus - teacher
            if teacher:
                found["opd's teacher"] = teacher
        return found

    def stages(self) -> tuple[Stage, ...]:
        """Those that are configured, in order."""
        return tuple(stage for stage in Stage if getattr(self, stage) is not None)


def load(path: Path, changes: tuple[str, ...] = ()) -> TrainConfig:
    """A run's configuration from YAML.

    Args:
        path: the file.
        changes: ``key.sub=value`` overrides; values are read as YAML.

    Raises:
        ConfigError: names the field and the nearest match.
    """
    data = load_yaml(path)
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: must hold fields, got {type(data).__name__}")
    return parse(TrainConfig, changed(data, changes), str(path))
