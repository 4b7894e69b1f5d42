"""``Trail``: the steps of an evolution as a record, written to disk after each one."""

from __future__ import annotations

import dataclasses
import json
import math
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from livesim.errors import HarnessError
from livesim.evolution.checking import Change, Means
from livesim.harness.edits import HISTORY, Edit, append_edits, edit_to_plain, read_edits
from livesim.harness.folder import load_folder
from livesim.harness.lint import rule_lines
from livesim.harness.prompt import system_prompt
from livesim.harness.saving import save_folder
from livesim.harness.state import HarnessState
from livesim.tools.builtin import SPECS
from livesim.tools.spec import ToolSpec
from livesim.types import JsonValue
from livesim.whole import drafted, write_whole


class Verdict(StrEnum):
    """What became of a step."""

    BASELINE = "baseline"  # the harness as it was found
    PUBLISHED = "published"  # it is the harness from now on
    ROLLED_BACK = "rolled_back"  # the harness before it stays


@dataclass(frozen=True, slots=True)
class Size:
    """How much a harness asks to be read: rule lines in prompt and bodies, characters of the system prompt."""

    rules: int
    prompt_chars: int


@dataclass(frozen=True, slots=True)
class Failing:
    """A cluster in short: its name, how many cases, its hypothesis, comments of representative cases."""

    name: str
    cases: int
    hypothesis: str
    comments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One evaluated harness.

    Attributes:
        number: 0 is the baseline.
        base: number of the published step that it was made from; 0 for the baseline itself.
        harness: content hash.
        edits: from the base to here.
        means: of the dev set.
        size: of the harness.
        verdict: what became of it.
        why: of the verdict, one sentence.
        gain: points over the base, with its interval's ends (NaN: unknown); zeros at the baseline.
        failing: the diagnosis of this evaluation, the costliest first.
        changes: every category against the base, the worst first.
    """

    number: int
    base: int
    harness: str
    edits: tuple[Edit, ...]
    means: Means
    size: Size
    verdict: Verdict
    why: str
    gain: tuple[float, float, float] = (0.0, 0.0, 0.0)
    failing: tuple[Failing, ...] = ()
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Trail:
    """A whole evolution.

    Attributes:
        agent: whose.
        steps: in order, the baseline first.
        stopped: why it ended, one sentence; ``""`` while it goes on.
        final: the published harness at the end.
    """

    agent: str
    steps: tuple[Step, ...] = ()
    stopped: str = ""
    final: HarnessState | None = field(default=None, compare=False)

    @property
    def published(self) -> tuple[Step, ...]:
        """The baseline and every published step."""
        return tuple(step for step in self.steps if step.verdict is not Verdict.ROLLED_BACK)

    @property
    def best(self) -> Step:
        """The baseline or published step with most points; the earliest of equals."""
        return max(self.published, key=lambda step: (step.means.points, -step.number))


def size(state: HarnessState) -> Size:
    """How much a harness asks to be read."""
    texts = [block.text for block in state.prompt.blocks if block.text.strip() not in ("{skills}", "{tools}")]
    texts += [skill.body for skill in state.skills]
    return Size(sum(len(rule_lines(text)) for text in texts), len(system_prompt(state)))


def step_folder(out: Path, number: int) -> Path:
    """Where a step lies: ``harness/`` (whole folder), ``edits.jsonl``, ``dev/`` (records)."""
    return out / f"step-{number:02d}"


def snapshot(
    out: Path,
    number: int,
    state: HarnessState,
    source: Path,
    edits: Sequence[Edit],
    specs: Mapping[str, ToolSpec] = SPECS,
) -> Path:
    """Write the harness and the edits of a step; the folder that holds the harness. Done twice, it does nothing.

    Args:
        out: folder of the evolution.
        number: of the step.
        state: the candidate.
        source: folder of the harness that it was made from; what was not edited keeps its bytes.
        edits: that made it.
        specs: the tools there are.
    """
    folder = step_folder(out, number)
    harness = folder / "harness"
    if not _holds(harness, state, specs):
        shutil.rmtree(harness, ignore_errors=True)
        save_folder(state, harness, specs, source=source)
    path = folder / "edits.jsonl"
    if read_edits(path) != tuple(edits):
        with drafted(path) as draft:  # half of them would pass for all that was decided
            draft.touch()
            append_edits(draft, edits)
    return harness


def publish(
    out: Path, state: HarnessState, harness: Path, edits: Sequence[Edit], specs: Mapping[str, ToolSpec] = SPECS
) -> None:
    """Put the final harness at ``out/harness``, its edits behind those that its history held before."""
    final = out / "harness"
    shutil.rmtree(final, ignore_errors=True)
    save_folder(state, final, specs, source=harness)
    append_edits(final / HISTORY, edits)


def write_trail(trail: Trail, path: Path) -> None:
    """The trail as JSON."""
    write_whole(path, json.dumps(trail_to_plain(trail), indent=1, ensure_ascii=False) + "\n")


def trail_to_plain(trail: Trail) -> dict[str, JsonValue]:
    """The trail as JSON can hold it: the final harness by its hash, an unknown end of an interval as null."""
    steps = []
    for step in trail.steps:
        plain = {f.name: getattr(step, f.name) for f in dataclasses.fields(step) if f.name != "edits"}
        for name in ("means", "size"):
            plain[name] = dataclasses.asdict(plain[name])
        plain["gain"] = [None if math.isnan(value) else value for value in step.gain]
        for name in ("failing", "changes"):
            plain[name] = [dataclasses.asdict(entry) for entry in plain[name]]
        steps.append({**plain, "edits": [edit_to_plain(edit) for edit in step.edits]})
    final = trail.final.hash if trail.final else ""
    found: dict[str, JsonValue] = json.loads(
        json.dumps({"agent": trail.agent, "stopped": trail.stopped, "final": final, "steps": steps})
    )
    return found


def _holds(folder: Path, state: HarnessState, specs: Mapping[str, ToolSpec]) -> bool:
    try:
        return load_folder(folder, specs).hash == state.hash
    except HarnessError:
        return False
