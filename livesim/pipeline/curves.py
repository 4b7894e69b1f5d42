"""Training curves out of the ``metrics.jsonl`` that each stage leaves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from livesim.evaluation.charts import Line
from livesim.evaluation.records import FOUR_HEADS
from livesim.evaluation.report import Curves
from livesim.pipeline.models import Model

Rows = Sequence[Mapping[str, float]]


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
        found[float(row["step"])] = {**row, **_saturated(row)}
    return [found[step] for step in sorted(found)]


def _saturated(row: Mapping[str, float]) -> dict[str, float]:
    """Share of groups in which a head tells no rollout from another, by head."""
    shares = {key.split("/")[1]: value for key, value in row.items() if key.endswith("/informative")}
    return {f"groups/{head}/saturated": 1.0 - share for head, share in shares.items()}


def line(rows: Rows, key: str, name: str) -> Line:
    """One metric over the steps that have it."""
    kept = [row for row in rows if key in row]
    return Line(name, tuple(float(row["step"]) for row in kept), tuple(float(row[key]) for row in kept))


def curves(models: Sequence[Model], folder: Path) -> tuple[Curves, ...]:
    """The charts of a run; the last model that RL made is shown in full.

    Args:
        models: in the order of their lines.
        folder: of the run.
    """
    rows = {model.label: read(folder / model.name) for model in models}
    of = {stage: [m.label for m in models if m.stage == stage and rows[m.label]] for stage in ("opd", "rl")}
    sft = [m.label for m in models if m.stage in ("fixed", "sft")]
    about = "cross-entropy over the assistant's tokens of a batch"
    shown = [_over(rows, sft, "train/loss", "SFT loss", about)]
    about = "distance to the model before SFT on general prompts, on the student's own answers"
    key = next((k for name in of["opd"] for k in rows[name][0] if k.endswith("distillation/loss")), "")
    shown.append(_over(rows, of["opd"], key, "OPD loss", about))
    about = "weighted total of the rollouts of a step, sampled, not greedy"
    if len(of["rl"]) > 1:
        shown.append(_over(rows, of["rl"], "heads/total/mean", "RL reward", about))
    for name in of["rl"][-1:]:
        shown += _rl(rows[name], name if len(of["rl"]) > 1 else "", about)
    return tuple(chart for chart in shown if any(one.x for one in chart.lines))


def _over(rows: Mapping[str, Rows], names: Sequence[str], key: str, title: str, about: str) -> Curves:
    """One metric of several models."""
    found = (line(rows[name], key, name) for name in names)
    return Curves(title, about, tuple(one for one in found if one.x))


def _rl(rows: Rows, name: str, about: str) -> list[Curves]:
    """Everything about one model's RL."""
    of = f" of {name}" if name else ""

    def chart(title: str, about: str, keys: Mapping[str, str]) -> Curves:
        found = (line(rows, key, label) for label, key in keys.items())
        return Curves(f"{title}{of}", about, tuple(one for one in found if one.x))

    return [
        chart(
            "RL reward",
            about,
            {"total": "heads/total/mean", "original harness": "heads/total/original", "varied": "heads/total/varied"},
        ),
        chart(
            "RL heads",
            "mean of each head over the rollouts of a step",
            {head: f"heads/{head}/mean" for head in FOUR_HEADS},
        ),
        chart(
            "RL saturated groups",
            "share of groups whose rollouts all get the same value: on a head, and on every head",
            {"every head": "groups/saturated", **{head: f"groups/{head}/saturated" for head in FOUR_HEADS}},
        ),
        chart("RL entropy", "of the policy's next token, nat", {"entropy": "actor/entropy"}),
        chart(
            "RL distance",
            "of the trained policy to the one that sampled, nat a token",
            {"KL": "actor/ppo_kl", "KL to the start of the stage": "actor/kl_loss"},
        ),
        chart(
            "RL length",
            "tokens that the policy wrote in a request, by segment",
            {"tool calls": "tokens/tool/mean", "reply": "tokens/reply/mean", "unreadable": "tokens/both/mean"},
        ),
    ]
