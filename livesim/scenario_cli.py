"""``livesim scenario ...``: list the shipped scenarios, lint files, play them and see the verdict."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from livesim.errors import LiveSimError
from livesim.options import Agent, Viewers

if TYPE_CHECKING:
    from livesim.regression.play import Rehearsal

app = typer.Typer(
    no_args_is_help=True,
    help="Scenarios as regression tests. One YAML file says who writes what when, what happens on the way, and what "
    "must and must not come of it; docs/scenarios.md has a worked example.",
)

Which = Annotated[
    list[str] | None,
    typer.Argument(
        help="files, folders (their *.scenario.yaml, or else every *.yaml), names or families of livesim scenario "
        "list; default: every shipped test",
        show_default=False,
    ),
]


Name = TypeVar("Name", str, str | None)


def here(name: Name) -> Name:
    """The same name; a module of the user's own is looked for in the working directory too."""
    if name and ":" in name and "" not in sys.path:
        sys.path.insert(0, "")
    return name


@app.command("list")
def list_() -> None:
    """The shipped scenarios by family, rooms for training first."""
    from livesim.scenarios import library

    groups = {"rooms": library.names(), **library.families()}
    for family, members in groups.items():
        typer.echo(f"{family} ({len(members)})")
        for name in members:
            typer.echo(f"  {name:<36}{library.load(name).summary}")


@app.command()
def lint(
    scenarios: Which = None,
    oracle: Annotated[bool, typer.Option(help="play each with the oracle, which must pass it")] = False,
) -> None:
    """Find beats that never happen, requirements nobody can meet, and answers given away; exit code 1 for errors.

    livesim scenario lint my_scenarios --oracle
    """
    from livesim import roster
    from livesim.regression.lint import lint_file

    errors = 0
    for name in chosen(scenarios):
        problems = lint_file(name, (lambda: roster.agent("oracle")) if oracle else None)
        errors += sum(problem.severity == "error" for problem in problems)
        typer.echo(f"{name}: {'ok' if not problems else ''}")
        for problem in problems:
            typer.echo(f"  {problem}")
    if errors:
        raise typer.Exit(1)


@app.command()
def run(
    scenarios: Which = None,
    agent: Agent = "oracle",
    seed: Annotated[int | None, typer.Option(min=0, help="seed instead of the scenario's own")] = None,
    harness: Annotated[
        str | None, typer.Option(help="default, compact, or a folder, instead of the scenario's own")
    ] = None,
    viewers: Viewers = None,
    quiet: Annotated[bool, typer.Option(help="show only what failed, and how many passed")] = False,
    json_dir: Annotated[Path | None, typer.Option("--json", help="write each episode into this folder")] = None,
) -> None:
    """Play scenarios, and print the timeline and the verdict line by line.

    Exit code 0: every expectation is met; 1: one is not; 2: something cannot be played.

    livesim scenario run timeout_once

    livesim scenario run faults rules --quiet --agent react:http://127.0.0.1:8000/v1
    """
    from livesim import roster
    from livesim.regression.play import rehearse
    from livesim.scenarios import library

    names = chosen(scenarios)
    failed = []
    stems = Counter(Path(name).stem for name in names)
    for name, scenario in [(name, library.load(name)) for name in names]:  # what can't be read stops the run first
        done = rehearse(scenario, roster.agent(agent), seed=seed, harness=harness, viewers=here(viewers))
        if not done.passed:
            failed.append(name)
        _show(done, quiet=quiet)
        if json_dir is not None:
            path = Path(name)
            # files of one name in several folders: the whole path tells them apart
            told = path.stem if stems[path.stem] == 1 else "-".join(path.with_suffix("").parts[path.is_absolute() :])
            json_dir.mkdir(parents=True, exist_ok=True)
            (json_dir / f"{told}.json").write_text(done.episode.to_json() + "\n", encoding="utf-8")
    if len(names) > 1:
        typer.echo(f"{len(names) - len(failed)} of {len(names)} passed{': not ' + ', '.join(failed) if failed else ''}")
    if failed:
        raise typer.Exit(1)


def chosen(scenarios: Sequence[str] | None) -> list[str]:
    """Names and files; a family stands for its members, a folder for its files, nothing for every shipped test."""
    from livesim.scenarios import library

    if not scenarios:
        return list(library.tests())
    return [name for entry in scenarios for name in _meant(entry, library.families())]


def _meant(entry: str, families: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    members = families.get(entry)
    if members:
        yield from members
    elif Path(entry).is_dir():
        # scripts, logs and harnesses may lie beside scenarios that say by their name that they are some
        files = sorted(map(str, Path(entry).rglob("*.scenario.yaml"))) or sorted(map(str, Path(entry).rglob("*.yaml")))
        if not files:
            raise LiveSimError(f"{entry} holds no .yaml file")
        yield from files
    else:
        yield entry


def _show(done: Rehearsal, *, quiet: bool) -> None:
    from rich.console import Console
    from rich.rule import Rule
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    word, style = ("passed", "green") if done.passed else ("FAILED", "bold red")
    word = "nothing is expected" if not done.lines else word
    if quiet and done.passed:
        return
    console.print(Rule(Text(f"{done.scenario.name}: {done.scenario.summary}")))
    if not quiet:
        for entry in done.timeline:
            console.print(Text(str(entry), _STYLES.get(entry.who, "")))
    for line in done.lines:
        if not quiet or not line.passed:
            console.print(Text(str(line), "green" if line.passed else "bold red"))
    met = f": {sum(line.passed for line in done.lines)} of {len(done.lines)} expectations are met" if done.lines else ""
    console.print(Text(f"{word} with {done.episode.agent}, seed {done.episode.seed}{met}", style))


_STYLES = {"viewer": "blue", "host": "cyan", "harness": "dim", "fault": "red", "room": "yellow", "score": "magenta"}
