"""``PipelineConfig``: what the main job evaluates and how long its steps take, read from the training file."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, field_validator

from livesim.config import StrictModel, parse
from livesim.errors import ConfigError, unknown
from livesim.evaluation.suites import suites
from livesim.training.settings import Stage, TrainConfig
from livesim.world.viewers import Wording

BASE = "base"
"""Name of the model that nothing was trained on."""

LABELS = {BASE: BASE, "fixed": "fixed-harness SFT", "sft": "HSA-SFT", "opd": "HSA-SFT + OPD", "rl": "HAT"}
"""What a model is called in tables, by the step that made it."""


class EvaluationConfig(StrictModel):
    """What every model is evaluated on.

    Attributes:
        episodes: of each suite, by its name; the suites are run in this order.
        base_episodes: the same for the base model, which fails slowly; suites left out: as the others.
        seed: of tasks and variants.
        wording: of the viewers: ``heldout``, or ``train`` so that the harness is the only thing that is new.
        width: episodes at once.
        max_tokens: of one turn.
        context_tokens: of a whole request.
        limit_s: wall seconds of one evaluation.
        expected_s: wall seconds of steps on two idle cores, for the estimate of what is left.
    """

    episodes: dict[str, int] = Field(
        default_factory=lambda: {"live_stream_qa": 48, "harness_variant_qa": 144}, min_length=1
    )
    base_episodes: dict[str, int] = Field(default_factory=dict)
    seed: int = 0
    wording: Wording = Wording.HELDOUT
    width: int = Field(default=32, ge=1)
    max_tokens: int = Field(default=96, ge=1)
    context_tokens: int = Field(default=2048, ge=64)
    limit_s: float = Field(default=3600.0, gt=0)
    expected_s: dict[str, float] = Field(default_factory=dict)

    @field_validator("episodes", "base_episodes")
    @classmethod
    def _known(cls, value: dict[str, int]) -> dict[str, int]:
        for name, count in value.items():
            if name not in suites():
                raise ValueError(unknown("suite", name, suites()))
            if count < 1:
                raise ValueError(f"episodes of {name} must be at least 1, got {count}")
        return value

    def episodes_of(self, model: str) -> dict[str, int]:
        """Episodes of each suite for a model."""
        return self.episodes | (self.base_episodes if model == BASE else {})


class PipelineConfig(EvaluationConfig):
    """The section ``evaluation`` of a training file; further fields are those of ``EvaluationConfig``.

    Attributes:
        models: which are evaluated: ``base``, ``fixed`` and stages; the last stage is always HAT.
        alone: episodes of the last model played one at a time, for latency; 0: none.
    """

    models: tuple[str, ...] = ("base", "fixed", "sft", "rl")
    alone: int = Field(default=0, ge=0)

    @field_validator("models")
    @classmethod
    def _models(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for name in value:
            if name not in LABELS:
                raise ValueError(unknown("model", name, LABELS))
        if len({*value}) < len(value):
            raise ValueError(f"models must differ, got {value}")
        return value


def plan(train: TrainConfig, where: Path) -> PipelineConfig:
    """The pipeline's section of a training file.

    Raises:
        ConfigError: a wrong field, or a model that the file does not train.
    """
    config = parse(PipelineConfig, train.evaluation, f"{where}: evaluation")
    made = {BASE, *(["fixed"] if train.fixed else []), *(str(s) for s in train.stages())}
    missing = [name for name in config.models if name not in made]
    if missing:
        raise ConfigError(
            f"{where}: evaluation.models names {', '.join(missing)}, but the file only makes {', '.join(sorted(made))}"
        )
    return config


def label(name: str, train: TrainConfig) -> str:
    """What a model is called in tables; the last stage is HAT, whichever it is."""
    stages: tuple[Stage, ...] = train.stages()
    return "HAT" if stages and name == stages[-1] else LABELS[name]
