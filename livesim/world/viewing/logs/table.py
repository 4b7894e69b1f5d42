"""Any table: a column mapping, or columns guessed from their names, with guessed delimiter and form of times."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from livesim.types import Intent
from livesim.world.viewing.logs.chat_downloader import reason
from livesim.world.viewing.logs.records import Columns, Dropped, LeftOut, LogFile, LogFormat, Note, Record, Said, Unread
from livesim.world.viewing.logs.times import DAY_S, FORMS, guess_form

DELIMITERS = (",", "\t", ";", "|")

MOST_LINES = 30
"""A field that holds more lines was opened by a stray quote."""

BROKEN = "\0"
"""Stands for a row that could not be cut; no other field can hold it."""

NAMES = {
    "time": (
        "timeinseconds time offset contentoffsetseconds videooffset videooffsettimemsec seconds sec elapsed timestamp "
        "timestampms timestampusec timestampms offsetms timems at ats ts datetime date createdat created sentat "
        "timetext 时间 弹幕时间 发送时间"
    ),
    "text": (
        "message text comment content body msg chat chatmessage commenttext danmaku danmu "
        "内容 弹幕 评论 弹幕内容 评论内容"
    ),
    "viewer": (
        "authorname authordisplayname author user username viewer name nickname nick displayname commenter sender from "
        "uniqueid userid authorid uid 用户 昵称 用户名 用户昵称"
    ),
    "kind": "messagetype eventtype event kind type action 类型",
    "intent": "intent label",
    "link": "link linkid itemlink",
}
"""Headers by which a column is known, letters only, the likelier first."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the columns are; -1 for none."""

    time: int
    text: int
    viewer: int
    kind: int
    intent: int
    link: int
    header: bool
    names: tuple[str, ...]


def _plain(name: str) -> str:
    return re.sub(r"[^a-z\u4e00-\u9fff]", "", name.lower())


def delimiter_of(text: str) -> str:
    """The delimiter that cuts the first lines into most columns, the same number each."""

    def worth(delimiter: str) -> tuple[float, int]:
        rows = _rows("\n".join(text.split("\n")[:40]), delimiter)[:30]
        counts = [len(row) for _, row in rows if row]
        common = max(set(counts), key=lambda n: (counts.count(n), n), default=1)
        share = counts.count(common) / len(counts) if counts else 0.0
        return (share if common > 1 else 0.0, common)

    return max(DELIMITERS, key=worth)


def _rows(text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    """Rows with the line on which they begin; a field may hold line breaks when it is quoted."""
    text = text.replace("\0", "")
    lines = [f"{line}\n" for line in (text if "\n" in text else text.replace("\r", "\n")).split("\n")]
    rows = _cut(lines, delimiter, csv.QUOTE_MINIMAL)
    last = [line for line, _ in rows[1:]] + [len(lines)]
    if any(end - start > MOST_LINES for (start, _), end in zip(rows, last, strict=True)):
        # a quote that is never closed would swallow the rest of the file in silence
        return _cut(lines, delimiter, csv.QUOTE_NONE)
    return rows


def _cut(lines: list[str], delimiter: str, quoting: Literal[0, 3]) -> list[tuple[int, list[str]]]:
    rows: list[tuple[int, list[str]]] = []
    line = 1
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return rows
        except csv.Error:
            row = [BROKEN]
        rows.append((line, row))
        line = reader.line_num + 1


def _place(wanted: str | int, names: Sequence[str], width: int) -> int:
    if isinstance(wanted, int):
        if not 1 <= wanted <= width:
            raise ValueError(f"no column number {wanted}; there are {width}")
        return wanted - 1
    low = [name.strip().lower() for name in names]
    if wanted.strip().lower() not in low:
        raise ValueError(f"no column {wanted!r}; columns: {', '.join(names) or 'without names'}")
    return low.index(wanted.strip().lower())


def _layout(columns: Columns, first: Sequence[str]) -> _Layout:
    plain = [_plain(name) for name in first]
    known = {word for words in NAMES.values() for word in words.split()}
    named = any(isinstance(getattr(columns, part), str) for part in NAMES)
    header = columns.header if columns.header is not None else named or sum(name in known for name in plain) >= 2
    places = {}
    for part, words in NAMES.items():
        wanted = getattr(columns, part)
        if wanted is not None:
            places[part] = _place(wanted, first if header else (), len(first))
        else:
            taken = set(places.values())
            found = (plain.index(word) for word in words.split() if header and word in plain)
            places[part] = next((place for place in found if place not in taken), -1)
    for part in ("time", "text"):
        if places[part] < 0:
            shown = ", ".join(repr(name) for name in first)[:200]
            raise ValueError(f"which column holds the {part}? say columns: {{{part}: ...}}; the first row is {shown}")
    return _Layout(**places, header=header, names=tuple(first) if header else ())


def sniff(file: LogFile) -> bool:
    """The last resort: the first row names a time and a text, or the columns are given."""
    if file.columns.time is not None and file.columns.text is not None:
        return True
    try:
        rows = _rows(file.head, file.columns.delimiter or delimiter_of(file.head))
        return bool(rows) and _layout(file.columns, rows[0][1]).header
    except (ValueError, TypeError):
        return False


def read(file: LogFile) -> Iterator[Record]:
    """All rows."""
    delimiter = file.columns.delimiter or delimiter_of(file.text)
    if len(delimiter) != 1 or delimiter in '\r\n"':
        raise ValueError(f"the delimiter must be one character, got {delimiter!r}")
    rows = [(line, row) for line, row in _rows(file.text, delimiter) if any(field.strip() for field in row)]
    if not rows:
        raise ValueError("no rows")
    layout = _layout(file.columns, rows[0][1])
    body = rows[1:] if layout.header else rows
    header = layout.names[layout.time] if layout.names else ""
    form, per_s = guess_form([row[layout.time] for _, row in body if len(row) > layout.time], header)
    unit = {1.0: "", 1e3: " in ms", 1e6: " in µs", 1e9: " in ns"}[per_s]
    yield Note(f"delimiter {delimiter!r}, time in column {header or layout.time + 1!r} as {form}{unit}")
    last_s, days = -1e9, 0.0
    for line, row in body:
        found = _row(line, row, layout, form, per_s)
        if form == "clock" and isinstance(found, Said):
            # a clock of the day starts again at midnight
            days += DAY_S if found.at_s + days < last_s - DAY_S / 2 else 0.0
            last_s = found.at_s + days
            found = Said(line, last_s, found.user, found.name, found.text, found.intent, found.link)
        yield found


def _row(line: int, row: Sequence[str], layout: _Layout, form: str, per_s: float) -> Record:
    def field(place: int) -> str:
        return row[place].strip() if 0 <= place < len(row) else ""

    if row == [BROKEN]:
        return Unread(line, "broken row")
    why = reason(field(layout.kind)) if layout.kind >= 0 else None
    if why is not None and field(layout.kind).lower() not in ("comment", "danmaku", "danmu", "弹幕", "评论"):
        return Dropped(line, why)
    if len(row) <= max(layout.time, layout.text):
        return Unread(line, "too few columns")
    if not field(layout.text):
        return Dropped(line, LeftOut.EMPTY)
    at_s = FORMS[form](field(layout.time))
    if at_s is None:
        return Unread(line, "no time")
    intent, link = field(layout.intent).lower(), field(layout.link)
    if intent and intent not in set(Intent):
        return Unread(line, f"unknown intent {intent[:30]!r}")
    if link and not (link.isascii() and link.isdigit() and len(link) < 10):
        return Unread(line, "link is no number")
    name = field(layout.viewer)
    label = Intent(intent) if intent else None
    return Said(line, at_s / per_s, name, name, field(layout.text), label, int(link) if link else None)


FORMAT = LogFormat("table", "CSV, TSV or any other delimited table", sniff, read)
