"""The command ``livesim``: each command reads its options, imports what it needs, and calls one function."""

from __future__ import annotations

import dataclasses
import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from livesim import harness_cli, scenario_cli
from livesim.errors import ConfigError, LiveSimError

if TYPE_CHECKING:
    from livesim.evaluation.ifeval.answers import Answered
    from livesim.evaluation.run import Evaluation

E = TypeVar("E", "Evaluation", "Answered")

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Live-shopping streams and their hosts.")
app.add_typer(harness_cli.app, name="harness")
app.add_typer(scenario_cli.app, name="scenario")


@app.callback()
def _root() -> None:
    """Live-shopping streams hosted by an agent whose harness keeps changing."""


@app.command()
def play(
    agent: Annotated[str, typer.Option(help="oracle, random, ..., or react:URL of an OpenAI-compatible endpoint")] = (
        "oracle"
    ),
    seed: Annotated[int, typer.Option(min=0, help="of the episode")] = 7,
    scenario: Annotated[str | None, typer.Option(help="name or file; default: drawn from the seed")] = None,
    harness: Annotated[str, typer.Option(help="name or folder")] = "default",
    augment: Annotated[str | None, typer.Option(help="train, heldout, heldout:hook, ...")] = None,
    viewers: Annotated[str | None, typer.Option(help=f"{scenario_cli.VIEWERS}; default: the scenario's own")] = None,
    faults: Annotated[
        str | None, typer.Option(help="none, light, stress, outages or rush; default: the scenario's own")
    ] = None,
    serve: Annotated[str, typer.Option(help="whom to answer next: oldest, newest, buyers, module:function")] = "oldest",
    requests: Annotated[int, typer.Option(min=1, help="how many the episode holds")] = 3,
    prompt: Annotated[bool, typer.Option(help="show the system prompt too")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="write the episode to this file too")] = None,
    svg: Annotated[Path | None, typer.Option(help="save what is shown as a picture")] = None,
) -> None:
    """Play one episode and show it."""
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
    model: Annotated[
        str,
        typer.Option(help="folder, http(s) address of an OpenAI-compatible endpoint, or agent (oracle, novice, ...)"),
    ],
    suite: Annotated[
        str,
        typer.Option(
            help="comma-separated: live_stream_qa (T1, the original harness), harness_variant_qa (T2, changed ones), "
            "tool_prompt_robustness (T3, failing tools and mistyped comments); or ifeval (T4) by itself"
        ),
    ] = "live_stream_qa,harness_variant_qa",
    out: Annotated[Path | None, typer.Option(help="folder of the results; default: runs/eval/NAME")] = None,
    label: Annotated[str, typer.Option(help="name in the table; default: the model's own")] = "",
    harness: Annotated[str, typer.Option(help="name or folder of the original harness")] = "default",
    scenario: Annotated[str, typer.Option(help="name or file; empty: rooms drawn from the seed")] = "qa",
    viewers: Annotated[str | None, typer.Option(help=f"{scenario_cli.VIEWERS}; default: the scenario's own")] = None,
    episodes: Annotated[
        str,
        typer.Option(
            help="64, or live_stream_qa=48,harness_variant_qa=144; default: 64 of each, all prompts of ifeval"
        ),
    ] = "",
    seed: Annotated[int, typer.Option(min=0, help="of tasks and harness variants")] = 0,
    wording: Annotated[str, typer.Option(help="of the viewers: heldout (no training heard it) or train")] = "heldout",
    width: Annotated[int, typer.Option(min=1, help="episodes at once")] = 32,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="of one turn; default: 96, for ifeval 1280")] = None,
    context_tokens: Annotated[int, typer.Option(min=64, help="of a whole request, for a folder")] = 2048,
    temperature: Annotated[float, typer.Option(min=0.0, help="0 is greedy")] = 0.0,
    served: Annotated[str, typer.Option(help="name of the model at an endpoint; default: the first one it lists")] = "",
    lost: Annotated[float, typer.Option(min=0.0, max=1.0, help="share of episodes the provider may lose")] = 0.02,
    against: Annotated[
        Path | None, typer.Option(help="--out of another evaluation of the same suites and tasks, to compare with")
    ] = None,
) -> None:
    """Evaluate a model on suites.

    Each episode is on disk when it ends, and the same command goes on where it stopped. A trained model belongs on the
    harness, scenario and wording that it was trained for: evaluate it with those of its run.

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
    episodes: Annotated[list[Path], typer.Argument(help="JSONL of eval, JSON of play, or folders of JSONL")],
    judge: Annotated[str, typer.Option(help="rules, or llm:URL[@MODEL] of an OpenAI-compatible endpoint")],
    votes: Annotated[int, typer.Option(min=1, help="of a model, for each head")] = 3,
    cache: Annotated[Path, typer.Option(help="folder of verdicts already given")] = Path("runs/judge"),
    trained_with: Annotated[str, typer.Option(help="judge of the training; warns when it is the same")] = "rules",
    out: Annotated[Path | None, typer.Option(help="write every request with both values here (JSONL)")] = None,
    show: Annotated[int, typer.Option(min=0, help="changed values that are listed")] = 20,
) -> None:
    """Score stored episodes again by another judge, without a replay."""
    from livesim.evaluation.regrade import run

    typer.echo(run(episodes, judge, votes=votes, cache=cache, trained_with=trained_with, out=out, show=show))


@app.command()
def validate(
    out: Annotated[Path, typer.Option(help="folder of table, JSON and pictures")] = Path("runs/validate"),
    quick: Annotated[bool, typer.Option("--quick", help="a minute and a half instead of several")] = False,
    part: Annotated[
        list[str] | None, typer.Option(help="marginals, effects, monotone, noise or ranking; default: all")
    ] = None,
) -> None:
    """Validate the simulator against what is known of real rooms; exit code 1 when something does not hold."""
    from livesim.validation.battery import run

    report = run(out, quick=quick, parts=part or ())
    typer.echo(f"{report.text}\n\nresults: {out}")
    if report.failing:
        raise typer.Exit(1)


@app.command()
def evolve(
    out: Annotated[Path, typer.Option(help="folder of everything; the same one goes on where it stopped")],
    agent: Annotated[str, typer.Option(help="folder of a model, http(s) address, or agent")] = "novice",
    suite: Annotated[str, typer.Option(help="of the dev set, comma-separated")] = "live_stream_qa",
    harness: Annotated[str, typer.Option(help="name or folder to begin with; it is not touched")] = "compact",
    proposer: Annotated[str, typer.Option(help="rules, or http://HOST/v1#MODEL")] = "rules",
    yes: Annotated[bool, typer.Option("--yes", help="confirm every edit")] = False,
    scenario: Annotated[str, typer.Option(help="name or file; empty: rooms drawn from the seed")] = "qa",
    episodes: Annotated[int, typer.Option(min=1, help="of each suite for each seed")] = 120,
    seeds: Annotated[str, typer.Option(help="of the dev set, comma-separated")] = "0",
    steps: Annotated[int, typer.Option(min=0, help="at most so many after the baseline")] = 12,
    edits: Annotated[int, typer.Option(min=1, help="at most so many in one step")] = 3,
    keep_all: Annotated[bool, typer.Option(help="publish every step, to see where more rules harm")] = False,
    toolbox: Annotated[str, typer.Option(help="module:object: a Toolbox with tools of your own")] = "",
) -> None:
    """Evolve a harness without touching the model: diagnose, confirm, edit, evaluate, publish or roll back."""
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
    agent: Annotated[list[str], typer.Option(help="LABEL=WHAT: a frozen model's folder, address or agent")],
    out: Annotated[Path, typer.Option(help="folder of everything; the same one goes on where it stopped")],
    harness: Annotated[str, typer.Option(help="name or folder to begin with; it is not touched")] = "compact",
    harness_of: Annotated[str, typer.Option(help="LABEL whose evolved harness all get; default: each its own")] = "",
    dev_seeds: Annotated[str, typer.Option(help="that the evolution sees, comma-separated")] = "0",
    test_seeds: Annotated[str, typer.Option(help="that it does not see")] = "1",
    change: Annotated[list[str] | None, typer.Option("--set", help="of the evolution: episodes=60, steps=4")] = None,
    width: Annotated[int, typer.Option(min=1, help="episodes at once")] = 32,
    max_tokens: Annotated[int, typer.Option(min=1, help="of one turn")] = 96,
    context_tokens: Annotated[int, typer.Option(min=64, help="of a whole request, for a folder")] = 2048,
    toolbox: Annotated[str, typer.Option(help="module:object: a Toolbox with tools of your own")] = "",
) -> None:
    """Evolve the harness on dev for frozen models and measure on test how much of their error is gone."""
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
    config: Annotated[Path, typer.Option(help="training file with a section evaluation, or an experiment")] = Path(
        "configs/cpu/quick.yaml"
    ),
    runs: Annotated[Path, typer.Option(help="folder of all runs")] = Path("runs"),
    change: Annotated[list[str] | None, typer.Option("--set", help="key.sub=value")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="list the steps and about how long they take")] = False,
) -> None:
    """Train, evaluate and report: the main job. Run again to go on where it stopped."""
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
