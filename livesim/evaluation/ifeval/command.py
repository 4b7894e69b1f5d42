"""What ``livesim eval --suite ifeval`` does: resolve the model, ask behind a progress bar, print the four metrics."""

from __future__ import annotations

from pathlib import Path

from livesim.errors import ConfigError
from livesim.evaluation.hosts import HostConfig, host
from livesim.evaluation.ifeval import results
from livesim.evaluation.ifeval.answers import Answered, Replying, ask
from livesim.evaluation.ifeval.checkers import install
from livesim.evaluation.ifeval.prompts import COUNT, prompts
from livesim.evaluation.lockstep import AgentHost, BatchHost, Host, ThreadHost
from livesim.evaluation.progress import progress

SUITE = "ifeval"
MAX_TOKENS = 1280
"""Of a reply, as in lm-eval."""


def run(
    model: str,
    out: Path,
    *,
    label: str = "",
    count: int = COUNT,
    config: HostConfig | None = None,
    error_share: float = 0.02,
    bar: bool = True,
) -> Answered:
    """Ask a model the prompts; run again to go on.

    Args:
        model: folder, address of an endpoint, or an agent that has a completer, such as ``react:URL``.
        out: folder of the results.
        label: for tables; default: the model's own name.
        count: of prompts.
        config: how completions are asked for.
        error_share: of prompts that may be lost to the provider.
        bar: show a progress bar (needs the ``cli`` extra).

    Raises:
        ConfigError: a wrong name or number, a folder that holds another evaluation, or a package that cannot be had.
        CompletionError: more prompts than ``error_share`` were lost; what was answered is on disk.
    """
    asked = prompts(count)
    install()  # before an engine starts
    config = config or HostConfig(max_tokens=MAX_TOKENS)
    found, identity = host(model, label, config)
    who = _replying(found, config.width)
    who.name = label or who.name
    with progress(who.name, {SUITE: len(asked)}, shown=bar) as tick:
        answered = ask(who, asked, out, meta=identity, tick=lambda done, total: tick(SUITE, done, total))
    answered.check(error_share)
    return answered


def number(text: str) -> int:
    """Of prompts, as ordered: a number, or nothing for all. Raises ConfigError for anything else."""
    if text and not text.isdecimal():
        raise ConfigError(f"--episodes {text!r}: {SUITE} takes one number of prompts, 1 to {COUNT}")
    return int(text) if text else COUNT


def render(answered: Answered, base: Answered | None = None) -> str:
    """The tables as text, beside those of another model, the base say."""
    if base is None:
        return "\n\n".join(t.text() for t in (results.table([answered]), results.kinds([answered])))
    both = [base, answered]
    shown = (results.table(both), results.change_table(both, base), results.kinds(both))
    return "\n\n".join(t.text() for t in shown)


def _replying(found: Host, width: int) -> Replying:
    """The engine or endpoint behind a host, asked for bare replies."""
    if isinstance(found, BatchHost):
        return BatchHost(found.engine, width)
    owner = found.agent if isinstance(found, AgentHost) else found
    completer = getattr(owner, "completer", None)
    if completer is None:
        raise ConfigError(f"{found.name!r} has no completer that could be asked; {SUITE} needs a model")
    return ThreadHost(completer, width)
