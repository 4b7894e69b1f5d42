"""The command ``livesim``: each command reads its options, imports what it needs, and calls one function."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from livesim.errors import LiveSimError

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Live-shopping streams and their hosts.")


@app.callback()
def _root() -> None:
    """Live-shopping streams hosted by an agent whose harness keeps changing."""


@app.command()
def play(
    agent: Annotated[str, typer.Option(help="oracle, random, ..., or react:URL of an OpenAI-compatible endpoint")] = (
        "oracle"
    ),
    seed: Annotated[int, typer.Option(help="of the episode")] = 7,
    scenario: Annotated[str | None, typer.Option(help="name or file; default: drawn from the seed")] = None,
    harness: Annotated[str, typer.Option(help="name or folder")] = "default",
    augment: Annotated[str | None, typer.Option(help="train, heldout, heldout:hook, ...")] = None,
    faults: Annotated[str | None, typer.Option(help="none, light or stress; default: the scenario's own")] = None,
    requests: Annotated[int, typer.Option(min=1, help="how many the episode holds")] = 3,
    prompt: Annotated[bool, typer.Option(help="show the system prompt too")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="write the episode to this file too")] = None,
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
        faults=faults,
        requests=requests,
        disable_env_checker=True,
    )
    episode = play_episode(player, env, seed)
    show(episode, Console(), prompt=prompt)
    if json_file is not None:
        json_file.parent.mkdir(parents=True, exist_ok=True)
        json_file.write_text(episode.to_json() + "\n", encoding="utf-8")


def main() -> None:
    """Run the command line; an expected error is one line and exit code 2."""
    try:
        app()
    except LiveSimError as error:
        typer.echo(f"error: {error}", err=True)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
