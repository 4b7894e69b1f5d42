"""Slips that a teacher makes on purpose, once, so that its next turn shows the way back."""

from __future__ import annotations

from enum import StrEnum

import numpy as np


class Slip(StrEnum):
    """What is done wrong once."""

    NONE = "none"  # nothing
    SKILL_NAME = "skill_name"  # a skill that is not listed
    TOOL_NAME = "tool_name"  # a tool that is not listed
    PARAMETER = "parameter"  # a parameter that the tool does not take
    EARLY_REPLY = "early_reply"  # a reply before any skill was loaded


_SLIPS = (Slip.SKILL_NAME, Slip.TOOL_NAME, Slip.PARAMETER, Slip.EARLY_REPLY)


def draw(rng: np.random.Generator, chance: float) -> Slip:
    """A slip with this chance; nothing is drawn at 0, so that wordings stay the same."""
    if chance <= 0.0 or rng.random() >= chance:
        return Slip.NONE
    return _SLIPS[int(rng.integers(len(_SLIPS)))]


def misspelt(shown: str, canonical: str, rng: np.random.Generator) -> str:
    """A name that is not ``shown`` but could be meant: the name of another harness, or one letter less."""
    if canonical and canonical != shown and rng.random() < 0.6:
        return canonical
    if len(shown) < 3:
        return shown + "x"
    at = int(rng.integers(1, len(shown) - 1))
    return shown[:at] + shown[at + 1 :]
