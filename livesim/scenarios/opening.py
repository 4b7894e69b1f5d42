"""Scenario and seed become a fresh ``Stream``, what viewers know of it, and the timeline of its beats."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from livesim.scenarios.script import (
    Beat,
    Delist,
    FlashStart,
    ItemSwitch,
    PriceChange,
    PromotionEnd,
    Restock,
    Scenario,
    SoldOut,
)
from livesim.seeding import derive, stream
from livesim.types import Intent
from livesim.world import events as ev
from livesim.world.catalog import Catalog, Category, Product, generate
from livesim.world.orders import Order, generate_orders
from livesim.world.promotions import Promotion, PromotionKind, generate_promotions
from livesim.world.state import Stream
from livesim.world.viewers import Burst, ItemInfo, RoomInfo

BURST_FACTOR = 5.0
"""A flash sale multiplies comments by this; facts/domain.md section 1.2 says 4 to 8 (assumed)."""

BURST_LEAD_S = 25.0
"""The rush starts so long before a flash sale. *Source:* as ``BURST_FACTOR``."""

BURST_TAIL_S = 90.0
"""And lasts at most so long into it."""


def open_stream(scenario: Scenario, seed: int) -> Stream:
    """The stream at second 0; depends on the scenario and the seed alone, each call makes a new one."""
    config = scenario.catalog
    rng = stream(seed, "catalog", "size")
    items = int(rng.integers(config.items[0], config.items[1] + 1))
    catalog_seed = derive(seed, "catalog") if config.seed is None else config.seed
    catalog = _catalog(catalog_seed, items, config.categories)
    promotions: tuple[Promotion, ...] = ()
    if config.promotions:
        promotions = generate_promotions(derive(seed, "promotions"), catalog, scenario.horizon_s)
    return Stream(
        catalog=catalog,
        stock=catalog.stock(),
        promotions=promotions,
        on_air=catalog.links[int(stream(seed, "script", "on_air").integers(items))],
        orders=_orders(derive(seed, "orders"), catalog) if _asks_for_orders(scenario) else (),
        platform=scenario.platform,
    )


def room_info(scenario: Scenario, stream_now: Stream) -> RoomInfo:
    """What viewers know before the stream starts: the public item pages and when flash sales were announced."""
    bursts = tuple(
        Burst(max(0.0, beat.at_s - BURST_LEAD_S), beat.at_s + min(beat.lasts_s, BURST_TAIL_S), BURST_FACTOR)
        for beat in scenario.beats
        if isinstance(beat, FlashStart)
    )
    items = tuple(_item_info(product) for product in stream_now.catalog.products)
    orders = tuple(order.id for order in stream_now.orders)
    return RoomInfo(items, stream_now.on_air, scenario.horizon_s, orders, bursts)


def timeline(scenario: Scenario, start: Stream) -> tuple[tuple[float, Beat | str], ...]:
    """Beats and, as their ids, promotions that run out, by time; of equal times the one written first."""
    beats: list[tuple[float, Beat | str]] = [(beat.at_s, beat) for beat in scenario.beats]
    for number, beat in enumerate(scenario.beats):
        if isinstance(beat, FlashStart):
            beats.append((beat.at_s + beat.lasts_s, flash_id(number)))
    beats += [(p.ends_s, p.id) for p in start.promotions if p.ends_s is not None]
    return tuple(sorted((entry for entry in beats if entry[0] < scenario.horizon_s), key=lambda entry: entry[0]))


def flash_id(number: int) -> str:
    """Id of the promotion that the beat with this index publishes."""
    return f"b{number}"


def happen(entry: Beat | str, scenario: Scenario, links: Sequence[int], now: Stream, at_s: float) -> list[ev.Event]:
    """The events of one entry of the timeline; none where the item is gone or nothing would change.

    Args:
        entry: a beat, or the id of a promotion that runs out.
        scenario: the beat's own.
        links: of the catalogue at second 0, to find the item by its place.
        now: the state before.
        at_s: when, seconds.
    """
    if isinstance(entry, str):
        return [ev.PromotionEnded(at_s, entry)] if any(p.id == entry for p in now.promotions) else []
    product = now.catalog.by_link(links[entry.item - 1])
    if product is None:
        return []
    link = product.link
    match entry:
        case PriceChange():
            yuan = product.list_price_fen * entry.percent // 10_000
            return [ev.PriceCorrected(at_s, link, max(1, yuan) * 100)]
        case FlashStart():
            return [ev.PromotionStarted(at_s, _flash(entry, flash_id(scenario.beats.index(entry)), link))]
        case PromotionEnd():
            gone = [p for p in now.promotions if p.link == link or (entry.shop and p.link is None)]
            return [ev.PromotionEnded(at_s, p.id) for p in gone if p.starts_s <= at_s]
        case SoldOut():
            skus = [sku for sku in product.skus if entry.option in ("", sku.label)]
            return [ev.StockSet(at_s, sku.id, 0) for sku in skus]
        case Restock():
            return [ev.StockSet(at_s, sku.id, entry.pieces) for sku in product.skus]
        case ItemSwitch():
            return [ev.ItemSwitched(at_s, link)] if now.on_air != link else []
        case Delist():
            return [ev.ItemDelisted(at_s, link)]


def _flash(beat: FlashStart, promotion_id: str, link: int) -> Promotion:
    return Promotion(
        id=promotion_id,
        kind=PromotionKind.FLASH,
        link=link,
        percent=beat.percent,
        starts_s=beat.at_s,
        ends_s=beat.at_s + beat.lasts_s,
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
    return scenario.viewers.intents.get(Intent.AFTER_SALES, 0.0) > 0


@lru_cache(maxsize=256)
def _catalog(seed: int, items: int, categories: tuple[Category, ...]) -> Catalog:
    return generate(seed, items, categories)


@lru_cache(maxsize=256)
def _orders(seed: int, catalog: Catalog) -> tuple[Order, ...]:
    return generate_orders(seed, catalog)
