"""Normalises a reply: one alphabet, plain quotes, number words as digits, sentences and clauses."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

_SMALL = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip

_S = "|".join(sorted(_SMALL, key=len, reverse=True))
_T = "|".join(_TENS)
_BELOW_100 = rf"(?:(?:{_T})(?:[ -](?:{_S}))?|(?:{_S}))"
_BELOW_1000 = rf"(?:(?:(?:an?|{_S}) hundred(?:(?: and)? {_BELOW_100})?)|{_BELOW_100})"
_FULL = (
    rf"(?:(?:(?:an?|{_BELOW_1000}) thousand(?:(?: and)? {_BELOW_1000})?)|{_BELOW_1000}|a (?:dozen"
    rf"|couple(?: of)?))"
)
_WORDS = re.compile(rf"(?<![\w-])({_FULL})((?: point(?: (?:{_S}))+)?)(?![a-z])", re.I)

_UNIT_AHEAD = re.compile(
    r"[ -](?:more )?(?:yuan|bucks?|kuai|rmb|per ?cent|%|pieces?|pcs|left\b|in stock|units?|minutes?|hours?"
    r"|(?:business |"
    r"working |calendar )?days?|weeks?|months?|years?|usb|watts?|remaining|of (?:them|these|those|link|the)|coupons?|"
    r"sets?|kilos?|kilograms?|kg|grams?|cm|ml|lit(?:re|er)s?|mah|pairs?|colou?rs?|sizes?|options?|shades?"
    r"|pairs?|boxes|bottles?|bags?|packs?|of each)|(?: [\w/]+){1,4} (?:left|in stock|remain)|[ -]?(?:to|or"
    r"|-)[ -]?"
    rf"(?:\d+|{_S}|{_T})[ -](?:(?:business |working )?days?|weeks?|hours?|months?|years?|minutes?|yuan|pieces?|left)",
    re.I,
)
_ONE_NO = re.compile(r"\b(?:this|that|the|which|another|every|each|no|any|next|last|first|only the|red|blue) $", re.I)
_LINK_BEFORE = re.compile(r"\b(?:links?|items?|numbers?|no\.|and|or|,|quantity|for|buy|take|get|order) $", re.I)
_LINK_ONLY = re.compile(r"\b(?:links?|items?|number) $", re.I)
_ARTICLE = re.compile(
    r"\b(?:an?|one full|a full|a whole)(?= (?:week|month|year|day)\b"
    r"(?!'s(?! (?:delivery|shipping|dispatch|wait|travel)\b))(?! (?:of|for me|in the life)))",
    re.I,
)
_HOUR = re.compile(r"\b(?:an|one full|a full|a whole|another|the (?:next|coming|last))(?= hour\b(?!'s))", re.I)
_HALVES = (
    (re.compile(r"\b(?:an? |another |the next )?half(?: an?|-an)?[- ]hour\b(?!')", re.I), "30 minutes"),
    (re.compile(r"\b(?:three|3) quarters of an hour\b", re.I), "45 minutes"),
    (re.compile(r"\b(?:a )?quarter(?: of an|[- ]) ?hour\b", re.I), "15 minutes"),
    (re.compile(r"\bhalf a dozen\b", re.I), "6"),
    (re.compile(r"\bhalf a day\b", re.I), "12 hours"),
    (re.compile(r"\bhalf a year\b", re.I), "6 months"),
    (re.compile(r"\b(?:a )?half (?:a )?(?:kilo|kilogram|kg)\b", re.I), "500 g"),
    (re.compile(r"\b(?:a )?quarter (?:of a )?(?:kilo|kilogram|kg)\b", re.I), "250 g"),
    (re.compile(r"\bhalf (?:a )?lit(?:re|er)\b", re.I), "500 ml"),
    (re.compile(r"\b(?:a )?fortnight\b", re.I), "14 days"),
)
_HALF = re.compile("half|quarter|fortnight", re.I)
_PARTS = {"third": 33, "quarter": 25, "fifth": 20, "tenth": 10}
_SPOKEN: tuple[
    tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...
] = (  # after number words became digits
    (re.compile(r"\b(\d+) and a half\b(?! (?:an? )?(?:dozen|price))", re.I), r"\1.5"),
    (re.compile(r"\b(\d+) (year|month|week|day|hour)s? and a half\b", re.I), r"\1.5 \2s"),
    (re.compile(r"\b(\d+) weeks? and (?:a|1|one) day\b", re.I), lambda m: f"{7 * int(m[1]) + 1} days"),
    (re.compile(r"\b(\d+) weeks? and (\d+) days\b", re.I), lambda m: f"{7 * int(m[1]) + int(m[2])} days"),
    (re.compile(r"\ba (third|quarter|fifth|tenth) off\b", re.I), lambda m: f"{_PARTS[m[1].lower()]}% off"),
)
_PRICE_WORDS = re.compile(
    rf"(?<![\w-])((?:{_T})(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?) "
    rf"((?:{_T})(?:-(?:one|two|three|four|five|six|seven|eight|nine))?)(?![\w-]| (?:{_S})\b)",
    re.I,
)
"""``forty-five fifty``: yuan and hundredths, as prices are said."""
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_HUNDREDS = re.compile(
    rf"(?<![\w-])(?<!link )(?<!item )(?<!buy )(?<!take )(?<!get )({_ONES})[ -]"
    rf"((?:{_T})(?:[ -](?:{_ONES}))?)(?![\w-]|\s+(?:{_S})\b)",
    re.I,
)
"""``three sixty-nine``: hundreds, as prices are said; after "at" it may be a time."""
_LAST = re.compile(rf"\b(last|only|just) ({_S})(?=\s*(?:[.,!?;]|$|of\b|in\b|left\b))", re.I)
_INVISIBLE = dict.fromkeys([0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD])
_PLAIN = str.maketrans(
    {
        "’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": ", ", "−": "-", "￥": "¥",
        "，": ", ", "。": ". ", "！": "! ", "？": "? ", "、": ", ", "…": ". ",
    }
)  # fmt: skip
_SENTENCE = re.compile(r"[!?;\n]+|\.(?!\d)(?<!no\.)")
_CLAUSE = re.compile(r",(?!\d)|:(?!\d)|\(|\)| - |\b(?:but|while|whereas|although|though|however)\b")


@dataclass(frozen=True, slots=True)
class Text:
    """A normalised reply.

    Attributes:
        cased: with its upper case.
        lower: the same length, in lower case.
        sentence_ends: offsets at which sentences end, ascending.
        clause_ends: offsets at which clauses end (every sentence end is one too), ascending.
    """

    cased: str
    lower: str
    sentence_ends: tuple[int, ...]
    clause_ends: tuple[int, ...]

    def sentence(self, at: int) -> tuple[int, int]:
        """Start and end of the sentence that holds offset ``at``."""
        return _span(self.sentence_ends, at)

    def clause(self, at: int) -> tuple[int, int]:
        """Start and end of the clause that holds offset ``at``."""
        return _span(self.clause_ends, at)

    def clause_number(self, at: int) -> int:
        """Which clause holds offset ``at``."""
        return bisect_right(self.clause_ends, at)


def normalise(reply: str) -> Text:
    """A reply in one alphabet, with number words as digits."""
    cased = plain(reply)
    lower = cased.lower()
    if len(lower) != len(cased):
        cased = lower
    sentences = [m.start() + 1 for m in _SENTENCE.finditer(lower)]
    clauses = sorted({*sentences, *(m.end() for m in _CLAUSE.finditer(lower)), len(lower) + 1})
    return Text(cased, lower, (*sentences, len(lower) + 1), tuple(clauses))


@lru_cache(maxsize=1024)
def plain(text: str) -> str:
    """NFKC without invisible characters, blanks folded, number words as digits."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_PLAIN)).translate(_INVISIBLE).translate(_PLAIN)
    text = "\n".join(" ".join(line.split()) for line in text.split("\n"))
    if "_" in text:
        text = text.replace("_", " ")
    if _HALF.search(text):
        for pattern, digits in _HALVES:
            text = pattern.sub(digits, text)
    text = _HOUR.sub("1", _ARTICLE.sub("1", text))
    text = _PRICE_WORDS.sub(lambda m: f"{number(m[1].lower())}.{number(m[2].lower()):02d}", text)
    text = _HUNDREDS.sub(_hundreds, text)
    text = _LAST.sub(lambda m: f"{m[1]} {number(m[2].lower())}", text)
    text = _WORDS.sub(_digits, text)
    for pattern, spoken in _SPOKEN:
        text = pattern.sub(spoken, text)
    return text


def _hundreds(match: re.Match[str]) -> str:
    rest = number(match[2].lower())
    if rest < 60 and match.string[: match.start()].lower().endswith("at "):
        return match[0]
    return str(100 * number(match[1].lower()) + rest)


def _digits(match: re.Match[str]) -> str:
    words, point = match[1].lower(), match[2].lower()
    value = number(words)
    before, after = match.string[max(0, match.start() - 12) : match.start()], match.string[match.end() :]
    if value <= 10 and not point and " " not in words:
        if not (_UNIT_AHEAD.match(after) or _LINK_ONLY.search(before) or (value > 1 and _LINK_BEFORE.search(before))):
            return match[0]
        if value == 1 and _ONE_NO.search(before):
            return match[0]
    if point:
        return f"{value}." + "".join(str(_SMALL[w]) for w in point.split()[1:])
    return str(value)


def number(words: str) -> int:
    """``"two hundred and ninety-nine"`` -> 299. Only for text that the number grammar accepts."""
    total = part = 0
    for word in words.replace("-", " ").split():
        if word in _SMALL:
            part += _SMALL[word]
        elif word in _TENS:
            part += _TENS[word]
        elif word in ("a", "an"):
            part += 1
        elif word == "hundred":
            part *= 100
        elif word == "thousand":
            total, part = total + part * 1000, 0
        elif word == "dozen":
            part = 12
        elif word == "couple":
            part = 2
    return total + part


def _span(ends: tuple[int, ...], at: int) -> tuple[int, int]:
    i = bisect_right(ends, at)
    return (ends[i - 1] if i else 0), (ends[i] if i < len(ends) else ends[-1])
