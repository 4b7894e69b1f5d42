"""``facts()``: everything that is true of the shop in one second, as typed statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from livesim.world.catalog import Catalog, Product
from livesim.world.orders import Order
from livesim.world.promotions import Promotion, PromotionKind, quote
from rewards.kept import kept
from rewards.signals import Fact, FactKind


def facts(
    catalog: Catalog,
    stock: Mapping[str, int],
    promotions: Sequence[Promotion],
    clock_s: float,
    used: Mapping[str, int],
    *,
    orders: Sequence[Order] = (),
    quantities: Sequence[int] = (2, 3),
    bodies: Sequence[tuple[int, int]] = (),
) -> tuple[Fact, ...]:
    """The truth of this second.

    Args:
        catalog: what is listed.
        stock: SKU id -> pieces left.
        promotions: all of the stream, in force or not.
        clock_s: stream seconds.
        used: promotion id -> pieces or uses so far.
        orders: known to ``order_lookup``.
        quantities: pieces for which ``final_price:<quantity>`` is stated.
        bodies: (height cm, weight kg) for which ``size:<height>/<weight>`` is stated.
    """
    running = tuple(p for p in promotions if p.active(clock_s, used))
    found = [Fact("host", "is_ai", FactKind.FLAG, "yes")]
    for promotion in running:
        if promotion.kind is PromotionKind.THRESHOLD:
            found += threshold_facts(promotion)
    for product in catalog.products:
        own = tuple(p for p in running if p.applies_to(product.link))
        found += item_facts(product)
        found += price_facts(product, own, clock_s, used)
        found += promotion_facts(product, own, clock_s, used)
        found += [total_fact(product, quantity, own, clock_s, used) for quantity in quantities]
        found += stock_facts(product, stock)
        found += [size_fact(product, height, weight) for height, weight in bodies if product.size_chart]
    found += [Fact(order.subject, "status", FactKind.VALUE, order.status) for order in orders]
    return tuple(found)


def flag(subject: str, name: str, value: bool) -> Fact:
    """A yes/no fact."""
    return Fact(subject, name, FactKind.FLAG, "yes" if value else "no")


def money(subject: str, name: str, fen: int) -> Fact:
    """A money fact."""
    return Fact(subject, name, FactKind.MONEY, fen)


@kept(1024)
def item_facts(product: Product) -> tuple[Fact, ...]:
    """What does not change with stock and promotions."""
    return (*identity_facts(product), *attribute_facts(product), *shipping_facts(product), *return_facts(product))


def identity_facts(product: Product) -> list[Fact]:
    """Title and category."""
    subject = product.subject
    return [
        Fact(subject, "title", FactKind.VALUE, product.title),
        Fact(subject, "category", FactKind.VALUE, str(product.category)),
    ]


def attribute_facts(product: Product) -> list[Fact]:
    """``attr:<name>`` for every attribute."""
    return [Fact(product.subject, f"attr:{name}", FactKind.VALUE, value) for name, value in product.attributes]


def shipping_facts(product: Product) -> list[Fact]:
    """Dispatch, delivery and who pays for it."""
    return [
        Fact(product.subject, "dispatch", FactKind.HOURS, product.dispatch_hours),
        Fact(product.subject, "delivery", FactKind.DAYS, product.delivery_days),
        flag(product.subject, "free_shipping", product.free_shipping),
    ]


def return_facts(product: Product) -> list[Fact]:
    """Returns, freight insurance and, where there is one, the warranty in months."""
    subject = product.subject
    found = [
        flag(subject, "returnable", product.return_days > 0),
        Fact(subject, "return_days", FactKind.DAYS, product.return_days),
        flag(subject, "freight_insurance", product.freight_insurance),
    ]
    if product.warranty_months:
        found.append(Fact(subject, "warranty", FactKind.COUNT, product.warranty_months))
    return found


def price_facts(
    product: Product, promotions: Sequence[Promotion], clock_s: float, used: Mapping[str, int]
) -> list[Fact]:
    """List, live and final price of one piece; the final price is what a viewer who is no member pays.

    ``discount_percent`` is how far the final price is below the list price, rounded down; absent without a discount.
    """
    price = quote(product, 1, promotions, clock_s=clock_s, used=used)
    subject = product.subject
    found = [
        money(subject, "list_price", price.list_fen),
        money(subject, "live_price", price.live_fen),
        money(subject, "final_price", price.final_fen),
    ]
    percent = (price.list_fen - price.final_fen) * 100 // price.list_fen
    if percent:
        found.append(Fact(subject, "discount_percent", FactKind.PERCENT, percent))
    return found


def total_fact(
    product: Product, quantity: int, promotions: Sequence[Promotion], clock_s: float, used: Mapping[str, int]
) -> Fact:
    """``final_price:<quantity>``: all pieces together."""
    total = quote(product, quantity, promotions, clock_s=clock_s, used=used)
    return money(product.subject, f"final_price:{quantity}", total.final_fen)


def promotion_facts(
    product: Product, promotions: Sequence[Promotion], clock_s: float, used: Mapping[str, int]
) -> list[Fact]:
    """Coupons, flash sale, gift and member price of an item, as far as they hold at this second.

    ``flash:ends`` counts the minutes left, rounded up. The threshold of the shop is not among them.
    """
    found: list[Fact] = []
    member = False
    for promotion in promotions:
        if not promotion.applies_to(product.link) or not promotion.active(clock_s, used):
            continue
        kind = promotion.kind
        if kind in (PromotionKind.ITEM_COUPON, PromotionKind.SHOP_COUPON):
            found += coupon_facts(promotion, product.subject)
        elif kind is PromotionKind.FLASH:
            found += flash_facts(promotion, product, clock_s, used)
        elif kind is PromotionKind.GIFT:
            found.append(Fact(product.subject, "gift", FactKind.VALUE, promotion.text))
        elif kind is PromotionKind.MEMBER:
            member = True
    if member:
        found.append(member_fact(product, promotions, clock_s, used))
    return found


def coupon_facts(promotion: Promotion, subject: str) -> list[Fact]:
    """``coupon:<id>:off`` and, where there is one, ``coupon:<id>:over``."""
    found = [money(subject, f"coupon:{promotion.id}:off", promotion.off_fen)]
    if promotion.over_fen:
        found.append(money(subject, f"coupon:{promotion.id}:over", promotion.over_fen))
    return found


def flash_facts(promotion: Promotion, product: Product, clock_s: float, used: Mapping[str, int]) -> list[Fact]:
    """Price of one piece in a flash sale, and the minutes left when it has an end."""
    price = quote(product, 1, [promotion], clock_s=clock_s, used=used)
    found = [money(product.subject, "flash:price", price.live_fen)]
    if promotion.ends_s is not None:
        found.append(Fact(product.subject, "flash:ends", FactKind.COUNT, minutes_left(promotion.ends_s, clock_s)))
    return found


def minutes_left(ends_s: float, clock_s: float) -> int:
    """Minutes until ``ends_s``, rounded up, at least 1."""
    return max(1, -int((clock_s - ends_s) // 60))


def member_fact(product: Product, promotions: Sequence[Promotion], clock_s: float, used: Mapping[str, int]) -> Fact:
    """What a member pays for one piece."""
    price = quote(product, 1, promotions, clock_s=clock_s, used=used, member=True)
    return money(product.subject, "member_price", price.final_fen)


def threshold_facts(promotion: Promotion) -> list[Fact]:
    """``threshold:off`` for every ``threshold:over``, of the whole shop."""
    return [money("shop", "threshold:over", promotion.over_fen), money("shop", "threshold:off", promotion.off_fen)]


def stock_facts(product: Product, stock: Mapping[str, int]) -> list[Fact]:
    """Pieces left, in all and of each option; a SKU that stock does not know has none."""
    pieces = {sku.label: max(0, stock.get(sku.id, 0)) for sku in product.skus}
    found = [Fact(product.subject, "stock", FactKind.COUNT, sum(pieces.values()))]
    return found + [Fact(product.subject, f"stock:{label}", FactKind.COUNT, left) for label, left in pieces.items()]


def size_fact(product: Product, height_cm: int, weight_kg: int) -> Fact:
    """``size:<height>/<weight>``; ``"none"`` outside the chart."""
    size = product.size_for(height_cm, weight_kg) or "none"
    return Fact(product.subject, f"size:{height_cm}/{weight_kg}", FactKind.VALUE, size)
