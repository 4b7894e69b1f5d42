"""Scenario and seed become a fresh ``Stream``, what viewers know of it, and the timeline of its beats."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from livesim.scenarios.beats import (
    Beat,
    CouponExhausted,
    Delist,
    EditHarness,
    FlashStart,
    GiftChange,
    ItemSwitch,
    Notice,
    PlatformChange,
    PriceChange,
    PromotionEnd,
    Restock,
    SoldOut,
)
from livesim.scenarios.goods import catalog_of, offers_of, orders_of
from livesim.scenarios.script import Scenario
from livesim.seeding import derive, stream
from livesim.types import Intent
from livesim.world import events as ev
from livesim.world.catalog import Catalog, Category, Product, generate
from livesim.world.orders import Order, generate_orders
from livesim.world.promotions import Promotion, PromotionKind, generate_promotions
from livesim.world.state import Stream
from livesim.world.viewers import Burst, ItemInfo, RoomInfo

BURST_FACTOR = 5.0
"""A flash sale multiplies comments by this; docs/domain.md section 2 says 4 to 8 (assumed)."""

BURST_LEAD_S = 25.0
"""The rush starts so long before a flash sale. *Source:* as ``BURST_FACTOR``."""

BURST_TAIL_S = 90.0
"""And lasts at most so long into it."""


ANNOUNCED_S = 60.0
"""A late flash sale was announced so long before the second for which it was promised. An assumption."""

COUPONS = (PromotionKind.ITEM_COUPON, PromotionKind.SHOP_COUPON)

Entry: TypeAlias = int | str | Notice
"""Of the timeline: the place of a beat, from 0; the id of a promotion that runs out, or the text of a notice that goes;
the notice of a flash sale that starts late."""


def open_stream(scenario: Scenario, seed: int) -> Stream:
    """The stream at second 0; depends on the scenario and the seed alone, each call makes a new one."""
    config = scenario.catalog
    catalog = _listed(scenario, seed)
    first = config.on_air or int(stream(seed, "script", "on_air").integers(len(catalog.links))) + 1
    return Stream(
        catalog=catalog,
        stock=catalog.stock(),
        promotions=_published(scenario, seed, catalog),
        on_air=config.places(catalog.links)[first - 1],
        orders=_older_orders(scenario, seed, catalog),
        platform=scenario.platform,
    )


def _listed(scenario: Scenario, seed: int) -> Catalog:
    config = scenario.catalog
    if config.goods:
        return catalog_of(config.goods)
    items = int(stream(seed, "catalog", "size").integers(config.items[0], config.items[1] + 1))
    return _catalog(derive(seed, "catalog") if config.seed is None else config.seed, items, config.categories)


def _published(scenario: Scenario, seed: int, catalog: Catalog) -> tuple[Promotion, ...]:
    config = scenario.catalog
    if config.goods or config.offers or not config.promotions:
        return offers_of(config.offers, config.places(catalog.links))
    return generate_promotions(derive(seed, "promotions"), catalog, scenario.horizon_s)


def _older_orders(scenario: Scenario, seed: int, catalog: Catalog) -> tuple[Order, ...]:
    if scenario.catalog.orders:
        return orders_of(scenario.catalog.orders, catalog, scenario.catalog.places(catalog.links))
    return _orders(derive(seed, "orders"), catalog) if _asks_for_orders(scenario) else ()


def room_info(scenario: Scenario, stream_now: Stream) -> RoomInfo:
    """What viewers know before the stream starts: the public item pages and when flash sales were announced."""
    bursts = tuple(
        Burst(max(0.0, _expected_s(beat) - BURST_LEAD_S), beat.at_s + min(beat.lasts_s, BURST_TAIL_S), BURST_FACTOR)
        for beat in scenario.beats
        if isinstance(beat, FlashStart) and beat.after is None
    )
    products = {product.link: product for product in stream_now.catalog.products}
    items = tuple(_item_info(products[link]) for link in scenario.catalog.places(stream_now.catalog.links))
    orders = tuple(order.id for order in stream_now.orders)
    return RoomInfo(items, stream_now.on_air, scenario.horizon_s, orders, bursts)


def _expected_s(beat: FlashStart) -> float:
    """When viewers come for a flash sale."""
    return beat.at_s if beat.announced_s is None else beat.announced_s


def timeline(scenario: Scenario, start: Stream) -> tuple[tuple[float, Entry], ...]:
    """What happens at a known second, and what runs out, by time; of equal times the one written first.

    Conditional beats are not in it.
    """
    places = scenario.catalog.places(start.catalog.links)
    known = [(number, beat) for number, beat in enumerate(scenario.beats) if beat.after is None]
    entries: list[tuple[float, Entry]] = [(beat.at_s, number) for number, beat in known]
    for number, beat in known:
        entries += endings(number, beat, beat.at_s)
        if isinstance(beat, FlashStart) and beat.announced_s is not None:
            said_s = max(0.0, beat.announced_s - ANNOUNCED_S)
            text = f"flash sale on link {places[beat.item - 1]} from {_clock(beat.announced_s)}"
            lasts_s = max(0.1, beat.at_s - said_s)
            entries.append((said_s, Notice(kind="notice", at_s=said_s, text=text, lasts_s=lasts_s)))
            entries.append((beat.at_s, text))
    entries += [(p.ends_s, p.id) for p in start.promotions if p.ends_s is not None]
    return tuple(sorted((entry for entry in entries if entry[0] < scenario.horizon_s), key=lambda entry: entry[0]))


def endings(number: int, beat: Beat, at_s: float) -> list[tuple[float, Entry]]:
    """What the beat of this place, happening at ``at_s``, brings about later: its sale ends, its notice goes."""
    if isinstance(beat, FlashStart):
        return [(at_s + beat.lasts_s, flash_id(number))]
    if isinstance(beat, Notice) and beat.lasts_s is not None:
        return [(at_s + beat.lasts_s, beat.text)]
    return []


def flash_id(number: int) -> str:
    """Id of the promotion that the beat with this index publishes."""
    return f"b{number}"


def happen(entry: Entry, scenario: Scenario, places: Sequence[int], now: Stream, at_s: float) -> list[ev.Event]:
    """The events of one entry of the timeline; none where the item is gone or nothing would change.

    Args:
        entry: of the timeline, or the place of a conditional beat.
        scenario: the beat's own.
        places: links by the places of their items at second 0.
        now: the state before.
        at_s: when, seconds.
    """
    if isinstance(entry, str):
        if entry in now.notices:
            return [ev.NoticeTaken(at_s, entry)]
        return [ev.PromotionEnded(at_s, entry)] if any(p.id == entry for p in now.promotions) else []
    if isinstance(entry, Notice):
        return [ev.NoticePosted(at_s, entry.text)]
    beat = scenario.beats[entry]
    match beat:
        case Notice():
            return [ev.NoticePosted(at_s, beat.text)]
        case PlatformChange():
            return [ev.PlatformChanged(at_s, beat.platform)] if beat.platform != now.platform else []
        case EditHarness():
            return [ev.HarnessEdited(at_s, entry)]
    product = now.catalog.by_link(places[beat.item - 1])
    if product is None:
        return []
    link = product.link
    match beat:
        case PriceChange():
            yuan = product.list_price_fen * beat.percent // 10_000
            return [ev.PriceCorrected(at_s, link, max(1, yuan) * 100)]
        case FlashStart():
            return [ev.PromotionStarted(at_s, _flash(beat, flash_id(entry), link, at_s))]
        case PromotionEnd():
            gone = [p for p in now.promotions if p.link == link or (beat.shop and p.link is None)]
            return [ev.PromotionEnded(at_s, p.id) for p in gone if p.starts_s <= at_s]
        case CouponExhausted():
            coupons = [
                p for p in now.promotions if p.kind in COUPONS and (p.link == link or (beat.shop and not p.link))
            ]
            return [ev.PromotionExhausted(at_s, p.id) for p in coupons if p.left(now.used) != 0]
        case GiftChange():
            return _gift(beat, link, now, at_s, entry)
        case SoldOut():
            skus = [sku for sku in product.skus if beat.option in ("", sku.label)]
            return [ev.StockSet(at_s, sku.id, 0) for sku in skus]
        case Restock():
            return [ev.StockSet(at_s, sku.id, beat.pieces) for sku in product.skus]
        case ItemSwitch():
            return [ev.ItemSwitched(at_s, link)] if now.on_air != link else []
        case Delist():
            return [ev.ItemDelisted(at_s, link)]


def _gift(beat: GiftChange, link: int, now: Stream, at_s: float, number: int) -> list[ev.Event]:
    old = [p for p in now.promotions if p.kind is PromotionKind.GIFT and p.link == link]
    events: list[ev.Event] = [ev.PromotionEnded(at_s, p.id) for p in old]
    if beat.text:
        gift = Promotion(f"b{number}", PromotionKind.GIFT, link, text=beat.text, starts_s=at_s)
        events.append(ev.PromotionStarted(at_s, gift))
    return events


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def _flash(beat: FlashStart, promotion_id: str, link: int, at_s: float) -> Promotion:
    return Promotion(
        id=promotion_id,
        kind=PromotionKind.FLASH,
        link=link,
        percent=beat.percent,
        starts_s=at_s,
        ends_s=at_s + beat.lasts_s,
        quota=beat.quota,
    )


def _item_info(product: Product) -> ItemInfo:
    last = product.size_chart[-1] if product.size_chart else None
    return ItemInfo(
        link=product.link,
        title=product.title,
        category=str(product.category),
        options=tuple(sku.label for sku in product.skus if sku.label),
        topics=tuple(name for name, _ in product.attributes),
        height_to_cm=last.height_to_cm if last else 0,
        weight_to_kg=last.weight_to_kg if last else 0,
        warranty=product.warranty_months > 0,
    )


def _asks_for_orders(scenario: Scenario) -> bool:
    if scenario.says:
        return any(want.intent is Intent.AFTER_SALES for line in scenario.says for want in (line, *line.more))
    return scenario.viewers.intents.get(Intent.AFTER_SALES, 0.0) > 0


@lru_cache(maxsize=256)
def _catalog(seed: int, items: int, categories: tuple[Category, ...]) -> Catalog:
    return generate(seed, items, categories)


@lru_cache(maxsize=256)
def _orders(seed: int, catalog: Catalog) -> tuple[Order, ...]:
    return generate_orders(seed, catalog)
