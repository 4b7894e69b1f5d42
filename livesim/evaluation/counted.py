"""counted: a number with its noun in the right number: ``"1 case"``, ``"3 cases"``."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """The number and the noun; a noun whose plural takes more than an ``s`` is no noun for this."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
