"""The slots of a want and what may be in them."""

from __future__ import annotations

from collections.abc import Mapping

NUMBERS: Mapping[str, tuple[int, int]] = {"height_cm": (50, 250), "weight_kg": (10, 250), "quantity": (1, 99)}
"""Slots that hold whole numbers, with what the tools accept."""

SLOTS = ("option", "topic", "order", "ai", *NUMBERS)
"""Every slot that a need looks at; others do no harm and no good."""


def slot_problem(slots: object) -> str:
    """What is wrong with the slots of a want, or ``""``."""
    if not isinstance(slots, Mapping):
        return f"slots must be a mapping, got {slots!r:.80}"
    for name, value in slots.items():
        if not isinstance(name, str):
            return f"a slot's name must be text, got {name!r:.80}"
        if name in NUMBERS:
            low, high = NUMBERS[name]
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                return f"slot {name} must be a whole number from {low} to {high}, got {value!r:.80}"
        elif isinstance(value, bool) or not isinstance(value, int | str):
            return f"slot {name} must be text or a whole number, got {value!r:.80}"
    return ""
