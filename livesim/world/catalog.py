"""The catalogue: products, their SKUs and size charts, and the seeded generator of all three."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product as combinations

import numpy as np

from livesim.seeding import derive, stream
from livesim.world.goods import SCHEMAS, SIZES, Category, Family, Schema, SizeRow
from livesim.world.invented import inventor

__all__ = ["Catalog", "Category", "Product", "SizeRow", "Sku", "generate", "titles"]

MAX_ITEMS = 40


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
    """The products of one stream, in order of their links.

    Attributes:
        products: ascending by link.
        links: of the products.
    """

    products: tuple[Product, ...]
    links: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _index: dict[int, Product] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "links", tuple(product.link for product in self.products))
        object.__setattr__(self, "_index", {product.link: product for product in self.products})
        if len(self._index) != len(self.products):
            raise ValueError("two products share a link")

    def by_link(self, link: int) -> Product | None:
        """The product with this link, or None."""
        return self._index.get(link)

    def stock(self) -> dict[str, int]:
        """SKU id -> pieces at the start of the stream."""
        return {sku.id: sku.stock for product in self.products for sku in product.skus}


def titles(category: Category) -> tuple[str, ...]:
    """Every title that the grammar of a category can make."""
    return tuple(title for title, _ in _titles(category))


@cache
def _titles(category: Category) -> tuple[tuple[str, Family], ...]:
    families = SCHEMAS[category].families
    return tuple((f"{a} {b}", family) for family in families for a in family.first for b in family.second)


def generate(seed: int, items: int = 6, categories: Sequence[Category] = tuple(Category)) -> Catalog:
    """A catalogue that depends on its arguments alone.

    Links are distinct numbers from 1 to about twice ``items``, ascending; titles are unique. Each product is drawn
    from a stream of its own, so that more items or other categories don't change what is drawn inside a product.

    Args:
        seed: any int.
        items: how many products, 1 to 40.
        categories: to draw from, at least one, each about equally often.

    Raises:
        ValueError: ``items`` or ``categories`` out of range.
    """
    if not 1 <= items <= MAX_ITEMS:
        raise ValueError(f"items must be 1 to {MAX_ITEMS}, got {items}")
    if not categories:
        raise ValueError(f"categories must name at least one of: {', '.join(Category)}")
    rng = stream(seed, "catalog")
    kinds = [Category(categories[i % len(categories)]) for i in range(items)]
    kinds = [kinds[int(i)] for i in rng.permutation(items)]
    links = sorted(int(link) + 1 for link in rng.choice(max(9, 2 * items), size=items, replace=False))
    taken: set[str] = set()
    products: list[Product] = []
    for link, category in zip(links, kinds, strict=True):
        pool = [entry for entry in _titles(category) if entry[0] not in taken]
        title, family = pool[int(rng.integers(len(pool)))]
        taken.add(title)
        products.append(_product(derive(seed, "product", len(products)), link, title, category, family))
    return Catalog(tuple(products))


def _product(seed: int, link: int, title: str, category: Category, family: Family) -> Product:
    rng = stream(seed, "product")
    schema = SCHEMAS[category]
    attributes = _attributes(rng, seed, title, schema, family)
    skus = _skus(rng, link, schema)
    sizes = [size for size in SIZES if any(("size", size) in sku.options for sku in skus)]
    return Product(
        link=link,
        title=title,
        category=category,
        list_price_fen=_price(rng, schema.price_yuan),
        attributes=attributes,
        skus=skus,
        dispatch_hours=int(rng.choice((12, 24, 48, 72))),
        delivery_days=int(rng.integers(2, 8)),
        free_shipping=bool(rng.random() < 0.6),
        return_days=int(rng.choice(schema.return_days)) if family.returnable else 0,
        freight_insurance=bool(rng.random() < 0.5) and family.returnable,
        warranty_months=int(rng.choice(schema.warranty_months)),
        size_chart=_chart(rng, sizes) if category is Category.CLOTHING else (),
    )


def _price(rng: np.random.Generator, yuan_range: tuple[int, int]) -> int:
    """Mostly whole yuan, often ending in 9; one price in eight has half a yuan. In fen."""
    low, high = yuan_range
    whole = int(np.exp(rng.uniform(np.log(low), np.log(high))))  # log-uniform: cheap things are more common
    if rng.random() < 0.4:
        whole = whole // 10 * 10 + 9
    return whole * 100 + (50 if rng.random() < 0.125 else 0)


def _attributes(
    rng: np.random.Generator, seed: int, title: str, schema: Schema, family: Family
) -> tuple[tuple[str, str], ...]:
    fixed = dict(family.fixed)
    if family.attribute:
        fixed[family.attribute] = title.split()[0]
    drawn = {
        name: values[int(rng.integers(len(values)))] if values else _town(seed)
        for name, values in schema.attributes.items()
    }
    return tuple((name, fixed.get(name, value)) for name, value in drawn.items())


def _town(seed: int) -> str:
    """An invented town, so that no real region or brand is named."""
    fake = inventor(seed)
    return f"{fake.last_name()}{fake.city_suffix()}".lower()


def _skus(rng: np.random.Generator, link: int, schema: Schema) -> tuple[Sku, ...]:
    chosen = []
    for name, values, count in schema.options:
        if values == SIZES:  # neighbouring sizes, smallest first
            start = int(rng.integers(len(values) - count + 1))
            picked = list(values[start : start + count])
        else:
            picked = [values[int(i)] for i in rng.choice(len(values), size=count, replace=False)]
        chosen.append([(name, value) for value in picked])
    skus = []
    for options in combinations(*chosen):
        label = "/".join(value for _, value in options)
        stock = 0 if rng.random() < 0.2 else int(rng.integers(1, 61))
        skus.append(Sku(f"{link}:{label}", options, stock))
    return tuple(skus)


def _chart(rng: np.random.Generator, sizes: Sequence[str]) -> tuple[SizeRow, ...]:
    """A chart that differs from product to product, so that a size can't be guessed without the tool."""
    height, weight = int(rng.integers(158, 170)), int(rng.integers(48, 60))
    step_cm, step_kg = int(rng.integers(6, 9)), int(rng.integers(8, 13))
    return tuple(SizeRow(size, height + i * step_cm, weight + i * step_kg) for i, size in enumerate(sizes))
