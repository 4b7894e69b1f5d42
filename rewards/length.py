"""The reasoning-length term: at most 0, tool thought and reply thought apart, only where the answer was accurate."""

from __future__ import annotations

from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from rewards.signals import Signals


class LengthConfig(BaseModel):
    """Settings of the length term.

    Attributes:
        weight: what a fully over-long request loses of its total, >= 0.
        span_tokens: tokens over the free budget at which a part reaches its floor.
        tool_share: share of the tool part in the mean of the two parts, in [0, 1].
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    weight: float = Field(default=0.1, ge=0.0)
    span_tokens: int = Field(default=256, ge=1)
    tool_share: float = Field(default=0.5, ge=0.0, le=1.0)


class LengthTerms(NamedTuple):
    """The two parts and their mean, each in [-1, 0]."""

    tool: float
    reply: float
    mean: float


def terms(signals: Signals, accuracy: float, config: LengthConfig) -> LengthTerms:
    """Penalty for reasoning beyond the free budget.

    For each part ``p`` (tool, reply): ``over_p = max(0, tokens_p - free_p)`` and
    ``term_p = -min(1, over_p / span_tokens)``; the mean is ``share * tool + (1 - share) * reply``.
    All three are 0 unless ``accuracy`` is 1, so that a short lie never beats a long truth. Free budgets are
    the harness's own limits. *Source:* the paper penalises both parts apart and prints no formula; this is ours.

    Args:
        signals: the finished request.
        accuracy: value of the accuracy head.
        config: slope and shares.
    """
    if accuracy < 1.0:
        return LengthTerms(0.0, 0.0, 0.0)
    limits = signals.limits
    tool = _part(signals.tool_thought_tokens, limits.tool_thought_tokens, config.span_tokens)
    reply = _part(signals.reply_thought_tokens, limits.reply_thought_tokens, config.span_tokens)
    return LengthTerms(tool, reply, config.tool_share * tool + (1.0 - config.tool_share) * reply)


def _part(tokens: int, free: int, span: int) -> float:
    over = tokens - free
    return -min(1.0, over / span) if over > 0 else 0.0
