"""From bytes to text and from text to JSON values with line numbers; what is broken is named, never raised."""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from livesim.errors import ViewerError
from livesim.types import JsonValue
from livesim.world.viewing.logs.records import Columns, LogFile, Unread

MAX_BYTES = 1 << 30
"""Larger files are refused: a log of a whole day is a few hundred megabytes at most."""

PAIRED_SHARE = 0.6
"""From this share of high bytes that stand in pairs, a text that is no UTF-8 is taken for Chinese. An assumption."""


def open_log(path: Path, columns: Columns | None = None) -> LogFile:
    """The file at ``path``, unpacked if it is gzipped, and decoded.

    Raises:
        ViewerError: no such file, no file, empty, too large, or not in the encoding that ``columns`` names.
    """
    columns = columns or Columns()
    try:
        if not path.is_file():
            near = sorted(p.name for p in path.parent.iterdir() if p.is_file())[:20] if path.parent.is_dir() else []
            raise ViewerError(f"no comment log {path}; files there: {', '.join(near) or 'none'}")
        if path.stat().st_size > MAX_BYTES:
            raise ViewerError(f"{path}: larger than {MAX_BYTES >> 20} MiB")
        data = path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a path with a null character
        raise ViewerError(f"{path}: {error}") from None
    try:
        if data[:2] == b"\x1f\x8b":
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
                data = packed.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise ViewerError(f"{path}: line 1: no whole gzip file: {error}") from None
    if len(data) > MAX_BYTES:
        raise ViewerError(f"{path}: larger than {MAX_BYTES >> 20} MiB when unpacked")
    text, encoding = decode(data, columns.encoding, str(path))
    if not text.replace("\0", "").replace("\ufeff", "").strip():
        raise ViewerError(f"{path}: line 1: the file is empty")
    return LogFile(path, text, encoding, columns)


def decode(data: bytes, encoding: str | None, where: str) -> tuple[str, str]:
    """Text and the encoding it was decoded with; guessed unless given.

    The guess: a byte-order mark, then UTF-8, then by how high bytes stand: in pairs they are Chinese (GB 18030),
    alone they are Western (Windows-1252). UTF-8 with a few broken bytes is still UTF-8.

    Raises:
        ViewerError: the given encoding does not exist or does not fit.
    """
    if encoding is not None:
        try:
            return data.decode(encoding).removeprefix("\ufeff"), encoding
        except (LookupError, ValueError) as error:
            line = data.count(b"\n", 0, getattr(error, "start", 0)) + 1
            raise ViewerError(f"{where}: line {line}: not in the encoding {encoding!r}: {error}") from None
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace").removeprefix("\ufeff"), "utf-16"
    if data[:3] == b"\xef\xbb\xbf":
        return data[3:].decode("utf-8", errors="replace"), "utf-8-sig"
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        pass
    text = data.decode("utf-8", errors="replace")
    # each broken place costs one mark; real UTF-8 with a torn byte has far more good characters than marks
    good = sum(1 for mark in text if ord(mark) > 0x7F and mark != "\ufffd")
    if good > 4 * text.count("\ufffd"):
        return text, "utf-8 with errors"
    runs = re.findall(rb"[\x80-\xff]+", data)
    paired = sum(len(run) for run in runs if len(run) > 1)
    if paired >= PAIRED_SHARE * sum(len(run) for run in runs):
        return data.decode("gb18030", errors="replace"), "gb18030"
    return data.decode("cp1252", errors="replace"), "cp1252"


def json_lines(text: str) -> Iterator[tuple[int, JsonValue] | Unread]:
    """The value of each line that is not blank, with its number."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip("\ufeff \t\r\0"):
            continue
        try:
            yield number, cast(JsonValue, json.loads(line.strip("\ufeff \t\r\0")))
        except (ValueError, RecursionError):
            yield Unread(number, "not JSON")


_GAP = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


def json_elements(text: str, start: int) -> Iterator[tuple[int, JsonValue] | Unread]:
    """The elements of a JSON array one by one with their lines; an array that breaks off gives what came before.

    Args:
        text: the document.
        start: position right after the opening bracket.
    """
    line, counted, at = 1, 0, start
    while True:
        at = _gap(text, at)
        if at < len(text) and text[at] == ",":
            at = _gap(text, at + 1)
        line += text.count("\n", counted, at)
        counted = at
        if at >= len(text):
            yield Unread(line, "the file breaks off")
            return
        if text[at] == "]":
            return
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            yield Unread(line, "broken JSON, nothing after it was read")
            return
        yield line, cast(JsonValue, value)


def _gap(text: str, at: int) -> int:
    found = _GAP.match(text, at)
    return found.end() if found else at


def table(value: object) -> Mapping[str, JsonValue]:
    """``value`` if it is a JSON object, else an empty one."""
    return cast(Mapping[str, JsonValue], value) if isinstance(value, dict) else {}


def items(value: object) -> Sequence[JsonValue]:
    """``value`` if it is a JSON array, else an empty one."""
    return cast(Sequence[JsonValue], value) if isinstance(value, list) else ()


def text_of(*values: object) -> str:
    """The first of the values that is a text with something in it or a number, as text."""
    for value in values:
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
    return ""
