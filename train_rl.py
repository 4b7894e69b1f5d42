"""Trains a live-stream host; ``python train_rl.py --config configs/cpu/quick.yaml``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from livesim.training.process import Progress
    from livesim.training.settings import Stage, TrainConfig

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    config: Annotated[Path, typer.Option(help="The run as YAML, e.g. configs/cpu/quick.yaml.")],
    stage: Annotated[
        list[str] | None, typer.Option(help="sft, opd or rl; may be given several times. Default: all in the file.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Compose, validate and print verl's configurations; load nothing.")
    ] = False,
    change: Annotated[
        list[str] | None,
        typer.Option("--set", help="Override a field, e.g. rl.steps=8; may be given several times."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Where runs are kept; this one goes to OUT/<name>.")] = Path("runs"),
) -> None:
    """Run the stages sft, opd and rl of a configuration on verl, Ray and vLLM.

    Each stage leaves OUT/<name>/<stage>/model, with log, metrics and data card beside it.
    A stage that is done with the same settings is skipped.
    A stopped one goes on from its last checkpoint, if it keeps any (save_every).

    python train_rl.py --config configs/cpu/quick.yaml --stage rl --set rl.steps=8
    """
    from livesim.errors import LiveSimError, unknown
    from livesim.training.settings import Stage, load

    try:
        train = load(config, tuple(change or ()))
        chosen = []
        for name in stage or ():
            if name not in list(Stage):
                raise typer.BadParameter(unknown("stage", name, list(Stage)))
            chosen.append(Stage(name))
        if dry_run:
            _show(train, chosen)
            return
        _train(train, chosen, out / train.name)
    except LiveSimError as error:
        typer.secho(f"{type(error).__name__}: {error}", fg="red", err=True)
        raise typer.Exit(1) from None


def _show(train: TrainConfig, chosen: list[Stage]) -> None:
    """Print the composed and validated configs."""
    import os

    from omegaconf import OmegaConf

    from livesim.training.environment import engine_environment
    from livesim.training.verl_config import compose, planned, validate

    os.environ.update(engine_environment(train.engine.device))
    for stage, overrides in planned(train).items():
        if chosen and stage not in chosen:
            continue
        composed = compose(stage, overrides)
        validate(stage, composed)
        typer.secho(f"# {stage}: valid; {len(overrides)} overrides of verl's defaults", fg="green")
        for override in overrides:
            typer.echo(f"#   {override}")
        typer.echo(OmegaConf.to_yaml(composed, resolve=False))


def _train(train: TrainConfig, chosen: list[Stage], folder: Path) -> None:
    """Run with a progress bar."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from livesim.training.run import run_stages

    console = Console()
    columns = (
        TextColumn("{task.description:4}"),
        BarColumn(30),
        TextColumn("{task.fields[told]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as bars:
        tasks = {}

        def watch(stage: Stage, progress: Progress_) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=1.0, told="starting the engines")
            bars.update(tasks[stage], completed=progress.share, told=_told(progress))

        def begin(stage: Stage, model: Path) -> None:
            console.print(f"{stage}: starts from {model}")

        made = run_stages(train, folder, chosen, watch, begin)
    for stage, model in made.items():
        console.print(f"{stage}: {model}")


def _told(progress: Progress_) -> str:
    """What is said beside the bar."""
    if not progress.step:
        return "starting the engines"
    left = "" if progress.left_s is None else f", about {progress.left_s / 60:.1f} min left"
    shown = {
        "train/loss": "loss",
        "actor/distillation/loss": "loss",
        "heads/total/mean": "reward",
        "training/rollout_actor_probs_pearson_corr": "r",
    }
    values = " ".join(
        f"{short} {progress.metrics[name]:.3f}" for name, short in shown.items() if name in progress.metrics
    )
    return f"step {progress.step}/{progress.steps} {values}{left}"


if TYPE_CHECKING:
    Progress_ = Progress

if __name__ == "__main__":
    app()
