"""Goods, offers and orders that a scenario writes out, so that its expectations can be read from the file."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator

from livesim.config import StrictModel
from livesim.world.catalog import Catalog, Category, Product, Sku
from livesim.world.goods import SCHEMAS, SizeRow
from livesim.world.orders import STATUSES, Order
from livesim.world.promotions import Promotion, PromotionKind


def _fen(value: object) -> object:
    """Yuan as a file has them (89, 89.5, "89.50") in whole fen."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("write an amount in yuan, e.g. 89 or 89.50")
    try:
        fen = Decimal(str(value)) * 100
        whole = int(fen)
    except (ArithmeticError, ValueError):  # no number, or not a finite one
        raise ValueError(f"{value!r} is no amount in yuan") from None
    if fen != whole:
        raise ValueError(f"{value!r} yuan has a part of a fen")
    return whole


Yuan = Annotated[int, BeforeValidator(_fen)]
"""Written in yuan, kept in fen."""


class Good(StrictModel):
    """An item of the list.

    Attributes:
        title: two or three lower-case words.
        category: decides the attributes that are filled in where none are given.
        price: list price, yuan.
        link: its number in the room, by which viewers and tools name it; None: its place in the list. Everything
            else in a scenario that says ``item`` means the place.
        attributes: name -> value; empty: the first values of its category.
        options: label (``red/M``) -> pieces in stock.
        sizes: size -> greatest height (cm) and weight (kg); smallest first.
        dispatch_hours, delivery_days, free_shipping, return_days, freight_insurance, warranty_months: its terms.
    """

    title: str = Field(min_length=1, max_length=60)
    category: Category = Category.CLOTHING
    price: Yuan = Field(ge=100)
    link: int | None = Field(default=None, ge=1, le=999)
    attributes: dict[str, str] = Field(default_factory=dict)
    options: dict[str, int] = Field(default_factory=lambda: {"standard": 50})
    sizes: dict[str, tuple[int, int]] = Field(default_factory=dict)
    dispatch_hours: int = Field(default=48, ge=1)
    delivery_days: int = Field(default=3, ge=1)
    free_shipping: bool = True
    return_days: int = Field(default=7, ge=0)
    freight_insurance: bool = False
    warranty_months: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _sane(self) -> Good:
        if not self.options or any(not label or pieces < 0 for label, pieces in self.options.items()):
            raise ValueError("options name at least one variant, each with 0 pieces or more")
        if len({label.count("/") for label in self.options}) > 1:
            raise ValueError("all options have the same parts, e.g. colour/size")
        return self


class Offer(StrictModel):
    """A promotion that is there from the start (see ``livesim.world.promotions.Promotion``).

    Attributes:
        kind: which rule applies.
        item: place in the list of the item; None: the whole shop.
        spend: from which amount it counts, yuan.
        save: what it takes off, yuan.
        percent: taken off instead.
        starts_s, ends_s: window, stream seconds.
        quota: pieces or uses.
        text: what a gift is.
    """

    kind: PromotionKind
    item: int | None = Field(default=None, ge=1)
    spend: Yuan = Field(default=0, ge=0)
    save: Yuan = Field(default=0, ge=0)
    percent: int = Field(default=0, ge=0, le=99)
    starts_s: float = Field(default=0.0, ge=0)
    ends_s: float | None = None
    quota: int | None = Field(default=None, ge=1)
    text: str = ""

    @model_validator(mode="after")
    def _sane(self) -> Offer:
        if self.kind is PromotionKind.GIFT and not self.text:
            raise ValueError("a gift says what it is in text")
        if self.kind is not PromotionKind.GIFT and not (self.save or self.percent):
            raise ValueError("an offer takes off an amount or a percentage")
        if self.kind is PromotionKind.THRESHOLD and not 0 < self.spend >= self.save:
            raise ValueError("a threshold has an amount to spend, and takes off at most that amount")
        if self.ends_s is not None and self.ends_s <= self.starts_s:
            raise ValueError(f"an offer ends after it starts, got {self.starts_s:g} to {self.ends_s:g} s")
        return self


class OrderEntry(StrictModel):
    """An older order that viewers may ask about; name, phone and address are private."""

    id: str = Field(pattern=r"^[A-Z]\d{3,6}$")
    item: int = Field(default=1, ge=1)
    status: str = "shipped"
    name: str = "Ada Brook"
    phone: str = Field(default="10000000001", pattern=r"^100\d{8}$")  # a range without subscribers
    address: str = "12 Willow Lane, Eastford"

    @model_validator(mode="after")
    def _known(self) -> OrderEntry:
        if self.status not in STATUSES:
            raise ValueError(f"status is one of {', '.join(STATUSES)}, got {self.status!r}")
        return self


def links_of(goods: Sequence[Good]) -> tuple[int, ...]:
    """Link numbers by place, in the order written."""
    return tuple(good.link or place for place, good in enumerate(goods, start=1))


def catalog_of(goods: Sequence[Good]) -> Catalog:
    """The catalogue, ascending by link. Raises ValueError when two goods share a link or a title, and names both."""
    taken: dict[int | str, str] = {}
    for place, (link, good) in enumerate(zip(links_of(goods), goods, strict=True), start=1):
        for what, key in (("link", link), ("the title", good.title)):
            if key in taken:
                own = f"item {place} ({good.title})"
                why = ", its place; give it a link of its own" if what == "link" and good.link is None else ""
                raise ValueError(f"{taken[key]} and {own} share {what} {key}{why}")
            taken[key] = f"item {place} ({good.title})"
    products = [_product(link, good) for link, good in zip(links_of(goods), goods, strict=True)]
    return Catalog(tuple(sorted(products, key=lambda product: product.link)))


def offers_of(offers: Sequence[Offer], places: Sequence[int]) -> tuple[Promotion, ...]:
    """The promotions of items whose links ``places`` holds; ids are ``c1`` (coupons), ``o2`` and so on, by place."""
    made = []
    for number, offer in enumerate(offers, start=1):
        coupon = offer.kind in (PromotionKind.ITEM_COUPON, PromotionKind.SHOP_COUPON)
        made.append(
            Promotion(
                id=f"{'c' if coupon else 'o'}{number}",
                kind=offer.kind,
                link=None if offer.item is None else places[offer.item - 1],
                over_fen=offer.spend,
                off_fen=offer.save,
                percent=offer.percent,
                starts_s=offer.starts_s,
                ends_s=offer.ends_s,
                quota=offer.quota,
                text=offer.text,
            )
        )
    return tuple(made)


def orders_of(entries: Sequence[OrderEntry], catalog: Catalog, places: Sequence[int]) -> tuple[Order, ...]:
    """The orders, each of the first variant of its item, whose link ``places`` holds."""
    products = {product.link: product for product in catalog.products}
    made = []
    for entry in entries:
        product = products[places[entry.item - 1]]
        made.append(
            Order(entry.id, product.link, product.skus[0].id, entry.status, entry.name, entry.phone, entry.address)
        )
    return tuple(made)


def _product(link: int, good: Good) -> Product:
    schema = SCHEMAS[good.category]
    attributes = good.attributes or {
        name: values[0] if values else "Eastford" for name, values in schema.attributes.items()
    }
    names = [name for name, _, _ in schema.options]
    skus = []
    for label, pieces in good.options.items():
        values = label.split("/")
        named = names[: len(values)] if len(values) <= len(names) else [f"option{i}" for i in range(len(values))]
        skus.append(Sku(f"{link}:{label}", tuple(zip(named, values, strict=True)), pieces))
    return Product(
        link=link,
        title=good.title,
        category=good.category,
        list_price_fen=good.price,
        attributes=tuple(attributes.items()),
        skus=tuple(skus),
        dispatch_hours=good.dispatch_hours,
        delivery_days=good.delivery_days,
        free_shipping=good.free_shipping,
        return_days=good.return_days,
        freight_insurance=good.freight_insurance,
        warranty_months=good.warranty_months,
        size_chart=tuple(SizeRow(size, height, weight) for size, (height, weight) in good.sizes.items()),
    )
