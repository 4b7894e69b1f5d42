"""TwitchDownloader: one JSON document whose ``comments`` carry ``content_offset_seconds`` and ``message.body``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from livesim.types import JsonValue
from livesim.world.viewing.logs.reading import items, json_elements, table, text_of
from livesim.world.viewing.logs.records import Dropped, LeftOut, LogFile, LogFormat, Record, Said, Unread
from livesim.world.viewing.logs.times import iso, seconds

_COMMENTS = re.compile(r'"comments"\s*:\s*\[')
_CHEER = re.compile(r"(?<!\S)[A-Za-z]{2,20}\d{1,6}(?!\S)")


def record(line: int, entry: Mapping[str, JsonValue]) -> Record:
    """One comment. Of a cheer the words are kept and the token of the gift is not."""
    message = table(entry.get("message"))
    if text_of(
        table(message.get("user_notice_params")).get("msg-id"), table(message.get("user_notice_params")).get("msg_id")
    ):
        return Dropped(line, LeftOut.GIFT)
    text = text_of(message.get("body")) or "".join(
        text_of(table(part).get("text")) for part in items(message.get("fragments"))
    )
    bits = seconds(message.get("bits_spent")) or 0
    if bits > 0:
        text = " ".join(_CHEER.sub(" ", text).split())
    if not text.strip():
        return Dropped(line, LeftOut.GIFT if bits > 0 else LeftOut.EMPTY)
    at_s = seconds(entry.get("content_offset_seconds"))
    at_s = iso(entry.get("created_at")) if at_s is None else at_s
    if at_s is None:
        return Unread(line, "no time")
    who = table(entry.get("commenter"))
    name = text_of(who.get("display_name"), who.get("name"))
    return Said(line, at_s, text_of(who.get("_id")) or name, name, text)


def sniff(file: LogFile) -> bool:
    """There is a list of comments with offsets."""
    return _COMMENTS.search(file.text) is not None and "content_offset_seconds" in file.text


def read(file: LogFile) -> Iterator[Record]:
    """All comments; also those of a file that breaks off."""
    start = _COMMENTS.search(file.text)
    if start is None:
        raise ValueError("no list of comments")
    for entry in json_elements(file.text, start.end()):
        if isinstance(entry, Unread):
            yield entry
        elif isinstance(entry[1], dict):
            yield record(entry[0], entry[1])
        else:
            yield Unread(entry[0], "no JSON object")


FORMAT = LogFormat("twitch-downloader", "TwitchDownloader's chat JSON", sniff, read)
