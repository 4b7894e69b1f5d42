"""What ``livesim evolve`` does: resolve host and proposer, ask about each edit, run the loop, write the report."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

from livesim import roster
from livesim.errors import ConfigError, HarnessError
from livesim.evaluation.hosts import HostConfig, host
from livesim.evolution.chart import draw
from livesim.evolution.failures import Cluster, symptoms
from livesim.evolution.loop import Answer, Work, accept_all, evolve
from livesim.evolution.model import ModelProposer
from livesim.evolution.proposals import Proposal, Proposer
from livesim.evolution.report import line, markdown
from livesim.evolution.rulebook import RuleProposer
from livesim.evolution.settings import EvolveConfig
from livesim.evolution.trail import Step, Trail
from livesim.harness import shelf
from livesim.harness.edits import edit_from_plain, edit_to_plain
from livesim.harness.folder import load_folder
from livesim.tools.builtin import SPECS
from livesim.tools.own import own_toolbox
from livesim.whole import write_whole


@dataclass(frozen=True, slots=True)
class Order:
    """An evolution as it is ordered.

    Attributes:
        agent: folder of a model, address of an endpoint, or agent.
        out: folder of everything.
        harness: name or folder to begin with.
        proposer: ``"rules"``, or the address of an endpoint whose model proposes.
        yes: confirm everything.
        config: of the loop.
        host_config: how completions are asked for.
        toolbox: ``module:object`` of a toolbox with the user's own tools; ``""``: the shop's alone.
    """

    agent: str
    out: Path
    harness: str = "compact"
    proposer: str = "rules"
    yes: bool = False
    config: EvolveConfig = field(default_factory=EvolveConfig)
    host_config: HostConfig = field(default_factory=HostConfig)
    toolbox: str = ""


def run(order: Order) -> Trail:
    """Carry out an order; prints each step. Writes ``evolution.json``, ``evolution.md`` and ``curve.png``.

    Raises:
        ConfigError: a wrong name, or a folder that holds another evolution.
    """
    from livesim.env import LiveStreamEnv

    folder = shelf.SHELF / order.harness if order.harness in shelf.names() else Path(order.harness)
    toolbox = own_toolbox(order.toolbox)
    specs = {**SPECS, **toolbox.specs}
    state = load_folder(folder, specs)
    who, identity = host(order.agent, config=order.host_config)
    work = Work(
        host=who,
        make=lambda: LiveStreamEnv(harness=state, requests=1, toolbox=toolbox),
        out=order.out,
        config=order.config,
        proposer=_proposer(order),
        confirm=accept_all if order.yes else ask,
        meta=identity,
        tell=_tell,
        specs=specs,
    )
    trail = evolve(work, folder)
    write_whole(order.out / "evolution.md", markdown(trail))
    try:
        draw(trail, order.out / "curve.png")
    except ConfigError as error:
        print(f"no chart: {error}")
    return trail


def ask(proposal: Proposal, cluster: Cluster | None) -> tuple[Answer, Proposal]:
    """Show a proposal with its cases, and ask: yes, no, edit it first, or stop here."""
    import click
    from rich.console import Console
    from rich.markup import escape

    from livesim.harness_view import show_edit

    console = Console(soft_wrap=True, highlight=False)
    if cluster is not None:
        told = f"{len(cluster.records)} of {cluster.of} cases. {cluster.hypothesis}"
        console.print(f"\n[bold]{escape(cluster.name)}[/]: {escape(told)}")
        for record in cluster.cases:
            console.print(f"  viewer: {' / '.join(record.comments)}", markup=False)
            console.print(f"  reply:  {record.reply}", markup=False)
            console.print(f"  wrong:  {'; '.join(symptom.reason for symptom in symptoms(record))}", markup=False)
    while True:
        show_edit(proposal.edit, console)
        said = str(click.prompt("apply it? [y]es, [n]o, [e]dit, [s]top", default="y")).strip().lower()[:1]
        if said == "e":
            proposal = edited(proposal, click.edit(json.dumps(edit_to_plain(proposal.edit), indent=1)) or "")
        elif answer := {"y": Answer.YES, "n": Answer.NO, "s": Answer.STOP}.get(said):
            return answer, proposal


def edited(proposal: Proposal, text: str) -> Proposal:
    """The proposal with the edit that a person wrote; as it was when that is none."""
    try:
        return replace(proposal, edit=replace(edit_from_plain(json.loads(text)), by="operator"))
    except (HarnessError, ValueError):
        return proposal


def _proposer(order: Order) -> Proposer:
    if order.proposer == "rules":
        return RuleProposer(order.config.local)
    if not order.proposer.startswith(("http://", "https://")):
        raise ConfigError(f"--proposer {order.proposer!r}: write rules, or http://HOST/v1#MODEL")
    return ModelProposer(roster.completer("openai")(order.proposer, max_tokens=2048), order.config.edits)


def _tell(step: Step) -> None:
    print(line(step), flush=True)
    for edit in step.edits:
        print(f"        {edit.why.split(' (')[0]}", flush=True)
