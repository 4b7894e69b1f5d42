"""``FORMATS``: the log formats that are known, and the guess which one a file is."""

from __future__ import annotations

from livesim.errors import ViewerError, unknown
from livesim.world.viewing.logs import bilibili, chat_downloader, table, tiktok, twitch, youtube
from livesim.world.viewing.logs.records import LogFile, LogFormat

FORMATS: dict[str, LogFormat] = {
    made.name: made
    for made in (
        youtube.FORMAT,
        twitch.FORMAT,
        chat_downloader.FORMAT,
        bilibili.FORMAT,
        tiktok.FORMAT,
        table.FORMAT,
    )
}
"""Formats by name, in the order in which they are tried; a format of your own may be added before a load."""


def format_of(file: LogFile, name: str = "auto") -> LogFormat:
    """The format called ``name``, or for ``"auto"`` the first that recognises the file.

    Raises:
        ViewerError: no such format, or none recognises the file.
    """
    if name != "auto":
        if name not in FORMATS:
            raise ViewerError(unknown("log format", name, ["auto", *FORMATS]))
        return FORMATS[name]
    for candidate in FORMATS.values():
        if candidate.sniff(file):
            return candidate
    start = file.text.lstrip("\ufeff \t\r\n")[:60].split("\n")[0]
    raise ViewerError(
        f"{file.path}: line 1: no known log format begins with {start!r}; known: {', '.join(FORMATS)}; for a table "
        "give the columns, e.g. columns: {time: 1, viewer: 2, text: 3}"
    )
