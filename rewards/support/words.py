"""Support of claims in words: flags, stock, offers, scarcity, attributes, sizes, order status."""

from __future__ import annotations

import re

from rewards.claims.claim import Claim
from rewards.support.knowledge import Knowledge, parts
from rewards.support.numbers import stock_facts

FEW = 10
"""Up to so many pieces, "almost gone" is true; from so many, "plenty" is. An assumption."""

_OFFER_NAMES: dict[str, tuple[str, ...]] = {
    "coupon": ("coupon:",),
    "gift": ("gift",),
    "flash": ("flash:",),
    "member": ("member_price",),
    "threshold": ("threshold:",),
    "discount": ("discount_percent", "coupon:", "flash:", "threshold:", "member_price"),
}
_OFFER_TOOLS = ("price_check", "promotion_info", "final_price")


def flag(claim: Claim, subject: str, knowledge: Knowledge) -> bool:
    """A yes/no fact, or whether something is in stock."""
    if claim.role == "is_ai":
        return claim.text == "yes"
    if claim.role == "warranty":  # only ever denied: a warranty that is there is a span of time
        return not knowledge.true(subject, "warranty") and knowledge.looked(subject, ("return_policy",))
    if claim.role == "all_options":
        options = knowledge.facts(subject, "stock:")
        return bool(options) and all(int(f.value) > 0 for f in options)
    if claim.role not in ("stock", "plenty"):
        facts = knowledge.with_shop(subject, claim.role)
        return any(f.value == claim.text for f in facts) and all(f.value == claim.text for f in facts)
    facts, every = stock_facts(claim, subject, knowledge)
    counts = [int(f.value) for f in facts]
    if not counts:
        return claim.text == "no" and knowledge.unlisted(subject)
    if claim.text == "no":
        return all(n == 0 for n in counts)
    floor = FEW if claim.role == "plenty" else 1
    return all(n >= floor for n in counts) if every else any(n >= floor for n in counts)


def exists(claim: Claim, subject: str, knowledge: Knowledge) -> bool:
    """An offer that is there, or is not; its absence is known once a tool that lists offers gave a whole answer."""
    names = _OFFER_NAMES[claim.role]
    if claim.text == "yes":
        return bool(knowledge.with_shop(subject, *names)) or (
            claim.role == "discount" and _marked_down(subject, knowledge)
        )
    there = knowledge.true(subject, *names) or (claim.role != "discount" and knowledge.true("shop", *names))
    return not there and knowledge.looked(subject, _OFFER_TOOLS)


def _marked_down(subject: str, knowledge: Knowledge) -> bool:
    lists = [int(f.value) for f in knowledge.facts(subject, "list_price")]
    return any(int(f.value) < max(lists, default=0) for f in knowledge.facts(subject, "live_price", "final_price"))


def scarcity(claim: Claim, subject: str, knowledge: Knowledge) -> bool:
    """``Almost gone`` needs a known small stock, ``ends soon`` a known flash sale."""
    if claim.role == "time":
        return bool(knowledge.facts(subject, "flash:ends"))
    facts, _ = stock_facts(claim, subject, knowledge)
    return any(0 < int(f.value) <= FEW for f in facts)


_ROLE_NAMES: dict[str, tuple[str, ...]] = {
    "material": ("attr:material", "attr:key_ingredient"),
    "ingredient": ("attr:key_ingredient", "attr:allergens", "attr:material"),
    "skin": ("attr:skin_type",),
    "made": ("attr:material", "attr:key_ingredient", "attr:origin", "attr:allergens", "attr:scent"),
}
_SYNONYMS = (
    (re.compile(r"in the fridge|refrigerat\w*|kept cold"), "refrigerated"),
    (re.compile(r"in the freezer|frozen"), "frozen"),
    (re.compile(r"machine[- ]wash\w*"), "machine wash"),
    (re.compile(r"hand[- ]wash\w*"), "hand wash"),
    (re.compile(r"dry[- ]clean\w*(?: only)?"), "dry clean"),
    (re.compile(r"wipe (?:it )?clean"), "wipe clean"),
    (re.compile(r"keep it dry"), "keep dry"),
    (re.compile(r"dishwasher(?:[- ]safe)?"), "dishwasher safe"),
    (re.compile(r"aluminum"), "aluminium"),
    (re.compile(r"wooden"), "wood"),
    (re.compile(r"combination skin"), "mixed skin"),
)
_FREE = re.compile(r"(nuts?|gluten|soy|milk|dairy|lactose|shellfish)[- ]free")
_WOODS = ("oak", "walnut", "pine", "bamboo")


def value(claim: Claim, subject: str, knowledge: Knowledge) -> bool:
    """A word that an attribute, a size, a gift or an order's status must bear out."""
    if claim.role == "size" and not claim.text[0].isdigit():
        sizes = {str(f.value).lower() for f in knowledge.facts(subject, "size", "size:")}
        return bool(sizes) and (claim.text in sizes) != claim.negated
    if claim.role == "status":
        return _status(claim, subject, knowledge)
    if claim.role == "gift":
        gifts = [str(f.value).lower() for f in knowledge.with_shop(subject, "gift")]
        return any(word in gift for gift in gifts for word in claim.text.split())
    said = _plain(claim.text)
    texts = [_plain(t) for t in knowledge.texts(subject)]
    hit = any(_within(said, t) for t in texts) or _option(said, subject, knowledge) or _own(claim, subject, knowledge)
    if not claim.negated:
        return hit
    if claim.role == "feature":
        return not hit and any(claim.text.split()[0] in f.name for f in knowledge.facts(subject, "attr:"))
    named = _ROLE_NAMES.get(claim.role, (f"attr:{claim.role}",))
    return not hit and bool(knowledge.facts(subject, *named))


def _plain(words: str) -> str:
    for pattern, word in _SYNONYMS:
        words = pattern.sub(word, words)
    return words.replace("-", " ")


def _within(said: str, text: str) -> bool:
    if re.search(rf"(?<!\w){re.escape(said)}(?:s|es)?(?!\w)", text):
        return True
    return (said == "wood" and any(w in text for w in _WOODS)) or (len(text) > 3 and text in said)


def _own(claim: Claim, subject: str, knowledge: Knowledge) -> bool:
    """Fair inference: an allergen list without nuts makes it nut-free; one word of a phrase is borne out."""
    free = _FREE.fullmatch(claim.text)
    if free:
        lists = [str(f.value).lower() for f in knowledge.facts(subject, "attr:allergens")]
        return bool(lists) and not any(free[1].rstrip("s") in t for t in lists)
    if claim.role == "made":
        words = [w for w in claim.text.split() if len(w) > 3]
        return any(w in t for t in knowledge.texts(subject) for w in words)
    return claim.text == "no allergens" and any(f.value == "none" for f in knowledge.facts(subject, "attr:allergens"))


def _option(said: str, subject: str, knowledge: Knowledge) -> bool:
    return any(said in parts(f.name) for f in knowledge.facts(subject, "stock:"))


_STATUS_WORDS = (
    frozenset(
        {"shipped", "dispatched", "in transit", "on its way", "on the way", "sent out", "out for delivery", "left"}
    ),
    frozenset({"delivered", "received", "signed", "arrived"}),
    frozenset(
        {
            "processing",
            "packing",
            "being prepared",
            "pending",
            "paid",
            "confirmed",
            "packed",
            "being packed",
            "waiting to ship",
            "not shipped",
            "preparing",
        }
    ),
    frozenset({"cancelled", "canceled", "closed"}),
    frozenset({"refunded", "returned"}),
    frozenset({"delayed", "lost"}),
)


def _status(claim: Claim, subject: str, knowledge: Knowledge) -> bool:
    facts = [str(f.value).lower() for f in knowledge.facts(subject, "status")]
    if not facts:
        return False
    group = next((g for g in _STATUS_WORDS if claim.text in g), frozenset({claim.text}))
    hit = any(word in fact for fact in facts for word in group)
    return hit != claim.negated
