"""What the novice takes from the messages: lists, rules with their places, and which rules it keeps in mind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from livesim.seeding import stream

CAPACITY = 12
"""Rule lines that it keeps in mind; with more, each is forgotten more often."""

CROWDING = 1.5
"""How steeply: a rule is kept with the chance ``(CAPACITY / lines) ** CROWDING``."""

LEAD = (1.0, 1.0, 0.55, 0.3)
"""Chance to keep the first, second, third and any later line of a text, while there are few lines."""

LONG_LINE_WORDS = 25
"""A longer line counts as two lines, one three times as long as three ..."""

_FEW = """
a an and any are as at be by can could do does for from get give have how i if in is it its just like may me much my no
not of on one or out please pls say so tell thanks thank that the them then there they this to us want was we what when
which will with would you your about am been did had has here hi hey hello host link
"""
STOP = frozenset(_FEW.split())
"""Words that tell it nothing."""

_LISTED = (
    re.compile(r'^\s*[-*] (?P<purpose>.+) => "(?P<name>[^"]+)"(?P<takes> \(.*\))?$'),
    re.compile(r'^\s*[-*] "(?P<name>[^"]+)"(?P<takes> \([^)]*\))?: (?P<purpose>.+)$'),
    re.compile(r'^\s*\| (?P<purpose>.+) \| "(?P<name>[^"]+)"(?P<takes> \(.*\))? \|$'),
    re.compile(r'^"(?P<name>[^"]+)"(?P<takes> \([^)]*\))?  # (?P<purpose>.+)$'),
)


@dataclass(frozen=True, slots=True)
class Rule:
    """A line that asks for something: its text and its place in its block or body, counted from 0."""

    text: str
    place: int


@dataclass(frozen=True, slots=True)
class Listing:
    """A skill as the system prompt lists it."""

    name: str
    purpose: str


def stems(text: str) -> list[str]:
    """Words without their plural s, in order; words that tell nothing are left out."""
    words = re.findall(r"[a-z]+", text.lower().replace("_", " ").replace("'", ""))
    return [w[:-1] if w.endswith("s") and len(w) > 3 else w for w in words if w not in STOP and len(w) > 1]


def overlap(comment: str, text: str) -> int:
    """How many different words of the comment stand in the text."""
    return len(set(stems(comment)) & set(stems(text)))


def listed_skills(system: str) -> list[Listing]:
    """The skills in the order of the system prompt, whatever the form of the list."""
    entries = [_entry(line) for line in system.splitlines()]
    return [entry for entry in entries if isinstance(entry, Listing)]


def _entry(line: str) -> Listing | str | None:
    """A listed skill; the name of a listed tool, which takes something, or a head; None for any other line."""
    for pattern in _LISTED:
        if match := pattern.match(line):
            takes = (match["takes"] or "").strip(" ()")
            return Listing(match["name"], match["purpose"]) if takes in ("", "optional") else match["name"]
    if line.startswith("|"):
        return line  # the head of a table
    if not line.startswith('{"'):
        return None
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    if not isinstance(entry, dict) or "name" not in entry:
        return line
    return Listing(str(entry["name"]), str(entry.get("description", "")))


def prompt_rules(system: str) -> list[Rule]:
    """The lines of the system prompt that are no heading, no list entry and no example of a call."""
    rules: list[Rule] = []
    for paragraph in re.split(r"\n\s*\n", system):
        lines = [line for line in paragraph.splitlines() if line.strip()]
        if lines and _is_heading(lines[0]):
            lines = lines[1:]
        rules += _numbered(line for line in lines if _entry(line) is None)
    return rules


def body_rules(body: str) -> list[Rule]:
    """The lines of a loaded skill."""
    return _numbered(line for line in body.splitlines() if not line.startswith("#"))


def _numbered(lines: Iterable[str]) -> list[Rule]:
    bare = [re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+", "", line).strip() for line in lines]
    return [Rule(text, place) for place, text in enumerate(t for t in bare if t and "<tool_call>" not in t)]


def _is_heading(line: str) -> bool:
    return line.startswith("#") or (len(line.split()) <= 4 and line.rstrip()[-1:] not in ".;!?" and '"' not in line)


class Attention:
    """Which rules the novice keeps in mind while it answers one request.

    Each rule is kept with a chance that falls with its place in its text and with the number of lines that were read
    before answering. The draw depends on the seed, the request and the rule alone: a rule kept among many is kept
    among few.

    Args:
        seed: of the draws.
        request: text of the request.
        heed: factor on every chance, 0 to 1.
    """

    def __init__(self, seed: int, request: str, heed: float = 1.0) -> None:
        self._seed, self._request, self._heed = seed, request, heed

    def kept(self, rules: Sequence[Rule]) -> list[Rule]:
        """The rules kept in mind out of all that were read, in their order."""
        load = sum(1 + len(rule.text.split()) // LONG_LINE_WORDS for rule in rules)
        crowd = self._heed * min(1.0, CAPACITY / max(1, load)) ** CROWDING
        return [rule for rule in rules if self._draw(rule.text) < crowd * LEAD[min(rule.place, len(LEAD) - 1)]]

    def _draw(self, text: str) -> float:
        return float(stream(self._seed, "novice", self._request, text).random())
