"""Money: integer fen (1/100 yuan) and how it is written."""

from __future__ import annotations


def yuan(fen: int) -> str:
    """``8900`` -> ``"89 yuan"``, ``8950`` -> ``"89.50 yuan"``; a debt keeps its sign."""
    whole, rest = divmod(abs(fen), 100)
    sign = "-" if fen < 0 else ""
    return f"{sign}{whole}.{rest:02d} yuan" if rest else f"{sign}{whole} yuan"


def percent_of(fen: int, percent: int) -> int:
    """``percent`` of an amount, rounded down to the fen, so that a discount never exceeds what was promised.

    Args:
        fen: at least 0.
        percent: 0 to 100.
    """
    return fen * percent // 100
