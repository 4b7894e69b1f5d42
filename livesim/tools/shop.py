"""What tools may read and do, and the behaviours of the twelve built-in tools that the world answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from livesim.tools.answer import Answer, Field, Refusal
from livesim.tools.arguments import Arguments
from livesim.tools.matching import match_skus, match_topic
from livesim.types import JsonValue
from livesim.world import facts as state
from livesim.world.catalog import Catalog, Product
from livesim.world.money import yuan
from livesim.world.orders import Order
from livesim.world.promotions import Promotion, PromotionKind, quote
from rewards.signals import Fact, FactKind


@dataclass(slots=True)
class ShopView:
    """The shop in the second of a call. Tools read it; the two WRITE tools append to its last two lists.

    Attributes:
        catalog: what is listed.
        stock: SKU id -> pieces left.
        promotions: all of the stream, in force or not.
        clock_s: stream seconds.
        used: promotion id -> pieces or uses so far.
        orders: known to ``order_lookup``.
        pushed: links whose card was shown, oldest first; ``push_card`` appends unless the last one is the same.
        handoffs: reasons of open hand-offs; ``hand_off`` appends unless the same reason is open.
    """

    catalog: Catalog
    stock: Mapping[str, int]
    promotions: tuple[Promotion, ...] = ()
    clock_s: float = 0.0
    used: Mapping[str, int] = field(default_factory=dict)
    orders: tuple[Order, ...] = ()
    pushed: list[int] = field(default_factory=list)
    handoffs: list[str] = field(default_factory=list)

    def running(self, product: Product, *kinds: PromotionKind) -> list[Promotion]:
        """Promotions of these kinds that hold for the product now."""
        return [
            p
            for p in self.promotions
            if p.kind in kinds and p.applies_to(product.link) and p.active(self.clock_s, self.used)
        ]


Behaviour: TypeAlias = Callable[[ShopView, Arguments], "Answer | Refusal"]
"""What a tool does: reads the shop and its validated arguments, returns an answer; WRITE ones are idempotent."""

COUPONS = (PromotionKind.ITEM_COUPON, PromotionKind.SHOP_COUPON)


def on_item(behaviour: Callable[[ShopView, Product, Arguments], Answer | Refusal]) -> Behaviour:
    """A behaviour whose ``link`` was looked up; an unlisted one is refused with the listed links."""

    def looked_up(shop: ShopView, arguments: Arguments) -> Answer | Refusal:
        product = shop.catalog.by_link(int(arguments["link"]))
        if product is None:
            return Refusal(f"no link {arguments['link']}; listed links: {', '.join(map(str, shop.catalog.links))}")
        return behaviour(shop, product, arguments)

    return looked_up


def _link(product: Product) -> Field:
    return Field("link", product.link)


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _named(facts: list[Fact], *names: str) -> tuple[Fact, ...]:
    return tuple(fact for fact in facts if fact.name in names)


def product_info(shop: ShopView, product: Product, arguments: Arguments) -> Answer:
    """Title, category, list price and every attribute."""
    identity = state.identity_facts(product)
    prices = state.price_facts(product, shop.promotions, shop.clock_s, shop.used)
    return Answer(
        (
            _link(product),
            Field("title", product.title, _named(identity, "title")),
            Field("category", str(product.category), _named(identity, "category")),
            Field("list_price", yuan(product.list_price_fen), _named(prices, "list_price")),
            *(
                Field(name.replace("_", " "), value, (fact,))
                for (name, value), fact in zip(product.attributes, state.attribute_facts(product), strict=True)
            ),
        )
    )


def price_check(shop: ShopView, product: Product, arguments: Arguments) -> Answer:
    """Price of one piece now, its coupons, and what is left to pay after them."""
    prices = state.price_facts(product, shop.promotions, shop.clock_s, shop.used)
    price = quote(product, 1, shop.promotions, clock_s=shop.clock_s, used=shop.used)
    if price.live_fen < price.list_fen:
        head = [
            Field("list_price", yuan(price.list_fen), _named(prices, "list_price")),
            Field("flash_price", yuan(price.live_fen), _named(prices, "live_price")),
        ]
    else:
        head = [Field("price", yuan(price.list_fen), _named(prices, "list_price", "live_price"))]
    taken = {step.promotion for step in price.steps}
    thresholds = [p for p in shop.running(product, PromotionKind.THRESHOLD) if p.id in taken]
    return Answer(
        (
            _link(product),
            *head,
            Field("after_coupons", yuan(price.final_fen), _named(prices, "final_price")),
            _offers("coupons", product, [*shop.running(product, *COUPONS), *thresholds]),
        )
    )


def _offers(key: str, product: Product, promotions: list[Promotion]) -> Field:
    """Coupons and thresholds in words, ``"none"`` when there are none."""
    found: list[Fact] = []
    for promotion in promotions:
        if promotion.kind is PromotionKind.THRESHOLD:
            found += state.threshold_facts(promotion)
        elif promotion.kind in COUPONS:
            found += state.coupon_facts(promotion, product.subject)
    words: list[JsonValue] = [promotion.describe() for promotion in promotions]
    return Field(key, words or "none", tuple(found))


def final_price(shop: ShopView, product: Product, arguments: Arguments) -> Answer:
    """What several pieces cost together, and the discounts in it."""
    quantity = int(arguments.get("quantity", 1))
    price = quote(product, quantity, shop.promotions, clock_s=shop.clock_s, used=shop.used)
    facts = [state.total_fact(product, quantity, shop.promotions, shop.clock_s, shop.used)]
    if quantity == 1:
        facts += _named(state.price_facts(product, shop.promotions, shop.clock_s, shop.used), "final_price")
    by_id = {p.id: p for p in shop.promotions}
    taken = [by_id[step.promotion] for step in price.steps if step.kind is not PromotionKind.FLASH]
    return Answer(
        (
            _link(product),
            Field("quantity", quantity),
            Field("final_price", yuan(price.final_fen), tuple(facts)),
            _offers("discounts", product, taken),
        )
    )


def promotion_info(shop: ShopView, product: Product, arguments: Arguments) -> Answer:
    """Every promotion that holds for the item now; only those that there are."""
    fields = [_link(product)]
    coupons = shop.running(product, *COUPONS)
    if coupons:
        fields.append(_offers("coupons", product, coupons))
    known = state.promotion_facts(product, shop.promotions, shop.clock_s, shop.used)
    for promotion in shop.running(product, PromotionKind.FLASH)[:1]:
        flash = state.flash_facts(promotion, product, shop.clock_s, shop.used)
        fields.append(Field("flash_price", yuan(int(flash[0].value)), tuple(flash[:1])))
        if len(flash) > 1:
            fields.append(Field("ends_in", f"{flash[1].value} min", tuple(flash[1:])))
    for fact in _named(known, "member_price"):
        fields.append(Field("member_price", yuan(int(fact.value)), (fact,)))
    for fact in _named(known, "gift")[:1]:
        fields.append(Field("gift", fact.value, (fact,)))
    thresholds = shop.running(product, PromotionKind.THRESHOLD)[:1]
    if thresholds:
        facts = tuple(state.threshold_facts(thresholds[0]))
        fields.append(Field("shop_wide", thresholds[0].describe(), facts))
    if len(fields) == 1:
        fields.append(Field("promotions", "none"))
    return Answer(tuple(fields))


def stock_check(shop: ShopView, product: Product, arguments: Arguments) -> Answer | Refusal:
    """Pieces left of one option, of several, or of all."""
    option = str(arguments.get("option", ""))
    skus = match_skus(product, option)
    if not skus:
        labels = ", ".join(sku.label for sku in product.skus)
        return Refusal(f"no option {option[:40]!r} for link {product.link}; options: {labels}")
    facts = {fact.name: fact for fact in state.stock_facts(product, shop.stock)}
    chosen = [(sku.label, facts[f"stock:{sku.label}"]) for sku in skus]
    if len(chosen) == 1 and option:
        label, fact = chosen[0]
        return Answer((_link(product), Field("option", label), Field("left", fact.value, (fact,))))
    table: dict[str, JsonValue] = {label: fact.value for label, fact in chosen}
    fields = [_link(product), Field("left", table, tuple(fact for _, fact in chosen))]
    if len(skus) == len(product.skus):
        fields.insert(1, Field("total", facts["stock"].value, (facts["stock"],)))
    return Answer(tuple(fields))


def size_advice(shop: ShopView, product: Product, arguments: Arguments) -> Answer | Refusal:
    """The size for a body, or that none fits."""
    if not product.size_chart:
        return Refusal(f"link {product.link} has no size chart")
    height, weight = int(arguments["height_cm"]), int(arguments["weight_kg"])
    fact = state.size_fact(product, height, weight)
    return Answer(
        (_link(product), Field("height_cm", height), Field("weight_kg", weight), Field("size", fact.value, (fact,)))
    )


def shipping_eta(shop: ShopView, product: Product, arguments: Arguments) -> Answer:
    """When it leaves, how long it travels, who pays."""
    dispatch, delivery, free = state.shipping_facts(product)
    return Answer(
        (
            _link(product),
            Field("dispatch", f"within {product.dispatch_hours} hours", (dispatch,)),
            Field("delivery", f"{product.delivery_days} days", (delivery,)),
            Field("free_shipping", _yes(product.free_shipping), (free,)),
        )
    )


def return_policy(shop: ShopView, product: Product, arguments: Arguments) -> Answer:
    """Returns, freight insurance, warranty."""
    facts = state.return_facts(product)
    days, months = product.return_days, product.warranty_months
    returns = f"within {days} days" if days else "not returnable"
    warranty = f"{months} months" if months else "none"
    return Answer(
        (
            _link(product),
            Field("returns", returns, _named(facts, "returnable", "return_days")),
            Field("freight_insurance", _yes(product.freight_insurance), _named(facts, "freight_insurance")),
            Field("warranty", warranty, _named(facts, "warranty")),
        )
    )


def faq_search(shop: ShopView, product: Product, arguments: Arguments) -> Answer:
    """The attribute that a topic means, or which topics there are."""
    name = match_topic(product, str(arguments["topic"]))
    if name is None:
        topics = ", ".join(key.replace("_", " ") for key, _ in product.attributes)
        return Answer((_link(product), Field("answer", "nothing found"), Field("topics", topics)))
    fact = next(fact for fact in state.attribute_facts(product) if fact.name == f"attr:{name}")
    return Answer((_link(product), Field("topic", name.replace("_", " ")), Field("answer", fact.value, (fact,))))


def order_lookup(shop: ShopView, arguments: Arguments) -> Answer | Refusal:
    """Status of an order, with the buyer's private data, which must not be spoken in the room."""
    number = str(arguments["order"]).strip().lstrip("#").upper()
    order = next((order for order in shop.orders if order.id.upper() == number), None)
    if order is None:
        return Refusal(f"no order {number[:20]!r}; ask the viewer for the order number in private")
    product = shop.catalog.by_link(order.link)
    status = Fact(order.subject, "status", FactKind.VALUE, order.status)
    return Answer(
        (
            Field("order", order.id),
            Field("item", product.title if product else f"link {order.link}"),
            Field("status", order.status, (status,)),
            Field("private", {"name": order.name, "phone": order.phone, "address": order.address}),
        )
    )


def push_card(shop: ShopView, product: Product, arguments: Arguments) -> Answer:
    """Show the item's card; once when it is already on screen."""
    if shop.pushed[-1:] == [product.link]:
        return Answer((_link(product), Field("card", "already on screen")))
    shop.pushed.append(product.link)
    return Answer((_link(product), Field("card", "on screen")))


def hand_off(shop: ShopView, arguments: Arguments) -> Answer:
    """Open a hand-off to a human; once for one reason."""
    reason = str(arguments["reason"])
    if reason in shop.handoffs:
        return Answer((Field("colleague", "already informed"),))
    shop.handoffs.append(reason)
    return Answer((Field("colleague", "informed"),))


BEHAVIOURS: Mapping[str, Behaviour] = MappingProxyType(
    {
        "product_info": on_item(product_info),
        "price_check": on_item(price_check),
        "final_price": on_item(final_price),
        "promotion_info": on_item(promotion_info),
        "stock_check": on_item(stock_check),
        "size_advice": on_item(size_advice),
        "shipping_eta": on_item(shipping_eta),
        "return_policy": on_item(return_policy),
        "faq_search": on_item(faq_search),
        "order_lookup": order_lookup,
        "push_card": on_item(push_card),
        "hand_off": hand_off,
    }
)
"""Canonical name -> behaviour of every built-in tool but ``load_skill``."""
