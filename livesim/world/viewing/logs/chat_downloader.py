"""chat-downloader: a JSON array or JSON lines of ``{"message", "author", "time_in_seconds", "message_type"}``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from livesim.types import JsonValue
from livesim.world.viewing.logs.reading import json_elements, json_lines, table, text_of
from livesim.world.viewing.logs.records import Dropped, LeftOut, LogFile, LogFormat, Record, Said, Unread
from livesim.world.viewing.logs.times import clock, epoch, seconds

WORDS = ("text_message", "chat", "paid_message", "text", "message", "highlighted_message", "reply")
"""Message types that are comments; a paid message is one too, and it is left out when it has no words."""

GIFTS = ("sticker", "gift", "donation", "ticker", "bits", "cheer", "membership", "subscription", "sub", "resub", "raid")
ENTRIES = ("join", "follow", "share", "enter")


def reason(kind: str) -> LeftOut | None:
    """Why a record of this kind is left out; None for comments."""
    low = kind.lower()
    if not low or low in WORDS:
        return None
    if "delete" in low or "remove" in low or "ban_user" in low or "placeholder" in low:
        return LeftOut.DELETED
    if any(word in low for word in ENTRIES):
        return LeftOut.ENTRY
    if any(word in low for word in GIFTS):
        return LeftOut.GIFT
    return LeftOut.LIKE if "like" in low else LeftOut.SYSTEM


def record(line: int, entry: Mapping[str, JsonValue]) -> Record:
    """One chat item; its time is that of the video, else the moment it was sent."""
    why = reason(text_of(entry.get("message_type"))) or reason(_action(entry))
    if why is not None:
        return Dropped(line, why)
    text = text_of(entry.get("message"))
    if not text:
        return Dropped(line, LeftOut.GIFT if entry.get("money") else LeftOut.EMPTY)
    at_s = seconds(entry.get("time_in_seconds"))
    at_s = clock(entry.get("time_text")) if at_s is None else at_s
    at_s = epoch(entry.get("timestamp")) if at_s is None else at_s
    if at_s is None:
        return Unread(line, "no time")
    author = table(entry.get("author"))
    name = text_of(author.get("display_name"), author.get("name"), entry.get("author"))
    return Said(line, at_s, text_of(author.get("id")) or name, name, text)


def _action(entry: Mapping[str, JsonValue]) -> str:
    action = text_of(entry.get("action_type"))
    return "" if action in ("add_chat_item", "text_message") else action


def _is(value: object) -> bool:
    entry = table(value)
    return "message" in entry and ("time_in_seconds" in entry or "message_type" in entry or "time_text" in entry)


def _array(file: LogFile) -> bool:
    return file.text.lstrip("\ufeff \t\r\n").startswith("[")


def _entries(file: LogFile) -> Iterator[tuple[int, JsonValue] | Unread]:
    return json_elements(file.text, file.text.index("[") + 1) if _array(file) else json_lines(file.text)


def sniff(file: LogFile) -> bool:
    """Some of the first records have its fields."""
    for number, entry in enumerate(_entries(LogFile(file.path, file.head, file.encoding, file.columns))):
        if not isinstance(entry, Unread) and _is(entry[1]):
            return True
        if number > 50:
            break
    return False


def read(file: LogFile) -> Iterator[Record]:
    """All records."""
    for entry in _entries(file):
        if isinstance(entry, Unread):
            yield entry
        elif isinstance(entry[1], dict):
            yield record(entry[0], entry[1])
        else:
            yield Unread(entry[0], "no JSON object")


FORMAT = LogFormat("chat-downloader", "chat-downloader's JSON array or JSON lines", sniff, read)
