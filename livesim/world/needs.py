"""What serves a want: the hidden ``Need`` with its sufficient facts, right calls and fitting words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from livesim.types import Intent
from livesim.world.catalog import Product
from livesim.world.promotions import PromotionKind
from livesim.world.state import Stream
from livesim.world.viewers import ViewerComment, Want
from rewards.signals import Answer, FactRef, Need, PlannedCall

Facts = tuple[tuple[FactRef, ...], ...]
Plans = tuple[tuple[PlannedCall, ...], ...]

GREETING_WORDS = [
    "welcome",
    "hello",
    "hi",
    "hey",
    "glad",
    "nice",
    "good",
    "great",
    "thanks",
    "thank",
    "lovely",
    "evening",
    "morning",
    "afternoon",
    "enjoy",
    "happy",
    "join",
]
AI_WORDS = ("yes", "an ai", "ai host", "a virtual", "a digital", "not a real person", "not human", "not a human")
DECLINE_WORDS = (
    "can't",
    "cannot",
    "can not",
    "won't",
    "don't",
    "do not",
    "not able",
    "unable",
    "not something",
    "only help",
    "only talk",
    "only answer",
    "here to help",
    "here for",
    "stick to",
    "keep to",
    "focus on",
    "back to",
    "let's",
    "stay with",
)
HANDOFF_WORDS = ("human", "colleague", "support", "customer service", "service team", "our team", "staff", "specialist")
GONE_WORDS = (
    "not listed",
    "no longer",
    "not available",
    "unavailable",
    "isn't available",
    "taken off",
    "removed",
    "gone",
    "don't have",
    "do not have",
    "not on the list",
    "can't find",
    "cannot find",
)
NO_OFFER_WORDS = ("no coupon", "no discount", "no promotion", "no offer", "no deal", "no gift", "not on sale", "none")
"""Words that serve; any one of them is enough."""


def need_for(want: Want, stream: Stream) -> Need:
    """The need behind a want at this moment of the stream.

    Values are not in it: a ``FactRef`` is looked up in the truth of the second in which the reply is spoken.

    Raises:
        ValueError: an intent about an item without a link (a bug of the viewers).
    """
    if want.intent in _FREE:
        return _FREE[want.intent](want)
    if want.link is None:
        raise ValueError(f"a {want.intent} want must name a link")
    product = stream.catalog.by_link(want.link)
    if product is None:
        return _gone(want)
    return _ABOUT_ITEM[want.intent](want, product, stream)


def needs_for(wants: Iterable[Want], stream: Stream) -> tuple[Need, ...]:
    """The needs of several wants, in order, equal ones once."""
    found: list[Need] = []
    for want in wants:
        need = need_for(want, stream)
        if need not in found:
            found.append(need)
    return tuple(found)


def asked_about(comments: Iterable[ViewerComment]) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Bodies (cm, kg) and quantities that the comments name; two and three pieces are always among them."""
    bodies: dict[tuple[int, int], None] = {}
    quantities = {2: None, 3: None}
    for comment in comments:
        for want in comment.wants:
            if "height_cm" in want.slots and "weight_kg" in want.slots:
                bodies[int(want.slots["height_cm"]), int(want.slots["weight_kg"])] = None
            if "quantity" in want.slots:
                quantities[int(want.slots["quantity"])] = None
    return tuple(bodies), tuple(quantities)


def attended(needs: Iterable[Need]) -> tuple[Need, ...]:
    """The needs where an AI host may not speak alone: each is served by calling a human colleague and saying so."""
    plans: Plans = ((_call("hand_off", reason=None),),)
    found: list[Need] = []
    for need in needs:
        served = Need(need.intent, "room", Answer.HANDOFF, (), plans, HANDOFF_WORDS)
        if served not in found:
            found.append(served)
    return tuple(found)


def _call(tool: str, **arguments: int | str | None) -> PlannedCall:
    return PlannedCall(tool, arguments)


def _refs(product: Product, *names: str) -> Facts:
    """One alternative for each name."""
    return tuple((FactRef(product.subject, name),) for name in names)


def _fact(want: Want, product: Product, facts: Facts, plans: Plans, words: tuple[str, ...] = ()) -> Need:
    return Need(str(want.intent), product.subject, Answer.FACT, facts, plans, words)


def _price(want: Want, product: Product, stream: Stream) -> Need:
    link, quantity = product.link, int(want.slots.get("quantity", 1))
    plans: Plans
    if quantity > 1:
        plans = ((_call("final_price", link=link, quantity=quantity),),)
        return _fact(want, product, _refs(product, f"final_price:{quantity}"), plans)
    plans = ((_call("price_check", link=link),), (_call("final_price", link=link),))
    return _fact(want, product, _refs(product, "final_price"), plans)


def _promotion(want: Want, product: Product, stream: Stream) -> Need:
    if want.slots.get("topic") == "gift":
        return _gift(want, product, stream)
    names = []
    shop: Facts = ()
    for promotion in stream.promotions:
        if not promotion.applies_to(product.link) or not promotion.active(stream.clock_s, stream.used):
            continue
        if promotion.kind in (PromotionKind.ITEM_COUPON, PromotionKind.SHOP_COUPON):
            names.append(f"coupon:{promotion.id}:off")
        elif promotion.kind is PromotionKind.FLASH:
            names += ["flash:price", "live_price"]
        elif promotion.kind is PromotionKind.GIFT:
            names.append("gift")
        elif promotion.kind is PromotionKind.THRESHOLD:
            shop = ((FactRef("shop", "threshold:off"),),)
        elif promotion.kind is PromotionKind.MEMBER:
            names.append("member_price")
    link = product.link
    plans = (
        (_call("price_check", link=link),),
        (_call("promotion_info", link=link),),
        (_call("final_price", link=link),),
    )
    words = () if names or shop else tuple(NO_OFFER_WORDS)
    refs = _refs(product, *dict.fromkeys(names), "final_price", "discount_percent")
    return _fact(want, product, (*refs, *shop), plans, words)


def _gift(want: Want, product: Product, stream: Stream) -> Need:
    running = [p for p in stream.promotions if p.applies_to(product.link) and p.active(stream.clock_s, stream.used)]
    given = any(p.kind is PromotionKind.GIFT for p in running)
    facts = _refs(product, "gift") if given else ()
    words = () if given else ("no gift", "without a gift", *NO_OFFER_WORDS)
    return _fact(want, product, facts, ((_call("promotion_info", link=product.link),),), words)


def _attribute(want: Want, product: Product, stream: Stream) -> Need:
    topic = str(want.slots.get("topic", ""))
    names = (topic,) if product.attribute(topic) is not None else tuple(name for name, _ in product.attributes)
    plans = ((_call("faq_search", link=product.link, topic=None),), (_call("product_info", link=product.link),))
    return _fact(want, product, _refs(product, *(f"attr:{name}" for name in names)), plans)


def _stock(want: Want, product: Product, stream: Stream) -> Need:
    option = str(want.slots.get("option", ""))
    labels = [sku.label for sku in product.skus]
    if option in labels:
        names: tuple[str, ...] = (f"stock:{option}",)
    else:
        names = ("stock", *(f"stock:{label}" for label in labels))
    return _fact(want, product, _refs(product, *names), ((_call("stock_check", link=product.link),),))


def _shipping(want: Want, product: Product, stream: Stream) -> Need:
    plans = ((_call("shipping_eta", link=product.link),),)
    return _fact(want, product, _refs(product, "dispatch", "delivery"), plans)


def _returns(want: Want, product: Product, stream: Stream) -> Need:
    topic = str(want.slots.get("topic", "return"))
    names: tuple[str, ...] = ("return_days",) if product.return_days else ("return_days", "returnable")
    if topic == "warranty" and product.warranty_months:
        names = ("warranty",)
    elif topic == "freight_insurance":
        names = ("freight_insurance",)
    return _fact(want, product, _refs(product, *names), ((_call("return_policy", link=product.link),),))


def _size(want: Want, product: Product, stream: Stream) -> Need:
    height, weight = int(want.slots.get("height_cm", 165)), int(want.slots.get("weight_kg", 55))
    plans = ((_call("size_advice", link=product.link, height_cm=height, weight_kg=weight),),)
    return _fact(want, product, _refs(product, f"size:{height}/{weight}"), plans)


def _comparison(want: Want, product: Product, stream: Stream) -> Need:
    names = ("final_price", "discount_percent", "return_days", *(f"attr:{name}" for name, _ in product.attributes))
    link = product.link
    plans = (
        (_call("price_check", link=link),),
        (_call("product_info", link=link),),
        (_call("promotion_info", link=link),),
        (_call("faq_search", link=link, topic=None),),
        (_call("return_policy", link=link),),
    )
    return _fact(want, product, _refs(product, *names), plans)


def _show(want: Want, product: Product, stream: Stream) -> Need:
    words = (f"link {product.link}", product.title, "card", "on screen", "here it is", "here you go", "look at")
    plans = ((_call("push_card", link=product.link),),)
    return Need(str(want.intent), product.subject, Answer.ACTION, (), plans, words)


def _gone(want: Want) -> Need:
    plans = ((), (_call("product_info", link=want.link),))
    return Need(str(want.intent), f"link:{want.link}", Answer.DECLINE, (), plans, tuple(GONE_WORDS))


def _social(want: Want) -> Need:
    words: tuple[str, ...] = ()
    if want.intent is Intent.GREETING:
        words = tuple(GREETING_WORDS)
    elif want.slots.get("ai"):
        words = AI_WORDS
    return Need(str(want.intent), "room", Answer.SOCIAL, words=words)


def _decline(want: Want) -> Need:
    return Need(str(want.intent), "room", Answer.DECLINE, words=DECLINE_WORDS)


def _after_sales(want: Want) -> Need:
    hand_off = _call("hand_off", reason=None)
    plans: Plans = ((hand_off,),)
    order = str(want.slots.get("order", ""))
    if order:
        plans = (*plans, (_call("order_lookup", order=order), hand_off))
    return Need(str(want.intent), "room", Answer.HANDOFF, (), plans, HANDOFF_WORDS)


_FREE: Mapping[Intent, Callable[[Want], Need]] = {
    Intent.GREETING: _social,
    Intent.CHITCHAT: _social,
    Intent.PARTICIPATION: _social,
    Intent.TROLL: _decline,
    Intent.OFF_TOPIC: _decline,
    Intent.AFTER_SALES: _after_sales,
}
_ABOUT_ITEM: Mapping[Intent, Callable[[Want, Product, Stream], Need]] = {
    Intent.PRICE: _price,
    Intent.PROMOTION: _promotion,
    Intent.SHOW_ITEM: _show,
    Intent.SIZE: _size,
    Intent.ATTRIBUTE: _attribute,
    Intent.STOCK: _stock,
    Intent.SHIPPING: _shipping,
    Intent.RETURNS: _returns,
    Intent.COMPARISON: _comparison,
}
ABOUT_ITEM: frozenset[Intent] = frozenset(_ABOUT_ITEM)
"""Intents whose wants must name a link."""
