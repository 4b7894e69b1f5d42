"""TikTokLive: event lines, as JSON objects or as the printed ``12:00:05 name -> text``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from livesim.types import JsonValue
from livesim.world.viewing.logs.reading import json_elements, json_lines, table, text_of
from livesim.world.viewing.logs.records import Dropped, LeftOut, LogFile, LogFormat, Record, Said, Unread
from livesim.world.viewing.logs.times import any_time

COMMENTS = ("comment", "chat", "questionnew", "question", "emotechat")
_KINDS: Mapping[str, LeftOut] = {
    "gift": LeftOut.GIFT,
    "envelope": LeftOut.GIFT,
    "subscribe": LeftOut.GIFT,
    "subnotify": LeftOut.GIFT,
    "superfan": LeftOut.GIFT,
    "like": LeftOut.LIKE,
    "join": LeftOut.ENTRY,
    "member": LeftOut.ENTRY,
    "follow": LeftOut.ENTRY,
    "share": LeftOut.ENTRY,
    "social": LeftOut.ENTRY,
    "imdelete": LeftOut.DELETED,
    "emote": LeftOut.EMPTY,
}
_NAMES = ("event", "event_type", "eventType", "type", "event_name", "name", "method", "__class__", "class")
_TIMES = ("timestamp", "time", "at", "ts", "received_at", "created_at", "createTime", "create_time", "date", "datetime")
_TEXTS = ("comment", "content", "text", "message", "questionText", "question_text")
_PRINTED = re.compile(
    r"\s*(?:\[?(?P<time>\d[\d:.,T/+Z-]*(?: \d[\d:.,+Z-]*)?(?: ?[AaPp][Mm])?)\]?[ \t]+(?:-[ \t]+)?)?"
    r"(?:(?:INFO|DEBUG)[ \t:-]+)?(?:\[(?P<kind>[A-Za-z]+)\][ \t:]*)?"
    r"(?P<name>[^\s:>\[\]-][^:>\[\]]{0,60}?)[ \t]*(?:->|:[ \t])[ \t]*(?P<text>.+)"
)


def kind_of(name: str) -> str:
    """``CommentEvent``, ``WebcastChatMessage`` and ``chat`` name the same kind of thing: ``comment`` or ``chat``."""
    return re.sub(r"^webcast|(?:event|message)$", "", name.strip().lower().replace("_", "").replace("-", ""))


def _event(line: int, entry: Mapping[str, JsonValue]) -> Record:
    data = table(entry.get("data")) or table(entry.get("payload")) or entry
    common = table(data.get("common")) or table(data.get("baseMessage")) or table(data.get("base_message"))
    name = text_of(*(entry.get(key) for key in _NAMES), common.get("method"))
    kind = kind_of(name)
    text = text_of(*(data.get(key) for key in _TEXTS))
    if kind not in COMMENTS and (kind or not text):
        return Dropped(line, _KINDS.get(kind, LeftOut.SYSTEM)) if kind else Unread(line, "an event without a name")
    if not text.strip():
        return Dropped(line, LeftOut.EMPTY)
    times = [part.get(key) for part in (entry, data, common) for key in _TIMES]
    at_s = next((at for value in times if (at := any_time(value)) is not None), None)
    if at_s is None:
        return Unread(line, "no time")
    user = table(data.get("user")) or table(data.get("userInfo")) or table(data.get("user_info")) or data
    shown = text_of(*(user.get(key) for key in ("nickname", "nickName", "nick_name", "display_name", "username")))
    unique = text_of(*(user.get(key) for key in ("unique_id", "uniqueId", "display_id", "displayId", "userId", "id")))
    shown = shown or unique or text_of(data.get("user"))
    return Said(line, at_s, unique or shown, shown, text)


def _printed(line: int, text: str) -> Record:
    found = _PRINTED.fullmatch(text)
    if found is None:
        return Unread(line, "no event line")
    kind = kind_of(found["kind"] or "comment")
    if kind not in COMMENTS:
        return Dropped(line, _KINDS.get(kind, LeftOut.SYSTEM))
    at_s = any_time((found["time"] or "").strip(" -"))
    if at_s is None:
        return Unread(line, "no time")
    return Said(line, at_s, found["name"], found["name"], found["text"])


def _is_json(file: LogFile) -> bool:
    return file.text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[")


def _is(value: JsonValue) -> bool:
    entry = table(value)
    data = table(entry.get("data")) or entry
    if "tiktok" in str(entry)[:500].lower() or "baseMessage" in data or "base_message" in data:
        return True
    kind = next((kind_of(text_of(entry.get(key))) for key in _NAMES if text_of(entry.get(key))), "")
    known = kind in COMMENTS or kind in _KINDS or kind in ("roomuser", "connect", "roomuserseq", "viewercountupdate")
    return known and ("data" in entry or any(key in data for key in ("comment", "user", "uniqueId", "unique_id")))


def sniff(file: LogFile) -> bool:
    """Events with names, or most of the first lines are printed events."""
    if _is_json(file):
        return any(not isinstance(entry, Unread) and _is(entry[1]) for entry in _entries(file, file.head))
    lines = [line for line in file.head.split("\n")[:50] if line.strip()]
    read_ = [found for line in lines if (found := _PRINTED.fullmatch(line.strip("\r"))) and " -> " in line]
    return 2 * len(read_) > len(lines)


def _entries(file: LogFile, text: str) -> Iterator[tuple[int, JsonValue] | Unread]:
    is_array = text.lstrip("\ufeff \t\r\n").startswith("[")
    return json_elements(text, text.index("[") + 1) if is_array else json_lines(text)


def read(file: LogFile) -> Iterator[Record]:
    """All events."""
    if not _is_json(file):
        for number, line in enumerate(file.text.split("\n"), start=1):
            if line.strip():
                yield _printed(number, line.strip("\r"))
        return
    for entry in _entries(file, file.text):
        if isinstance(entry, Unread):
            yield entry
        elif isinstance(entry[1], dict):
            yield _event(*entry)  # type: ignore[arg-type]  # just checked
        else:
            yield Unread(entry[0], "no JSON object")


FORMAT = LogFormat("tiktok", "event lines of TikTokLive and its relatives", sniff, read)
