"""What ``livesim eval`` does: resolve the model, run the suites behind a progress bar, print the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from livesim.errors import ConfigError, unknown
from livesim.evaluation.hosts import HostConfig, host
from livesim.evaluation.progress import progress
from livesim.evaluation.run import ERROR_SHARE, Evaluation, evaluate
from livesim.evaluation.suites import Setting, chosen
from livesim.harness import shelf
from livesim.scenarios import library
from livesim.world.viewers import Wording

EPISODES = 64  # of a suite for which no number is given


@dataclass(frozen=True, slots=True)
class Order:
    """An evaluation as it is ordered.

    Attributes:
        model: folder, address or agent.
        suites: comma-separated names.
        out: folder of the results.
        label: for tables; empty: the model's own name.
        harness: name or folder of the original harness.
        scenario: name or file; None: a room of the library, drawn from each task's seed.
        viewers: name or file of who plays the audience; None: the scenario's own. Their wording is theirs.
        episodes: cases by suite name.
        seed: of the tasks and variants.
        wording: how viewers phrase things, ``heldout`` or ``train``.
        config: how completions are asked for.
        error_share: of episodes that may be lost to the provider.
    """

    model: str
    suites: str
    out: Path
    label: str = ""
    harness: str = "default"
    scenario: str | None = "qa"
    viewers: str | None = None
    episodes: Mapping[str, int] = field(default_factory=dict)
    seed: int = 0
    wording: Wording = Wording.HELDOUT
    config: HostConfig = field(default_factory=HostConfig)
    error_share: float = ERROR_SHARE


def run(order: Order, *, bar: bool = True) -> Evaluation:
    """Carry out an order.

    Args:
        order: what to evaluate.
        bar: show a progress bar (needs the ``cli`` extra).

    Raises:
        ConfigError: a wrong name or number, or a folder that holds another evaluation.
        ScenarioError: an unknown or wrong scenario.
        CompletionError: more episodes than ``error_share`` were lost; what was played is on disk.
    """
    from livesim.env import LiveStreamEnv

    suites = chosen(order.suites)
    episodes = {suite.name: order.episodes.get(suite.name, EPISODES) for suite in suites}
    if wrong := {name: count for name, count in episodes.items() if count < 1}:
        raise ConfigError(f"episodes must be at least 1, got {wrong}")
    harness = shelf.load(order.harness)
    if order.scenario is not None:
        library.load(order.scenario)  # a wrong name shows before a model is loaded
    settings = {
        name: Setting(order.harness, order.scenario, count, order.seed, order.wording)
        for name, count in episodes.items()
    }
    who, identity = host(order.model, order.label, order.config)
    meta = {**identity, "harness_hash": harness.hash} | ({"viewers": order.viewers} if order.viewers else {})

    def make() -> LiveStreamEnv:
        return LiveStreamEnv(harness=harness, viewers=order.viewers, requests=1)

    with progress(who.name, episodes, shown=bar) as tick:
        evaluation = evaluate(who, suites, settings, order.out, make=make, meta=meta, tick=tick)
    evaluation.check(order.error_share)
    return evaluation


def comparable(order: Order, other: Evaluation) -> None:
    """Make sure that another evaluation played the tasks of an order: only those make pairs.

    Raises:
        ConfigError: a suite had another scenario, seed, wording or viewers there; names the first difference.
    """
    suites = other.meta.get("suites")
    for suite in chosen(order.suites):
        there = suites.get(suite.name) if isinstance(suites, dict) else None
        if not isinstance(there, dict):
            continue
        there = {**there, "viewers": other.meta.get("viewers")}
        for name in ("scenario", "seed", "wording", "viewers"):
            if there.get(name) != (here := getattr(order, name)):
                raise ConfigError(
                    f"--against: {suite.name} had other tasks there, {name} {there.get(name)}, here {here}; "
                    "only the same tasks can be compared"
                )


def counts(text: str, suites: str) -> dict[str, int]:
    """Episodes by suite out of ``"64"`` or ``"live_stream_qa=48,harness_variant_qa=144"``.

    Args:
        text: one number for all suites, or one for each of some; empty: no number for any.
        suites: comma-separated names, as ordered.

    Raises:
        ConfigError: no number, or a suite that is not ordered.
    """
    names = [suite.name for suite in chosen(suites)]
    found: dict[str, int] = {}
    for part in text.split(",") if text else ():
        name, equals, number = part.rpartition("=")
        if not number.strip().isdecimal():
            raise ConfigError(f"--episodes {text!r}: write a number, or SUITE=NUMBER,...")
        if equals and name.strip() not in names:
            raise ConfigError(unknown("suite in --episodes", name.strip(), names))
        found |= {one: int(number) for one in ([name.strip()] if equals else names)}
    return found


def default_out(model: str) -> Path:
    """``runs/eval/NAME`` with a name made of what the model is called."""
    return Path("runs") / "eval" / (folder_name(model.strip("/")) or "model")


def folder_name(text: str) -> str:
    """A text as the name of a folder: letters, digits, ``.``, ``_`` and ``-``; empty without any."""
    return "".join(c if c.isalnum() or c in "._-" else "-" for c in text).strip("-.")
