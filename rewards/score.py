"""``score``: four heads and the length term of one finished request, and their weighted total."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field, field_validator

from rewards import accuracy, effectiveness, skill_selection, tool_rationality
from rewards.judge import Judge, RuleJudge
from rewards.length import LengthConfig, LengthTerms, terms
from rewards.signals import Signals
from rewards.verdict import ScoreError, Verdict

__all__ = ["HEADS", "Head", "LengthConfig", "RewardConfig", "ScoreError", "Scores", "Verdict", "score"]


@dataclass(frozen=True, slots=True)
class Head:
    """A head: a pure function over signals, and the segment whose tokens it rewards (``"tool"`` or ``"reply"``)."""

    function: Callable[[Signals], Verdict]
    segment: str


HEADS: Mapping[str, Head] = MappingProxyType(
    {
        "accuracy": Head(accuracy.head, "reply"),
        "effectiveness": Head(effectiveness.head, "reply"),
        "tool_rationality": Head(tool_rationality.head, "tool"),
        "skill_selection": Head(skill_selection.head, "tool"),
    }
)
"""The one ordered mapping of head names."""

_WEIGHTS = {"accuracy": 0.4, "effectiveness": 0.3, "tool_rationality": 0.15, "skill_selection": 0.15}


class RewardConfig(BaseModel):
    """How heads become one number. The weights are ours; the paper gives none.

    Attributes:
        weights: one per head, each >= 0, summing to 1.
        gate_effectiveness: in the total, effectiveness pays only where the reply was accurate, so that a
            persuasive lie earns nothing. The head itself stays ungated.
        gate_accuracy: in the total, accuracy pays only in the measure of effectiveness, so that a harmless
            nothing ("let me check", an emoji, an echo) earns nothing for being true. The head stays ungated.
        length: settings of the reasoning-length term.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    weights: dict[str, float] = Field(default_factory=lambda: dict(_WEIGHTS))
    gate_effectiveness: bool = True
    gate_accuracy: bool = True
    length: LengthConfig = LengthConfig()

    @field_validator("weights")
    @classmethod
    def _sum_to_one(cls, weights: dict[str, float]) -> dict[str, float]:
        if any(not 0.0 <= value <= 1.0 for value in weights.values()) or abs(sum(weights.values()) - 1.0) > 1e-9:
            raise ValueError(f"weights must be in [0, 1] and sum to 1, got {weights}")
        return weights


@dataclass(frozen=True, slots=True)
class Scores:
    """What one request earned.

    Attributes:
        heads: value of every head in the order of ``HEADS``, ungated, then ``"length"`` in [-1, 0].
        total: weighted mean of the (gated) heads plus ``config.length.weight * length``.
        reasons: per head, what lowered it.
        length: the two parts of the length term, for advantages per segment.
    """

    heads: dict[str, float]
    total: float
    reasons: dict[str, tuple[str, ...]]
    length: LengthTerms


_DEFAULT = RewardConfig()
_RULES = RuleJudge()


def score(
    signals: Signals,
    config: RewardConfig = _DEFAULT,
    judge: Judge | None = None,
    heads: Mapping[str, Head] = HEADS,
) -> Scores:
    """Judge one finished request.

    Args:
        signals: all that is known of it.
        config: weights, gates and length settings.
        judge: decides accuracy and effectiveness; ``None`` for the rules.
        heads: pass ``{**HEADS, "mine": Head(...)}`` with a weight for it to add one of your own.

    Raises:
        ScoreError: a weight without a head or a head without a weight, or a value that is NaN or out of range;
            the message names the request.
    """
    if set(config.weights) != set(heads):
        raise ScoreError(f"request {signals.request_id}: weights {sorted(config.weights)} but heads {sorted(heads)}")
    if not {"accuracy", "effectiveness"} <= set(heads):
        raise ScoreError(f"request {signals.request_id}: accuracy and effectiveness are needed, heads {sorted(heads)}")
    judgement = (judge or _RULES).judge(signals)
    verdicts: dict[str, Verdict] = {}
    for name, head in heads.items():
        verdict = getattr(judgement, name) if name in judgement._fields else head.function(signals)
        if not isinstance(verdict, Verdict):
            raise ScoreError(f"request {signals.request_id}: head {name!r} gave no verdict but {verdict!r}")
        verdicts[name] = verdict.checked(name, signals.request_id)
    values = {name: verdict.value for name, verdict in verdicts.items()}
    length = terms(signals, values["accuracy"], config.length)
    paid = dict(values)
    if config.gate_effectiveness:
        paid["effectiveness"] *= values["accuracy"]
    if config.gate_accuracy:
        paid["accuracy"] *= values["effectiveness"]
    total = sum(weight * paid[name] for name, weight in config.weights.items()) + config.length.weight * length.mean
    reasons = {name: verdict.reasons for name, verdict in verdicts.items()}
    return Scores({**values, "length": length.mean}, total, reasons, length)
