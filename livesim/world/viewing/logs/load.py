"""Loads a comment log: reads, orders, masks, merges duplicates, and reports on every record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from livesim.errors import ViewerError
from livesim.world.viewing.logs.formats import format_of
from livesim.world.viewing.logs.reading import open_log
from livesim.world.viewing.logs.records import Columns, Dropped, LeftOut, LogFile, Record, Said, Unread
from livesim.world.viewing.logs.report import LoadReport
from livesim.world.viewing.masking import mask

DUPLICATE_S = 2.0
"""The same text of the same viewer within so many seconds counts once. *Source:* docs/domain.md section 2."""

MAX_TEXT = 2000
"""Longer lines are cut, as every platform does."""

EXAMPLES = 10
"""So many unread records are named in a report."""

EPOCH_S = 1e8
"""Larger times are seconds since 1970, smaller ones seconds of a stream or a day."""

_BLANK = re.compile(r"[\s\x00-\x1f\x7f]+")
_MENTION = re.compile(r"(?<!\w)@([\w.-]{2,60})")


@dataclass(frozen=True, slots=True)
class Log:
    """A loaded log: comments by time, seconds since the first one, and what became of the rest."""

    comments: tuple[Said, ...]
    report: LoadReport


@dataclass(frozen=True, slots=True)
class Cut:
    """Which part of a log is taken and how it is shown; see ``ReplayConfig``."""

    start_s: float = 0.0
    end_s: float | None = None
    speed: float = 1.0
    keep_names: bool = False


def load_log(path: Path, *, format_name: str = "auto", columns: Columns | None = None, cut: Cut | None = None) -> Log:
    """The comments of an export.

    Args:
        path: the file; gzipped ones are unpacked.
        format_name: one of ``formats.FORMATS``; ``"auto"``: recognised.
        columns: for tables.
        cut: what to take of it.

    Raises:
        ViewerError: names the file and the line: missing, empty, of no known format, or without a single comment.
    """
    file = open_log(path, columns)
    chosen = format_of(file, format_name)
    said: list[Said] = []
    left: Counter[str] = Counter()
    unread: Counter[str] = Counter()
    examples: list[str] = []
    notes: list[str] = []
    for record in _records(file, chosen.read(file)):
        if isinstance(record, Said):
            said.append(record)
        elif isinstance(record, Dropped):
            left[record.why] += 1
        elif isinstance(record, Unread):
            unread[record.why] += 1
            _note(examples, record)
        else:
            notes.append(record.text)
    records = len(said) + left.total() + unread.total()
    said = _one_clock(said, unread, examples)
    said.sort(key=lambda comment: comment.at_s)
    masked: Counter[str] = Counter()
    kept = list(_kept(said, cut or Cut(), left, masked))
    if not kept:
        first = examples[0] if examples else "line 1: only gifts, likes and notices"
        raise ViewerError(
            f"{path}: {first}; no comment in {records} records read as {chosen.name}: {_sum(left, unread)}"
        )
    report = LoadReport(
        source=str(path),
        format=chosen.name,
        encoding=file.encoding,
        records=records,
        kept=len(kept),
        left_out=dict(sorted(left.items())),
        unread=dict(sorted(unread.items())),
        masked=dict(sorted(masked.items())),
        examples=tuple(examples),
        notes=tuple(notes),
        viewers=len({comment.user for comment in kept}),
        span_s=round(kept[-1].at_s - kept[0].at_s, 3),
    )
    return Log(tuple(kept), report)


def _records(file: LogFile, records: Iterator[Record]) -> Iterator[Record]:
    """``records``, with an error of the reader as one that names the file."""
    try:
        yield from records
    except ValueError as error:
        raise ViewerError(f"{file.path}: line 1: {error}") from None


def _one_clock(said: list[Said], unread: Counter[str], examples: list[str]) -> list[Said]:
    """The comments whose times count from the same zero; the fewer, of another clock, would stretch over decades."""
    dated = [comment for comment in said if abs(comment.at_s) >= EPOCH_S]
    if len(dated) in (0, len(said)):
        return said
    keep_dated = 2 * len(dated) >= len(said)
    for comment in said:
        if (abs(comment.at_s) >= EPOCH_S) is not keep_dated:
            odd = Unread(comment.line, "time of another clock")
            unread[odd.why] += 1
            _note(examples, odd)
    return [comment for comment in said if (abs(comment.at_s) >= EPOCH_S) is keep_dated]


def _note(examples: list[str], record: Unread) -> None:
    if len(examples) < EXAMPLES:
        examples.append(f"line {record.line}: {record.why}")


def _kept(said: Iterable[Said], cut: Cut, left: Counter[str], masked: Counter[str]) -> Iterator[Said]:
    """What is replayed, in order: cleaned, masked, merged, with times since the first comment."""
    names = _Names(cut.keep_names)
    last: dict[tuple[str, str], float] = {}
    zero_s: float | None = None
    for comment in said:
        text = clean(comment.text)[:MAX_TEXT]
        if not text:
            left[LeftOut.EMPTY] += 1
            continue
        zero_s = comment.at_s if zero_s is None else zero_s
        after_s = comment.at_s - zero_s
        if after_s < cut.start_s or (cut.end_s is not None and after_s > cut.end_s):
            left[LeftOut.OUTSIDE] += 1
            continue
        user = comment.user or f"line {comment.line}"
        before_s = last.get((user, text))
        if before_s is not None and comment.at_s - before_s <= DUPLICATE_S:
            left[LeftOut.DUPLICATE] += 1
            continue
        last[user, text] = comment.at_s
        name = names.of(user, clean(comment.name))
        text, found = mask(names.without(text))
        masked.update(found)
        at_s = round((after_s - cut.start_s) / cut.speed, 3)
        yield replace(comment, at_s=at_s, user=user, name=name, text=text)


def clean(text: str) -> str:
    """One line of valid Unicode: line breaks, control characters and torn surrogates become blanks."""
    return _BLANK.sub(" ", text.encode("utf-8", errors="replace").decode("utf-8")).strip()


class _Names:
    """Names shown in the room: those of the log, or numbers in the order of first appearance."""

    def __init__(self, keep: bool) -> None:
        self._keep = keep
        self._numbers: dict[str, str] = {}
        self._known: dict[str, str] = {}

    def of(self, user: str, name: str) -> str:
        number = self._numbers.setdefault(user, f"viewer{len(self._numbers) + 1}")
        if self._keep:
            return (name or number)[:60]
        self._known.setdefault(name.lower().lstrip("@"), number)
        return number

    def without(self, text: str) -> str:
        if self._keep or "@" not in text:
            return text
        return _MENTION.sub(lambda match: "@" + self._known.get(match[1].lower(), "viewer"), text)


def _sum(left: Counter[str], unread: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in (*sorted(left.items()), *sorted(unread.items()))) or "empty"
