"""``assertive``: how hard a description pushes, so that no variant can steer by tone what it should by purpose."""

from __future__ import annotations

import re

_PUSHY = re.compile(
    r"\b(?:always|must|never|best|only|essential|critical|preferred|important|required|mandatory|most|reliable"
    r"|trusted|first choice|highly|recommended|definitely|absolutely|urgent)\b|!",
    re.I,
)


def assertive(text: str) -> int:
    """Words and marks in ``text`` that praise or press instead of saying what something is for."""
    return len(_PUSHY.findall(text))
