"""What a reader finds in a log: a comment, something left out on purpose, or something it could not read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from livesim.config import StrictModel
from livesim.types import Intent


class LeftOut(StrEnum):
    """Why a record that was understood is no comment of the replay."""

    GIFT = "gift"  # gifts, stickers, memberships, donations without words
    LIKE = "like"  # likes and hearts
    ENTRY = "entry"  # somebody came, followed, shared or subscribed
    SYSTEM = "system"  # notices, pins, polls, statistics, moderation
    DELETED = "deleted"  # removed by a moderator
    EMPTY = "empty"  # no words in it
    DUPLICATE = "duplicate"  # the same text of the same viewer within seconds
    OUTSIDE = "outside"  # before the chosen start or after the chosen end


@dataclass(frozen=True, slots=True)
class Said:
    """A comment.

    Attributes:
        line: of the file, 1 for the first.
        at_s: seconds on the log's own clock, whatever its zero is.
        user: tells viewers apart; an id where the log has one.
        name: as shown.
        text: what was written.
        intent: where the log is labelled; otherwise it is guessed from the text.
        link: likewise.
    """

    line: int
    at_s: float
    user: str
    name: str
    text: str
    intent: Intent | None = None
    link: int | None = None


@dataclass(frozen=True, slots=True)
class Dropped:
    """A record that is no comment, and why."""

    line: int
    why: LeftOut


@dataclass(frozen=True, slots=True)
class Unread:
    """A record that could not be read; ``why`` is a short reason that is counted."""

    line: int
    why: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something the reader assumed about the whole file, e.g. the delimiter."""

    text: str


Record: TypeAlias = "Said | Dropped | Unread | Note"


class Columns(StrictModel):
    """Which column of a table holds what: its header, or its place, 1 for the first.

    Attributes:
        time: when.
        text: what was written.
        viewer: who; without it every line is another viewer.
        kind: what sort of record; rows whose kind names a gift, a like, an entry or a notice are left out.
        intent: a label, one of the 15 intents.
        link: the item it is about, a link number.
        delimiter: one character; None: guessed.
        encoding: as Python names it; None: guessed.
        header: the first row names the columns; None: guessed.
    """

    time: str | int | None = None
    text: str | int | None = None
    viewer: str | int | None = None
    kind: str | int | None = None
    intent: str | int | None = None
    link: str | int | None = None
    delimiter: str | None = None
    encoding: str | None = None
    header: bool | None = None


@dataclass(frozen=True, slots=True)
class LogFile:
    """A decoded file.

    Attributes:
        path: where it lies.
        text: the whole of it.
        encoding: what it was decoded with.
        columns: the mapping, for tables.
    """

    path: Path
    text: str
    encoding: str
    columns: Columns

    @property
    def head(self) -> str:
        """The beginning, enough to recognise a format."""
        return self.text[:20_000]


@dataclass(frozen=True, slots=True)
class LogFormat:
    """A family of exports.

    Attributes:
        name: as in ``format:`` of a replay.
        summary: one clause: who writes it.
        sniff: does a file look like one?
        read: its records in the order of the file. Raises ValueError only when nothing can be read at all.
    """

    name: str
    summary: str
    sniff: Callable[[LogFile], bool]
    read: Callable[[LogFile], Iterator[Record]]
