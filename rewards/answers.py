"""Whether a fact is stated, taken at face value: the right kind and role of claim about the right item, any value."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rewards.claims import Bound, Claim, ClaimKind, Reading
from rewards.manner import NO_SIZE
from rewards.signals import Fact, FactRef, Need

_PRICE = frozenset({"", "now", "each", "final", "live", "flash", "total", "member"})
_ROLES: dict[str, frozenset[str]] = {
    "final_price": _PRICE,
    "live_price": _PRICE,
    "flash:price": frozenset({"", "now", "live", "flash", "final"}),
    "list_price": frozenset({"", "list", "base"}),
    "member_price": frozenset({"", "member", "final"}),
    "off": frozenset({"off", "coupon"}),
    "over": frozenset({"over"}),
}
_TIMES: dict[str, frozenset[str]] = {
    "dispatch": frozenset({"", "dispatch", "delivery", "shipping"}),
    "delivery": frozenset({"", "dispatch", "delivery", "shipping"}),
    "return_days": frozenset({"", "return"}),
    "returnable": frozenset({"", "return"}),
    "warranty": frozenset({"", "warranty"}),
    "flash:ends": frozenset({"", "flash"}),
    "attr:shelf_life": frozenset({"", "shelf", "warranty"}),
    "attr:charging_time": frozenset({"", "charge"}),
}
_WORDY = frozenset({"feature", "made", "material", "ingredient", "skin"})
_MEASURED = frozenset({"net_weight", "weight", "volume", "size", "battery", "power", "ports", "charging_time"})
_GRAMS = re.compile(r"\d\s*(?:kg|kilo\w*|g|grams?|ml|l|lit(?:re|er)s?)\b")
_UNITS: dict[str, re.Pattern[str]] = {
    "net_weight": _GRAMS,
    "weight": _GRAMS,
    "volume": _GRAMS,
    "size": re.compile(r"\d\s*(?:cm|mm|m|met(?:re|er)s?|inch(?:es)?|l|lit(?:re|er)s?)\b"),
    "battery": re.compile(r"\d\s*m?ah\b"),
    "power": re.compile(r"\d\s*(?:k?w|(?:kilo)?watts?|volts?|v)\b"),
    "ports": re.compile(r"usb"),
    "charging_time": re.compile(r"(?!)"),
}
"""Units in which a measured attribute is given; a number with another one is about something else."""
_MONEY = (ClaimKind.MONEY, ClaimKind.NUMBER)


def stated(ref: FactRef, need: Need, claims: Iterable[Claim], reading: Reading, truth: Fact | None) -> float:
    """1 when a claim states the fact, 0.5 when only a related one is there or it is in a wrong unit, else 0.

    Values are not compared: a direct but false answer counts.

    Args:
        ref: what should be stated.
        need: whose fact it is.
        claims: those about its subject.
        reading: the whole reply.
        truth: the fact, when it exists.
    """
    best = max((_one(ref.name, claim) for claim in claims), default=0.0)
    if best < 1.0 and ref.name.startswith("attr:") and truth is not None:
        best = 1.0 if has_value(str(truth.value).lower(), reading.text.lower) else best
    if best < 1.0 and ref.name.startswith("size") and NO_SIZE.search(reading.text.lower):
        return 1.0
    if best < 1.0 and ref.name == "gift" and truth is not None:
        words = [w for w in str(truth.value).lower().split() if len(w) > 2]
        best = 1.0 if words and words[-1] in reading.text.lower else best
    return best


def _one(name: str, claim: Claim) -> float:
    family = _family(name)
    if family == "warranty" and claim.kind is ClaimKind.FORBIDDEN:
        return 1.0 if claim.quote in ("lifetime", "for life", "forever") else 0.0
    kind, role = claim.kind, claim.role
    if family in _ROLES:
        return _money(family, name, claim)
    if kind is ClaimKind.TIME and family in _TIMES:
        return 1.0 if role in _TIMES[family] else 0.0
    if family == "discount_percent":
        right = (kind is ClaimKind.PERCENT and not claim.text) or (kind in _MONEY and role in ("off", "coupon"))
        return 1.0 if right else 0.5 if kind is ClaimKind.EXISTS and role in ("discount", "coupon") else 0.0
    if family == "gift":
        named = kind is ClaimKind.VALUE and role == "gift"
        return 1.0 if named else 0.5 * (kind is ClaimKind.EXISTS and role == "gift")
    if family == "stock":
        asked = set(re.split(r"[/\s]+", name.partition(":")[2].lower())) - {""}
        if asked and set(claim.option) - asked and not asked <= set(claim.option):
            return 0.5
        if kind is ClaimKind.COUNT or (kind is ClaimKind.FLAG and role in ("stock", "plenty")):
            return 1.0
        if kind is ClaimKind.NUMBER and role in ("", "now"):
            return 1.0
        if kind is ClaimKind.SCARCITY:
            return 1.0 if any(word in claim.quote for word in ("few", "low", "handful")) else 0.5
        return 0.0
    if kind is ClaimKind.FLAG and role == "free_shipping" and family in ("dispatch", "delivery"):
        return 0.5
    if kind is ClaimKind.FLAG:
        if {family, role} <= {"return_days", "returnable"}:
            return 1.0 if claim.text == "no" or family == "returnable" else 0.5
        return 1.0 if role == family else 0.0
    if kind is ClaimKind.NUMBER and family in _TIMES:
        return 0.5
    if family == "free_shipping":
        return 1.0 if kind is ClaimKind.MONEY and role == "postage" else 0.0
    if kind is ClaimKind.VALUE:
        return _word(family, claim)
    if family.startswith("attr:"):
        if family[5:] not in _MEASURED or kind not in (ClaimKind.MEASURE, ClaimKind.TIME, ClaimKind.NUMBER):
            return 0.0
        other = kind is ClaimKind.MEASURE and _UNITS[family[5:]].search(claim.text) is None
        return 0.5 if kind is ClaimKind.TIME or other else 1.0
    return 0.0


def _family(name: str) -> str:
    if name.startswith(("coupon:", "threshold:")):
        return name.rpartition(":")[2]
    head, colon, _ = name.partition(":")
    return head if colon and head in ("final_price", "stock", "size") else name


def _money(family: str, name: str, claim: Claim) -> float:
    kind, role = claim.kind, claim.role
    if kind is ClaimKind.CURRENCY:
        return 0.5 if role in _ROLES[family] or not role else 0.0
    if kind is ClaimKind.EXISTS:
        return 0.5 if family == "off" and role in ("coupon", "discount", "threshold") and claim.text == "yes" else 0.0
    if kind is ClaimKind.PERCENT:
        return (1.0 if family == "off" else 0.5) if not claim.text else 0.0
    if kind is ClaimKind.TIME and claim.role == "flash" and family == "flash:price":
        return 0.5
    if kind not in _MONEY:
        return 0.0
    if role in _ROLES[family] and claim.bound is Bound.RANGE and claim.high > 1.1 * claim.low:
        return 0.5
    if role in _ROLES[family]:
        return 0.5 if claim.negated or (role == "total" and len(claim.subjects) > 1 and ":" not in name) else 1.0
    return 0.5 if role in ("list", "live", "off", "coupon", "base", "member") else 0.0


def _word(family: str, claim: Claim) -> float:
    if family == "size":
        return (0.5 if claim.negated else 1.0) if claim.role == "size" else 0.0
    if family == "status":
        return 1.0 if claim.role == "status" else 0.0
    if not family.startswith("attr:") or claim.role in ("size", "status", "gift"):
        return 0.0
    if (claim.negated and claim.role != family[5:]) or (family[5:] in _MEASURED and claim.role != family[5:]):
        return 0.5
    return 1.0 if claim.role == family[5:] or claim.role in _WORDY else 0.5


def has_value(value: str, lower: str) -> bool:
    """The value of an attribute, lower case, stands in a reply, whatever is said about it; an empty one does not."""
    if value in ("none", "yes", "no"):
        return bool(value == "none" and re.search(r"\b(?:no (?:\w+ )?allergens?|none|allergen[- ]free)\b", lower))
    words = value.split()
    if not words:
        return False
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", lower) is not None or (
        sum(len(w) > 2 for w in words) > 1 and all(w[:6] in lower for w in words if len(w) > 2)
    )
