"""Answers that look like answers and are not whole: fields lost on the way, values from a while ago."""

from __future__ import annotations

import dataclasses

from livesim.tools.answer import Answer, Field
from livesim.tools.fault_texts import copy_note, missing_note, missing_value
from livesim.tools.faults import Wording
from livesim.tools.shop import ShopView
from livesim.world.catalog import Catalog, Product
from livesim.world.dice import Dice
from livesim.world.orders import STATUSES, Order
from livesim.world.promotions import Promotion, PromotionKind

AGEING = frozenset(
    {"product_info", "price_check", "final_price", "promotion_info", "stock_check", "shipping_eta", "order_lookup"}
)
"""Tools whose answers were others a while ago; what the rest say does not change in a shop."""


def partial(answer: Answer, seed: int, wording: Wording) -> Answer:
    """The answer without at least one of the fields that state something; unchanged when none does.

    The lost facts are no longer among those that the answer states. Up to half of the stating fields are lost.
    """
    dice = Dice(seed)
    stating = [i for i, field in enumerate(answer.fields) if field.facts]
    if not stating:
        return answer
    lost: set[int] = set()
    for _ in range(dice.between(1, max(1, len(stating) // 2))):
        lost.add(dice.pick([i for i in stating if i not in lost]))
    hole = missing_value(dice, wording)
    fields: list[Field] = []
    for i, field in enumerate(answer.fields):
        if i not in lost:
            fields.append(field)
        elif hole != "":
            fields.append(Field(field.key, hole))
    if dice.chance(0.6):
        fields.append(Field(dice.pick(("warning", "note", "info")), missing_note(dice, wording)))
    return Answer(tuple(fields))


def disowned(answer: Answer, seed: int, wording: Wording) -> Answer:
    """The answer of a copy that says itself that it is one and that the shop's own system disagrees."""
    return Answer((*answer.fields, Field(*copy_note(Dice(seed), wording))))


def older(shop: ShopView, seed: int) -> ShopView:
    """The shop as a cache remembers it from 30 seconds to 15 minutes ago.

    Prices, coupons, stock, shipping and order states are those of then; what does not change in a shop (attributes,
    size charts, policies) is the same. The lists that WRITE tools append to are shared with the true shop.
    """
    dice = Dice(seed)
    products = tuple(_older_product(product, dice) for product in shop.catalog.products)
    return ShopView(
        catalog=Catalog(products),
        stock={sku.id: _other(shop.stock.get(sku.id, 0), dice) for p in products for sku in p.skus},
        promotions=tuple(_older_promotion(promotion, dice) for promotion in shop.promotions),
        clock_s=max(0.0, shop.clock_s - dice.between(30, 900)),
        used={},
        orders=tuple(_older_order(order) for order in shop.orders),
        pushed=shop.pushed,
        handoffs=shop.handoffs,
    )


def _older_product(product: Product, dice: Dice) -> Product:
    """Dearer or cheaper by 5 to 20 percent, at least one yuan; another dispatch and delivery time."""
    whole = max(1, product.list_price_fen * dice.between(5, 20) // 10000)
    cheaper = dice.chance(0.3) and product.list_price_fen > 2 * whole * 100
    return dataclasses.replace(
        product,
        list_price_fen=product.list_price_fen + whole * (-100 if cheaper else 100),
        dispatch_hours=dice.pick([h for h in (12, 24, 48, 72) if h != product.dispatch_hours]),
        delivery_days=product.delivery_days + dice.between(1, 2),
    )


def _other(pieces: int, dice: Dice) -> int:
    """Stock before some sales; never the present number."""
    return pieces + dice.between(1, 12)


def _older_promotion(promotion: Promotion, dice: Dice) -> Promotion:
    """A coupon of another amount; flash sales, gifts and percentages stay."""
    if promotion.kind not in (PromotionKind.ITEM_COUPON, PromotionKind.SHOP_COUPON) or promotion.off_fen < 200:
        return promotion
    return dataclasses.replace(promotion, off_fen=max(100, promotion.off_fen // 100 * 100 - 100 * dice.between(1, 3)))


def _older_order(order: Order) -> Order:
    """One step earlier in its life."""
    at = STATUSES.index(order.status) if order.status in STATUSES else 0
    return dataclasses.replace(order, status=STATUSES[max(0, at - 1)])
