"""The command ``livesim``: each command reads its options, imports what it needs, and calls one function."""

from __future__ import annotations

import dataclasses
import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from livesim import harness_cli, options, scenario_cli
from livesim.errors import ConfigError, LiveSimError

if TYPE_CHECKING:
    from livesim.evaluation.ifeval.answers import Answered
    from livesim.evaluation.run import Evaluation

E = TypeVar("E", "Evaluation", "Answered")

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Live-shopping streams with an AI host whose harness changes: play, evaluate, train, evolve, validate.",
)
app.add_typer(harness_cli.app, name="harness")
app.add_typer(scenario_cli.app, name="scenario")


@app.callback()
def _root() -> None:
    """Live-shopping streams hosted by an agent whose harness keeps changing."""


@app.command()
def play(
    agent: options.Agent = "oracle",
    seed: Annotated[int, typer.Option(min=0, help="decides the room, its viewers and the harness variant")] = 7,
    scenario: Annotated[
        str | None, typer.Option(help="name (livesim scenario list) or YAML file; default: drawn from the seed")
    ] = None,
    harness: Annotated[str, typer.Option(help="default, compact, or a harness folder")] = "default",
    augment: options.Augment = None,
    viewers: options.Viewers = None,
    faults: options.Faults = None,
    serve: Annotated[
        str, typer.Option(help="whose comment is answered next: oldest, newest, buyers, or module:function")
    ] = "oldest",
    requests: Annotated[int, typer.Option(min=1, help="how many requests of viewers the episode holds at most")] = 3,
    prompt: Annotated[bool, typer.Option(help="show the system prompt too")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="also write the episode to this file")] = None,
    svg: Annotated[Path | None, typer.Option(help="also save what is shown as an SVG picture in this file")] = None,
) -> None:
    """Play one episode and show it.

    livesim play --seed 7 --augment heldout --faults stress

    livesim play --agent react:http://127.0.0.1:8000/v1 --scenario flash_sale
    """
    import gymnasium
    from rich.console import Console

    from livesim import roster
    from livesim.rollout import play as play_episode
    from livesim.show import show

    player = roster.agent(agent)
    env = gymnasium.make(
        "LiveStream-v0",
        scenario=scenario,
        harness=harness,
        augment=augment,
        viewers=scenario_cli.here(viewers),
        faults=faults,
        serve=scenario_cli.here(serve),
        requests=requests,
        disable_env_checker=True,
    )
    episode = play_episode(player, env, seed)
    console = Console() if svg is None else Console(record=True, width=110)
    show(episode, console, prompt=prompt)
    if svg is not None:
        import re

        picture = console.export_svg(title=f"livesim play --agent {agent} --seed {seed}")
        svg.parent.mkdir(parents=True, exist_ok=True)
        # A picture must not fetch fonts from anywhere: the reader's own monospace font does.
        svg.write_text(re.sub(r"@font-face \{.*?\}\n", "", picture, flags=re.DOTALL), encoding="utf-8")
    if json_file is not None:
        json_file.parent.mkdir(parents=True, exist_ok=True)
        json_file.write_text(episode.to_json() + "\n", encoding="utf-8")


@app.command("eval")
def evaluate(
    model: options.Model,
    suite: options.Suites = "live_stream_qa,harness_variant_qa",
    out: Annotated[Path | None, typer.Option(help="folder of the results; default: runs/eval/NAME")] = None,
    label: Annotated[str, typer.Option(help="name in the table; default: the model's own")] = "",
    harness: Annotated[str, typer.Option(help="original harness: default, compact, or a folder")] = "default",
    scenario: options.Room = "qa",
    viewers: options.Viewers = None,
    episodes: Annotated[
        str,
        typer.Option(
            help="how many of each suite, or SUITE=NUMBER,SUITE=NUMBER; default: 64 of each, all 541 of ifeval"
        ),
    ] = "",
    seed: Annotated[int, typer.Option(min=0, help="decides tasks and harness variants")] = 0,
    wording: Annotated[str, typer.Option(help="phrases of the viewers: heldout (in no training) or train")] = "heldout",
    width: options.Width = 32,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, help="most tokens of one turn; default: 96, for ifeval 1280")
    ] = None,
    context_tokens: options.ContextTokens = 2048,
    temperature: Annotated[float, typer.Option(min=0.0, help="sampling temperature; 0 is greedy")] = 0.0,
    served: Annotated[str, typer.Option(help="name of the model at an endpoint; default: the first one it lists")] = "",
    lost: Annotated[
        float,
        typer.Option(min=0.0, max=1.0, help="share of episodes that may end without a completion"),
    ] = 0.02,
    against: Annotated[
        Path | None,
        typer.Option(help="folder (--out) of another evaluation of the same suites and tasks: adds paired differences"),
    ] = None,
) -> None:
    """Evaluate a model on suites.

    Each episode is on disk when it ends; the same command goes on where it stopped.
    Evaluate a trained model with the harness, scenario and wording of its training.

    livesim eval --model oracle --episodes 12

    livesim eval --model runs/quick/rl/model --harness compact --scenario qa_links --wording train --max-tokens 64

    livesim eval --model http://127.0.0.1:8000/v1 --suite harness_variant_qa --against runs/eval/other

    livesim eval --model runs/quick/rl/model --suite ifeval --episodes 50
    """
    from livesim.evaluation.command import Order, comparable, counts, default_out, run
    from livesim.evaluation.hosts import HostConfig
    from livesim.evaluation.run import load
    from livesim.evaluation.suites import wording_of
    from livesim.evaluation.table import render

    config = HostConfig(
        width=width,
        max_tokens=max_tokens or HostConfig().max_tokens,
        context_tokens=context_tokens,
        temperature=temperature,
        served=served,
    )
    if suite == "ifeval":
        from livesim.evaluation.ifeval import answers
        from livesim.evaluation.ifeval import command as ifeval

        base = None if against is None else answers.load(against)  # before hours are spent
        out = out or default_out(f"{model}-ifeval")
        count = ifeval.number(episodes)
        config = dataclasses.replace(config, max_tokens=max_tokens or ifeval.MAX_TOKENS)
        with _stopped_by_hand():
            answered = ifeval.run(model, out, label=label, count=count, config=config, error_share=lost)
        if base is not None and against is not None:
            base = _apart(base, answered.label, against)
        typer.echo(f"{ifeval.render(answered, base)}\n\nresults: {out}")
        return
    order = Order(
        model=model,
        suites=suite,
        out=out or default_out(model),
        label=label,
        harness=harness,
        scenario=scenario or None,
        viewers=scenario_cli.here(viewers),
        episodes=counts(episodes, suite),
        seed=seed,
        wording=wording_of(wording),
        config=config,
        error_share=lost,
    )
    other = None if against is None else load(against)
    if other is not None:
        comparable(order, other)
    with _stopped_by_hand():
        evaluation = run(order)
    if other is None or against is None:
        typer.echo(render([evaluation]))
    else:
        other = _apart(other, evaluation.label, against)
        typer.echo(render([other, evaluation], (evaluation.label, other.label)))
    typer.echo(f"\nresults: {order.out}")


@app.command()
def regrade(
    episodes: Annotated[
        list[Path], typer.Argument(help="JSONL files of eval, JSON files of play, or folders of such JSONL")
    ],
    judge: Annotated[str, typer.Option(help="rules, or llm:URL or llm:URL#MODEL of an OpenAI-compatible endpoint")],
    votes: Annotated[int, typer.Option(min=1, help="answers of a model judge for each head; their median counts")] = 3,
    cache: Annotated[Path, typer.Option(help="folder of verdicts; none is asked for twice")] = Path("runs/judge"),
    trained_with: Annotated[
        str, typer.Option(help="judge that the training used; warns when --judge is the same one")
    ] = "rules",
    out: Annotated[Path | None, typer.Option(help="write every request with both values here (JSONL)")] = None,
    show: Annotated[int, typer.Option(min=0, help="how many changed values are listed")] = 20,
) -> None:
    """Score stored episodes again by another judge, without a replay.

    livesim regrade runs/quick/eval_rl --judge llm:http://127.0.0.1:8000/v1#MODEL
    """
    from livesim.evaluation.regrade import run

    typer.echo(run(episodes, judge, votes=votes, cache=cache, trained_with=trained_with, out=out, show=show))


@app.command()
def validate(
    out: Annotated[Path, typer.Option(help="folder for the table, JSON and pictures")] = Path("runs/validate"),
    quick: Annotated[bool, typer.Option("--quick", help="fewer rooms: 90 seconds, not several minutes")] = False,
    part: Annotated[
        list[str] | None,
        typer.Option(help="marginals, effects, monotone, noise or ranking; repeat for several; default: all"),
    ] = None,
) -> None:
    """Validate the simulator against what is known of real rooms; exit code 1 when something does not hold.

    livesim validate --quick --part effects --part monotone
    """
    from livesim.validation.battery import run

    report = run(out, quick=quick, parts=part or ())
    typer.echo(f"{report.text}\n\nresults: {out}")
    if report.failing:
        raise typer.Exit(1)


@app.command()
def evolve(
    out: options.Results,
    agent: options.Model = "novice",
    suite: Annotated[
        str, typer.Option(help="suites of the dev set, comma-separated; names as in livesim eval --help")
    ] = "live_stream_qa",
    harness: options.Start = "compact",
    proposer: Annotated[str, typer.Option(help="who proposes edits: rules, or a model http://HOST/v1#MODEL")] = "rules",
    yes: Annotated[bool, typer.Option("--yes", help="confirm every edit without asking")] = False,
    scenario: options.Room = "qa",
    episodes: Annotated[int, typer.Option(min=1, help="dev episodes of each suite for each seed")] = 120,
    seeds: Annotated[str, typer.Option(help="seeds of the dev set, comma-separated")] = "0",
    steps: Annotated[int, typer.Option(min=0, help="most steps after the baseline")] = 12,
    edits: Annotated[int, typer.Option(min=1, help="most edits in one step")] = 3,
    keep_all: Annotated[bool, typer.Option(help="publish every step, to see where more rules harm")] = False,
    toolbox: options.Toolbox = "",
) -> None:
    """Evolve a harness without touching the model: diagnose, confirm, edit, evaluate, publish or roll back.

    livesim evolve --agent novice --out runs/evolve/novice

    livesim evolve --agent http://127.0.0.1:8000/v1 --harness my_harness --out runs/evolve/mine --yes
    """
    from livesim.evolution.command import Order, run
    from livesim.evolution.settings import EvolveConfig

    config = EvolveConfig(
        suites=suite,
        scenario=scenario or None,
        episodes=episodes,
        seeds=_numbers("--seeds", seeds),
        steps=steps,
        edits=edits,
        keep_all=keep_all,
    )
    trail = run(Order(agent, out, harness, proposer, yes, config, toolbox=toolbox))
    typer.echo(f"stopped: {trail.stopped}\nharness: {out / 'harness'}\nreport: {out / 'evolution.md'}")


@app.command("edit-test")
def edit_test(
    agent: Annotated[
        list[str], typer.Option(help="LABEL=WHAT, a frozen model: its folder, address or agent; repeat for several")
    ],
    out: options.Results,
    harness: options.Start = "compact",
    harness_of: Annotated[
        str, typer.Option(help="LABEL whose evolved harness all models get; default: each gets its own")
    ] = "",
    dev_seeds: Annotated[str, typer.Option(help="seeds of the tasks that the evolution sees, comma-separated")] = "0",
    test_seeds: Annotated[str, typer.Option(help="seeds of the tasks that it does not see, comma-separated")] = "1",
    change: Annotated[
        list[str] | None,
        typer.Option("--set", help="override a setting of the evolution, e.g. steps=4; repeat for several"),
    ] = None,
    width: options.Width = 32,
    max_tokens: Annotated[int, typer.Option(min=1, help="most tokens of one turn")] = 96,
    context_tokens: options.ContextTokens = 2048,
    toolbox: options.Toolbox = "",
) -> None:
    """Evolve the harness on dev for frozen models and measure on test how much of their error is gone.

    livesim edit-test --agent careful=novice --agent careless=novice:0.3 --harness-of careful --out runs/edit_test
    """
    from livesim.evaluation.hosts import HostConfig
    from livesim.evolution import heldout

    results = heldout.heldout_edit_test(
        heldout.labelled(agent),
        _numbers("--dev-seeds", dev_seeds),
        _numbers("--test-seeds", test_seeds),
        out=out,
        harness=harness,
        config=heldout.settings(tuple(change or ())),
        harness_of=harness_of,
        host_config=HostConfig(width=width, max_tokens=max_tokens, context_tokens=context_tokens),
        toolbox=toolbox,
    )
    typer.echo(heldout.table(results))


@app.command("run")
def run_pipeline(
    config: Annotated[
        Path, typer.Option(help="training file with a section evaluation, or an experiment with arms")
    ] = Path("configs/cpu/quick.yaml"),
    runs: Annotated[Path, typer.Option(help="folder of all runs; this one is in RUNS/name of the file")] = Path("runs"),
    change: Annotated[
        list[str] | None, typer.Option("--set", help="override a field, e.g. rl.steps=8; repeat for several")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="list the steps and about how long they take")] = False,
) -> None:
    """Train, evaluate and report: the main job. Run again to go on where it stopped.

    livesim run

    livesim run --config configs/reproduce.yaml --dry-run
    """
    from livesim.pipeline import experiment, job

    changes = tuple(change or ())
    work = experiment if experiment.is_one(config) else job
    if dry_run:
        typer.echo(work.listed(config, runs, changes))
        return
    with _stopped_by_hand():
        text, report = work.run(config, runs, changes)
    typer.echo(f"{text}\n\nreport: {report}")


def _numbers(option: str, text: str) -> tuple[int, ...]:
    """The whole numbers of a comma-separated list. Raises ConfigError naming the option."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise ConfigError(f"{option} {text!r}: write whole numbers, comma-separated") from None


def _apart(other: E, label: str, folder: Path) -> E:
    """``other`` under a name of its own, where it has the label of the evaluation that it is compared with."""
    return dataclasses.replace(other, label=f"{label} ({folder})") if other.label == label else other


@contextmanager
def _stopped_by_hand() -> Iterator[None]:
    """Tells who stops resumable work with Ctrl-C how it goes on."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("\nstopped; the same command goes on from there", err=True)
        raise typer.Exit(130) from None


def main() -> None:
    """Run the command line; an expected error is one line and exit code 2, and so is what the disk refuses."""
    try:
        app()
    except LiveSimError as error:
        told = str(error)
    except OSError as error:
        full = error.errno == errno.ENOSPC
        told = f"{error}{'; make room and run the same command again: what was written is kept' if full else ''}"
    else:
        return
    typer.echo(f"error: {told}", err=True)
    raise SystemExit(2)


if __name__ == "__main__":
    main()
