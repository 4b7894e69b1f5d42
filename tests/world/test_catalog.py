"""A generated catalogue is complete, lawful and depends on its arguments alone."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from livesim.world.catalog import Catalog, Category, Product, SizeRow, Sku, generate, titles
from livesim.world.goods import SCHEMAS
from livesim.world.orders import generate_orders

seeds = st.integers(0, 2**63)


@settings(max_examples=60)
@given(seeds, st.integers(1, 40))
def test_every_catalogue_is_whole(seed: int, items: int) -> None:
    catalog = generate(seed, items)
    assert len(catalog.products) == items
    assert list(catalog.links) == sorted(set(catalog.links))
    assert min(catalog.links) >= 1
    assert max(catalog.links) <= max(9, 2 * items)
    assert len({p.title for p in catalog.products}) == items
    ids = [sku.id for p in catalog.products for sku in p.skus]
    assert len(set(ids)) == len(ids)
    for p in catalog.products:
        assert p.title == p.title.lower()
        assert 2 <= len(p.title.split()) <= 3
        assert dict(p.attributes).keys() == SCHEMAS[p.category].attributes.keys()
        assert all(value for _, value in p.attributes)
        assert p.list_price_fen >= 1000
        assert p.skus
        assert all(sku.stock >= 0 and sku.label for sku in p.skus)
        assert (p.category is Category.CLOTHING) == bool(p.size_chart)
        assert p.return_days >= 7 or p.title.startswith("fresh")
        assert p.free_shipping in (True, False)


def test_the_grammar_makes_hundreds_of_titles() -> None:
    every = [title for category in Category for title in titles(category)]
    assert len(every) == len(set(every))
    assert len(every) >= 400
    assert min(len(titles(category)) for category in Category) >= 50


def test_titles_agree_with_the_attributes_they_name() -> None:
    for seed in range(40):
        for p in generate(seed, 10).products:
            first = p.title.split()[0]
            if p.category is Category.CLOTHING:
                assert p.attribute("material") == first
            if p.category is Category.BEAUTY:
                assert p.attribute("key_ingredient") == first
            if first == "fresh":
                assert p.return_days == 0
                assert not p.freight_insurance
            if p.title.endswith(("almonds", "cashews")):
                assert p.attribute("allergens") == "nuts"


def test_categories_are_drawn_about_equally_and_only_those_asked_for() -> None:
    two = generate(3, 10, (Category.FOOD, Category.HOME)).products
    assert sorted(p.category for p in two) == ["food"] * 5 + ["home"] * 5


@pytest.mark.parametrize("items", [0, 41, -1])
def test_a_size_out_of_range_is_refused(items: int) -> None:
    with pytest.raises(ValueError, match="items must be 1 to 40"):
        generate(1, items)


def test_two_products_cannot_share_a_link() -> None:
    product = generate(1, 1).products[0]
    with pytest.raises(ValueError, match="share a link"):
        Catalog((product, product))


def test_by_link_finds_listed_items_only() -> None:
    catalog = generate(5)
    for product in catalog.products:
        assert catalog.by_link(product.link) is product
    assert catalog.by_link(0) is None


def test_the_size_is_the_smallest_that_covers_height_and_weight() -> None:
    chart = (SizeRow("M", 165, 55), SizeRow("L", 172, 65), SizeRow("XL", 180, 75))
    sku = Sku("1:red/M", (("colour", "red"), ("size", "M")), 3)
    shirt = Product(1, "linen shirt", Category.CLOTHING, 8900, (), (sku,), 24, 3, True, 7, True, 0, chart)
    assert sku.label == "red/M"
    assert shirt.size_for(165, 55) == "M"
    assert shirt.size_for(166, 55) == "L"
    assert shirt.size_for(160, 70) == "XL"
    assert shirt.size_for(150, 40) == "M"
    assert shirt.size_for(181, 60) is None


def test_stock_is_varied_and_some_options_are_sold_out() -> None:
    pieces = [n for seed in range(30) for n in generate(seed).stock().values()]
    assert 0.1 < sum(n == 0 for n in pieces) / len(pieces) < 0.3
    assert len(set(pieces)) > 40


def test_most_prices_are_whole_yuan() -> None:
    prices = [p.list_price_fen for seed in range(60) for p in generate(seed).products]
    assert 0.8 < sum(price % 100 == 0 for price in prices) / len(prices) < 0.95


def test_same_arguments_same_bytes_in_another_process() -> None:
    code = (
        "import hashlib; from livesim.world.catalog import generate; from livesim.world.orders import generate_orders;"
        "from livesim.world.promotions import generate_promotions; c = generate(11, 12);"
        "t = repr((c.products, generate_orders(11, c), generate_promotions(11, c, 1800.0)));"
        "print(hashlib.sha256(t.encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "77")
    }
    assert len(digests) == 1


def test_generating_leaves_the_global_generators_alone() -> None:
    import random

    import numpy as np
    from faker import Faker

    state, legacy = random.getstate(), np.random.get_state()[1].tobytes()  # type: ignore[union-attr]
    shared = Faker("en_US")
    Faker.seed(4)
    expected = shared.name()
    Faker.seed(4)
    generate_orders(2, generate(2, 10))
    assert shared.name() == expected
    assert random.getstate() == state
    assert np.random.get_state()[1].tobytes() == legacy  # type: ignore[union-attr]


def test_orders_are_of_listed_variants_and_carry_private_data() -> None:
    catalog = generate(9)
    orders = generate_orders(9, catalog, 20)
    assert len({order.id for order in orders}) == 20
    skus = catalog.stock()
    for order in orders:
        assert order.sku in skus
        assert catalog.by_link(order.link) is not None
        assert len(order.phone) == 11
        assert order.phone.startswith("100")
        assert order.private == (order.id, order.name, order.phone, order.address)
