"""Numbers of a reply with their units, ranges and currencies."""

from __future__ import annotations

import re
from typing import NamedTuple

from rewards.claims.claim import Bound
from rewards.claims.subjects import Subjects

_UNIT = re.compile(
    r"[\s-]*(?:(?P<money>yuan|rmb|cny|renminbi|kuai|bucks?|¥|元|块)"
    r"|(?P<foreign>(?:us |hk )?dollars?|usd|euros?|eur|gbp|pounds?|cents?|pence|yen|won)"
    r"|(?P<percent>%|per ?cent|pct)"
    r"|(?:(?:more|further) )?(?:(?P<minute>minutes?|mins?)|(?P<second>seconds?|secs?)|(?P<hour>hours?|hrs?|h)"
    r"|(?P<day>(?:business |working |natural |calendar |full )?days?)|(?P<week>weeks?)"
    r"|(?P<month>months?)|(?P<year>years?|yrs?))"
    r"|(?P<measure>cm|mm|ml|kg|kilos?|kilograms?|mah|ah|gb|(?:kilo)?watts?|kw|w|v|volts?|grams?|g|l|litres?|liters?|m"
    r"|met(?:er|re)s?"
    r"|inch(?:es)?|calories|kcal|usb(?:-c)?|degrees)"
    r"|(?P<kinds>coupons?|colou?rs?|sizes?|options?|shades?|styles?|versions?)"
    r"|(?P<other>words?|times|questions?|comments?|rules?|steps?|things?|ways|lines|sentences?|topics?|minds?)"
    r"|(?P<crowd>people|viewers|buyers|orders|reviews|customers|shoppers|stars?|fans|followers|likes"
    r"|(?:pieces? |units? )?sold\b)"
    r"|(?P<piece>(?:more )?(?:pieces?|pcs|units?|left|remaining|in stock|available|to go|of (?:them|these|those"
    r"|the \w+ ones?)"
    r"|on hand|sets?|pairs?|in the warehouse)))(?![a-z])"
)
_FIGURE = r"(?P<n>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,12}(?:\.\d+)?)"
_NUMBER = re.compile(
    rf"(?<![\w.,/:#])(?P<pre>(?:[¥$€£]|rmb|cny|usd|us\$|hk\$)\s*)?{_FIGURE}(?P<plus>\+)?(?!\d|[.,:/]\d)"
)
_RANGE = re.compile(rf"\s*(?:-|to|~|or|and)\s*(?P<pre>[¥$€£])?{_FIGURE}(?!\d|[.:/]\d)")
_BETWEEN = re.compile(r"\bbetween\s*$")
_ORDINAL = re.compile(r"\b\d+(?:st|nd|rd|th)\b|24/7|\b\d+[a-z]+\d\w*")
_JIAO = re.compile(r"\s*(?:and\s+)?(\d{1,2})\s*(?:jiao|mao)\b")
_FEN = re.compile(r"\s+(\d{2})(?=\s*(?:[,!?;]|\.(?!\d)|$|and\b|after\b|with\b|for\b|now\b))")
"""``45 yuan 50``."""

HOURS = {"second": 1 / 3600, "minute": 1 / 60, "hour": 1.0, "day": 24.0, "week": 168.0, "month": 720.0, "year": 8640.0}
"""Hours of one of each; a month counts 30 days and a year 12 months, so that 12 months are a year."""


class Token(NamedTuple):
    """A number of a reply.

    Attributes:
        start: offset of the number, its currency sign included.
        end: offset after the unit.
        low: the number, or the lower end of a range.
        high: the same, or the upper end.
        unit: name of the group of units, ``""`` without one.
        unit_text: the unit as written.
        bound: RANGE or AT_LEAST when the number itself says so.
        foreign: in a currency that the shop does not use.
    """

    start: int
    end: int
    low: float
    high: float
    unit: str
    unit_text: str
    bound: Bound | None
    foreign: bool


def masked(lower: str, subjects: Subjects) -> str:
    """The reply without the numbers of links, orders, titles and ordinals; offsets stay."""
    parts, at = [], 0
    for mention in subjects.mentions:
        stretch = lower[mention.start : mention.end]
        if any(c.isdigit() for c in stretch):
            parts += [lower[at : mention.start], "_" * len(stretch)]
            at = mention.end
    parts.append(lower[at:])
    return _ORDINAL.sub(lambda m: "_" * len(m[0]), "".join(parts))


def tokens(text: str) -> list[Token]:
    """All numbers of a masked reply, in order."""
    found: list[Token] = []
    at = 0
    while match := _NUMBER.search(text, at):
        token = _token(text, match)
        found.append(token)
        at = max(token.end, match.end())
    return found


def _is_span(joint: str, low: float, high: float, unit: re.Match[str] | None) -> bool:
    """``"2 or 3 days"`` is a span; ``"89 or 99 yuan"`` and ``"7 or 15 days"`` are a choice left open."""
    return "or" not in joint or (high <= low + 1 and unit is not None and unit.lastgroup != "money")


def _token(text: str, match: re.Match[str]) -> Token:
    low = high = float(match["n"].replace(",", ""))
    end = match.end()
    unit = _UNIT.match(text, end)
    bound = Bound.AT_LEAST if match["plus"] else None
    pre = (match["pre"] or "").strip()
    span = _RANGE.match(text, unit.end() if unit else end)
    between = _BETWEEN.search(text, max(0, match.start() - 12), match.start()) is not None
    if span and ("and" not in text[span.start() : span.start("n")] or between):
        second = _UNIT.match(text, span.end())
        value = float(span["n"].replace(",", ""))
        same = second is not None and (unit is None or second.lastgroup == unit.lastgroup)
        if (
            value >= low
            and _is_span(text[span.start() : span.start("n")], low, value, second)
            and ((same and second and second.lastgroup not in ("kinds", "crowd", "other")) or (pre and span["pre"]))
        ):
            high, bound, unit, end = value, Bound.RANGE, second, span.end()
    group, words = (unit.lastgroup or "", unit[0].strip(" -")) if unit else ("", "")
    if unit is not None:
        end = unit.end()
    if group == "money" and (jiao := _JIAO.match(text, end)):
        low = high = low + int(jiao[1]) / 10
        end = jiao.end()
    elif group == "money" and low == high and low % 1 == 0 and (fen := _FEN.match(text, end)):
        low = high = low + int(fen[1]) / 100
        end = fen.end()
    foreign = pre in ("$", "€", "£", "usd", "us$", "hk$") or group == "foreign"
    if pre and not foreign and group != "money":
        group, words = "money", "yuan"
        end = unit.start() if unit is not None else end
    return Token(match.start(), end, low, high, group, words, bound, foreign)
