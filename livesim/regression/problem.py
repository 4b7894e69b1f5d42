"""``Problem``: one thing that the linter found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad it is."""

    ERROR = "error"  # the scenario cannot mean what it says
    WARNING = "warning"  # it works, but look at it


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and where.

    Attributes:
        severity: errors fail the lint.
        where: the part of the scenario.
        text: what is wrong.
    """

    severity: Severity
    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.severity}: {self.where}: {self.text}"
