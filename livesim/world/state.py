"""``Stream``: the whole state of one live show; it changes only by ``apply(event)``."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from livesim.world import events as ev
from livesim.world.catalog import Catalog, Product
from livesim.world.events import Event
from livesim.world.orders import Order
from livesim.world.promotions import Promotion, PromotionKind
from rewards.signals import Breach


@dataclass(frozen=True, slots=True)
class Sale:
    """An order of this stream, whether its money has arrived, and whether it will come back; amounts in fen."""

    order: str
    viewer: str
    link: int
    sku: str
    quantity: int
    list_fen: int
    paid_fen: int
    paid: bool = False
    returned: bool = False


@dataclass(slots=True)
class Stream:
    """One live show. Read it freely; change it only through ``apply``.

    Two streams that started equal and applied the same events are equal (``==``).

    Attributes:
        catalog: what is listed now.
        stock: SKU id -> pieces left, never negative; delisted SKUs keep theirs.
        promotions: published ones, in force or not.
        on_air: link of the item being shown; 0 when nothing is listed any more.
        orders: older orders that viewers ask about.
        platform: name of the rules profile.
        clock_s: seconds since the start.
        viewers: who is present -> when they entered, seconds.
        crowd: how many more are present, without a name: those of a big room whom nobody sees do anything.
        used: promotion id -> pieces or uses so far.
        sales: orders of this stream by id.
        pushed: links whose card was shown, oldest first.
        handoffs: reasons given to the human colleague, oldest first.
        spoken: what the host said, oldest first.
        breaches: what the platform noted, oldest first.
        entered: viewers so far (UV); who comes back counts once.
        known: those of them who have a name.
        clicks: item-page views so far (IPV).
        carts: items put into carts so far.
        comments: lines written so far.
        open_requests: ids of requests that are open.
        notices: public lines that stand, oldest first.
        edits: places of the harness edits that happened, oldest first.
        attended: a human colleague was called since this platform's rules came into force, or in the request that was
            open then.
        helped: a human colleague was called in the open request.
        cut: the platform cut the stream.
    """

    catalog: Catalog
    stock: dict[str, int]
    promotions: tuple[Promotion, ...]
    on_air: int
    orders: tuple[Order, ...] = ()
    platform: str = "taobao"
    clock_s: float = 0.0
    viewers: dict[str, float] = field(default_factory=dict)
    crowd: int = 0
    used: dict[str, int] = field(default_factory=dict)
    sales: dict[str, Sale] = field(default_factory=dict)
    pushed: list[int] = field(default_factory=list)
    handoffs: list[str] = field(default_factory=list)
    spoken: list[ev.Spoken] = field(default_factory=list)
    breaches: list[Breach] = field(default_factory=list)
    entered: int = 0
    known: set[str] = field(default_factory=set)
    clicks: int = 0
    carts: int = 0
    comments: int = 0
    open_requests: set[str] = field(default_factory=set)
    notices: list[str] = field(default_factory=list)
    edits: list[int] = field(default_factory=list)
    attended: bool = False
    helped: bool = False
    cut: bool = False

    @property
    def paid_fen(self) -> int:
        """Money that arrived: paid GMV, fen."""
        return sum(sale.paid_fen for sale in self.sales.values() if sale.paid)

    @property
    def confirmed_fen(self) -> int:
        """Money of orders that are paid and kept: confirmed-receipt GMV once everything has come back, fen."""
        return sum(sale.paid_fen for sale in self.sales.values() if sale.paid and not sale.returned)

    @property
    def present(self) -> int:
        """How many viewers are there."""
        return len(self.viewers) + self.crowd

    @property
    def points(self) -> int:
        """Points of all breaches so far."""
        return sum(breach.points for breach in self.breaches)

    def count_uses(self, used: dict[str, int], order: ev.OrderPlaced) -> None:
        """Add to ``used`` what an order uses of each promotion: pieces of a flash sale, else one use."""
        flash = {p.id for p in self.promotions if p.kind is PromotionKind.FLASH}
        for promotion in order.promotions:
            used[promotion] = used.get(promotion, 0) + (order.quantity if promotion in flash else 1)

    def apply(self, event: Event) -> None:
        """Change the state.

        Raises:
            ValueError: the event cannot happen in this state (a bug of its sender); nothing has changed then.
        """
        _APPLY[type(event)](self, event)


def replay(start: Stream, events: Iterable[Event]) -> Stream:
    """``start`` after the events. ``start`` itself changes; give a fresh one."""
    for event in events:
        start.apply(event)
    return start


def _clock(stream: Stream, event: ev.ClockMoved) -> None:
    if event.at_s < stream.clock_s:
        raise ValueError(f"the clock cannot go back from {stream.clock_s} to {event.at_s}")
    stream.clock_s = event.at_s


def _enter(stream: Stream, event: ev.ViewerEntered) -> None:
    if event.viewer not in stream.viewers:
        stream.viewers[event.viewer] = event.at_s
        stream.entered += event.viewer not in stream.known
        stream.known.add(event.viewer)


def _leave(stream: Stream, event: ev.ViewerLeft) -> None:
    stream.viewers.pop(event.viewer, None)


def _crowd(stream: Stream, event: ev.CrowdMoved) -> None:
    crowd = stream.crowd + event.entered - event.left - event.named
    if min(event.entered, event.left, event.named, event.clicks, event.carts, crowd) < 0:
        raise ValueError(f"a crowd of {stream.crowd} cannot move by {event}")
    stream.crowd = crowd
    stream.entered += event.entered - event.named  # those enter by name too
    stream.clicks += event.clicks
    stream.carts += event.carts


def _comment(stream: Stream, event: ev.Commented) -> None:
    stream.comments += 1


def _open(stream: Stream, event: ev.RequestOpened) -> None:
    stream.open_requests.add(event.request)
    stream.helped = False


def _close(stream: Stream, event: ev.RequestClosed) -> None:
    stream.open_requests.discard(event.request)
    stream.helped = False


def _click(stream: Stream, event: ev.ItemClicked) -> None:
    stream.clicks += 1


def _cart(stream: Stream, event: ev.CartAdded) -> None:
    stream.carts += 1


def _order(stream: Stream, event: ev.OrderPlaced) -> None:
    left = stream.stock.get(event.sku)
    if left is None or not 1 <= event.quantity <= left:
        raise ValueError(f"order {event.order}: {event.quantity} pieces of {event.sku!r}, in stock {left}")
    if event.order in stream.sales:
        raise ValueError(f"order {event.order} exists")
    if not 0 < event.paid_fen <= event.list_fen:
        raise ValueError(f"order {event.order}: price {event.paid_fen} fen for goods listed at {event.list_fen} fen")
    stream.stock[event.sku] = left - event.quantity
    stream.count_uses(stream.used, event)
    stream.sales[event.order] = Sale(
        event.order, event.viewer, event.link, event.sku, event.quantity, event.list_fen, event.paid_fen
    )


def _pay(stream: Stream, event: ev.OrderPaid) -> None:
    if event.order not in stream.sales:
        raise ValueError(f"no order {event.order}")
    stream.sales[event.order] = dataclasses.replace(stream.sales[event.order], paid=True)


def _return(stream: Stream, event: ev.OrderReturned) -> None:
    sale = stream.sales.get(event.order)
    if sale is None or not sale.paid:
        raise ValueError(f"order {event.order} is not paid")
    stream.sales[event.order] = dataclasses.replace(sale, returned=True)


def _stock(stream: Stream, event: ev.StockSet) -> None:
    if event.sku not in stream.stock or event.pieces < 0:
        raise ValueError(f"stock of {event.sku!r} cannot become {event.pieces}")
    stream.stock[event.sku] = event.pieces


def _promotion(stream: Stream, event: ev.PromotionStarted) -> None:
    kept = tuple(p for p in stream.promotions if p.id != event.promotion.id)
    stream.promotions = (*kept, event.promotion)


def _promotion_end(stream: Stream, event: ev.PromotionEnded) -> None:
    stream.promotions = tuple(p for p in stream.promotions if p.id != event.promotion)


def _exhausted(stream: Stream, event: ev.PromotionExhausted) -> None:
    found = next((p for p in stream.promotions if p.id == event.promotion), None)
    if found is None:
        return
    used = stream.used.get(found.id, 0)
    if found.quota is None:  # nobody counted it until now
        shut = dataclasses.replace(found, quota=used)
        stream.promotions = tuple(shut if p.id == found.id else p for p in stream.promotions)
    else:
        stream.used[found.id] = max(used, found.quota)


def _price(stream: Stream, event: ev.PriceCorrected) -> None:
    if event.list_price_fen < 100:
        raise ValueError(f"link {event.link}: list price {event.list_price_fen} fen is below 1 yuan")

    def corrected(product: Product) -> Product:
        if product.link != event.link:
            return product
        return dataclasses.replace(product, list_price_fen=event.list_price_fen)

    stream.catalog = Catalog(tuple(corrected(product) for product in stream.catalog.products))


def _switch(stream: Stream, event: ev.ItemSwitched) -> None:
    if stream.catalog.by_link(event.link) is None:
        raise ValueError(f"link {event.link} is not listed; listed: {stream.catalog.links}")
    stream.on_air = event.link


def _delist(stream: Stream, event: ev.ItemDelisted) -> None:
    left = tuple(product for product in stream.catalog.products if product.link != event.link)
    stream.catalog = Catalog(left)
    stream.promotions = tuple(p for p in stream.promotions if p.link != event.link)
    if stream.on_air == event.link:
        stream.on_air = left[0].link if left else 0


def _post(stream: Stream, event: ev.NoticePosted) -> None:
    stream.notices.append(event.text)


def _take(stream: Stream, event: ev.NoticeTaken) -> None:
    if event.text not in stream.notices:
        raise ValueError(f"no notice {event.text!r}")
    stream.notices.remove(event.text)


def _platform(stream: Stream, event: ev.PlatformChanged) -> None:
    stream.platform = event.platform
    stream.attended = stream.helped


def _edit(stream: Stream, event: ev.HarnessEdited) -> None:
    stream.edits.append(event.beat)


def _push(stream: Stream, event: ev.CardPushed) -> None:
    stream.pushed.append(event.link)


def _hand_off(stream: Stream, event: ev.HandedOff) -> None:
    stream.handoffs.append(event.reason)
    stream.attended, stream.helped = True, bool(stream.open_requests)


def _speak(stream: Stream, event: ev.Spoken) -> None:
    stream.spoken.append(event)


def _breach(stream: Stream, event: ev.RuleBroken) -> None:
    stream.breaches.append(event.breach)


def _cut(stream: Stream, event: ev.StreamCut) -> None:
    stream.cut = True


# Any: each handler takes exactly the event of its key, which a mapping cannot say
_APPLY: Mapping[type, Callable[[Stream, Any], None]] = {
    ev.ClockMoved: _clock,
    ev.ViewerEntered: _enter,
    ev.ViewerLeft: _leave,
    ev.CrowdMoved: _crowd,
    ev.Commented: _comment,
    ev.RequestOpened: _open,
    ev.RequestClosed: _close,
    ev.ItemClicked: _click,
    ev.CartAdded: _cart,
    ev.OrderPlaced: _order,
    ev.OrderPaid: _pay,
    ev.OrderReturned: _return,
    ev.StockSet: _stock,
    ev.PromotionStarted: _promotion,
    ev.PromotionEnded: _promotion_end,
    ev.PromotionExhausted: _exhausted,
    ev.PriceCorrected: _price,
    ev.ItemSwitched: _switch,
    ev.ItemDelisted: _delist,
    ev.NoticePosted: _post,
    ev.NoticeTaken: _take,
    ev.PlatformChanged: _platform,
    ev.HarnessEdited: _edit,
    ev.CardPushed: _push,
    ev.HandedOff: _hand_off,
    ev.Spoken: _speak,
    ev.RuleBroken: _breach,
    ev.StreamCut: _cut,
}
