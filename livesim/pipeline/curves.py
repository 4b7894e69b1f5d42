"""Training curves out of the ``metrics.jsonl`` that each stage leaves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from livesim.evaluation.charts import Line
from livesim.evaluation.report import Curves

HEADS = ("accuracy", "effectiveness", "tool_rationality", "skill_selection")


def read(folder: Path) -> list[dict[str, float]]:
    """The metrics of every step of a stage, the last record of a step winning; empty when there are none."""
    path = folder / "metrics.jsonl"
    if not path.exists():
        return []
    found: dict[float, dict[str, float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            row = json.loads(line)
        except ValueError:  # the process died while writing it
            continue
        found[float(row["step"])] = row
    return [found[step] for step in sorted(found)]


def line(rows: Sequence[Mapping[str, float]], key: str, name: str) -> Line:
    """One metric over the steps that have it."""
    kept = [row for row in rows if key in row]
    return Line(name, tuple(float(row["step"]) for row in kept), tuple(float(row[key]) for row in kept))


def curves(folders: Mapping[str, Path], names: Mapping[str, str]) -> tuple[Curves, ...]:
    """The charts of a run.

    Args:
        folders: stage (``fixed``, ``sft``, ``opd``, ``rl``) -> its folder.
        names: stage -> what its model is called.
    """
    rows = {stage: read(folder) for stage, folder in folders.items()}
    shown: list[Curves] = []
    losses = tuple(line(rows[s], "train/loss", names[s]) for s in ("fixed", "sft") if rows.get(s))
    if losses:
        shown.append(Curves("SFT loss", "cross-entropy over the assistant's tokens of a batch", losses))
    if rows.get("opd"):
        key = next((k for k in rows["opd"][0] if k.endswith("distillation/loss")), "")
        if key:
            about = "distance to the model before SFT on general prompts, on the student's own answers"
            shown.append(Curves("OPD loss", about, (line(rows["opd"], key, names["opd"]),)))
    if rows.get("rl"):
        split = (
            ("total", "heads/total/mean"),
            ("original harness", "heads/total/original"),
            ("varied harness", "heads/total/varied"),
        )
        total = tuple(line(rows["rl"], key, name) for name, key in split if any(key in row for row in rows["rl"]))
        if total:
            shown.append(Curves("RL reward", "weighted total of the rollouts of a step, sampled, not greedy", total))
        heads = tuple(line(rows["rl"], f"heads/{head}/mean", head) for head in HEADS)
        if any(one.x for one in heads):
            shown.append(Curves("RL heads", "mean of each head over the rollouts of a step", heads))
    return tuple(shown)
