"""``make run``: base -> fixed SFT -> HSA-SFT -> OPD -> HSA-RL -> evaluation -> table and report, resumable."""

from __future__ import annotations

import datetime
import fcntl
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from livesim.errors import ConfigError, TrainingError
from livesim.evaluation import table
from livesim.evaluation.report import Report, write
from livesim.evaluation.run import Evaluation, load
from livesim.harness import shelf
from livesim.pipeline import child, steps
from livesim.pipeline.curves import curves
from livesim.pipeline.machine import Memory, describe
from livesim.pipeline.plan import LABELS, PipelineConfig, label, plan
from livesim.pipeline.steps import Clock, Step, Tick
from livesim.pipeline.watcher import Lines, spoken
from livesim.training.process import Progress
from livesim.training.run import starting_model
from livesim.training.settings import Stage, TrainConfig
from livesim.training.settings import load as load_config
from livesim.types import JsonValue

EXPECTED_S = {"base": 20.0, "fixed": 240.0, "sft": 480.0, "opd": 180.0, "rl": 300.0, "eval": 90.0, "alone": 60.0}
LIMIT_S = 3600.0  # of one evaluation


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
    memory = _Watch()
    with _alone(folder):
        (folder / "config.json").write_text(train.model_dump_json(indent=2) + "\n", encoding="utf-8")
        seconds = steps.run(_steps(train, pipeline, folder), folder, memory)
        evaluations = [load(folder / f"eval_{name}") for name in pipeline.models]
        alone = [load(folder / "eval_alone")] if pipeline.alone else []
        against = _against(train, pipeline)
        report = folder / "report.html"
        write(_report(train, folder, evaluations, alone, against, seconds, memory.memory), report)
    parts = [table.render(evaluations, against)]
    if alone:
        parts.append(table.latency_table(alone, "latency of a request served alone").text())
    text = "\n\n".join(parts)
    (folder / "table.txt").write_text(text + "\n", encoding="utf-8")
    return text, report


class _Watch(Lines):
    """The lines, and the memory behind them."""

    def __init__(self) -> None:
        super().__init__()
        self.memory = Memory()

    def tick(self, step: Step, share: float, elapsed_s: float, clock: Clock) -> None:
        """Sample and say."""
        self.memory.sample()
        super().tick(step, share, elapsed_s, clock)


def _steps(train: TrainConfig, pipeline: PipelineConfig, folder: Path) -> list[Step]:
    models: dict[str, Path] = {}

    def expected(name: str, kind: str) -> float:
        return pipeline.expected_s.get(name, EXPECTED_S[kind])

    def base(work: Path, tick: Tick) -> None:
        models["base"] = starting_model(train)

    whole: dict[str, JsonValue] = train.model_dump(mode="json")
    shared: dict[str, JsonValue] = {key: whole[key] for key in ("seed", "world", "engine")}
    found = [Step("base", "base model", {"model": train.model}, base, expected_s=expected("base", "base"))]
    before: dict[str, str] = {"fixed": "base"}
    last = "base"
    for stage in train.stages():
        before[stage] = last
        last = str(stage)
    for name in (*(["fixed"] if train.fixed else []), *(str(s) for s in train.stages())):
        inputs: dict[str, JsonValue] = {**shared, "config": whole[name]}
        if name in ("fixed", "sft"):
            inputs["teacher"] = train.teacher
        needs = tuple(dict.fromkeys(("base", before[name])))
        work = _train(name, before[name], train, models)
        found.append(Step(name, f"train {label(name, train)}", inputs, work, needs, expected(name, name)))
    harness = shelf.load(train.world.harness).hash
    for name in pipeline.models:
        episodes = pipeline.episodes | (pipeline.base_episodes if name == "base" else {})
        order = _order(train, pipeline, folder, name, label(name, train), episodes, pipeline.width)
        inputs = {"order": [*order], "harness": harness}
        title = f"evaluate {label(name, train)}"
        work = _evaluate(order, name, train, models, sum(episodes.values()), folder)
        found.append(Step(f"eval_{name}", title, inputs, work, (name,), expected(f"eval_{name}", "eval")))
    if pipeline.alone:
        order = _order(train, pipeline, folder, "alone", label(last, train), {"live_stream_qa": pipeline.alone}, 1)
        work = _evaluate(order, last, train, models, pipeline.alone, folder)
        inputs = {"order": [*order], "harness": harness}
        found.append(Step("eval_alone", "latency of one request", inputs, work, (last,), expected("alone", "alone")))
    _know(models, train, folder)
    return found


def _know(models: dict[str, Path], train: TrainConfig, folder: Path) -> None:
    """Where the models of steps that are skipped lie."""
    for name in (*(["fixed"] if train.fixed else []), *(str(s) for s in train.stages())):
        models[name] = (folder / name / "model").resolve()


def _train(name: str, source: str, train: TrainConfig, models: dict[str, Path]) -> Callable[[Path, Tick], None]:
    def work(folder: Path, tick: Tick) -> None:
        def watch(progress: Progress) -> None:
            tick(progress.share)

        start = _model(source, train, models)
        models[name] = _stage(name, train, start, _model("base", train, models), folder, watch)

    return work


def _stage(
    name: str, train: TrainConfig, start: Path, base: Path, folder: Path, watch: Callable[[Progress], None]
) -> Path:
    from livesim.training.stages import opd, rl, sft

    if name == "fixed" and train.fixed is not None:
        return sft.run(train, train.fixed, start, folder, watch)
    if name == Stage.SFT and train.sft is not None:
        return sft.run(train, train.sft, start, folder, watch)
    if name == Stage.OPD and train.opd is not None:
        return opd.run(train, train.opd, start, base, folder, watch)
    if name == Stage.RL and train.rl is not None:
        return rl.run(train, train.rl, start, folder, watch)
    raise TrainingError(f"the file configures no stage {name!r}")


def _model(name: str, train: TrainConfig, models: dict[str, Path]) -> Path:
    if name == "base" and "base" not in models:
        models["base"] = starting_model(train)
    return models[name]


def _order(
    train: TrainConfig,
    pipeline: PipelineConfig,
    folder: Path,
    name: str,
    called: str,
    episodes: Mapping[str, int],
    width: int,
) -> tuple[str, ...]:
    """Options of ``livesim eval``, the model apart."""
    return (
        *("--label", called),
        *("--suite", ",".join(episodes)),
        *("--episodes", ",".join(f"{suite}={count}" for suite, count in episodes.items())),
        *("--harness", train.world.harness),
        *("--scenario", train.world.scenario),
        *("--seed", str(pipeline.seed)),
        *("--wording", str(pipeline.wording)),
        *("--width", str(width)),
        *("--max-tokens", str(pipeline.max_tokens)),
        *("--context-tokens", str(pipeline.context_tokens)),
    )


def _evaluate(
    order: tuple[str, ...], name: str, train: TrainConfig, models: dict[str, Path], total: int, folder: Path
) -> Callable[[Path, Tick], None]:
    def work(out: Path, tick: Tick) -> None:
        def watch() -> None:
            tick(min(1.0, sum(map(_lines, out.glob("*.jsonl"))) / total))

        # A process of its own: an engine gives its memory back only when its process ends.
        command = [sys.executable, "-m", "livesim.cli", "eval", "--model", str(_model(name, train, models).resolve())]
        child.run(
            [*command, "--out", str(out.resolve()), *order],
            folder / "logs" / f"{out.name}.txt",
            watch=watch,
            limit_s=LIMIT_S,
        )

    return work


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


def _against(train: TrainConfig, pipeline: PipelineConfig) -> tuple[str, str] | None:
    stages = [str(s) for s in train.stages() if str(s) in pipeline.models]
    if not stages or "fixed" not in pipeline.models:
        return None
    return label(stages[-1], train), label("fixed", train)


def _report(
    train: TrainConfig,
    folder: Path,
    evaluations: list[Evaluation],
    alone: list[Evaluation],
    against: tuple[str, str] | None,
    seconds: Mapping[str, float],
    memory: Memory,
) -> Report:
    names = {name: label(name, train) for name in LABELS}
    facts = [
        ("date", datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")),
        ("machine", describe()),
        ("all steps", spoken(sum(seconds.values()))),
        *((f"step {name}", spoken(took)) for name, took in seconds.items()),
    ]
    if memory.peak_gib:
        facts.append(("most memory in this call", f"{memory.peak_gib:.1f} GiB"))
    return Report(
        title=f"livesim run: {train.name}",
        evaluations=tuple(evaluations),
        against=against,
        curves=curves({name: folder / name for name in names}, names),
        facts=tuple(facts),
        config=train.model_dump_json(indent=2),
        alone=tuple(alone),
    )


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process a run at a time. The kernel drops the lock when the process dies."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConfigError(f"another process works on {folder}; wait for it or choose another name") from None
        yield
