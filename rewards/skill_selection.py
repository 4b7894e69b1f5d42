"""Head ``skill_selection``."""

from __future__ import annotations

from rewards.signals import Signals
from rewards.verdict import Verdict


def head(signals: Signals) -> Verdict:
    """Not written yet: always 0."""
    return Verdict(0.0, (f"request {signals.request_id}: not written yet",))
