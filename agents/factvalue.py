"""``spoken``: the value of a fact with its unit, as a host says it and a judge reads it."""

from __future__ import annotations

from livesim.world.money import yuan
from rewards.signals import Fact, FactKind


def spoken(fact: Fact) -> str:
    """``"89 yuan"``, ``"10%"``, ``"1 day"``, ``"48 hours"``; counts, flags and words as they are."""
    value = fact.value
    if fact.kind is FactKind.MONEY and isinstance(value, int):
        return yuan(value)
    if fact.kind is FactKind.PERCENT:
        return f"{value}%"
    if fact.kind is FactKind.DAYS:
        return f"{value} day" if value == 1 else f"{value} days"
    if fact.kind is FactKind.HOURS:
        return f"{value} hour" if value == 1 else f"{value} hours"
    return str(value)
