"""The catalogue: products, their SKUs and size charts, and a seeded generator of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from livesim.seeding import stream


class Category(StrEnum):
    """What kind of goods; each has its own attributes, options and policies (``world.goods``)."""

    CLOTHING = "clothing"
    BEAUTY = "beauty"
    FOOD = "food"
    HOME = "home"
    ELECTRONICS = "electronics"


@dataclass(frozen=True, slots=True)
class Sku:
    """One buyable variant.

    Attributes:
        id: unique in the catalogue, ``"2:red/M"``; the key of stock.
        options: option name and value in a fixed order, e.g. ``(("colour", "red"), ("size", "M"))``.
        stock: pieces at the start of the stream, may be 0.
    """

    id: str
    options: tuple[tuple[str, str], ...]
    stock: int

    @property
    def label(self) -> str:
        """The values alone: ``"red/M"``."""
        return "/".join(value for _, value in self.options)


@dataclass(frozen=True, slots=True)
class SizeRow:
    """A size fits bodies up to this height (cm) and this weight (kg), both included."""

    size: str
    height_to_cm: int
    weight_to_kg: int


@dataclass(frozen=True, slots=True)
class Product:
    """An item of the stream.

    Attributes:
        link: its number in the room, the only handle that tools take.
        title: two or three lower-case words, unique in the catalogue.
        category: decides which attributes it has.
        list_price_fen: price of one piece before any discount, at least 100.
        attributes: name (``"skin_type"``) and value, at least four.
        skus: at least one.
        dispatch_hours: leaves the warehouse within so many hours.
        delivery_days: days on the way after dispatch.
        free_shipping: no shipping fee.
        return_days: no-reason returns; 7 by law, 0 where the law excludes the goods (fresh food).
        freight_insurance: the seller pays the way back.
        warranty_months: 0 for none.
        size_chart: smallest first; empty when sizes mean nothing here.
    """

    link: int
    title: str
    category: Category
    list_price_fen: int
    attributes: tuple[tuple[str, str], ...]
    skus: tuple[Sku, ...]
    dispatch_hours: int
    delivery_days: int
    free_shipping: bool
    return_days: int
    freight_insurance: bool
    warranty_months: int
    size_chart: tuple[SizeRow, ...] = ()

    @property
    def subject(self) -> str:
        """Subject of its facts: ``"link:2"``."""
        return f"link:{self.link}"

    def attribute(self, name: str) -> str | None:
        """Value of an attribute, or None when the product has no such attribute."""
        return next((value for key, value in self.attributes if key == name), None)

    def size_for(self, height_cm: int, weight_kg: int) -> str | None:
        """The smallest size whose row covers both, or None outside the chart (also when there is no chart)."""
        rows = self.size_chart
        return next((r.size for r in rows if height_cm <= r.height_to_cm and weight_kg <= r.weight_to_kg), None)


@dataclass(frozen=True, slots=True)
class Catalog:
    """The products of one stream, in order of their links."""

    products: tuple[Product, ...]
    _index: dict[int, Product] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_index", {product.link: product for product in self.products})
        if len(self._index) != len(self.products):
            raise ValueError("two products share a link")

    def by_link(self, link: int) -> Product | None:
        """The product with this link, or None."""
        return self._index.get(link)

    @property
    def links(self) -> tuple[int, ...]:
        """All links, ascending."""
        return tuple(product.link for product in self.products)

    def stock(self) -> dict[str, int]:
        """SKU id -> pieces at the start of the stream."""
        return {sku.id: sku.stock for product in self.products for sku in product.skus}


def generate(seed: int, items: int = 6, categories: Sequence[Category] = tuple(Category)) -> Catalog:
    """A catalogue that depends on its arguments alone.

    Args:
        seed: any int.
        items: how many products, 1 to 40.
        categories: to draw from, each about equally often.
    """
    raise NotImplementedError


_ = (stream, np)
