"""``livesim harness ...``: show, compare, check, vary, hash and edit harness folders."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from livesim.errors import ConfigError
from livesim.harness import shelf
from livesim.harness.editing import find_skill, with_rule
from livesim.harness.edits import HISTORY, Edit, apply, edit_between, read_edits, set_value, to_line
from livesim.harness.folder import load_folder
from livesim.harness.history import edit_folder
from livesim.harness.saving import save_folder
from livesim.harness.state import HarnessState
from livesim.tools.builtin import SPECS
from livesim.tools.spec import ToolSpec
from livesim.tools.toolbox import Toolbox
from livesim.types import JsonValue

if TYPE_CHECKING:
    from rich.console import Console

    from livesim.harness.augment import HSAConfig

app = typer.Typer(no_args_is_help=True)

_KNOWN: ContextVar[Mapping[str, ToolSpec]] = ContextVar("tools that a folder may show", default=SPECS)
_OWN: ContextVar[Toolbox | None] = ContextVar("the toolbox that is played with; None: the shop's", default=None)

PRESET = "train, train_wide or heldout; or one dimension, e.g. heldout:hook (livesim play --help names them)"

Which = Annotated[str, typer.Argument(help="default, compact, or a harness folder")]
Folder = Annotated[Path, typer.Argument(help="harness folder of your own (livesim harness copy makes one)")]
By = Annotated[str, typer.Option(help="who makes the change; kept in the history")]
Why = Annotated[str, typer.Option(help="what the change is for, one sentence; kept in the history")]
Servers = Annotated[
    list[str] | None, typer.Option("--mcp", help="also tools of this MCP server: http address or command; may repeat")
]


@app.callback()
def own_tools(
    toolbox: Annotated[
        str, typer.Option(help="module:object, a Toolbox with tools of your own; before the command")
    ] = "",
) -> None:
    """Harness folders: show, diff, lint, augment, prove, rewrite, tools, hash, edit, copy ...

    livesim harness --toolbox my_tools:toolbox lint my_harness
    """
    from livesim.tools.own import own_toolbox

    own = own_toolbox(toolbox) if toolbox else None
    _KNOWN.set({**SPECS, **own.specs} if own else SPECS)
    _OWN.set(own)


@app.command()
def show(
    harness: Which,
    mcp: Servers = None,
    prompt: Annotated[bool, typer.Option(help="show only the system prompt, as the model reads it")] = False,
    skill: Annotated[
        str, typer.Option(help="show only the body of this skill (canonical id), as the model reads it")
    ] = "",
) -> None:
    """What a harness holds: skills, tools, hooks, limits and hashes."""
    from livesim.harness.prompt import fill, system_prompt
    from livesim.harness_view import show_state

    state, where = _load(harness, mcp)
    if prompt:
        typer.echo(system_prompt(state))
    elif skill:
        typer.echo(fill(find_skill(state, skill).body, state))
    else:
        show_state(state, where, _console())


@app.command()
def diff(
    old: Which,
    new: Which,
    as_json: Annotated[
        bool, typer.Option("--json", help="print one edit a line, as `livesim harness edit --apply` takes them")
    ] = False,
) -> None:
    """The edits that make NEW of OLD."""
    from livesim.harness.edits import diff as difference
    from livesim.harness_view import show_edit

    edits = difference(_load(old)[0], _load(new)[0])
    if as_json:
        for edit in edits:
            typer.echo(to_line(edit))
        return
    for edit in edits:
        show_edit(edit, _console())
    typer.echo(f"{len(edits)} edits" if edits else "no difference")


@app.command()
def lint(
    harness: Which,
    mcp: Servers = None,
    strict: Annotated[bool, typer.Option(help="exit code 1 for warnings too")] = False,
) -> None:
    """What is wrong or doubtful; exit code 1 when there are errors."""
    from livesim.harness.lint import Level, lint
    from livesim.world.rules import PROFILES

    state, where = _load(harness, mcp)
    remarks = lint(state, where, PROFILES)
    for remark in remarks:
        typer.echo(str(remark))
    counts = {level: sum(remark.level is level for remark in remarks) for level in Level}
    typer.echo(", ".join(f"{count} {level}s" for level, count in counts.items()))
    if counts[Level.ERROR] or (strict and counts[Level.WARNING]):
        raise typer.Exit(1)


@app.command()
def augment(
    harness: Which,
    preset: Annotated[str, typer.Option(help=PRESET)] = "heldout",
    seed: Annotated[int, typer.Option(min=0, help="decides the variant")] = 0,
    out: Annotated[Path | None, typer.Option(help="also write the variant to this new or empty folder")] = None,
) -> None:
    """A variant of a harness, as augmentation draws it."""
    from livesim.harness.augment import augment as vary
    from livesim.harness.edits import diff as difference
    from livesim.harness_view import show_edit
    from livesim.seeding import stream

    state, _ = _load(harness)
    variant = vary(state, _preset(preset), stream(seed, "harness"))
    for edit in difference(state, variant.state):
        show_edit(edit, _console())
    dimensions = ", ".join(f"{change.dimension} at {change.strength:.2f}" for change in variant.changes)
    typer.echo(f"{state.hash} -> {variant.state.hash}: {dimensions or 'unchanged'}")
    for line, count in variant.count().items():
        typer.echo(f"{count:5d}  {line}")
    if out is not None:
        save_folder(variant.state, out, _KNOWN.get())


@app.command()
def rewrite(
    harness: Which,
    endpoint: Annotated[str, typer.Option(help="http://HOST/v1#MODEL, an OpenAI-compatible server")],
    out: Annotated[Path, typer.Option(help="YAML file of the rewrites; what it has is kept and not asked for again")],
    split: Annotated[str, typer.Option(help="which variants may use the rewrites: train or heldout")] = "train",
    per: Annotated[int, typer.Option(min=1, help="how many rewrites of each text are asked for")] = 3,
    seeds: Annotated[int, typer.Option(min=1, help="episodes that the oracle plays to prove each rewrite")] = 4,
    scenario: Annotated[str, typer.Option(help="scenario that the oracle plays: name or file")] = "qa",
) -> None:
    """A model rewords the texts; those that are proved to keep the task go into the file OUT.

    Augmentation uses them: HSAConfig(rewrites=OUT, rewrite_share=0.5), see docs/harness.md.

    livesim harness rewrite default --endpoint http://127.0.0.1:8000/v1#MODEL --out rewrites.yaml
    """
    from livesim import roster
    from livesim.errors import unknown
    from livesim.evaluation.rewriting import load_book, oracle_proof, save_book
    from livesim.evaluation.rewriting import rewrite as reworded
    from livesim.harness.augment import Split

    halves = (Split.TRAIN, Split.HELDOUT)
    if split not in halves:
        raise ConfigError(unknown("split", split, halves))
    completer = roster.completer("openai")(endpoint, temperature=0.8, max_tokens=1024)
    state, _ = _load(harness)
    proof = oracle_proof(state, range(seeds), scenario, _OWN.get())
    book = reworded(state, completer, load_book(out), Split(split), proof, per=per, tell=typer.echo)
    save_book(book, out)
    typer.echo(f"{len(book.texts(Split(split)))} {split} rewrites in {out}")
    for reason, count in book.rejected[Split(split)].items():
        typer.echo(f"  {count} rejected: {reason}")


@app.command()
def prove(
    harness: Which,
    preset: Annotated[str, typer.Option(help=PRESET)] = "heldout",
    variants: Annotated[int, typer.Option(min=1, help="how many are drawn and proved")] = 20,
    scenario: Annotated[str, typer.Option(help="scenario that the oracle plays: name or file")] = "qa",
) -> None:
    """Draw variants, prove by replay that each keeps the task, count what was refused and why.

    Exit code 1 when the replay rejects one.
    """
    from livesim.evaluation.rewriting import oracle_proof, proof_counts

    (state, _), own = _load(harness), _OWN.get()
    counts = proof_counts(state, _preset(preset), variants, lambda seed: oracle_proof(state, [seed], scenario, own))
    for line, count in counts.items():
        typer.echo(f"{count:5d}  {line}")
    if any(line.startswith("rejected") for line in counts):
        raise typer.Exit(1)


@app.command()
def tools(mcp: Servers = None) -> None:
    """Every tool that a folder's tools.yaml may show: canonical name, parameters, what it is for."""
    from livesim.harness_view import show_specs

    specs, left_out = _served(mcp)
    show_specs({**_KNOWN.get(), **specs}, _console())
    for name, why in left_out.items():
        typer.echo(f"{name} can't be shown: {why}")


@app.command("hash")
def hash_(harness: Which) -> None:
    """Content hash of the whole harness and of its four parts."""
    state, _ = _load(harness)
    for name, value in {"harness": state.hash, **state.hashes}.items():
        typer.echo(f"{value}  {name}")


@app.command()
def edit(
    folder: Folder,
    change: Annotated[
        list[str] | None, typer.Option("--set", help="set a value: skills.item_qa.body=TEXT; may repeat")
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option("--rule", help="add a line: skills.item_qa=LINE or prompt.rules=LINE; may repeat"),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--apply", help="file of edits: of `livesim harness diff --json`, or a history.jsonl")
    ] = None,
    revert: Annotated[
        int, typer.Option(min=0, help="how many edits of the folder's history to undo, the last one first")
    ] = 0,
    why: Why = "",
    by: By = "operator",
    keep: Annotated[
        bool, typer.Option("--history/--no-history", help="note the edits in the folder's history.jsonl")
    ] = True,
) -> None:
    """Change a folder; files that are not touched keep their bytes, and a revert gives back those that were.

    livesim harness edit my_harness --rule "skills.price_promo=Name the coupon." --why "viewers ask" --by mia

    livesim harness edit my_harness --set hooks.limits.reply_words=20

    livesim harness edit my_harness --revert 1
    """
    from livesim.harness_view import show_edit

    state = load_folder(folder, _KNOWN.get())
    undone, edits = _undone(folder, revert), list[Edit]()
    for item in undone:
        state = apply(item, state)
    for item in read_edits(file) if file is not None else ():
        edits.append(_rebased(item, state))
        state = apply(edits[-1], state)
    for text in change or ():
        path, value = _assignment(text)
        edits.append(set_value(state, path, value, why=why or f"set {'.'.join(path)}", by=by))
        state = apply(edits[-1], state)
    for text in rule or ():
        where, line = _halves(text)
        new = with_rule(state, where, line)
        edits.append(edit_between(state, new, why=why or f"rule: {line}", by=by))
        state = new
    if not revert and not edits:
        raise ConfigError("nothing to do: give --set, --rule, --apply or --revert")
    state, changed = edit_folder(folder, edits, revert=revert, note=keep, specs=_KNOWN.get())
    for item in (*undone, *edits):
        show_edit(item, _console())
    typer.echo(f"harness {state.hash}; changed: {', '.join(changed) or 'nothing'}")


@app.command()
def history(folder: Folder) -> None:
    """The edits that a folder's history.jsonl lists, oldest first."""
    for number, item in enumerate(read_edits(folder / HISTORY), start=1):
        typer.echo(f"{number:3d}  {item.before} -> {item.after}  {item.by}: {item.why} ({item.what})")


@app.command()
def copy(harness: Which, out: Annotated[Path, typer.Argument(help="new or empty folder")]) -> None:
    """A copy of a harness to edit, byte for byte."""
    state, where = _load(harness)
    save_folder(state, out, _KNOWN.get(), source=where)
    typer.echo(f"{out}: harness {state.hash}")


def _undone(folder: Path, count: int) -> list[Edit]:
    """The inverses of the last edits of a history, the last one first; ``edit_folder`` refuses more than there are."""
    return [edit.inverse for edit in reversed(read_edits(folder / HISTORY))][:count]


def _rebased(item: Edit, state: HarnessState) -> Edit:
    """The edit as it is made to this state, when every value that it replaces is what it expects."""
    if item.before == state.hash:
        return item
    return edit_between(state, apply(item, state, strict=False), why=item.why, by=item.by)


def _assignment(text: str) -> tuple[list[str], JsonValue]:
    where, value = _halves(text)
    path = where.split(".")
    try:
        parsed: JsonValue = json.loads(value)
    except ValueError:
        return path, value.replace("\\n", "\n")
    return path, parsed if isinstance(parsed, (bool, int)) else value.replace("\\n", "\n")


def _halves(text: str) -> tuple[str, str]:
    where, equals, value = text.partition("=")
    if not equals or not where.strip():
        raise ConfigError(f"{text!r}: write PATH=VALUE")
    return where.strip(), value


def _load(harness: str, mcp: list[str] | None = None) -> tuple[HarnessState, Path]:
    """A harness and the folder it lies in."""
    state = shelf.load(harness, {**_KNOWN.get(), **_served(mcp)[0]})
    return state, shelf.SHELF / harness if harness in shelf.names() else Path(harness)


def _preset(name: str) -> HSAConfig:
    from livesim.errors import unknown
    from livesim.harness.augment import PRESETS

    if name not in PRESETS:
        raise ConfigError(unknown("preset", name, PRESETS))
    return PRESETS[name]


def _served(addresses: list[str] | None) -> tuple[dict[str, ToolSpec], dict[str, str]]:
    """The tools of MCP servers, and those that can't be shown, with the reason."""
    from livesim.tools.mcp import McpServer

    specs: dict[str, ToolSpec] = {}
    left_out: dict[str, str] = {}
    for address in addresses or ():
        with McpServer(address if address.startswith("http") else shlex.split(address)) as server:
            specs |= server.specs
            left_out |= server.left_out
    return specs, left_out


def _console() -> Console:
    from rich.console import Console

    return Console(soft_wrap=True, highlight=False)
