"""``LoadReport``: what became of every record of a log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load kept, left out, masked and could not read; ``records`` is always the sum of the three parts.

    Attributes:
        source: the file.
        format: the family it was read as.
        encoding: what it was decoded with.
        records: everything found in the file.
        kept: comments of the replay.
        left_out: reason (``LeftOut``) -> how many.
        unread: reason -> how many records could not be read.
        masked: kind of personal data -> how many places were masked.
        examples: the first unread records, ``"line 7: no time"``.
        notes: what the reader assumed, e.g. the delimiter and the form of times.
        viewers: how many different viewers wrote.
        span_s: seconds from the first kept comment to the last.
    """

    source: str
    format: str
    encoding: str
    records: int
    kept: int
    left_out: Mapping[str, int]
    unread: Mapping[str, int]
    masked: Mapping[str, int]
    examples: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    viewers: int = 0
    span_s: float = 0.0

    def lines(self) -> tuple[str, ...]:
        """The report for people, a line for each part."""
        found = [
            f"{self.source}: read as {self.format} ({self.encoding}), {self.records} records, "
            f"{self.kept} comments of {self.viewers} viewers over {self.span_s:.0f} s"
        ]
        for title, counts in (("left out", self.left_out), ("not read", self.unread), ("masked", self.masked)):
            if counts:
                found.append(f"  {title}: " + ", ".join(f"{name} {count}" for name, count in counts.items()))
        found += [f"  {example}" for example in self.examples]
        found += [f"  assumed: {note}" for note in self.notes]
        return tuple(found)

    def __str__(self) -> str:
        return "\n".join(self.lines())
