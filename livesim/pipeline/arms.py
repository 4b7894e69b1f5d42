"""``Experiment``: arms, seeds and examinations of an experiment, as one strict YAML file beside a training file."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from livesim.config import StrictModel, changed, load_yaml, parse
from livesim.errors import ConfigError, unknown
from livesim.evaluation.ifeval.prompts import COUNT
from livesim.evolution import heldout
from livesim.pipeline.plan import BASE, EvaluationConfig
from livesim.training.settings import TrainConfig


class Arm(StrictModel):
    """A kind of model, trained once for each of its seeds.

    Attributes:
        label: in tables.
        stage: section of the training file that makes it.
        of: arm whose model of the same seed it starts from, or ``base``.
        set: ``key.sub=value`` overrides of the training file, for this arm only.
        seeds: for how many of the experiment's seeds.
        evaluated: on T1 to T3; an arm that only others start from need not be.
    """

    label: str
    stage: Literal["fixed", "sft", "opd", "rl"]
    of: str = BASE
    set: tuple[str, ...] = ()
    seeds: int = Field(default=1, ge=1)
    evaluated: bool = True


class IfevalConfig(StrictModel):
    """T4, for the base and some arms.

    Attributes:
        arms: which.
        seeds: for how many of the experiment's seeds.
        prompts: of the 541, spread evenly.
        width: prompts at once.
        max_tokens: of a reply.
        context_tokens: prompt and reply.
        limit_s: wall seconds for one model.
    """

    arms: tuple[str, ...]
    seeds: int = Field(default=1, ge=1)
    prompts: int = Field(default=COUNT, ge=1, le=COUNT)
    width: int = Field(default=32, ge=1)
    max_tokens: int = Field(default=1280, ge=1)
    context_tokens: int = Field(default=2048, ge=64)
    limit_s: float = Field(default=14400.0, gt=0)


class EditsConfig(StrictModel):
    """The held-out harness-edit test of the two arms in ``against``; each gets its own harness by the same procedure.

    Attributes:
        set: overrides of ``EvolveConfig``.
        dev_seeds: that the evolution sees.
        test_seeds: that it does not see.
        seeds: for how many of the experiment's seeds.
        limit_s: wall seconds for one model.
    """

    set: tuple[str, ...] = ()
    dev_seeds: tuple[int, ...] = (100,)
    test_seeds: tuple[int, ...] = (200,)
    seeds: int = Field(default=1, ge=1)
    limit_s: float = Field(default=14400.0, gt=0)


class Experiment(StrictModel):
    """A file with arms.

    Attributes:
        name: of its folder under ``runs``.
        train: the training file that all arms share, relative to this one.
        set: ``key.sub=value`` overrides of it, for all arms.
        seeds: of the arms; an arm with fewer uses the first ones.
        arms: by name; one that another starts from comes first. Names and labels differ, and are not ``base``.
        against: the arm that should have learnt to adapt, and its control.
        evaluation: T1 to T3, and the seconds of steps (by step, arm or kind of step).
        ifeval: T4; None: left out.
        edits: the held-out harness-edit test; None: left out.
    """

    name: str
    train: str
    set: tuple[str, ...] = ()
    seeds: tuple[int, ...] = Field(min_length=1)
    arms: dict[str, Arm]
    against: tuple[str, str]
    evaluation: EvaluationConfig = EvaluationConfig()
    ifeval: IfevalConfig | None = None
    edits: EditsConfig | None = None

    @model_validator(mode="after")
    def _whole(self) -> Experiment:
        if len({*self.seeds}) < len(self.seeds):
            raise ValueError(f"seeds must differ, got {self.seeds}")
        labels = [BASE, *(arm.label for arm in self.arms.values())]
        if len({*labels}) < len(labels) or BASE in self.arms:
            raise ValueError(f"arms must differ in their labels, and none may be called {BASE!r}, got {labels}")
        before: list[str] = [BASE]
        for name, arm in self.arms.items():
            if arm.of not in before:
                raise ValueError(unknown(f"arm before {name!r}:", arm.of, before))
            most = len(self.seeds) if arm.of == BASE else self.arms[arm.of].seeds
            if arm.seeds > most:
                raise ValueError(f"arm {name!r} wants {arm.seeds} seeds, what it starts from has {most}")
            before.append(name)
        for name in (*self.against, *(self.ifeval.arms if self.ifeval else ())):
            if name not in self.arms:
                raise ValueError(unknown("arm", name, self.arms))
        if not all(self.arms[name].evaluated for name in self.against):
            raise ValueError("the arms in against must be evaluated")
        if self.against[0] == self.against[1]:
            raise ValueError(f"an arm cannot be its own control: {self.against[0]!r}")
        if self.edits is not None:  # before days of training, not after
            heldout.settings(self.edits.set)
            heldout.check_seeds(self.edits.dev_seeds, self.edits.test_seeds)
        return self

    @property
    def expected_s(self) -> dict[str, float]:
        """Wall seconds by step or kind of step; those of an arm hold for each of its models."""
        named = self.evaluation.expected_s
        return named | {name_of(arm, seed): named[arm] for arm in self.arms if arm in named for seed in self.seeds}


def name_of(arm: str, seed: int) -> str:
    """What the model of an arm and a seed is called."""
    return f"{arm}-{seed}"


def read_experiment(path: Path, changes: tuple[str, ...] = ()) -> Experiment:
    """The experiment in a file, with ``key.sub=value`` overrides. Raises ConfigError naming the field."""
    data = load_yaml(path)
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: must hold fields, got {type(data).__name__}")
    return parse(Experiment, changed(data, changes), str(path))


def trained(experiment: Experiment, path: Path, seed: int, changes: tuple[str, ...]) -> TrainConfig:
    """The training run of one arm and seed. Raises ConfigError for a wrong training file or override."""
    where = path.parent / experiment.train
    data = load_yaml(where)
    if not isinstance(data, dict):
        raise ConfigError(f"{where}: must hold fields, got {type(data).__name__}")
    whole = changed(data, (*experiment.set, *changes, f"name={experiment.name}", f"seed={seed}"))
    return parse(TrainConfig, whole, f"{where} as changed by {path}")
