"""Numeric claims: money, percentages, pieces, times, measures, and numbers without a unit."""

from __future__ import annotations

import re
from typing import Protocol

from rewards.claims import cues
from rewards.claims.builder import Builder
from rewards.claims.claim import Bound, Claim, ClaimKind
from rewards.claims.goods import is_material
from rewards.claims.tokens import HOURS, Token, masked, tokens

_CLOCK = re.compile(r"(?<![\d:])(?:\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?m\b)?|\d{1,2}\s*(?:[ap]\.m\.|[ap]m\b|o'clock))")
_BUY_GET = re.compile(
    r"\bbuy (?:\d+|one|two|three|any)(?: [\w-]+){0,2},? (?:and )?(?:you )?get (?:\d+|one|two|another|a|the next)\b"
)
_DAY_WORDS = (
    (
        re.compile(
            r"\b(?:today|tonight|same[- ]day|right away|immediately|straight away|this (?:afternoon|evening"
            r"|morning))\b"
        ),
        12.0,
    ),
    (re.compile(r"\bthe day after tomorrow\b"), 48.0),
    (re.compile(r"(?<!day after )\b(?:tomorrow|next[- ]day|overnight)\b"), 24.0),
    (
        re.compile(
            r"\b(?:on|by|this|next|before|until) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday"
            r"|weekend|week|month)\b"
        ),
        0.0,
    ),
)
_HALF_PRICE = re.compile(
    r"\bhalf[- ](?:price|off|(?:of )?(?:the|its) (?:usual |list |original |normal |regular |full |old )?price)\b(?! of)"
)
_FOR = re.compile(r"\s*(?:in total |altogether |in all )?for (?:the |all )?([2-9])(?: of them| pieces)?\s*(?:[.,!?]|$)")
_PERCENT_OF = re.compile(r"\s*(?:pure |real |genuine |natural )?([a-z]+)")


MAX_NUMBERS = 60
"""Numbers of a reply that are checked; one more makes it inaccurate."""


class _Make(Protocol):
    def __call__(self, kind: ClaimKind, role: str = "", scale: float = 1.0, value: str = "") -> Claim: ...


def numeric_claims(builder: Builder) -> list[Claim]:
    """All claims of a reply that hold a number, in order."""
    lower = builder.text.lower
    text = masked(lower, builder.subjects)
    claims: list[Claim] = []
    for match in _CLOCK.finditer(text):
        claims.append(builder.make(ClaimKind.MEASURE, match.start(), match.end(), role="clock", value=match[0]))
    for match in _BUY_GET.finditer(text):
        claims.append(builder.make(ClaimKind.FORBIDDEN, match.start(), match.end(), role="an offer nobody made"))
    claims += [builder.make(ClaimKind.PERCENT, *m.span(), low=50.0, high=50.0) for m in _HALF_PRICE.finditer(text)]
    claims += _days(builder, text)
    text = _BUY_GET.sub(_blank, _CLOCK.sub(_blank, text))
    found = tokens(text)
    if len(found) > MAX_NUMBERS:
        rest = found[MAX_NUMBERS]
        claims.append(builder.make(ClaimKind.FORBIDDEN, rest.start, rest.end, role="more numbers than can be checked"))
        found = found[:MAX_NUMBERS]
    for i, token in enumerate(found):
        low, high = builder.text.sentence(token.start)
        left = max(found[i - 1].end if i else 0, low)
        right = min(found[i + 1].start if i + 1 < len(found) else len(text), high)
        claim = _claim(builder, token, text[low:high], text[left : token.start], text[token.end : right])
        if claim is not None:
            claims.append(claim)
    return claims


def _days(builder: Builder, text: str) -> list[Claim]:
    """Days by name: "ships today" is within half a day, "by Friday" is a date that nobody stated."""
    found = []
    for pattern, span_h in _DAY_WORDS:
        for match in pattern.finditer(text):
            low, high = builder.text.clause(match.start())
            role = cues.day_role(text[low:high])
            if role and not builder.negated(match.start(), 6):
                bound = Bound.AT_MOST if span_h else Bound.EXACT
                found.append(
                    builder.make(ClaimKind.TIME, *match.span(), role=role, low=span_h, high=span_h, bound=bound)
                )
    return found


def _blank(match: re.Match[str]) -> str:
    return "_" * len(match[0])


def _claim(builder: Builder, token: Token, sentence: str, before: str, after: str) -> Claim | None:
    unit = token.unit
    bound = token.bound or cues.bound(before, after)

    def make(kind: ClaimKind, role: str = "", scale: float = 1.0, value: str = "") -> Claim:
        return builder.make(
            kind,
            token.start,
            token.end,
            role=role,
            low=round(token.low * scale, 6),
            high=round(token.high * scale, 6),
            bound=Bound.EXACT if role == "over" and bound in (Bound.AT_LEAST, Bound.AT_MOST) else bound,
            value=value,
            negated=cues.negated(before),
        )

    if token.foreign:
        return make(ClaimKind.CURRENCY, cues.money_role(sentence, before, after))
    if unit == "other":
        return None
    if unit == "money":
        role = cues.money_role(sentence, before, after)
        if role in ("", "now", "final") and cues.is_total(sentence, before, after):
            role = "total"
        pieces = _FOR.match(builder.text.lower, token.end, builder.text.sentence(token.start)[1])
        return make(ClaimKind.MONEY, role, 100.0, pieces[1] if pieces and role == "total" else "")
    if unit == "percent":
        of = _PERCENT_OF.match(after)
        of = of if of and is_material(of[1]) else None
        role = "member" if "member" in before[-30:] or "member" in after[:30] else ""
        return make(ClaimKind.PERCENT, role, value=of[1] if of else "")
    if unit in HOURS:
        return _time(make, token, sentence, before, after)
    if unit in ("measure", "kinds", "crowd"):
        return make(ClaimKind.MEASURE, unit, value=f"{cues.times(before) * token.low:g} {token.unit_text}")
    if unit == "piece":
        return None if cues.is_quantity(token.unit_text, before, after) else make(ClaimKind.COUNT)
    if any(m.start - token.end in (0, 1) for m in builder.subjects.mentions) and not cues.is_offer(before, sentence):
        return make(ClaimKind.COUNT)
    return _bare(make, token, sentence, before, after)


def _time(make: _Make, token: Token, sentence: str, before: str, after: str) -> Claim | None:
    role = cues.time_role(sentence, before, after)
    short = token.unit in ("second", "minute") and role not in ("flash", "charge")
    if token.unit not in ("week", "month", "year") and cues.host_time(before, sentence, short):
        return None
    return make(ClaimKind.TIME, role, HOURS[token.unit])


def _bare(make: _Make, token: Token, sentence: str, before: str, after: str) -> Claim | None:
    if cues.is_label(before) or re.match(r"\s*of each\b", after):
        return None
    if cues.is_stock(before, after):
        return make(ClaimKind.COUNT)
    if token.low <= 99 and cues.is_plain_quantity(before, after, sentence):
        return None
    role = cues.money_role(sentence, before, after)
    if role in ("", "now", "final") and cues.is_total(sentence, before, after):
        role = "total"
    return make(ClaimKind.NUMBER, role)
