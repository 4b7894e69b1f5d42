"""What a viewer's click, order, payment or return does to the stream: the events, or none when it cannot happen."""

from __future__ import annotations

from livesim.world import events as ev
from livesim.world.catalog import Sku
from livesim.world.promotions import quote
from livesim.world.state import Stream
from livesim.world.viewers import MoveKind, ViewerMove


def click_events(move: ViewerMove, now: Stream, at_s: float) -> list[ev.Event]:
    """An item-page view or a cart; nothing for an item that is not listed."""
    if move.link is None or now.catalog.by_link(move.link) is None:
        return []
    kind = ev.ItemClicked if move.kind is MoveKind.CLICK else ev.CartAdded
    return [kind(at_s, move.viewer, move.link)]


def order_events(move: ViewerMove, now: Stream, at_s: float) -> list[ev.Event]:
    """An order at the price of this second, and quotas that it exhausts; nothing when too few pieces are left."""
    product = None if move.link is None else now.catalog.by_link(move.link)
    if product is None or move.quantity < 1:
        return []
    wanted = [sku for sku in product.skus if move.option in ("", sku.label)]
    sku = _most(wanted, now)
    if sku is None or now.stock[sku.id] < move.quantity:
        return []
    price = quote(product, move.quantity, now.promotions, clock_s=at_s, used=now.used)
    promotions = tuple(step.promotion for step in price.steps)
    order = ev.OrderPlaced(
        at_s,
        f"B{len(now.sales) + 1}",
        move.viewer,
        product.link,
        sku.id,
        move.quantity,
        price.list_fen,
        price.final_fen,
        promotions,
    )
    return [order, *_exhausted(order, now)]


def pay_events(move: ViewerMove, now: Stream, at_s: float) -> list[ev.Event]:
    """The payment of the viewer's last unpaid order; nothing without one."""
    order = _last(now, move, paid=False)
    return [] if order is None else [ev.OrderPaid(at_s, order)]


def return_events(move: ViewerMove, now: Stream, at_s: float) -> list[ev.Event]:
    """The viewer's last paid order comes back; nothing without one."""
    order = _last(now, move, paid=True)
    return [] if order is None else [ev.OrderReturned(at_s, order)]


def _last(now: Stream, move: ViewerMove, paid: bool) -> str | None:
    """The viewer's last order that is paid, or not yet, and does not come back; of the item, if the move names one."""
    mine = (s for s in reversed(now.sales.values()) if s.viewer == move.viewer and move.link in (None, s.link))
    return next((sale.order for sale in mine if sale.paid is paid and not sale.returned), None)


def _most(skus: list[Sku], now: Stream) -> Sku | None:
    """The SKU with most pieces left, of equal ones the first."""
    return max(skus, key=lambda sku: now.stock.get(sku.id, 0), default=None)


def _exhausted(order: ev.OrderPlaced, now: Stream) -> list[ev.Event]:
    used = dict(now.used)
    now.count_uses(used, order)
    return [
        ev.PromotionExhausted(order.at_s, p.id)
        for p in now.promotions
        if p.id in order.promotions and p.quota is not None and used[p.id] >= p.quota
    ]
