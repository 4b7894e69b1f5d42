"""Who decides accuracy and effectiveness: the ``Judge`` port and ``RuleJudge``, the deterministic default."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from rewards import accuracy, effectiveness
from rewards.signals import Signals
from rewards.verdict import Verdict


class Judgement(NamedTuple):
    """The two verdicts of a judge, made independently of one another."""

    accuracy: Verdict
    effectiveness: Verdict


class Judge(Protocol):
    """Anything that reads a finished request and decides the two heads of the reply.

    A judge that can't decide (a model endpoint down) raises; it never returns a zero in place of an answer.
    """

    def judge(self, signals: Signals) -> Judgement:
        """Verdicts for accuracy (0 or 1) and effectiveness (0, 0.5 or 1)."""


class RuleJudge:
    """Typed claims against recorded facts; no model, no state, same answer every time."""

    def judge(self, signals: Signals) -> Judgement:
        """See ``rewards.accuracy`` and ``rewards.effectiveness`` for the rubric."""
        return Judgement(accuracy.head(signals), effectiveness.head(signals))
