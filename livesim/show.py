"""An episode for reading in a terminal: comments, calls, results, faults, reply, heads with their reasons."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from livesim.rollout import Episode, RequestRecord, TurnRecord

MAX_LINES = 12
"""Lines of one harness answer that are shown."""


def show(episode: Episode, console: Console, *, prompt: bool = False) -> None:
    """Print a whole episode.

    Args:
        episode: as played.
        console: where to.
        prompt: the system prompt too.
    """
    variant = "original" if episode.original else "augmented"
    console.print(Rule(f"[bold]{escape(episode.agent)}[/] on {escape(episode.scenario)}, seed {episode.seed}"))
    console.print(f"harness [bold]{escape(episode.harness)}[/] ({variant}, {episode.harness_hash})", highlight=False)
    if prompt and episode.requests:
        console.print(Panel(Text(episode.requests[0].messages[0]["content"]), title="system prompt", style="dim"))
    for request in episode.requests:
        _request(request, console)
    heads = ", ".join(f"{name} {value:.2f}" for name, value in episode.heads.items())
    console.print(Rule(f"{len(episode.requests)} requests, ended: {episode.end}, return {episode.total:.2f}"))
    console.print(f"mean heads: {heads}", highlight=False)


def _request(request: RequestRecord, console: Console) -> None:
    asked = next((m["content"] for m in request.messages if m["role"] == "user"), "")
    console.print(Panel(Text(asked), title=f"request {request.request_id}", border_style="blue"))
    answers = _answers(request)
    for turn, answer in zip(request.turns, answers, strict=True):
        _turn(turn, answer, console)
    console.print(_scores(request))


def _answers(request: RequestRecord) -> list[str]:
    """What the harness answered to each turn, ``""`` where it said nothing."""
    answers: list[str] = []
    for message in request.messages[2:]:
        if message["role"] == "assistant":
            answers.append("")
        elif answers:
            answers[-1] += message["content"]
    return answers


def _turn(turn: TurnRecord, answer: str, console: Console) -> None:
    style = "bold green" if turn.outcome == "reply" else "red" if turn.outcome in ("feedback", "closed") else "cyan"
    console.print(Text.assemble(("   host  ", style), turn.text))
    if turn.faults:
        console.print(Text.assemble(("  fault  ", "bold red"), (", ".join(turn.faults), "red")))
    if answer:
        lines = answer.splitlines()
        more = [f"... {len(lines) - MAX_LINES} more lines"] if len(lines) > MAX_LINES else []
        body = "\n         ".join([*lines[:MAX_LINES], *more])
        console.print(Text.assemble(("harness  ", "dim"), (body, "dim")))


def _scores(request: RequestRecord) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 1))
    for name, value in request.heads.items():
        full = value >= 1.0 or (name == "length" and value == 0.0)
        why = "; ".join(request.reasons.get(name, ()))
        table.add_row(escape(name), Text(f"{value:g}", "green" if full else "yellow"), Text(why, "dim"))
    table.add_row("total", Text(f"{request.total:.3f}", "bold"), Text(f"ended: {request.end}", "dim"))
    return table
