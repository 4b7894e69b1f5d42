"""Amounts that must fit together: a coupon's two ends, prices before and after coupons, values told as a choice."""

from __future__ import annotations

import re
from itertools import pairwise

from rewards.claims.claim import Bound, Claim, ClaimKind
from rewards.claims.extract import Reading
from rewards.support.knowledge import Knowledge


def unpaired(reading: Reading, knowledge: Knowledge) -> list[str]:
    """Sentences that join an amount off and a threshold which no one coupon has."""
    money = [
        c
        for c in reading.claims
        if c.kind in (ClaimKind.MONEY, ClaimKind.NUMBER) and c.role in ("off", "coupon", "over")
    ]
    found = []
    for a, b in pairwise(money):
        if (a.role == "over") == (b.role == "over") or reading.text.sentence(a.start) != reading.text.sentence(b.start):
            continue
        off, over = (a, b) if b.role == "over" else (b, a)
        if off.bound is not Bound.EXACT or over.bound is not Bound.EXACT:
            continue
        with_off, with_over = _ids(off, "off", knowledge), _ids(over, "over", knowledge)
        if with_off and with_over and not with_off & with_over:
            found.append(f"no coupon takes {off.quote!r} off over {over.quote!r}")
    return found


def _ids(claim: Claim, end: str, knowledge: Knowledge) -> set[str]:
    scale = 1.0 if claim.kind is ClaimKind.MONEY else 100.0
    found = set()
    for subject in claim.subjects or knowledge.subjects():
        for fact in knowledge.with_shop(subject, f"coupon:*:{end}", f"threshold:{end}"):
            if fact.value == claim.low * scale:
                found.add(fact.name.rpartition(":")[0])
    return found


def short_of_final(reading: Reading, knowledge: Knowledge) -> list[str]:
    """Items whose price was asked, for which only the price before coupons is given, as if it were the price to pay."""
    found = []
    for need in knowledge.signals.needs:
        if need.intent not in ("price", "promotion"):
            continue
        final = {int(f.value) for f in knowledge.true(need.subject, "final_price")}
        said = [c for c in reading.claims if c.kind in _MONEY and need.subject in c.subjects]
        values = {c.low * (1.0 if c.kind is ClaimKind.MONEY else 100.0) for c in said if not c.negated}
        asked = {ref.name for refs in need.facts for ref in refs}
        plain = {c.low * (1.0 if c.kind is ClaimKind.MONEY else 100.0) for c in said if c.role in ("", "now")}
        live = {int(f.value) for f in knowledge.facts(need.subject, "live_price")} - final
        if "final_price" in asked and plain & live and not values & final and len(values) == 1:
            found.append(f"the price before coupons is given as the price of {need.subject}")
    return found


def hedged(reading: Reading) -> list[str]:
    """Values told as a choice ("89 or 99", "maybe 89, maybe 99"): whoever leaves it open has said none of them.

    Values that are told apart are no choice: by their role ("99, or 89 after the coupon") or by a condition.
    """
    lower = reading.text.lower
    found = []
    for a, b in pairwise(c for c in reading.claims if c.kind in _NUMERIC and not c.negated):
        joint = lower[a.start + len(a.quote) : b.start]
        if a.low == b.low or a.subjects != b.subjects or _plain(a.role) != _plain(b.role):
            continue
        if _CHOICE.fullmatch(joint) and not _CONDITION.match(lower, b.start + len(b.quote)):
            found.append(f"{a.quote!r} or {b.quote!r} is a choice left open")
    return found


def _plain(role: str) -> str:
    return "" if role == "now" else role


_CHOICE = re.compile(
    r"[\s,.;:!?]*(?:/|\b(?:(?:or|and) )?(?:maybe|perhaps|possibly|could be|might be|may be|or)\b"
    r"(?: (?:else|maybe|perhaps|even|it's|it is|is it|it could be|possibly|rather|about|around))*)\s*"
)
_CONDITION = re.compile(
    r"(?: \w+)?,? (?:with|if|when|once|after|before|without|as an? |for (?:members?|the|an?|\d|two|three)\b|in \w)"
)
_NUMERIC = (ClaimKind.MONEY, ClaimKind.NUMBER, ClaimKind.COUNT, ClaimKind.PERCENT, ClaimKind.TIME, ClaimKind.MEASURE)
_MONEY = (ClaimKind.MONEY, ClaimKind.NUMBER)
