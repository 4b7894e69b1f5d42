"""``Verdict``: what one head says of one request, with its reasons."""

from __future__ import annotations

import math
from dataclasses import dataclass


class ScoreError(ValueError):
    """A head that gave no usable number; the message names the head and the request."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One head's value and why.

    Attributes:
        value: within the head's range.
        reasons: short sentences, one per thing that lowered the value; empty when nothing did.
    """

    value: float
    reasons: tuple[str, ...] = ()

    def checked(self, head: str, request_id: str, low: float = 0.0, high: float = 1.0) -> Verdict:
        """Itself, when the value is a number within ``[low, high]``.

        Raises:
            ScoreError: the value is NaN, infinite or out of range.
        """
        if not math.isfinite(self.value) or not low <= self.value <= high:
            raise ScoreError(f"request {request_id}: head {head!r} gave {self.value!r}, not in [{low}, {high}]")
        return self
