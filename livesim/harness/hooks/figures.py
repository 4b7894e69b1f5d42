"""``factual_risk``: a number in the reply that neither the prompt nor any answer contained."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType

from livesim.harness.hooks.check import Attempt, Check, Finding, Options, Stage

_NUMBER = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_MONEY = re.compile(rf"({_NUMBER.pattern})\s?(?:yuan|rmb|cny)\b", re.I)
_SPOKEN = re.compile(rf"(?<![\w.])(?:{_NUMBER.pattern})(?!\d)(?!(?:st|nd|rd|th)\b)")
_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_VALUES = {word: n for n, word in enumerate(_SMALL.split())} | {
    word: 20 + 10 * n for n, word in enumerate(_TENS.split())
}
_SCALES = {"hundred": 100, "thousand": 1000}
_WORDS = "|".join((*_VALUES, *_SCALES))
_IN_WORDS = re.compile(rf"(?<![\w-])(?:{_WORDS})(?:(?:[\s-]|\sand\s)(?:{_WORDS}))*(?![\w-])", re.I)
_MAX_KNOWN = 60
"""Arithmetic looks at so many amounts at most: pairs grow with the square."""


def factual_risk(attempt: Attempt, options: Options) -> Finding | None:
    """Every number of the reply was read somewhere, or follows from two that were.

    With ``arithmetic`` on, sums, differences and percentages of amounts of money from answers, an amount times a number
    of the request (three pieces), and hours as days and back count as read. Numbers up to ``free_up_to`` are ordinary
    words.
    """
    read = numbers(attempt.results)
    asked = numbers(attempt.prompt)
    known = read | asked
    money = sorted({_value(m.group(1)) for m in _MONEY.finditer(attempt.results)})[:_MAX_KNOWN]
    free = int(options["free_up_to"])
    for text, value in spoken_numbers(attempt.reply):
        if value <= free or value in known:
            continue
        if options["arithmetic"] and _follows(value, money, known, asked):
            continue
        return {"found": text}
    return None


def numbers(text: str) -> frozenset[Decimal]:
    """Every number written in digits, wherever it stands."""
    return frozenset().union(*map(_in_line, text.split("\n")))


@lru_cache(maxsize=1024)
def _in_line(line: str) -> frozenset[Decimal]:
    """Most lines of a prompt are the same in every request."""
    return frozenset(_value(match.group()) for match in _NUMBER.finditer(line))


def spoken_numbers(reply: str) -> list[tuple[str, Decimal]]:
    """Numbers as a listener hears them, in digits or words; ordinals and codes such as ``A17`` are none."""
    digits = [(m.group(), _value(m.group())) for m in _SPOKEN.finditer(reply)]
    return digits + [(m.group(), _word_value(m.group())) for m in _IN_WORDS.finditer(reply)]


@lru_cache(maxsize=1024)
def _value(text: str) -> Decimal:
    return Decimal(text.replace(",", "")[:40])


def _word_value(text: str) -> Decimal:
    total, part = 0, 0
    for word in re.split(r"[\s-]+", text.lower()):
        if word in _VALUES:
            part += _VALUES[word]
        elif word == "hundred":
            part = max(part, 1) * 100
        elif word == "thousand":
            total, part = total + max(part, 1) * 1000, 0
    return Decimal(total + part)


def _follows(value: Decimal, money: list[Decimal], known: frozenset[Decimal], asked: frozenset[Decimal]) -> bool:
    """The value is a sum, difference, multiple or percentage of amounts that were read, or hours as days and back."""
    if value * 24 in known or (value % 24 == 0 and value / 24 in known):
        return True
    if any(other + value in money or value - other in money for other in money):
        return True
    if any(value == other * pieces for other in money for pieces in asked if 1 < pieces < 100):
        return True
    return any(value == round(100 * (1 - less / more)) for more in money for less in money if 0 < less < more)


FIGURES = (
    Check(
        "factual_risk",
        30,
        Stage.REPLY,
        factual_risk,
        "Not sent: no tool gave the number {found}; look it up, or leave it out.",
        MappingProxyType({"arithmetic": True, "free_up_to": 2}),
        ("found",),
    ),
)
