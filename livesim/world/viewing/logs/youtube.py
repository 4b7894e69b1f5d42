"""yt-dlp ``live_chat.json``: JSON lines of ``replayChatItemAction`` with renderers inside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from livesim.types import JsonValue
from livesim.world.viewing.logs.reading import items, json_lines, table, text_of
from livesim.world.viewing.logs.records import Dropped, LeftOut, LogFile, LogFormat, Record, Said, Unread
from livesim.world.viewing.logs.times import clock, epoch, seconds

WORDS = ("liveChatTextMessageRenderer", "liveChatPaidMessageRenderer")
"""Renderers of comments; a paid message is one."""

_OTHER = (
    ("Ticker", LeftOut.GIFT),
    ("PaidSticker", LeftOut.GIFT),
    ("Gift", LeftOut.GIFT),
    ("Donation", LeftOut.GIFT),
    ("Membership", LeftOut.GIFT),
    ("Sponsor", LeftOut.GIFT),
    ("Like", LeftOut.LIKE),
    ("Placeholder", LeftOut.DELETED),
    ("Deleted", LeftOut.DELETED),
    ("removeChat", LeftOut.DELETED),
)


def _why(name: str) -> LeftOut:
    return next((why for mark, why in _OTHER if mark in name), LeftOut.SYSTEM)


def words(message: object) -> str:
    """Text of a message: its runs, a picture by its shortcut if it is none of Unicode's own."""
    found = text_of(table(message).get("simpleText"))
    for run in items(table(message).get("runs")):
        part = table(run)
        emoji = table(part.get("emoji"))
        found += text_of(part.get("text"))
        if emoji:
            shortcuts = items(emoji.get("shortcuts"))
            own = emoji.get("isCustomEmoji") or not text_of(emoji.get("emojiId"))
            found += text_of(shortcuts[0] if shortcuts else "") if own else text_of(emoji.get("emojiId"))
    return found


def _action(line: int, action: Mapping[str, JsonValue], offset_s: float | None) -> Record | None:
    if "addChatItemAction" not in action:
        name = next((key for key in action if key != "clickTrackingParams"), "")
        return Dropped(line, _why(name)) if name else None
    item = table(table(action["addChatItemAction"]).get("item"))
    name = next(iter(item), "")
    if name not in WORDS:
        return Dropped(line, _why(name)) if name else Unread(line, "an action without an item")
    shown = table(item[name])
    text = words(shown.get("message"))
    if not text.strip():
        return Dropped(line, LeftOut.GIFT if name != WORDS[0] else LeftOut.EMPTY)
    # before the start the offset stays at 0 and only the shown time counts down
    shown_s = clock(words(shown.get("timestampText")))
    at_s = shown_s if shown_s is not None and shown_s < 0 else offset_s
    at_s = shown_s if at_s is None else at_s
    at_s = epoch(shown.get("timestampUsec")) if at_s is None else at_s
    if at_s is None:
        return Unread(line, "no time")
    author = words(shown.get("authorName"))
    return Said(line, at_s, text_of(shown.get("authorExternalChannelId")) or author, author, text)


def sniff(file: LogFile) -> bool:
    """Its first lines hold replayed chat items."""
    return '"replayChatItemAction"' in file.head or '"addChatItemAction"' in file.head


def read(file: LogFile) -> Iterator[Record]:
    """All items of all actions."""
    for entry in json_lines(file.text):
        if isinstance(entry, Unread):
            yield entry
            continue
        line, value = entry
        if not isinstance(value, dict):
            yield Unread(line, "no JSON object")
            continue
        replay = table(value.get("replayChatItemAction")) or value
        offset_ms = seconds(replay.get("videoOffsetTimeMsec", value.get("videoOffsetTimeMsec")))
        actions = items(replay.get("actions")) or ([value] if "addChatItemAction" in value else [])
        if not actions:
            yield Dropped(line, LeftOut.SYSTEM) if "clickTrackingParams" in value else Unread(line, "no chat item")
        for action in actions:
            found = _action(line, table(action), None if offset_ms is None else offset_ms / 1000)
            yield found or Unread(line, "an action without a name")


FORMAT = LogFormat("yt-dlp", "yt-dlp's live_chat.json", sniff, read)
