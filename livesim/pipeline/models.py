"""``Models``: the models of a run, where they lie, and the steps that train and examine them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from livesim.errors import TrainingError
from livesim.model_folder import identity
from livesim.pipeline import child
from livesim.pipeline.plan import BASE, EvaluationConfig
from livesim.pipeline.steps import Step, Tick
from livesim.training.process import Progress
from livesim.training.run import starting_model
from livesim.training.settings import Stage, TrainConfig
from livesim.training.stage_settings import lasting
from livesim.types import JsonValue

EXPECTED_S: Mapping[str, float] = {
    "base": 25.0,
    "fixed": 385.0,
    "sft": 585.0,
    "opd": 185.0,
    "rl": 270.0,
    "eval": 90.0,
    "alone": 30.0,
    "ifeval": 1500.0,
    "edits": 1800.0,
}
"""Wall seconds of each kind of step on two idle cores, where the configuration says nothing."""


@dataclass(frozen=True, slots=True)
class Model:
    """One model of a run.

    Attributes:
        name: of its step and its folder.
        label: in tables.
        stage: ``"base"``, or the section of ``train`` that makes it: ``"fixed"``, ``"sft"``, ``"opd"``, ``"rl"``.
        source: name of the model that it starts from.
        train: the training run that it belongs to.
    """

    name: str
    label: str
    stage: str
    source: str
    train: TrainConfig


class Models:
    """The models of one run.

    Args:
        folder: of the run.
        models: sources first; the first one is the base.
        expected_s: wall seconds by step or kind of step; what is missing comes from ``EXPECTED_S``.
    """

    def __init__(self, folder: Path, models: Sequence[Model], expected_s: Mapping[str, float]) -> None:
        self.folder = folder
        self.named = {model.name: model for model in models}
        self._expected_s = {**EXPECTED_S, **expected_s}
        self._base: Path | None = None

    def path(self, name: str) -> Path:
        """Where a model lies; the base model is made when nobody has asked for it yet."""
        if name != BASE:
            return (self.folder / name / "model").resolve()
        if self._base is None:
            self._base = starting_model(self.named[BASE].train).resolve()
        return self._base

    def expected_s(self, *names: str) -> float:
        """Wall seconds under the first of these names that has any."""
        return next(self._expected_s[name] for name in names if name in self._expected_s)

    def making(self, name: str) -> Step:
        """The step that trains a model, or finds the base."""
        model = self.named[name]
        train = model.train
        if name == BASE:
            given: dict[str, JsonValue] = {"model": train.model}
            folder = Path(train.model)
            if train.model != "base" and folder.is_dir():  # the user's own; that it is missing is for the step to say
                given["contents"] = identity(folder)
            return Step(BASE, "base model", given, self._find_base, expected_s=self.expected_s(BASE))
        inputs: dict[str, JsonValue] = {
            "seed": train.seed,
            "world": train.world.contents(),
            "engine": lasting(train.engine),
            "config": lasting(getattr(train, model.stage)),
        }
        if model.stage in ("fixed", "sft"):
            inputs["teacher"] = train.teacher
        needs = tuple(dict.fromkeys((BASE, model.source)))
        expected_s = self.expected_s(name, model.stage)
        return Step(name, f"train {model.label}", inputs, self._train(model), needs, expected_s)

    def _find_base(self, folder: Path, tick: Tick) -> None:
        self.path(BASE)

    def _train(self, model: Model) -> Callable[[Path, Tick], None]:
        def work(folder: Path, tick: Tick) -> None:
            def watch(progress: Progress) -> None:
                tick(progress.share)

            train_stage(model, self.path(model.source), self.path(BASE), folder, watch)

        return work

    def evaluation(
        self, name: str, config: EvaluationConfig, *, step: str = "", episodes: Mapping[str, int], width: int
    ) -> Step:
        """The step that plays suites with a model.

        Args:
            name: of the model.
            config: how.
            step: name of the step; default: ``eval_<name>``.
            episodes: of each suite.
            width: episodes at once.
        """
        model = self.named[name]
        world = model.train.world
        order = (
            *("--label", model.label),
            *("--suite", ",".join(episodes)),
            *("--episodes", ",".join(f"{suite}={count}" for suite, count in episodes.items())),
            *("--harness", world.harness),
            *("--scenario", world.scenario),
            *("--seed", str(config.seed)),
            *("--wording", str(config.wording)),
            *("--width", str(width)),
            *("--max-tokens", str(config.max_tokens)),
            *("--context-tokens", str(config.context_tokens)),
        )
        step = step or f"eval_{name}"
        return Step(
            step,
            f"evaluate {model.label}" if step == f"eval_{name}" else "latency of one request",
            {"order": [*order], "hashes": world.contents()["hashes"]},
            self.calling("eval", name, order, total=sum(episodes.values()), limit_s=config.limit_s),
            (name,),
            self.expected_s(step, "alone" if step == "eval_alone" else "eval"),
        )

    def calling(
        self, command: str, name: str, order: Sequence[str], *, total: int = 0, limit_s: float
    ) -> Callable[[Path, Tick], None]:
        """Work that calls ``livesim COMMAND`` for a model in a process of its own.

        Only the end of a process makes an engine give its memory back.

        Args:
            command: ``eval`` or ``edit-test``.
            name: of the model.
            order: its options, model and folder apart.
            total: lines of JSONL that it is going to write; 0: nobody knows.
            limit_s: wall seconds.
        """

        def work(out: Path, tick: Tick) -> None:
            def watch() -> None:
                tick(min(1.0, sum(map(_lines, out.glob("*.jsonl"))) / total) if total else 0.0)

            who = ("--agent", f"{self.named[name].label}={self.path(name)}")
            if command == "eval":
                who = ("--model", str(self.path(name)))
            child.run(
                [sys.executable, "-m", "livesim.cli", command, *who, "--out", str(out.resolve()), *order],
                self.folder / "logs" / f"{out.name}.txt",
                watch=watch,
                limit_s=limit_s,
            )

        return work


def train_stage(model: Model, start: Path, base: Path, folder: Path, watch: Callable[[Progress], None]) -> Path:
    """Run the stage that makes a model. Raises TrainingError when its configuration has none of this name."""
    from livesim.training.stages import opd, rl, sft

    train = model.train
    if model.stage == "fixed" and train.fixed is not None:
        return sft.run(train, train.fixed, start, folder, watch)
    if model.stage == Stage.SFT and train.sft is not None:
        return sft.run(train, train.sft, start, folder, watch)
    if model.stage == Stage.OPD and train.opd is not None:
        return opd.run(train, train.opd, start, base, folder, watch)
    if model.stage == Stage.RL and train.rl is not None:
        return rl.run(train, train.rl, start, folder, watch)
    raise TrainingError(f"the file configures no stage {model.stage!r}")


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")
