"""Small shops by hand: what each tool states of their facts, and signals built from short words."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from rewards.signals import (
    Answer,
    CallError,
    CallRecord,
    Fact,
    FactKind,
    FactRef,
    FaultKind,
    Limits,
    Need,
    PlannedCall,
    Signals,
)


@dataclasses.dataclass(frozen=True, slots=True)
class Shop:
    """What a shop of ``shops.yaml`` lists: subject -> title, and subject -> name -> kind and value."""

    titles: Mapping[str, str]
    facts: Mapping[str, Mapping[str, tuple[FactKind, int | str]]]


def _shops() -> dict[str, Shop]:
    found = yaml.safe_load(Path(__file__).with_name("shops.yaml").read_text(encoding="utf-8"))
    return {
        shop: Shop(
            {subject: entry["title"] for subject, entry in entries.items() if "title" in entry},
            {
                subject: {name: (FactKind(kind), value) for name, (kind, value) in entry["facts"].items()}
                for subject, entry in entries.items()
            },
        )
        for shop, entries in found.items()
    }


SHOPS = _shops()
OFFERS = ("gift", "member_price", "discount_percent")
STATES: dict[str, Callable[[str], bool]] = {
    "product_info": lambda n: n.startswith("attr:") or n == "list_price",
    "price_check": lambda n: n in ("list_price", "live_price", "final_price") or n.startswith("coupon:"),
    "final_price": lambda n: n.startswith("final_price"),
    "promotion_info": lambda n: n.startswith(("coupon:", "flash:")) or n in OFFERS,
    "stock_check": lambda n: n.startswith("stock"),
    "size_advice": lambda n: n.startswith("size:"),
    "shipping_eta": lambda n: n in ("dispatch", "delivery", "free_shipping"),
    "return_policy": lambda n: n in ("returnable", "return_days", "freight_insurance", "warranty"),
    "faq_search": lambda n: n.startswith("attr:"),
    "order_lookup": lambda n: n == "status",
}  # fmt: skip
WRITES = ("push_card", "hand_off")
GREETING_WORDS = (
    "welcome", "hello", "hi", "hey", "glad", "nice", "good", "great", "thanks", "thank", "lovely", "evening", "morning",
    "afternoon", "enjoy", "happy", "join",
)  # fmt: skip
AI_WORDS = ("yes", "an ai", "ai host", "a virtual", "a digital", "not a real person", "not human", "not a human")
DECLINE_WORDS = (
    "can't", "cannot", "can not", "won't", "don't", "do not", "not able", "unable", "not something", "only help",
    "only talk", "only answer", "here to help", "here for", "stick to", "keep to", "focus on", "back to", "let's",
    "stay with",
)  # fmt: skip
HANDOFF_WORDS = ("human", "colleague", "support", "customer service", "service team", "our team", "staff", "specialist")
GONE_WORDS = ("not listed", "no longer", "not available", "unavailable", "don't have", "not on the list", "can't find")
NO_OFFER_WORDS = ("no coupon", "no discount", "no promotion", "no offer", "no deal", "no gift", "not on sale", "none")
SKILLS = {
    "price": "price_promo", "promotion": "price_promo", "attribute": "item_qa", "size": "size_advice",
    "stock": "stock_restock", "shipping": "shipping_eta", "returns": "returns_policy", "comparison": "comparison_safe",
    "after_sales": "after_sales_care", "show_item": "item_show", "greeting": "chitchat_persona",
    "chitchat": "chitchat_persona", "participation": "chitchat_persona", "troll": "off_topic_deflect",
    "off_topic": "off_topic_deflect",
}  # fmt: skip


def fact(shop: Shop, subject: str, name: str, value: int | str | None = None) -> Fact:
    """A fact of the shop, or one with another value."""
    kind, right = shop.facts[subject][name]
    return Fact(subject, name, kind, right if value is None else value)


def truth(shop: Shop, changes: Mapping[str, int | str | None] | None = None) -> tuple[Fact, ...]:
    """All facts; ``{"link:2 stock": 5}`` changes one, ``None`` takes one away."""
    facts = {
        f"{s} {n}": Fact(s, n, kind, value) for s, names in shop.facts.items() for n, (kind, value) in names.items()
    }
    for key, value in (changes or {}).items():
        if value is None:
            del facts[key]
        else:
            facts[key] = dataclasses.replace(facts[key], value=value)
    return tuple(facts.values())


def call(shop: Shop, words: str) -> CallRecord:
    """``"price_check 2"``, ``"faq_search 2 topic=material"``, ``"stock_check 2 !timeout"``.

    Also ``"... !stale final_price=9900"``, ``"... !partial list_price"``, ``"price_chek !unknown_tool"`` and
    ``"return_policy 2 !refused"``.
    """
    before, _, after = words.partition("!")
    tool, *rest = before.split()
    arguments: dict[str, int | str] = {}
    for word in rest:
        name, equals, given = word.partition("=")
        if equals:
            arguments[name] = int(given) if given.isdigit() else given
        else:
            arguments["order" if tool == "order_lookup" else "reason" if tool == "hand_off" else "link"] = (
                int(word) if word.isdigit() else word
            )
    subject = f"link:{arguments['link']}" if "link" in arguments else f"order:{arguments.get('order', '')}"
    chosen = [n for n in shop.facts.get(subject, {}) if STATES.get(tool, lambda _: False)(n)]
    if tool == "final_price":
        quantity = arguments.get("quantity", 1)
        chosen = [n for n in chosen if n == ("final_price" if quantity == 1 else f"final_price:{quantity}")]
    if tool == "faq_search":
        chosen = [n for n in chosen if n == f"attr:{arguments.get('topic')}"]
    if tool == "stock_check" and arguments.get("option"):
        chosen = [n for n in chosen if n == f"stock:{arguments['option']}"]
    facts = [fact(shop, subject, n) for n in chosen]
    if tool in ("price_check", "promotion_info") and subject == "link:2":
        facts += [fact(shop, "shop", name) for name in shop.facts.get("shop", ())]
    kind, *extra = after.split() if after else [""]
    if kind == "partial":
        facts = [f for f in facts if f.name in extra]
    changes = dict(word.split("=") for word in extra if "=" in word)
    facts = [
        dataclasses.replace(f, value=int(v) if (v := changes[f.name]).isdigit() else v) if f.name in changes else f
        for f in facts
    ]
    error = next((e for e in CallError if e == kind), None)
    fault = next((f for f in FaultKind if f == kind), None)
    ok = error is None and kind != "refused" and (fault is None or fault in (FaultKind.STALE, FaultKind.PARTIAL))
    return CallRecord(tool, arguments, ok, error, fault, tuple(facts) if ok else (), tool in WRITES)


def need(shop: Shop, words: str) -> Need:
    """``"price 2"``, ``"price 2 quantity=2"``, ``"attribute 2 material"``, ``"stock 2 red/M"``, ``"greeting"``, ..."""
    intent, *rest = words.split()
    link = rest[0] if rest and rest[0].isdigit() else ""
    slot = rest[1] if len(rest) > 1 else ""
    subject = f"link:{link}" if link else "room"

    def plan(*calls: PlannedCall) -> tuple[PlannedCall, ...]:
        return calls

    def one(tool: str, **arguments: Any) -> PlannedCall:
        return PlannedCall(tool, {"link": int(link), **arguments} if link else arguments)

    def refs(*names: str) -> tuple[tuple[FactRef, ...], ...]:
        return tuple((FactRef("shop" if n.startswith("threshold") else subject, n),) for n in names)

    names = tuple(shop.facts.get(subject, ()))
    if intent == "price" and slot:
        n = int(slot.removeprefix("quantity="))
        return Need(intent, subject, Answer.FACT, refs(f"final_price:{n}"), (plan(one("final_price", quantity=n)),))
    if intent == "price":
        return Need(
            intent, subject, Answer.FACT, refs("final_price"), (plan(one("price_check")), plan(one("final_price")))
        )
    if intent == "promotion":
        offers = [n for n in names if n.endswith(":off") or n in ("flash:price", "gift", "member_price")]
        plans = (plan(one("price_check")), plan(one("promotion_info")), plan(one("final_price")))
        return Need(
            intent,
            subject,
            Answer.FACT,
            refs(*offers, "final_price", "discount_percent"),
            plans,
            () if offers else NO_OFFER_WORDS,
        )
    if intent == "attribute":
        return Need(
            intent,
            subject,
            Answer.FACT,
            refs(f"attr:{slot}"),
            (plan(one("faq_search", topic=None)), plan(one("product_info"))),
        )
    if intent == "stock":
        wanted = (f"stock:{slot}",) if slot else tuple(n for n in names if n.startswith("stock"))
        return Need(intent, subject, Answer.FACT, refs(*wanted), (plan(one("stock_check")),))
    if intent == "size":
        height, weight = slot.split("/")
        return Need(
            intent,
            subject,
            Answer.FACT,
            refs(f"size:{slot}"),
            (plan(one("size_advice", height_cm=int(height), weight_kg=int(weight))),),
        )
    if intent == "shipping":
        return Need(
            intent,
            subject,
            Answer.FACT,
            refs(*([slot] if slot else ["dispatch", "delivery"])),
            (plan(one("shipping_eta")),),
        )
    if intent == "returns":
        return Need(
            intent,
            subject,
            Answer.FACT,
            refs(
                *(
                    [slot]
                    if slot
                    else ["return_days", "returnable"]
                    if shop.facts[subject]["return_days"][1] == 0
                    else ["return_days"]
                )
            ),
            (plan(one("return_policy")),),
        )
    if intent == "comparison":
        wanted = ("final_price", "discount_percent", "return_days", *(n for n in names if n.startswith("attr:")))
        tools = ("price_check", "product_info", "promotion_info", "return_policy")
        return Need(
            intent,
            subject,
            Answer.FACT,
            refs(*wanted),
            (*(plan(one(t)) for t in tools), plan(one("faq_search", topic=None))),
        )
    if intent == "show_item":
        words_ = (f"link {link}", shop.titles[subject], "card", "on screen", "here it is", "here you go", "look at")
        return Need(intent, subject, Answer.ACTION, (), (plan(one("push_card")),), words_)
    if intent == "gone":
        return Need("price", subject, Answer.DECLINE, (), ((), plan(one("product_info"))), GONE_WORDS)
    if intent == "after_sales":
        hand = PlannedCall("hand_off", {"reason": None})
        plans2 = (plan(hand), plan(PlannedCall("order_lookup", {"order": None}), hand))
        return Need(intent, "room", Answer.HANDOFF, (), plans2, HANDOFF_WORDS)
    if intent in ("troll", "off_topic"):
        return Need(intent, "room", Answer.DECLINE, words=DECLINE_WORDS)
    words_ = GREETING_WORDS if intent == "greeting" else AI_WORDS if rest == ["ai"] else ()
    return Need(intent, "room", Answer.SOCIAL, words=words_)


def signals(
    reply: str | None,
    needs: Sequence[str],
    calls: Sequence[str] = (),
    comments: Sequence[str] = (),
    *,
    changes: Mapping[str, int | str | None] | None = None,
    skills: Sequence[str] | None = None,
    limits: Limits | None = None,
    shop: str = "first",
    **more: Any,
) -> Signals:
    """Signals of one request; skills default to the right ones."""
    place = SHOPS[shop]
    wanted = tuple(need(place, n) for n in needs)
    intents = tuple(dict.fromkeys(n.intent for n in wanted))
    right = tuple(dict.fromkeys(SKILLS[i] for i in intents))
    return Signals(
        request_id="r1",
        needs=wanted,
        reply=reply,
        truth=truth(place, changes),
        known=(fact(place, "host", "is_ai"),),
        calls=tuple(call(place, c) for c in calls),
        skills_loaded=right if skills is None else tuple(skills),
        skill_options=tuple((i, (SKILLS[i],)) for i in intents),
        strategy_options=("recovery",),
        titles=tuple(place.titles.items()),
        limits=limits or Limits(),
        comments=tuple(comments),
        **more,
    )


@pytest.fixture(name="signals")
def _signals() -> Callable[..., Signals]:
    return signals
