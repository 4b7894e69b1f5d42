"""``make reproduce``: arms for several seeds, T1 to T4, the held-out harness-edit test, one table; resumable."""

from __future__ import annotations

from pathlib import Path

from livesim.config import load_yaml
from livesim.errors import ConfigError
from livesim.evaluation.ifeval.prompts import COUNT
from livesim.evaluation.report import Report, write
from livesim.pipeline import claims, results, steps
from livesim.pipeline.arms import Experiment, name_of, read_experiment, trained
from livesim.pipeline.curves import curves
from livesim.pipeline.models import Model, Models
from livesim.pipeline.plan import BASE
from livesim.pipeline.running import Watch, facts
from livesim.pipeline.steps import Clock, Step
from livesim.training.lock import locked
from livesim.whole import write_whole

EXAMINING = ("eval_", "ifeval_", "edits_")
"""How the names of steps begin that leave something to show."""


def is_one(config: Path) -> bool:
    """Whether a file is an experiment and no training file: it has arms."""
    data = load_yaml(config)
    return isinstance(data, dict) and "arms" in data


def run(config: Path, runs: Path = Path("runs"), changes: tuple[str, ...] = ()) -> tuple[str, Path]:
    """Carry out the whole experiment, or what of it is not done yet. Arguments, result and errors as in ``job.run``.

    Table and report are written anew whenever another model has been examined, for whoever stops it or looks early.
    """
    experiment = read_experiment(config, changes)
    folder = runs / experiment.name
    models = models_of(experiment, config, folder)
    planned = steps_of(experiment, models)
    writer = Writer(experiment, models, len(planned))
    with locked(folder):
        write_whole(folder / "config.json", experiment.model_dump_json(indent=2) + "\n")
        steps.run(planned, folder, writer)
        text = writer.write()
    return text, folder / "report.html"


class Writer(Watch):
    """Tells of progress, and writes what the steps that are done have found.

    Args:
        experiment: that is carried out.
        models: of it.
        total: number of its steps.
    """

    def __init__(self, experiment: Experiment, models: Models, total: int) -> None:
        super().__init__()
        self.experiment, self.models, self.total = experiment, models, total
        self.seconds: dict[str, float] = {}

    def end(self, step: Step, seconds: float, skipped: bool, clock: Clock) -> None:
        """A step is over; if it has examined a model, there is more to show."""
        super().end(step, seconds, skipped, clock)
        self.seconds[step.name] = seconds
        if not skipped and step.name.startswith(EXAMINING):
            self.write()

    def write(self) -> str:
        """Write ``table.txt`` and ``report.html``; returns the table."""
        experiment, folder = self.experiment, self.models.folder
        found = results.collect(experiment, folder, self.seconds)
        seed = experiment.seeds[0]
        # The arm in question comes last: its RL is shown in full.
        first = sorted((name_of(arm, seed) for arm in experiment.arms), key=name_of(experiment.against[0], seed).__eq__)
        labels = [experiment.arms[name].label for name in experiment.against]
        done = len(self.seconds)
        so_far = [f"so far: {done} of {self.total} steps"] if done < self.total else []
        report = Report(
            title=", ".join([f"livesim experiment: {experiment.name}", *so_far]),
            evaluations=tuple(next(iter(arm.evaluations.values())) for arm in found.arms),
            against=(labels[0], labels[1]),
            notes=(
                "One training of each arm: what trainings differ in is not in these intervals, but in those above.",
            ),
            tables=results.tables(found),
            claims=claims.claims(found),
            curves=curves([self.models.named[name] for name in first], folder),
            facts=facts(self.seconds, self.memory),
            config=experiment.model_dump_json(indent=2),
        )
        write(report, folder / "report.html")
        text = "\n\n".join([*so_far, claims.render(found)])
        write_whole(folder / "table.txt", text + "\n")
        return text


def listed(config: Path, runs: Path = Path("runs"), changes: tuple[str, ...] = ()) -> str:
    """The steps of the experiment, what each needs, and about how long it takes; nothing is run."""
    experiment = read_experiment(config, changes)
    folder = runs / experiment.name
    return steps.listed(steps_of(experiment, models_of(experiment, config, folder)), folder)


def models_of(experiment: Experiment, config: Path, folder: Path) -> Models:
    """Every model: the base, then the arms of the first seed, of the second ..."""
    base = trained(experiment, config, experiment.seeds[0], ())
    found = [Model(BASE, "base", BASE, "", base)]
    for arm, seed in _pairs(experiment):
        chosen = experiment.arms[arm]
        source = BASE if chosen.of == BASE else name_of(chosen.of, seed)
        train = trained(experiment, config, seed, chosen.set)
        if getattr(train, chosen.stage) is None:
            raise ConfigError(f"{config}: arm {arm!r} is made by {chosen.stage!r}, which {experiment.train} lacks")
        found.append(Model(name_of(arm, seed), chosen.label, chosen.stage, source, train))
    return Models(folder, found, experiment.expected_s)


def steps_of(experiment: Experiment, models: Models) -> list[Step]:
    """All steps: each model is examined as soon as it is there, so that a stopped experiment has something to show."""
    found = [models.making(BASE), *_examined(experiment, models, BASE, BASE, experiment.seeds[0])]
    for arm, seed in _pairs(experiment):
        name = name_of(arm, seed)
        found += [models.making(name), *_examined(experiment, models, name, arm, seed)]
    return found


def _pairs(experiment: Experiment) -> list[tuple[str, int]]:
    return [
        (name, seed)
        for number, seed in enumerate(experiment.seeds)
        for name, arm in experiment.arms.items()
        if number < arm.seeds
    ]


def _examined(experiment: Experiment, models: Models, name: str, arm: str, seed: int) -> list[Step]:
    chosen = experiment.evaluation
    found: list[Step] = []
    order: tuple[str, ...]
    if arm == BASE or experiment.arms[arm].evaluated:
        found.append(models.evaluation(name, chosen, episodes=chosen.episodes_of(name), width=chosen.width))
    ifeval = experiment.ifeval
    if ifeval is not None and (arm == BASE or arm in ifeval.arms) and seed in experiment.seeds[: ifeval.seeds]:
        order = (
            *("--suite", "ifeval", "--label", models.named[name].label),
            *("--episodes", str(ifeval.prompts), "--width", str(ifeval.width)),
            *("--max-tokens", str(ifeval.max_tokens), "--context-tokens", str(ifeval.context_tokens)),
        )
        found.append(_calling(models, "eval", f"ifeval_{name}", name, order, ifeval.prompts, ifeval.limit_s))
    edits = experiment.edits
    if edits is not None and arm in experiment.against and seed in experiment.seeds[: edits.seeds]:
        world = models.named[name].train.world
        order = (
            *("--harness", world.harness, "--set", f"scenario={world.scenario}"),
            *("--dev-seeds", ",".join(map(str, edits.dev_seeds)), "--test-seeds", ",".join(map(str, edits.test_seeds))),
            *(part for change in edits.set for part in ("--set", change)),
            *("--width", str(chosen.width), "--max-tokens", str(chosen.max_tokens)),
            *("--context-tokens", str(chosen.context_tokens)),
        )
        found.append(_calling(models, "edit-test", f"edits_{name}", name, order, 0, edits.limit_s))
    return found


def _calling(
    models: Models, command: str, step: str, name: str, order: tuple[str, ...], total: int, limit_s: float
) -> Step:
    kind = step.partition("_")[0]
    title = {"ifeval": "IFEval of", "edits": "edit the harness for"}[kind]
    return Step(
        step,
        f"{title} {models.named[name].label}",
        {"order": [*order]},
        models.calling(command, name, order, total=total, limit_s=limit_s),
        (name,),
        models.expected_s(step, kind) * (total / COUNT if kind == "ifeval" else 1.0),
    )
