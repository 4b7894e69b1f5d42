"""Segment GDPO: each reward head normalised in its group, summed per segment, whitened over responses.

After "Group reward-Decoupled Normalization Policy Optimization" (arXiv 2601.05242, eqs. 4 to 8), with what the paper
leaves open chosen here: whitening over responses, never over tokens; groups whose rewards are all equal are masked
exactly instead of up to a rounding error; heads reward the tokens of their own segment only; whitening has a floor, so
that a light head that is alone in telling responses apart stays light. Pure numpy, float64.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from livesim.errors import TrainingError

Floats = npt.NDArray[np.float64]

EPSILON = 1e-4
"""Added to the standard deviation of the batch when whitening."""

ADVANTAGES_ONLY = "advantages_only"
"""What the trainer tells the engine where the loss has no term but that of the advantages: no KL, no entropy."""


class Mark(StrEnum):
    """What a token of the answer is; the value is what the trainer's arrays hold as 0, 1, 2, 3."""

    OTHER = "other"  # the environment wrote it
    TOOL = "tool"  # a turn that loads a skill or calls a tool
    REPLY = "reply"  # a turn that is, or tries to be, the reply
    BOTH = "both"  # a turn that cannot be read: it carries the mean of both

    @property
    def code(self) -> int:
        """Number in arrays."""
        return list(Mark).index(self)


@dataclass(frozen=True, slots=True)
class HeadWeight:
    """How one reward head enters the advantage.

    Attributes:
        name: of the head.
        segment: ``"tool"`` or ``"reply"``: whose tokens it rewards.
        weight: of its normalised advantage, at least 0; 0: it is only measured.
        needs: ``(head, threshold)``: where that other head stays below the threshold this one is 0 (eq. 8), which is
            the worst it can be: its values must be at least 0.
    """

    name: str
    segment: str
    weight: float = 1.0
    needs: tuple[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Advantages:
    """One number per response and segment.

    Attributes:
        tool: for tokens marked TOOL.
        reply: for tokens marked REPLY.
        informative: per head, the share of groups whose rewards differ.
    """

    tool: Floats
    reply: Floats
    informative: dict[str, float]


def checked(heads: Sequence[Mapping[str, object]], names: Sequence[str], episodes: Sequence[str]) -> dict[str, Floats]:
    """Head values as arrays.

    Raises:
        TrainingError: a value is missing, no number or NaN; names episode and head. (One NaN would silently make the
            whole batch NaN.)
    """
    found: dict[str, Floats] = {}
    for name in names:
        values = []
        for row, episode in zip(heads, episodes, strict=True):
            value = row.get(name)
            if not isinstance(value, (int, float)) or not math.isfinite(value):
                raise TrainingError(f"episode {episode}: head {name!r} is {value!r}, must be a finite number")
            values.append(float(value))
        found[name] = np.array(values, dtype=np.float64)
    return found


def in_groups(values: Floats, groups: Sequence[str], floor: float = 0.0) -> tuple[Floats, Floats, float]:
    """``(value - mean) / max(std, floor)`` within each group (eq. 4; std with Bessel's correction).

    Args:
        values: one per response.
        groups: the group of each response.
        floor: least standard deviation, so that a tiny difference is no large advantage.

    Returns:
        The advantages; 1.0 where the group's values differ (a group of equal values, or of one, is 0 exactly); and
        the share of groups that differ.
    """
    out, live = np.zeros_like(values), np.zeros_like(values)
    keys = np.array(groups, dtype=object)
    names = list(dict.fromkeys(groups))
    for name in names:
        rows = np.flatnonzero(keys == name)
        part = values[rows]
        if part.max() == part.min():
            continue
        out[rows] = (part - part.mean()) / max(float(part.std(ddof=1)), floor)
        live[rows] = 1.0
    informative = sum(bool(live[keys == name].any()) for name in names) / max(len(names), 1)
    return out, live, informative


def counted(head: HeadWeight, heads: Mapping[str, Floats]) -> Floats:
    """A head's values as they enter: 0 where the head that it needs stays below its threshold (eq. 8).

    Raises:
        TrainingError: such a head has a negative value, so that being left out would be a gain.
    """
    values = heads[head.name]
    if head.needs is None:
        return values
    other, threshold = head.needs
    if values.min(initial=0.0) < 0.0:
        raise TrainingError(f"head {head.name!r} needs {other!r}, so it must not be below 0")
    return np.where(heads[other] >= threshold, values, 0.0)


def whiten(values: Floats, live: Floats, least: float = 0.0) -> Floats:
    """Zero mean and unit deviation over the responses of informative groups; the others stay 0 exactly (eq. 6).

    The deviation is taken over informative responses, so that a batch in which few groups are informative is not
    blown up.

    Args:
        values: one per response.
        live: 1.0 for responses of informative groups.
        least: deviation that is divided by at least.
    """
    rows = live > 0
    if int(rows.sum()) < 2:
        return np.asarray(values * 0.0)
    part = values[rows]
    out = np.zeros_like(values)
    out[rows] = (part - part.mean()) / (max(float(part.std(ddof=1)), least) + EPSILON)
    return out


def alone(weight: float, live: Floats, groups: Sequence[str]) -> float:
    """The deviation of a batch in which one head of this weight alone tells responses apart, in every live group.

    Within a group of G, normalised values have a mean square of (G - 1) / G. As the floor of ``whiten`` it changes
    nothing while the heaviest head of a segment is informative; without it, eq. 6 would raise what a head of weight
    0.1 has to say to the strength of a head of weight 1 as soon as the others are saturated, and the remainder of
    heads that cancel likewise.
    """
    rows = live > 0
    count = int(rows.sum())
    distinct = len({group for group, kept in zip(groups, rows, strict=True) if kept})
    return weight * math.sqrt(1.0 - distinct / count) if count else 0.0


def segment_gdpo(
    heads: Mapping[str, Floats],
    groups: Sequence[str],
    weights: Sequence[HeadWeight],
    *,
    floor: float = 0.0,
    whitened: bool = True,
) -> Advantages:
    """Advantages per response for the tool part and the reply part.

    Args:
        heads: name -> value of each response.
        groups: the group of each response.
        weights: the heads that count.
        floor: see ``in_groups``.
        whitened: normalise over the batch too, with the floor of ``alone``.
    """
    informative: dict[str, float] = {}
    parts: dict[str, Floats] = {}
    for segment in (Mark.TOOL, Mark.REPLY):
        total = np.zeros(len(groups), dtype=np.float64)
        any_live = np.zeros(len(groups), dtype=np.float64)
        of_segment = [w for w in weights if w.segment == segment]
        for head in of_segment:
            advantage, live, share = in_groups(counted(head, heads), groups, floor)
            informative[head.name] = share
            total += head.weight * advantage
            if head.weight:
                any_live = np.maximum(any_live, live)
        heaviest = max((head.weight for head in of_segment), default=0.0)
        parts[segment] = whiten(total, any_live, alone(heaviest, any_live, groups)) if whitened else total
    return Advantages(parts[Mark.TOOL], parts[Mark.REPLY], informative)


def grpo(totals: Floats, groups: Sequence[str], *, floor: float = 0.0) -> Advantages:
    """Plain GRPO on the weighted total, the same for all tokens: the comparison."""
    advantage, _, share = in_groups(totals, groups, floor)
    return Advantages(advantage, advantage, {"total": share})


def saturated(heads: Mapping[str, Floats], groups: Sequence[str], weights: Sequence[HeadWeight]) -> float:
    """Share of groups in which no response differs from another in any head that has a weight: they teach nothing."""
    keys = np.array(groups, dtype=object)
    distinct = list(dict.fromkeys(groups))
    values = [counted(head, heads) for head in weights if head.weight]
    equal = [all(float(np.ptp(one[keys == group])) == 0.0 for one in values) for group in distinct]
    return sum(equal) / max(len(distinct), 1)


def per_token(advantages: Advantages, marks: Sequence[Sequence[int]]) -> list[Floats]:
    """The advantage of every token of every answer, by its mark; 0 for what the environment wrote."""
    table = np.stack(
        [
            np.zeros_like(advantages.tool),
            advantages.tool,
            advantages.reply,
            (advantages.tool + advantages.reply) / 2,
        ],
        axis=1,
    )
    return [table[i][np.array(row, dtype=np.int64)] for i, row in enumerate(marks)]
