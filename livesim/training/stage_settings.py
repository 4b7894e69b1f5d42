"""Settings of the three stages: ``SftConfig``, ``OpdConfig``, ``RlConfig``."""

from __future__ import annotations

import itertools
import math
from typing import Literal

from pydantic import Field, JsonValue, field_validator

from livesim.config import StrictModel
from livesim.errors import unknown
from livesim.harness.augment import PRESETS, HSAConfig, Split
from livesim.tools.faults import PRESETS as FAULTS
from livesim.training.prompt_sources import SOURCES
from rewards.score import HEADS


def known_augment(value: str | HSAConfig) -> str | HSAConfig:
    """The same value. Raises ValueError for the name of no preset, or one that shows training what is held out."""
    if isinstance(value, str) and value not in PRESETS:
        raise ValueError(unknown("augment preset", value, PRESETS))
    if hsa(value).dimensions and hsa(value).split is Split.HELDOUT:
        raise ValueError("training may not see the held-out split of augmentation")
    return value


def known_sources(value: tuple[str, ...]) -> tuple[str, ...]:
    """The same value. Raises ValueError for a source of prompts that there is not."""
    for name in value:
        if name not in SOURCES:
            raise ValueError(unknown("prompt source", name, SOURCES))
    return value


def hsa(value: str | HSAConfig) -> HSAConfig:
    """The configuration that a preset's name stands for."""
    return PRESETS[value] if isinstance(value, str) else value


RUN_ONLY = {
    *("limit_s", "save_every", "deadline_s"),
    *("micro_tokens", "log_prob_tokens", "offload", "host_optimizer", "gradient_checkpointing"),
    *("kv_cache_gib", "gpu_memory_share", "sequences"),
}
"""Fields that decide how a stage runs and not what comes of it, rounding apart."""


def lasting(config: StrictModel) -> dict[str, JsonValue]:
    """What the result of a stage depends on: its settings, or the engine's, without ``RUN_ONLY``.

    So that a stage that ran out of time or memory goes on from its checkpoint once it is given more.
    """
    return config.model_dump(mode="json", exclude=RUN_ONLY)


class RehearsalConfig(StrictModel):
    """General prompts with the start model's own answers among the rows of SFT, so that it forgets less.

    Attributes:
        share: of the rows. The teacher's episodes stay as many as they were.
        sources: of the prompts, see ``OpdConfig``.
        answer_tokens: most tokens of an answer; longer ones are cut.
        temperature: of the sampling; 0: greedy.
    """

    share: float = Field(default=0.2, gt=0.0, le=0.9)
    sources: tuple[str, ...] = Field(default=("own",), min_length=1)
    answer_tokens: int = Field(default=96, ge=8)
    temperature: float = Field(default=0.7, ge=0.0)

    @field_validator("sources")
    @classmethod
    def _known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return known_sources(value)


class SftConfig(StrictModel):
    """Supervised fine-tuning on the teacher's episodes.

    Attributes:
        harnesses: draws of the harness; each gives ``world.tasks_per_harness`` episodes. At least ``batch``.
        augment: preset or configuration; ``none`` for the fixed harness.
        mistakes: share of episodes played by a teacher that slips once and recovers.
        rehearsal: what keeps it from forgetting; None: nothing.
        retries: most lessons, as a share, that show what the harness sent back and how the teacher recovered; in all
            others the failed steps are cut out.
        balance: no intent gets more than so many times its even share of the lessons; 0: they come as they come.
        batch: harness draws of one optimiser step.
        epochs: passes over the data.
        lr: peak learning rate. ``warmup``: share of the steps. Cosine to a tenth.
        warmup: see ``lr``.
        weight_decay: of AdamW.
        row_tokens: longer rows are an error.
        save_every: steps between checkpoints to resume from; 0: only the finished model is kept.
        limit_s: wall-clock seconds after which the stage is stopped.
    """

    harnesses: int = Field(ge=1)
    augment: str | HSAConfig = "train"
    mistakes: float = Field(default=0.0, ge=0.0, le=1.0)
    rehearsal: RehearsalConfig | None = None
    retries: float = Field(default=0.1, ge=0.0, le=1.0)
    balance: float = Field(default=1.5, ge=0.0)
    batch: int = Field(default=4, ge=1)
    epochs: int = Field(default=1, ge=1)
    lr: float = Field(default=5e-4, gt=0.0)
    warmup: float = Field(default=0.05, ge=0.0, le=1.0)
    weight_decay: float = Field(default=0.01, ge=0.0)
    row_tokens: int = Field(default=4096, ge=256)
    save_every: int = Field(default=0, ge=0)
    limit_s: int = Field(default=3600, ge=10)

    @field_validator("augment")
    @classmethod
    def _known(cls, value: str | HSAConfig) -> str | HSAConfig:
        return known_augment(value)

    def model_post_init(self, context: object, /) -> None:
        """One batch must be there, or nothing is trained."""
        if self.harnesses < self.batch:
            raise ValueError(f"harnesses ({self.harnesses}) must be at least batch ({self.batch})")

    @property
    def steps(self) -> int:
        """Optimiser steps."""
        return self.epochs * ((self.harnesses + self.rehearsed) // self.batch)

    @property
    def rehearsed(self) -> int:
        """Draws of rehearsal, each as many prompts as a harness draw has tasks."""
        share = self.rehearsal.share if self.rehearsal else 0.0
        return round(self.harnesses * share / (1.0 - share))


class OpdConfig(StrictModel):
    """On-policy distillation on general prompts, towards the model before SFT.

    Attributes:
        sources: where the prompts come from, in equal parts: ``own`` (templates), ``chatterbot`` and ``chitchat``
            (packages that are fetched once).
        steps: optimiser steps (one rollout each).
        prompts: of one step. ``group``: answers sampled for each.
        group: see ``prompts``.
        answer_tokens: most tokens of an answer.
        prompt_tokens: most tokens of a prompt.
        loss: ``reverse_kl_topk`` (see ``training.reverse_kl``) or ``forward_kl_topk``, both back-propagated over the
            teacher's ``topk`` candidates; or ``k1``: the reverse KL of the sampled token, as reward of a policy
            gradient.
        topk: candidates of the teacher.
        lr: constant learning rate.
        temperature: of the sampling.
        teacher_gpus: of each node's CUDA devices that hold the teacher; the others train and sample. On a CPU both
            share the cores.
        save_every: see ``SftConfig``.
        limit_s: see ``SftConfig``.
    """

    sources: tuple[str, ...] = Field(default=("own",), min_length=1)
    steps: int = Field(default=3, ge=1)
    prompts: int = Field(default=8, ge=1)
    group: int = Field(default=2, ge=1)
    answer_tokens: int = Field(default=64, ge=8)
    prompt_tokens: int = Field(default=192, ge=16)
    loss: Literal["reverse_kl_topk", "forward_kl_topk", "k1"] = "reverse_kl_topk"
    topk: int = Field(default=16, ge=1)
    lr: float = Field(default=1e-5, gt=0.0)
    temperature: float = Field(default=1.0, gt=0.0)
    teacher_gpus: int = Field(default=1, ge=1)
    save_every: int = Field(default=0, ge=0)
    limit_s: int = Field(default=3600, ge=10)

    @field_validator("sources")
    @classmethod
    def _known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return known_sources(value)


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


class Phase(StrictModel):
    """A part of the RL stage in which the world has one difficulty.

    Attributes:
        share: of the stage's steps.
        faults: preset of tool faults; None: those of ``world``.
        strength: factor on the strengths of ``augment``.
        original_share: groups on the original harness; None: that of the stage.
    """

    share: float = Field(gt=0.0, le=1.0)
    faults: str | None = None
    strength: float = Field(default=1.0, ge=0.0, le=1.0)
    original_share: float | None = Field(default=None, ge=0.0, le=1.0)

    @field_validator("faults")
    @classmethod
    def _known(cls, value: str | None) -> str | None:
        if value is not None and value not in FAULTS:
            raise ValueError(unknown("faults preset", value, FAULTS))
        return value


class RlConfig(StrictModel):
    """GRPO with GDPO over the heads of the environment.

    Attributes:
        steps: rollout phases. ``mini_batches``: optimiser steps of each in one epoch.
        mini_batches: see ``steps``.
        epochs: passes over the episodes of a rollout phase. The first step of a phase is on-policy, where a ratio is 1
            and no clipping acts; all later ones are not.
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
        clip_low: of the ratio. ``clip_high``: likewise; defaults are GSPO's (arXiv 2507.18071) or, for ppo, 0.2.
        clip_high: see ``clip_low``.
        old_log_probs: of the ratio: ``actor`` (recomputed by the engine that trains: a pass over all episodes before
            the updates) or ``rollout`` (as sampled: no pass, but the ratio then also holds what the two engines'
            arithmetic differs by, so clip ranges as narrow as GSPO's own would mostly cut that).
        kl: weight of the KL term towards the model at the start of the stage; 0: none.
        measure_kl: log that KL though it has no weight (``actor/kl_loss``); costs a pass of a second copy of the model.
        curriculum: phases of the stage in their order; their shares sum to 1. Empty: all steps alike.
        deadline_s: wall-clock seconds of one episode.
        save_every: see ``SftConfig``.
        limit_s: see ``SftConfig``.
    """

    steps: int = Field(default=4, ge=1)
    mini_batches: int = Field(default=2, ge=1)
    epochs: int = Field(default=1, ge=1)
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
    old_log_probs: Literal["actor", "rollout"] = "actor"
    kl: float = Field(default=0.0, ge=0.0)
    measure_kl: bool = False
    curriculum: tuple[Phase, ...] = ()
    deadline_s: float = Field(default=300.0, gt=0.0)
    save_every: int = Field(default=0, ge=0)
    limit_s: int = Field(default=3600, ge=10)

    @field_validator("augment")
    @classmethod
    def _known(cls, value: str | HSAConfig) -> str | HSAConfig:
        return known_augment(value)

    def model_post_init(self, context: object, /) -> None:
        """Mini-batches must divide the prompts, and the curriculum must fill the steps."""
        if self.prompts % self.mini_batches:
            raise ValueError(f"prompts ({self.prompts}) must be a multiple of mini_batches ({self.mini_batches})")
        filled = sum(phase.share for phase in self.curriculum)
        if self.curriculum and not math.isclose(filled, 1.0):
            raise ValueError(f"the shares of curriculum must sum to 1, got {filled:g}")

    def phase(self, step: int) -> Phase:
        """The phase of a step, 0 <= step < ``steps``; one that begins within a step begins with the next."""
        if not self.curriculum:
            return Phase(share=1.0)
        ends = itertools.accumulate(phase.share for phase in self.curriculum)
        begun = sum(end * self.steps <= step + 1e-9 for end in ends)
        return self.curriculum[min(begun, len(self.curriculum) - 1)]
