"""The held-out harness-edit test: a harness evolved on dev, plugged into a frozen agent, measured on test."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from livesim.config import changed, parse
from livesim.errors import ConfigError
from livesim.evaluation.command import folder_name
from livesim.evaluation.hosts import HostConfig, host
from livesim.evaluation.intervals import Interval
from livesim.evaluation.records import Record
from livesim.evaluation.table import Table, number
from livesim.evolution.checking import Means, error_reduction, means
from livesim.evolution.loop import Work, evolve, play_seeds
from livesim.evolution.settings import EvolveConfig
from livesim.evolution.trail import step_folder
from livesim.harness import shelf
from livesim.harness.folder import load_folder
from livesim.tools.builtin import SPECS
from livesim.tools.own import own_toolbox
from livesim.tools.toolbox import Toolbox
from livesim.whole import write_whole


@dataclass(frozen=True, slots=True)
class HeldoutResult:
    """What evolving the harness did for one frozen agent on cases that no edit has seen.

    Attributes:
        agent: its name.
        harness: hash of the evolved harness that was plugged in.
        steps: published steps of the evolution that it comes from.
        dev_before: means of the dev set under the original harness; those of the agent that it was evolved for.
        dev_after: the same under the evolved one.
        test_before: means of the test set under the original harness.
        test_after: the same under the evolved one.
        reduction: share of the test error (100 - points) that is gone, with a 95 % interval over tasks.
    """

    agent: str
    harness: str
    steps: int
    dev_before: Means
    dev_after: Means
    test_before: Means
    test_after: Means
    reduction: Interval


def heldout_edit_test(
    agents: Sequence[str] | Mapping[str, str],
    dev_seeds: Sequence[int],
    test_seeds: Sequence[int],
    *,
    out: Path,
    harness: str = "compact",
    config: EvolveConfig | None = None,
    harness_of: str = "",
    host_config: HostConfig | None = None,
    toolbox: str = "",
) -> tuple[HeldoutResult, ...]:
    """Evolve the harness for each frozen agent on dev seeds with one and the same procedure; measure on test seeds.

    Args:
        agents: model folders, addresses of endpoints, or agents' names; as a mapping, label -> any of these.
        dev_seeds: of the evaluation that the evolution sees.
        test_seeds: of the one that it does not see; none may be among the dev seeds.
        out: folder for everything, one folder an agent; the same folder goes on where it stopped.
        harness: name or folder to begin with.
        config: of the evolution; its seeds are replaced by ``dev_seeds``.
        harness_of: label of the agent whose evolved harness all agents get, as when one operator's harness meets
            several models; ``""``: each gets its own.
        host_config: how completions are asked for.
        toolbox: ``module:object`` of a toolbox with the user's own tools; ``""``: the shop's alone.

    Raises:
        ConfigError: no seeds, seeds that occur twice, an unknown agent, or no such toolbox.
    """
    check_seeds(dev_seeds, test_seeds)
    named = dict(agents) if isinstance(agents, Mapping) else {agent: agent for agent in agents}
    if harness_of and harness_of not in named:
        raise ConfigError(f"harness_of {harness_of!r} is none of the agents: {', '.join(named)}")
    chosen = (config or EvolveConfig()).model_copy(update={"seeds": tuple(dev_seeds)})
    start = shelf.SHELF / harness if harness in shelf.names() else Path(harness)
    own = own_toolbox(toolbox)
    works = {
        label: _work(label, agent, out / _folder(label), chosen, start, host_config, own)
        for label, agent in named.items()
    }
    evolving = [harness_of] if harness_of else list(works)
    trails = {label: evolve(works[label], start) for label in evolving}
    results = []
    for label, work in works.items():
        source = harness_of or label
        trail = trails[source]
        before = step_folder(works[source].out, 0) / "harness"
        after = step_folder(works[source].out, trail.published[-1].number) / "harness"
        old, new = (_on_test(work, harness, test_seeds) for harness in (before, after))
        results.append(
            HeldoutResult(
                label,
                trail.published[-1].harness,
                len(trail.published) - 1,
                trail.steps[0].means,
                trail.published[-1].means,
                means(old),
                means(new),
                error_reduction(old, new),
            )
        )
    name = f"heldout-{_folder(harness_of)}.json" if harness_of else "heldout.json"
    write_whole(out / name, to_json(results) + "\n")
    return tuple(results)


def _on_test(work: Work, harness: Path, seeds: Sequence[int]) -> tuple[Record, ...]:
    """The records of the test seeds under a harness, kept apart by its hash."""
    state = load_folder(harness, work.specs)
    return play_seeds(work, state, harness, work.out / "test" / state.hash, seeds)


def to_json(results: Sequence[HeldoutResult]) -> str:
    """The results as JSON; what is no number becomes null."""
    plain = [
        {**dataclasses.asdict(r), "reduction": [None if math.isnan(v) else v for v in r.reduction]} for r in results
    ]
    return json.dumps(plain, indent=1)


def from_json(text: str) -> tuple[HeldoutResult, ...]:
    """The results that ``to_json`` wrote."""
    sets = ("dev_before", "dev_after", "test_before", "test_after")
    return tuple(
        HeldoutResult(
            **{
                **row,
                **{name: Means(**row[name]) for name in sets},
                "reduction": Interval(*(math.nan if v is None else v for v in row["reduction"])),
            }
        )
        for row in json.loads(text)
    )


def table(results: Sequence[HeldoutResult]) -> str:
    """One line an agent, as text."""
    return grid(results).text()


def grid(results: Sequence[HeldoutResult]) -> Table:
    """One line an agent."""
    rows = []
    for r in results:
        dev = f"{r.dev_before.points:.1f} -> {r.dev_after.points:.1f}"
        test = f"{r.test_before.points:.1f} -> {r.test_after.points:.1f}"
        rows.append((r.agent, str(r.steps), dev, test, number(r.reduction.scaled(100))))
    columns = ("frozen model", "steps kept", "dev points", "test points", "test error removed, %")
    title = "held-out harness edits: points are the mean of the four heads, 0 to 100; 95 % intervals over test tasks"
    return Table(title, columns, tuple(rows))


def check_seeds(dev_seeds: Sequence[int], test_seeds: Sequence[int]) -> None:
    """Raise ConfigError unless there are dev seeds and test seeds, all different."""
    for name, seeds in (("dev", dev_seeds), ("test", test_seeds)):
        if not seeds or len({*seeds}) < len(seeds):
            raise ConfigError(f"there must be {name} seeds, and they must differ, got {[*seeds]}")
    if shared := sorted(set(dev_seeds) & set(test_seeds)):
        raise ConfigError(f"test seeds must not be dev seeds: {shared}")


def labelled(agents: Sequence[str]) -> dict[str, str]:
    """Label -> agent out of ``LABEL=WHAT``, or of ``WHAT`` alone. Raises ConfigError for two of one label."""
    found: dict[str, str] = {}
    for text in agents:
        label, equals, what = text.partition("=")
        if label in found:
            raise ConfigError(f"two agents are called {label!r}")
        found[label] = what if equals else text
    return found


def settings(changes: tuple[str, ...]) -> EvolveConfig:
    """The configuration of an evolution with ``key=value`` overrides. Raises ConfigError for a wrong one."""
    return parse(EvolveConfig, changed({}, changes), "--set")


def _work(
    label: str,
    agent: str,
    out: Path,
    config: EvolveConfig,
    harness: Path,
    host_config: HostConfig | None,
    toolbox: Toolbox,
) -> Work:
    from livesim.env import LiveStreamEnv

    who, identity = host(agent, label, host_config)
    specs = {**SPECS, **toolbox.specs}
    state = load_folder(harness, specs)
    return Work(
        who,
        lambda: LiveStreamEnv(harness=state, requests=1, toolbox=toolbox),
        out,
        config,
        meta=identity,
        specs=specs,
    )


def _folder(label: str) -> str:
    return folder_name(label) or "agent"
