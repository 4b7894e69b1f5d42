"""Free words find the option and the attribute they mean, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from livesim.tools.matching import match_skus, match_topic
from livesim.world.catalog import Category, Product, Sku, generate
from livesim.world.goods import SCHEMAS, TOPIC_WORDS

SHIRT = Product(
    2,
    "linen shirt",
    Category.CLOTHING,
    8900,
    (("material", "linen"), ("fit", "slim fit"), ("care", "hand wash"), ("season", "summer")),
    tuple(
        Sku(f"2:{colour}/{size}", (("colour", colour), ("size", size)), 1)
        for colour in ("red", "black")
        for size in ("M", "L", "XL")
    ),
    24,
    3,
    True,
    7,
    True,
    0,
)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("red/M", ["red/M"]),
        ("M, red", ["red/M"]),
        ("RED m", ["red/M"]),
        ("is the red in size M still left please", ["red/M"]),
        ("blakc XL", ["black/XL"]),
        ("red", ["red/M", "red/L", "red/XL"]),
        ("XL", ["red/XL", "black/XL"]),
        ("red or black in L", ["red/L", "black/L"]),
        ("", ["red/M", "red/L", "red/XL", "black/M", "black/L", "black/XL"]),
        ("purple", []),
        ("purple/M", []),
        ("red/XXL", []),
        ("{}", ["red/M", "red/L", "red/XL", "black/M", "black/L", "black/XL"]),
    ],
)
def test_options(text: str, labels: list[str]) -> None:
    assert [sku.label for sku in match_skus(SHIRT, text)] == labels


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("material", "material"),
        ("Material?", "material"),
        ("what is it made of", "material"),
        ("fabric", "material"),
        ("fabirc", "material"),
        ("how do i wash it", "care"),
        ("machine washing", "care"),
        ("is it warm", "season"),
        ("slim or loose", "fit"),
        ("battery", None),
        ("price", None),
        ("", None),
        ("???", None),
    ],
)
def test_topics(text: str, topic: str | None) -> None:
    assert match_topic(SHIRT, text) == topic


def test_every_attribute_is_found_by_its_own_name_in_both_spellings() -> None:
    for product in generate(3, 20).products:
        for name, _ in product.attributes:
            assert match_topic(product, name) == name
            assert match_topic(product, name.replace("_", " ")) == name
            assert match_topic(product, f"What is the {name.replace('_', ' ')}?") == name


def test_every_attribute_has_other_words() -> None:
    names = {name for schema in SCHEMAS.values() for name in schema.attributes}
    assert names == set(TOPIC_WORDS)


@settings(max_examples=200)
@given(st.text(max_size=80))
def test_any_text_is_matched_or_not(text: str) -> None:
    assert match_topic(SHIRT, text) in (None, "material", "fit", "care", "season")
    assert set(match_skus(SHIRT, text)) <= set(SHIRT.skus)
