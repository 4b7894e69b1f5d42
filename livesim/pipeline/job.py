"""``make run``: base -> fixed SFT -> HSA-SFT -> OPD -> HSA-RL -> evaluation -> table and report, resumable."""

from __future__ import annotations

from pathlib import Path

from livesim.evaluation import table
from livesim.evaluation.report import Report, write
from livesim.evaluation.run import load
from livesim.pipeline import steps
from livesim.pipeline.curves import curves
from livesim.pipeline.models import Model, Models
from livesim.pipeline.plan import BASE, PipelineConfig, label, plan
from livesim.pipeline.running import Watch, facts
from livesim.pipeline.steps import Step
from livesim.training.lock import locked
from livesim.training.settings import TrainConfig
from livesim.training.settings import load as load_config
from livesim.whole import write_whole


def run(config: Path, runs: Path = Path("runs"), changes: tuple[str, ...] = ()) -> tuple[str, Path]:
    """Carry out the whole job, or what of it is not done yet.

    Args:
        config: training file with a section ``evaluation``.
        runs: folder of all runs; this one is ``runs/<name>``.
        changes: ``key.sub=value`` overrides of the file.

    Returns:
        The tables as text, and the report.

    Raises:
        ConfigError: a wrong file, or another process works on this run.
        LiveSimError: a step failed; the message says where its log is. Run again to go on.
    """
    train = load_config(config, changes)
    pipeline = plan(train, config)
    folder = runs / train.name
    models = _models(train, pipeline, folder)
    watch = Watch()
    with locked(folder):
        write_whole(folder / "config.json", train.model_dump_json(indent=2) + "\n")
        seconds = steps.run(_steps(pipeline, models), folder, watch)
        evaluations = tuple(load(folder / f"eval_{name}") for name in pipeline.models)
        alone = (load(folder / "eval_alone"),) if pipeline.alone else ()
        against = _against(train, pipeline)
        report = Report(
            title=f"livesim run: {train.name}",
            evaluations=evaluations,
            against=against,
            curves=curves([*models.named.values()], folder),
            facts=facts(seconds, watch.memory),
            config=train.model_dump_json(indent=2),
            alone=alone,
        )
        write(report, folder / "report.html")
        parts = [table.render(evaluations, against)]
        if alone:
            parts.append(table.latency_table(alone, "latency of a request, served alone").text())
        text = "\n\n".join(parts)
        write_whole(folder / "table.txt", text + "\n")
    return text, folder / "report.html"


def listed(config: Path, runs: Path = Path("runs"), changes: tuple[str, ...] = ()) -> str:
    """The steps of the job, what each needs, and about how long it takes; nothing is run."""
    train = load_config(config, changes)
    pipeline = plan(train, config)
    folder = runs / train.name
    return steps.listed(_steps(pipeline, _models(train, pipeline, folder)), folder)


def _models(train: TrainConfig, pipeline: PipelineConfig, folder: Path) -> Models:
    found = [Model(BASE, label(BASE, train), BASE, "", train)]
    if train.fixed:
        found.append(Model("fixed", label("fixed", train), "fixed", BASE, train))
    last = BASE
    for stage in train.stages():
        found.append(Model(str(stage), label(stage, train), str(stage), last, train))
        last = str(stage)
    return Models(folder, found, pipeline.expected_s)


def _steps(pipeline: PipelineConfig, models: Models) -> list[Step]:
    found = [models.making(name) for name in models.named]
    for name in pipeline.models:
        found.append(models.evaluation(name, pipeline, episodes=pipeline.episodes_of(name), width=pipeline.width))
    if pipeline.alone:
        last, episodes = [*models.named][-1], {"live_stream_qa": pipeline.alone}
        found.append(models.evaluation(last, pipeline, step="eval_alone", episodes=episodes, width=1))
    return found


def _against(train: TrainConfig, pipeline: PipelineConfig) -> tuple[str, str] | None:
    stages = [str(s) for s in train.stages() if str(s) in pipeline.models]
    if not stages or "fixed" not in pipeline.models:
        return None
    return label(stages[-1], train), label("fixed", train)
