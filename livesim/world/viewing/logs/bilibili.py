"""Bilibili danmaku XML: ``<d p="time,mode,size,colour,date,pool,user,id">``, also as live recorders extend it."""

from __future__ import annotations

import re
import xml.parsers.expat
from collections.abc import Iterator, Mapping
from xml.parsers.expat import XMLParserType

from livesim.world.viewing.logs.records import Dropped, LeftOut, LogFile, LogFormat, Note, Record, Said, Unread
from livesim.world.viewing.logs.times import seconds

SCRIPTED = ("7", "8", "9")
"""Modes of positioned text, code and animations: decoration by the channel, nothing that a viewer says."""

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_BARE = re.compile(r"&(?!#\d+;|#x[0-9a-fA-F]+;|(?:amp|lt|gt|quot|apos);)")
_OTHER: Mapping[str, LeftOut] = {
    "gift": LeftOut.GIFT,
    "guard": LeftOut.GIFT,
    "toast": LeftOut.GIFT,
    "combo": LeftOut.GIFT,
    "like": LeftOut.LIKE,
    "interact": LeftOut.ENTRY,
    "enter": LeftOut.ENTRY,
}
_HEADER = (
    *("i", "chatserver", "chatid", "mission", "maxlimit", "state", "real_name", "source", "metadata"),
    *("user_name", "room_id", "room_title", "area", "parent_area", "live_start_time", "record_start_time"),
    *("recorder", "bililiverecorder", "bililiverecorderrecordinfo", "bililiverecorderxmlstyle"),
)
"""Elements that describe the recording and hold nothing that anybody said."""


def _record(line: int, tag: str, attributes: Mapping[str, str], text: str) -> Record:
    if tag == "sc":
        at_s, user = seconds(attributes.get("ts")), attributes.get("user", "")
    else:
        fields = attributes.get("p", "").split(",")
        if len(fields) < 5:
            return Unread(line, "no fields in p")
        if fields[1] in SCRIPTED:
            return Dropped(line, LeftOut.SYSTEM)
        at_s = seconds(fields[0])
        # a recording knows the name; a published video only a hash
        user = attributes.get("user") or (fields[6] if len(fields) > 6 else "")
    if at_s is None:
        return Unread(line, "no time")
    if not text.strip():
        return Dropped(line, LeftOut.EMPTY)
    return Said(line, at_s, attributes.get("uid") or user, user, text)


class _Reader:
    """Collects records while the parser runs; a file that breaks off keeps what came before."""

    def __init__(self, parser: XMLParserType) -> None:
        self.found: list[Record] = []
        self._parser = parser
        self._open: tuple[int, str, dict[str, str]] | None = None
        self._text: list[str] = []
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._doctype

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self._parser.CurrentLineNumber
        low = tag.lower()
        if low in ("d", "sc"):
            self._open, self._text = (line, low, attributes), []
        elif low in _OTHER:
            self.found.append(Dropped(line, _OTHER[low]))
        elif self._open is None and low not in _HEADER and "p" in attributes:
            self.found.append(Unread(line, f"unknown element <{tag[:30]}>"))

    def _characters(self, text: str) -> None:
        if self._open is not None:
            self._text.append(text)

    def _end(self, tag: str) -> None:
        if self._open is not None and tag.lower() == self._open[1]:
            self.found.append(_record(*self._open, "".join(self._text)))
            self._open = None

    def _doctype(self, *_: object) -> None:
        # entities may be made to expand without end; no exporter writes any
        raise ValueError("a document type declaration, which no danmaku file has")


def sniff(file: LogFile) -> bool:
    """XML with danmaku in it."""
    head = file.head.lstrip("\ufeff \t\r\n")
    return head.startswith("<") and ("<d p=" in head or "<i>" in head or "chatserver" in head)


def read(file: LogFile) -> Iterator[Record]:
    """All elements. Characters that XML forbids are common in danmaku and are taken out first."""
    text, illegal = _ILLEGAL.subn("", file.text)
    text, bare = _BARE.subn("&amp;", text)
    if illegal or bare:
        yield Note(f"{illegal} illegal characters taken out, {bare} bare ampersands escaped")
    # the text is decoded already, so what the declaration says of its encoding no longer holds
    parser = xml.parsers.expat.ParserCreate(encoding="utf-8")
    reader = _Reader(parser)
    try:
        parser.Parse(text.encode("utf-8", errors="replace"), True)
    except xml.parsers.expat.ExpatError as error:
        what = xml.parsers.expat.ErrorString(error.code)
        reader.found.append(Unread(error.lineno, f"broken XML ({what}), nothing after it was read"))
    yield from reader.found


FORMAT = LogFormat("bilibili", "Bilibili danmaku XML, of a video or of a live recorder", sniff, read)
