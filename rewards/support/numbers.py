"""Support of numeric claims: rounding, bounds, units, and arithmetic on known facts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations

from rewards.claims.claim import Bound, Claim
from rewards.claims.tokens import HOURS
from rewards.signals import Fact, FactKind
from rewards.support.knowledge import Knowledge, parts, text

_PRICES = ("final_price", "live_price", "flash:price")
_PRICED = ("final_price", "live_price", "list_price", "member_price", "flash")
"""Families of facts that are amounts in yuan, coupons and thresholds aside."""
_PRICE_NAMES: dict[str, tuple[str, ...]] = {
    "": _PRICES,
    "now": _PRICES,
    "final": ("final_price", "final_price:"),
    "live": ("live_price", "flash:price"),
    "flash": ("flash:price", "live_price"),
    "list": ("list_price",),
    "base": ("list_price", "live_price"),
    "member": ("member_price",),
    "coupon": ("coupon:*:off", "threshold:off"),
    "over": ("coupon:*:over", "threshold:over"),
    "total": ("final_price", "final_price:"),
    "each": _PRICES,
}


def money(claim: Claim, subject: str, knowledge: Knowledge) -> bool:
    """An amount of money, by its role; in fen."""
    return _amount(claim, 1.0, subject, knowledge)


def number(claim: Claim, subject: str, knowledge: Knowledge) -> bool:
    """A number without a unit or a word that says what it is: an answer to what the viewers asked.

    So ``"it's 45"`` is a price where a price was asked, and pieces where the stock was; where no number was asked, it
    is an amount in yuan.
    """
    asked = _asked(knowledge)
    labelled = claim.role not in ("", "now")
    may_be_price = labelled or not asked or any(_is_price(name) for name in asked)
    if may_be_price and _amount(claim, 100.0, subject, knowledge):
        return True
    if labelled:
        return False
    if any(name.startswith("stock") for name in asked) and count(claim, subject, knowledge):
        return True
    for fact in knowledge.with_shop(subject, *(name for name in asked if not _is_price(name))):
        if isinstance(fact.value, int) and not fact.name.startswith("stock:") and _near(claim, float(fact.value), 0.0):
            return True
        if isinstance(fact.value, str) and re.search(rf"(?<!\d){claim.low:g}(?!\d)", fact.value):
            return True
    if claim.negated:  # "10 watts, not 20": denies what nobody stated
        return bool(knowledge.by_subject.get(subject))
    body = any(n.intent in ("size", "participation") for n in knowledge.signals.needs)
    return body and re.search(rf"(?<![\d.]){claim.low:g}(?![\d.])", knowledge.comments) is not None


def _asked(knowledge: Knowledge) -> set[str]:
    """Names of the facts that the viewers want."""
    return {ref.name for need in knowledge.signals.needs for refs in need.facts for ref in refs}


def _is_price(name: str) -> bool:
    return name.endswith((":off", ":over")) or name.partition(":")[0] in _PRICED


def _amount(claim: Claim, scale: float, subject: str, knowledge: Knowledge) -> bool:
    if claim.role == "postage":
        return claim.low == 0 and any(f.value == "yes" for f in knowledge.facts(subject, "free_shipping"))
    if claim.text:  # "188 yuan for two": what so many pieces cost, or one piece each of so many items
        candidates = {int(f.value) for f in knowledge.facts(subject, f"final_price:{claim.text}")} | _totals(
            claim, knowledge
        )
    else:
        candidates = amounts(claim.role, subject, knowledge)
        candidates |= _totals(claim, knowledge) if claim.role == "total" else set()
    if claim.role == "each":
        several = knowledge.facts(subject, "final_price:")
        candidates |= {int(f.value) // int(f.name.partition(":")[2]) for f in several if _parted(f)}
    if claim.negated:
        finals = amounts("final", subject, knowledge) if claim.role in ("", "now") else set()
        candidates = finals or candidates
        return bool(candidates) and not any(_near(claim, v / scale, 0.5 if scale > 1 else 50.0) for v in candidates)
    return any(_near(claim, v / scale, 50.0 / scale) for v in candidates)


def _parted(fact: Fact) -> bool:
    pieces = fact.name.partition(":")[2]
    return pieces.isdigit() and int(pieces) > 1 and int(fact.value) % int(pieces) == 0


def amounts(role: str, subject: str, knowledge: Knowledge) -> set[int]:
    """Amounts in fen that may be called ``role`` of a subject."""
    if role == "off":
        offs = [int(f.value) for f in knowledge.with_shop(subject, "coupon:*:off", "threshold:off")]
        prices = sorted({int(f.value) for f in knowledge.facts(subject, "list_price", "member_price", *_PRICES)})
        found = {high - low for low, high in combinations(prices, 2)} | set(offs)
        return found | {a + b for a, b in combinations(offs, 2)}
    names = _PRICE_NAMES[role]
    if role in ("", "now") and not knowledge.true(subject, *_PRICES):
        names = ("list_price",)
    return {int(f.value) for f in knowledge.with_shop(subject, *names) if f.kind is FactKind.MONEY}


def _totals(claim: Claim, knowledge: Knowledge) -> set[int]:
    """Sums for several pieces of one item and for one piece each of several items."""
    found: set[int] = set()
    prices: list[set[int]] = []
    for subject in claim.subjects or knowledge.subjects():
        one = {int(f.value) for f in knowledge.facts(subject, "final_price")}
        if one:
            prices.append(one)
        for pieces in [int(claim.text)] if claim.text else range(2, 10):
            if (subject, f"final_price:{pieces}") not in knowledge.truth:
                found |= {pieces * v for v in one}
    if len(prices) > 1 and claim.every:
        found.add(sum(min(p) for p in prices))
    else:  # "both together" after each was named, or where both were asked for
        singles = [int(f.value) for s in knowledge.subjects() for f in knowledge.facts(s, "final_price")]
        if len(singles) > 1:
            found.add(sum(singles))
    return found


def _near(claim: Claim, fact: float, rounding: float) -> bool:
    """Whether a number may stand for a fact.

    Exact numbers must be equal, or the fact rounded half up to a whole unit (``rounding`` is half of it; 0 for none).
    "About" allows 5 %, a bound must hold and be no further off than 15 %, a range must hold the fact and be
    no wider than a quarter of it.
    """
    low, high = claim.low, claim.high
    if claim.bound is Bound.ABOUT:
        return abs(fact - low) <= 0.05 * max(fact, low) + 1e-9
    if claim.bound is Bound.AT_MOST:
        return fact <= low <= 1.15 * fact
    if claim.bound is Bound.AT_LEAST:
        return fact >= low >= 0.85 * fact
    if claim.bound is Bound.RANGE:
        return low <= fact <= high and high - low <= 0.25 * fact
    if abs(fact - low) < 1e-6:
        return True
    return rounding > 0 and low % (2 * rounding) == 0 and 0 < low - fact <= rounding


def percent(claim: Claim, subject: str, knowledge: Knowledge) -> bool:
    """A percentage: a discount stated or computed from two known prices, or a share of a material."""
    if claim.text:
        said = f"{claim.low:g}%"
        return any(said in t.replace(" ", "") and claim.text in t for t in knowledge.texts(subject))
    role = ("member_price",) if claim.role == "member" else ("list_price", "member_price", *_PRICES)
    shares = [float(f.value) for f in knowledge.with_shop(subject, "discount_percent") if claim.role != "member"]
    base = {int(f.value) for f in knowledge.facts(subject, "list_price", "live_price")}
    for high in base:
        shares += [
            100.0 * (high - int(f.value)) / high for f in knowledge.facts(subject, *role) if 0 < int(f.value) < high
        ]
    hit = any(abs(share - claim.low) <= (3.0 if claim.bound is Bound.ABOUT else 0.51) for share in shares)
    return (bool(shares) and not hit) if claim.negated else hit


def stock_facts(claim: Claim, subject: str, knowledge: Knowledge, *, true: bool = False) -> tuple[list[Fact], bool]:
    """The stock facts that a claim is about, and whether it speaks of all of them.

    Option words in the clause decide; else the option that was asked for; else the total; else every option.
    """
    source = knowledge.true if true else knowledge.facts
    options = source(subject, "stock:")
    said = claim.option or knowledge.asked.get(subject, ())
    if said:
        whole = [f for f in options if set(parts(f.name)) <= set(said)]
        if whole:
            return whole, len(whole) > 1
        some = [f for f in options if set(said) <= set(parts(f.name))]
        if some or (claim.option and options):
            return some, False
    total = source(subject, "stock")
    return (total, False) if total else (options, False)


def count(claim: Claim, subject: str, knowledge: Knowledge) -> bool:
    """Pieces in stock."""
    facts, _ = stock_facts(claim, subject, knowledge)
    numbers = [int(f.value) for f in facts]
    total = knowledge.facts(subject, "stock") if not claim.option and subject not in knowledge.asked else []
    numbers += [int(f.value) for f in total]
    if len(facts) > 1:
        numbers.append(sum(int(f.value) for f in facts))
    hit = any(_pieces(claim, n) for n in numbers)
    return (bool(numbers) and not hit) if claim.negated else hit


def _pieces(claim: Claim, fact: int) -> bool:
    if claim.bound is Bound.ABOUT:
        return abs(fact - claim.low) <= max(1.0, 0.2 * fact)
    if claim.bound is Bound.AT_LEAST:
        return claim.low <= fact <= max(3 * claim.low, claim.low + 5)
    if claim.bound is Bound.AT_MOST:
        return fact <= claim.low <= max(2 * fact, fact + 5)
    return claim.low <= fact <= claim.high


_TIME_NAMES: dict[str, tuple[str, ...]] = {
    "return": ("return_days",),
    "warranty": ("warranty",),
    "dispatch": ("dispatch",),
    "delivery": ("delivery",),
    "shipping": ("dispatch", "delivery"),
    "flash": ("flash:ends",),
    "charge": ("attr:charging_time",),
    "shelf": ("attr:shelf_life", "attr:storage"),
    "": ("return_days", "warranty", "dispatch", "delivery", "flash:ends", "attr:"),
}
_FIXED = frozenset({"return_days", "warranty"})
_PARCEL = frozenset({"dispatch", "delivery"})
"""Times that nobody knows to the hour: a bound may be six hours off and a range three days wide."""


def time(claim: Claim, subject: str, knowledge: Knowledge) -> bool:
    """A span of time, in hours; 48 hours are two days, 12 months a year."""
    names = _TIME_NAMES[claim.role] if claim.role else _asked_times(subject, knowledge) or _TIME_NAMES[""]
    spans = [(f.name, h) for f in knowledge.with_shop(subject, *names) for h in hours(f)]
    if claim.role in ("delivery", "shipping", ""):
        both = [sum(h) for h in _door_to_door(subject, knowledge)]
        spans += [("delivery", h) for h in both]
    hit = any(_span(claim, name, h) for name, h in spans)
    return (bool(spans) and not hit) if claim.negated else hit


def _asked_times(subject: str, knowledge: Knowledge) -> tuple[str, ...]:
    """What a span without a label is about: the times that the viewers asked for, not any time known of the item."""
    needs = [need for need in knowledge.signals.needs if need.subject == subject]
    asked = {ref.name for need in needs for refs in need.facts for ref in refs}
    return tuple(name for name in _TIME_NAMES[""] if any(one.startswith(name) for one in asked))


def _door_to_door(subject: str, knowledge: Knowledge) -> Iterable[tuple[float, float]]:
    for a in knowledge.facts(subject, "dispatch"):
        for b in knowledge.facts(subject, "delivery"):
            yield float(a.value), 24.0 * float(b.value)


def hours(fact: Fact) -> list[float]:
    """The spans of time that a fact states, in hours."""
    if isinstance(fact.value, int):
        if fact.kind is FactKind.DAYS:
            return [24.0 * fact.value]
        if fact.kind is FactKind.HOURS:
            return [float(fact.value)]
        unit = {"warranty": HOURS["month"], "flash:ends": HOURS["minute"]}.get(fact.name)
        return [unit * fact.value] if unit else []
    from_text = re.findall(r"(\d+(?:\.\d+)?)[\s-]*(minute|hour|day|week|month|year)", text(fact.value))
    return [float(n) * HOURS[unit] for n, unit in from_text]


def _span(claim: Claim, name: str, fact: float) -> bool:
    low, high = claim.low, claim.high
    if name in _FIXED:  # "within 7 days" states the limit itself
        if claim.bound is Bound.ABOUT:  # a little short of the limit misleads nobody
            return 0.9 * fact <= low <= fact + 1e-3
        return abs(fact - low) < 1e-3 if claim.bound is not Bound.RANGE else False
    if name == "flash:ends":
        return abs(fact - low) <= (5 if claim.bound is Bound.ABOUT else 1.01) / 60 or (
            claim.bound is Bound.AT_MOST and fact <= low <= 1.15 * fact + 2 / 60
        )
    if claim.bound is Bound.ABOUT:
        return abs(fact - low) <= 0.25 * fact
    if claim.bound is Bound.AT_MOST:
        return fact - 1e-3 <= low <= 1.15 * fact + (6 if name in _PARCEL else 0)
    if claim.bound is Bound.RANGE:
        return low - 1e-3 <= fact <= high + 1e-3 and high - low <= (72 if name in _PARCEL else fact)
    if claim.bound is Bound.AT_LEAST:
        return low - 1e-3 <= fact <= 1.5 * low
    return abs(fact - low) < 1e-3


_UNITS = {
    "kilo": ("g", 1000.0), "kilos": ("g", 1000.0), "kg": ("g", 1000.0), "kilogram": ("g", 1000.0),
    "kilograms": ("g", 1000.0), "gram": ("g", 1.0), "grams": ("g", 1.0), "g": ("g", 1.0), "ml": ("ml", 1.0),
    "l": ("ml", 1000.0), "litre": ("ml", 1000.0), "litres": ("ml", 1000.0), "liter": ("ml", 1000.0),
    "liters": ("ml", 1000.0), "cm": ("cm", 1.0), "m": ("cm", 100.0), "mm": ("cm", 0.1), "meter": ("cm", 100.0),
    "meters": ("cm", 100.0), "metre": ("cm", 100.0), "metres": ("cm", 100.0), "w": ("w", 1.0), "watt": ("w", 1.0),
    "watts": ("w", 1.0), "kw": ("w", 1000.0), "kilowatt": ("w", 1000.0), "kilowatts": ("w", 1000.0),
    "mah": ("mah", 1.0), "ah": ("mah", 1000.0), "usb-c": ("usb", 1.0), "usb": ("usb", 1.0),
}  # fmt: skip
_MEASURE = re.compile(r"(\d+(?:\.\d+)?)[\s-]*([a-z]+(?:-c)?)")


def measure(claim: Claim, subject: str, knowledge: Knowledge) -> bool:
    """A number with another unit: as an attribute states it, or as the viewer wrote it (height and weight)."""
    said = _measures(claim.text)
    if claim.role == "kinds":
        return _kinds(claim, subject, knowledge)
    if not said or claim.role == "clock":
        return any(claim.text.strip() in t for t in knowledge.texts(subject))
    texts = knowledge.texts(subject)
    hit = any(m in _measures(t) for t in texts for m in said)
    if not hit and any(unit in ("cm", "g") for _, unit in said):
        hit = bool(said & _measures(knowledge.comments)) or _body(claim, knowledge)
    return (bool(texts) and not hit) if claim.negated else hit


def _body(claim: Claim, knowledge: Knowledge) -> bool:
    """A height or weight that the viewer wrote without its unit."""
    asked = any(n.intent == "size" for n in knowledge.signals.needs)
    return asked and re.search(rf"(?<!\d){claim.text.split()[0]}(?!\d)", knowledge.comments) is not None


def _measures(words: str) -> set[tuple[float, str]]:
    found = set()
    for n, unit in _MEASURE.findall(words):
        base, factor = _UNITS.get(unit, (unit, 1.0))
        found.add((round(float(n) * factor, 3), base))
    return found


def _kinds(claim: Claim, subject: str, knowledge: Knowledge) -> bool:
    if "coupon" in claim.text:
        ids = {f.name.split(":")[1] for f in knowledge.with_shop(subject, "coupon:")}
        return len(ids) == claim.low
    options = [parts(f.name) for f in knowledge.facts(subject, "stock:")]
    return any(len({o[i] for o in options if len(o) > i}) == claim.low for i in range(3)) if options else False
