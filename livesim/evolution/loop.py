"""``evolve``: diagnose, propose, confirm, edit, evaluate on dev, check for regressions, publish or roll back."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from livesim.errors import ConfigError
from livesim.evaluation.counted import counted
from livesim.evaluation.lockstep import Host, Room
from livesim.evaluation.records import Record
from livesim.evaluation.run import evaluate
from livesim.evaluation.suites import Setting, chosen
from livesim.evolution.checking import Comparison, compare, keyed, means
from livesim.evolution.failures import Cluster, diagnose
from livesim.evolution.proposals import Proposal, Proposer, together
from livesim.evolution.rulebook import RuleProposer
from livesim.evolution.settings import EvolveConfig
from livesim.evolution.trail import Failing, Step, Trail, Verdict, publish, size, snapshot, step_folder, write_trail
from livesim.harness.edits import Edit, read_edits
from livesim.harness.folder import load_folder
from livesim.harness.state import HarnessState
from livesim.tools.builtin import SPECS
from livesim.tools.spec import ToolSpec
from livesim.types import JsonValue


class Answer(StrEnum):
    """What a person says to a proposal."""

    YES = "yes"
    NO = "no"
    STOP = "stop"  # end the evolution here


Confirm = Callable[[Proposal, Cluster | None], "tuple[Answer, Proposal]"]
"""Asked about each proposal; the proposal that comes back may be an edited one."""


def accept_all(proposal: Proposal, cluster: Cluster | None) -> tuple[Answer, Proposal]:
    """Confirms everything."""
    return Answer.YES, proposal


@dataclass(frozen=True, slots=True)
class Work:
    """What an evolution works with.

    Attributes:
        host: takes the turns; its weights are frozen.
        make: a fresh env that serves one request an episode.
        out: folder of everything that is written; the same folder goes on where it stopped.
        config: see EvolveConfig.
        proposer: who proposes.
        confirm: who decides.
        meta: what identifies the host, so that another one is not mixed in.
        tell: told of each finished step.
        specs: the tools there are.
    """

    host: Host
    make: Callable[[], Room]
    out: Path
    config: EvolveConfig = dataclasses.field(default_factory=EvolveConfig)
    proposer: Proposer = dataclasses.field(default_factory=RuleProposer)
    confirm: Confirm = accept_all
    meta: dict[str, JsonValue] = dataclasses.field(default_factory=dict)
    tell: Callable[[Step], None] = lambda step: None
    specs: Mapping[str, ToolSpec] = dataclasses.field(default_factory=lambda: SPECS)


@dataclass(slots=True)
class _Current:
    """The published harness while the loop runs."""

    number: int
    state: HarnessState
    folder: Path
    records: tuple[Record, ...]
    clusters: tuple[Cluster, ...]
    edits: tuple[Edit, ...] = ()


def evolve(work: Work, harness: Path) -> Trail:
    """Evolve the harness of a folder for one frozen host.

    Args:
        work: see Work.
        harness: folder to begin with; it is not touched. Everything is written to ``work.out``: each step's harness,
            edits and records, ``evolution.json``, and the published harness with its history under ``harness/``.

    Raises:
        ConfigError: ``out`` holds an evolution with other settings.
        HarnessError: the folder cannot be used.
        CompletionError: the host's endpoint lost too many episodes.
    """
    state = load_folder(harness, work.specs)
    folder = snapshot(work.out, 0, state, harness, (), work.specs)
    records = play_dev(work, 0, state, folder)
    current = _Current(0, state, folder, records, diagnose(records))
    first = Step(
        0, 0, state.hash, (), means(records), size(state), Verdict.BASELINE, "", failing=_short(current.clusters)
    )
    trail = _noted(Trail(work.host.name, (first,), "", state), work)
    tried: set[str] = set()
    back, single = 0, False
    while not trail.stopped:
        number = len(trail.steps)
        stop = _enough(work.config, current.clusters, number, back)
        if stop:
            trail = replace(trail, stopped=stop)
            break
        picked, stop = _pick(work, current, tried, 1 if single else work.config.edits, step_folder(work.out, number))
        candidate, edits = together(picked, current.state)
        if not edits:
            trail = replace(trail, stopped=stop or "no proposal is left")
            break
        if work.config.keep_all or len(picked) == 1:
            tried |= {proposal.id for proposal in picked}
        step, seen = _try(work, number, current, candidate, edits)
        trail = _noted(replace(trail, steps=(*trail.steps, step)), work)
        if step.verdict is Verdict.PUBLISHED:
            tried |= {proposal.id for proposal in picked}
            folder = step_folder(work.out, number) / "harness"
            current = _Current(number, candidate, folder, seen, diagnose(seen), (*current.edits, *edits))
            back, single = 0, False
        else:
            # A bundle that failed may hold a good edit: the next steps try its edits one by one.
            back, single = back + (len(picked) == 1), True
        trail = replace(trail, final=current.state, stopped=stop)
    trail = _noted(replace(trail, final=current.state), work, tell=False)
    publish(work.out, current.state, current.folder, current.edits, work.specs)
    return trail


def play_dev(work: Work, number: int, state: HarnessState, folder: Path) -> tuple[Record, ...]:
    """The records of the dev set under the harness of a step. Played once: what is on disk is not played again."""
    return play_seeds(work, state, folder, step_folder(work.out, number) / "dev", work.config.seeds)


def play_seeds(work: Work, state: HarnessState, folder: Path, out: Path, seeds: Sequence[int]) -> tuple[Record, ...]:
    """The records of some seeds, with ids that stay apart.

    Args:
        work: host, suites and sizes.
        state: what ``folder`` holds.
        folder: of the harness.
        out: where the records go.
        seeds: of the evaluation.
    """
    config = work.config
    suites = chosen(config.suites)
    found: list[Record] = []
    for seed in seeds:
        setting = Setting(str(folder), config.scenario, config.episodes, seed, config.wording)
        settings = {suite.name: setting for suite in suites}
        meta = {**work.meta, "harness_hash": state.hash}
        evaluation = evaluate(work.host, suites, settings, out / f"seed-{seed}", make=work.make, meta=meta)
        evaluation.check()
        found += [r for records in evaluation.records.values() for r in keyed(records, seed)]
    return tuple(found)


def _try(
    work: Work, number: int, current: _Current, candidate: HarnessState, edits: tuple[Edit, ...]
) -> tuple[Step, tuple[Record, ...]]:
    folder = snapshot(work.out, number, candidate, current.folder, edits, work.specs)
    records = play_dev(work, number, candidate, folder)
    config = work.config
    comparison = compare(current.records, records, allowed=config.allowed, cases=config.cases)
    verdict, why = judge(config, comparison)
    points = comparison.overall.points
    step = Step(
        number,
        current.number,
        candidate.hash,
        edits,
        means(records),
        size(candidate),
        verdict,
        why,
        (round(points.mean, 4), round(points.low, 4), round(points.high, 4)),
        _short(diagnose(records)),
        comparison.categories,
    )
    return step, records


def judge(config: EvolveConfig, comparison: Comparison) -> tuple[Verdict, str]:
    """Whether a candidate is published, and why: it must gain, beyond chance, and no category may pay for it."""
    gain, low, high = comparison.overall.points
    lost = ", ".join(f"{change.category} {change.gain:+.1f}" for change in comparison.regressions)
    paid = f"; lost: {lost}" if lost else ""
    if config.keep_all:
        return Verdict.PUBLISHED, f"{gain:+.1f} points, kept in any case{paid}"
    if math.isnan(low):
        return Verdict.ROLLED_BACK, f"{gain:+.1f} points of too few cases to tell a gain from chance{paid}"
    if gain < config.min_gain:
        return Verdict.ROLLED_BACK, f"{gain:+.1f} points are no gain{paid}"
    if low <= 0:
        return Verdict.ROLLED_BACK, f"{gain:+.1f} points may be chance ({low:+.1f} to {high:+.1f}){paid}"
    if lost:
        return Verdict.ROLLED_BACK, f"{gain:+.1f} points, but a category lost: {lost}"
    return Verdict.PUBLISHED, f"{gain:+.1f} points, no category lost more than {config.allowed:g}"


def _enough(config: EvolveConfig, clusters: Sequence[Cluster], number: int, back: int) -> str:
    """Why to stop before another step, ``""`` when there is no reason."""
    if number > config.steps:
        return f"{counted(config.steps, 'step')} made"
    if config.keep_all:
        return ""
    if back >= config.patience:
        return f"{counted(back, 'single edit')} in a row rolled back"
    if not clusters:
        return "nothing fails any more"
    widest = max(clusters, key=lambda cluster: cluster.share)
    if widest.share < config.tail_share:
        return (
            f"what fails is long tail: no kind is in more than {config.tail_share:.0%} of the cases, and a local rule "
            "is likelier to break another category than to help"
        )
    return ""


def _pick(work: Work, current: _Current, tried: set[str], limit: int, folder: Path) -> tuple[list[Proposal], str]:
    """The confirmed proposals of a step, and why to stop after it.

    What was decided before, in a run that was stopped, is read from the step's folder and not asked again.
    """
    proposals = work.proposer.propose(current.clusters, current.state, tried)
    decided = read_edits(folder / "edits.jsonl")
    if decided:
        known = [p for p in proposals if p.edit.why in {edit.why for edit in decided}]
        stored = [Proposal(f"stored/{edit.after}", "", edit) for edit in decided]
        if decided[0].before != current.state.hash:
            raise ConfigError(f"{folder} holds a step from another harness; choose another --out or remove it")
        return (known if len(known) == len(decided) else stored), ""
    clusters = {cluster.name: cluster for cluster in current.clusters}
    picked: list[Proposal] = []
    for proposal in proposals:
        if len(picked) >= limit:
            break
        if not _fits(proposal, picked):
            continue
        answer, answered = work.confirm(proposal, clusters.get(proposal.cluster))
        if answer is Answer.STOP:
            return picked, "a person ended it"
        if answer is Answer.YES:
            picked.append(answered)
        else:
            tried.add(proposal.id)
    return picked, ""


def _fits(proposal: Proposal, picked: Sequence[Proposal]) -> bool:
    """It changes no value that one of the others changes too."""
    taken = {operation.path for other in picked for operation in other.edit.operations}
    return not taken & {operation.path for operation in proposal.edit.operations}


def _short(clusters: Sequence[Cluster]) -> tuple[Failing, ...]:
    return tuple(
        Failing(c.name, len(c.records), c.hypothesis, tuple(" / ".join(case.comments) for case in c.cases))
        for c in clusters
    )


def _noted(trail: Trail, work: Work, *, tell: bool = True) -> Trail:
    write_trail(trail, work.out / "evolution.json")
    if tell:
        work.tell(trail.steps[-1])
    return trail
