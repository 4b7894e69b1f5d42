"""What a training run is made of, as one strict YAML file: ``TrainConfig``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import Field, JsonValue, field_validator

from livesim.config import StrictModel, load_yaml, parse
from livesim.errors import ConfigError, unknown
from livesim.harness.augment import PRESETS, HSAConfig
from rewards.score import HEADS


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
        nodes: machines.
        tensor_parallel: devices that one vLLM engine is spread over.
        micro_tokens: tokens of one forward and backward pass on one device; sets peak memory.
        log_prob_tokens: the same for passes without gradient.
        offload: keep weights and optimiser in host memory between uses.
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
    gradient_checkpointing: bool = False
    attention: str = "auto"
    kv_cache_gib: int = Field(default=1, ge=1)
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


class SftConfig(StrictModel):
    """Supervised fine-tuning on the teacher's episodes.

    Attributes:
        harnesses: draws of the harness; each gives ``world.tasks_per_harness`` episodes.
        augment: preset or configuration; ``none`` for the fixed harness.
        mistakes: share of episodes played by a teacher that slips once and recovers.
        batch: harness draws of one optimiser step.
        epochs: passes over the data.
        lr: peak learning rate. ``warmup``: share of the steps. Cosine to a tenth.
        warmup: see ``lr``.
        weight_decay: of AdamW.
        row_tokens: longer rows are an error.
        save_every: steps between checkpoints to resume from; 0: only the finished model is kept.
        limit_s: wall-clock seconds after which the stage is stopped.
        shuffle_seed: order of the rows.
    """

    harnesses: int = Field(ge=1)
    augment: str | HSAConfig = "train"
    mistakes: float = Field(default=0.0, ge=0.0, le=1.0)
    batch: int = Field(default=4, ge=1)
    epochs: int = Field(default=1, ge=1)
    lr: float = Field(default=5e-4, gt=0.0)
    warmup: float = Field(default=0.05, ge=0.0, le=1.0)
    weight_decay: float = Field(default=0.01, ge=0.0)
    row_tokens: int = Field(default=4096, ge=256)
    save_every: int = Field(default=0, ge=0)
    limit_s: int = Field(default=3600, ge=10)
    shuffle_seed: int = 1

    @field_validator("augment")
    @classmethod
    def _known(cls, value: str | HSAConfig) -> str | HSAConfig:
        return known_augment(value)

    @property
    def steps(self) -> int:
        """Optimiser steps."""
        return self.epochs * (self.harnesses // self.batch)


class OpdConfig(StrictModel):
    """On-policy distillation on general prompts, towards the model before SFT.

    Attributes:
        steps: optimiser steps (one rollout each).
        prompts: of one step. ``group``: answers sampled for each.
        group: see ``prompts``.
        answer_tokens: most tokens of an answer.
        prompt_tokens: most tokens of a prompt.
        loss: ``forward_kl_topk`` (supervised, against the teacher's ``topk`` candidates) or ``k1`` (policy gradient).
        topk: candidates of the teacher.
        lr: constant learning rate.
        temperature: of the sampling.
        teacher_gpus: of each node's CUDA devices that hold the teacher; the others train and sample. On a CPU both
            share the cores.
        save_every: see ``SftConfig``.
        limit_s: see ``SftConfig``.
    """

    steps: int = Field(default=3, ge=1)
    prompts: int = Field(default=8, ge=1)
    group: int = Field(default=2, ge=1)
    answer_tokens: int = Field(default=64, ge=8)
    prompt_tokens: int = Field(default=192, ge=16)
    loss: Literal["forward_kl_topk", "k1"] = "forward_kl_topk"
    topk: int = Field(default=16, ge=1)
    lr: float = Field(default=1e-5, gt=0.0)
    temperature: float = Field(default=1.0, gt=0.0)
    teacher_gpus: int = Field(default=1, ge=1)
    save_every: int = Field(default=0, ge=0)
    limit_s: int = Field(default=3600, ge=10)


class HeadConfig(StrictModel):
    """One reward head in the advantage; see ``advantage.HeadWeight``."""

    name: str
    segment: Literal["tool", "reply"]
    weight: float = Field(default=1.0, ge=0.0)
    needs_head: str | None = None
    needs_value: float = 1.0

    @field_validator("name", "needs_head")
    @classmethod
    def _known(cls, value: str | None) -> str | None:
        names = (*HEADS, "length_tool", "length_reply")
        if value is not None and value not in names:
            raise ValueError(unknown("head", value, names))
        return value


def _default_heads() -> tuple[HeadConfig, ...]:
    return (
        *(HeadConfig(name=name, segment="tool" if h.segment == "tool" else "reply") for name, h in HEADS.items()),
        HeadConfig(name="length_tool", segment="tool", weight=0.1, needs_head="accuracy"),
        HeadConfig(name="length_reply", segment="reply", weight=0.1, needs_head="accuracy"),
    )


class RlConfig(StrictModel):
    """GRPO with GDPO over the heads of the environment.

    Attributes:
        steps: rollout phases. ``mini_batches``: optimiser steps of each.
        mini_batches: see ``steps``.
        prompts: requests of one rollout phase. ``group``: episodes of each request.
        group: see ``prompts``; at least 2, or there is nothing to compare.
        augment: preset or configuration for the varied groups. ``original_share``: groups on the original harness.
        original_share: see ``augment``.
        lr: constant learning rate.
        temperature: of the sampling.
        turn_tokens: most tokens of a turn.
        prompt_tokens: longest prompt.
        answer_tokens: most tokens of an episode after the prompt, the environment's words included.
        estimator: ``gdpo`` or ``grpo`` (on the weighted total, for comparison).
        heads: what the advantage is made of.
        std_floor: least standard deviation in a group.
        whiten: normalise advantages over the batch.
        ratio: ``gspo`` (one ratio a sequence) or ``ppo`` (one a token).
        clip_low: of the ratio. ``clip_high``: likewise; defaults are those of the GSPO paper or, for ppo, 0.2.
        clip_high: see ``clip_low``.
        kl: weight of the KL term towards the model at the start of the stage; 0: none.
        deadline_s: wall-clock seconds of one episode.
        save_every: see ``SftConfig``.
        limit_s: see ``SftConfig``.
    """

    steps: int = Field(default=4, ge=1)
    mini_batches: int = Field(default=2, ge=1)
    prompts: int = Field(default=4, ge=1)
    group: int = Field(default=4, ge=2)
    augment: str | HSAConfig = "train"
    original_share: float = Field(default=0.25, ge=0.0, le=1.0)
    lr: float = Field(default=2e-5, gt=0.0)
    temperature: float = Field(default=1.0, gt=0.0)
    turn_tokens: int = Field(default=64, ge=8)
    prompt_tokens: int = Field(default=768, ge=64)
    answer_tokens: int = Field(default=384, ge=32)
    estimator: Literal["gdpo", "grpo"] = "gdpo"
    heads: tuple[HeadConfig, ...] = Field(default_factory=_default_heads)
    std_floor: float = Field(default=0.05, ge=0.0)
    whiten: bool = True
    ratio: Literal["gspo", "ppo"] = "gspo"
    clip_low: float | None = None
    clip_high: float | None = None
    kl: float = Field(default=0.0, ge=0.0)
    deadline_s: float = Field(default=300.0, gt=0.0)
    save_every: int = Field(default=0, ge=0)
    limit_s: int = Field(default=3600, ge=10)

    @field_validator("augment")
    @classmethod
    def _known(cls, value: str | HSAConfig) -> str | HSAConfig:
        return known_augment(value)

    def model_post_init(self, context: object, /) -> None:
        """Mini-batches must divide the prompts."""
        if self.prompts % self.mini_batches:
            raise ValueError(f"prompts ({self.prompts}) must be a multiple of mini_batches ({self.mini_batches})")


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
        """The teacher of stage 2 must leave a device to train on."""
        if self.opd and self.engine.device == "cuda" and self.opd.teacher_gpus >= self.engine.gpus:
            raise ValueError(
                f"opd.teacher_gpus ({self.opd.teacher_gpus}) must be less than engine.gpus ({self.engine.gpus})"
            )

    def stages(self) -> tuple[Stage, ...]:
        """Those that are configured, in order."""
        return tuple(stage for stage in Stage if getattr(self, stage) is not None)


def known_augment(value: str | HSAConfig) -> str | HSAConfig:
    """The same value. Raises ValueError for the name of no preset."""
    if isinstance(value, str) and value not in PRESETS:
        raise ValueError(unknown("augment preset", value, PRESETS))
    return value


def hsa(value: str | HSAConfig) -> HSAConfig:
    """The configuration that a preset's name stands for."""
    return PRESETS[value] if isinstance(value, str) else value


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


def changed(data: dict[str, object], changes: tuple[str, ...]) -> dict[str, object]:
    """``data`` with ``key.sub=value`` overrides. Raises ConfigError for text without ``=``."""
    import copy

    import yaml

    data = copy.deepcopy(data)
    for change in changes:
        key, equals, value = change.partition("=")
        if not equals:
            raise ConfigError(f"--set {change!r}: write key.sub=value")
        at = data
        *parents, last = key.strip().split(".")
        for parent in parents:
            inner = at.setdefault(parent, {})
            if not isinstance(inner, dict):
                raise ConfigError(f"--set {change!r}: {parent} holds a value, no fields")
            at = inner
        at[last] = yaml.safe_load(value)
    return data
