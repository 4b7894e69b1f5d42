"""What the five categories sell: title grammar, attribute schemas, options, prices and policies, as tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

Words = tuple[str, ...]


class Category(StrEnum):
    """What kind of goods; each has its own attributes, options and policies."""

    CLOTHING = "clothing"
    BEAUTY = "beauty"
    FOOD = "food"
    HOME = "home"
    ELECTRONICS = "electronics"


@dataclass(frozen=True, slots=True)
class SizeRow:
    """A size fits bodies up to this height (cm) and this weight (kg), both included."""

    size: str
    height_to_cm: int
    weight_to_kg: int


@dataclass(frozen=True, slots=True)
class Family:
    """Titles ``<first> <second>`` whose first word is also the value of an attribute, where one is named."""

    first: Words
    second: Words
    attribute: str = ""
    fixed: tuple[tuple[str, str], ...] = ()  # attributes that are the same for the whole family
    returnable: bool = True  # False: excluded from no-reason returns by law


@dataclass(frozen=True, slots=True)
class Schema:
    """How the products of a category are drawn.

    Attributes:
        families: the title grammar.
        attributes: name -> values to draw from; every product of the category has all of them.
        options: option name -> (values to draw from, how many of them a product has).
        price_yuan: lowest and highest list price.
        return_days: to draw from.
        warranty_months: to draw from.
    """

    families: tuple[Family, ...]
    attributes: Mapping[str, Words]
    options: tuple[tuple[str, Words, int], ...]
    price_yuan: tuple[int, int]
    return_days: tuple[int, ...]
    warranty_months: tuple[int, ...]


_FRUIT = (("storage", "keep refrigerated"), ("shelf_life", "one week"), ("allergens", "none"))
_SEAFOOD = (("storage", "keep frozen"), ("shelf_life", "two weeks"), ("allergens", "shellfish"))

SIZES: Words = ("S", "M", "L", "XL")
COLOURS: Words = ("red", "blue", "black", "white", "green", "grey", "pink", "navy", "beige", "brown")

SCHEMAS: Mapping[Category, Schema] = {
    Category.CLOTHING: Schema(
        families=(
            Family(
                ("linen", "cotton", "wool", "denim", "silk", "corduroy", "fleece", "velvet", "canvas", "cashmere"),
                ("shirt", "jacket", "dress", "coat", "skirt", "vest", "hoodie", "blazer", "sweater", "trousers"),
                "material",
            ),
        ),
        attributes={
            "material": ("linen", "cotton", "wool", "denim", "silk", "polyester"),
            "fit": ("slim fit", "regular fit", "loose fit", "oversized"),
            "care": ("machine wash", "hand wash", "dry clean", "cold wash"),
            "season": ("spring", "summer", "autumn", "winter"),
            "pattern": ("plain", "striped", "checked", "floral", "dotted"),
        },
        options=(("colour", COLOURS, 2), ("size", SIZES, 3)),
        price_yuan=(49, 399),
        return_days=(7, 7, 7, 15, 30),
        warranty_months=(0,),
    ),
    Category.BEAUTY: Schema(
        families=(
            Family(
                ("rose", "aloe", "oat", "lotus", "citrus", "coconut", "shea", "lavender", "camellia", "almond"),
                ("cream", "serum", "toner", "lotion", "mask", "balm", "cleanser", "shampoo", "hand cream", "mist"),
                "key_ingredient",
            ),
        ),
        attributes={
            "key_ingredient": ("rose", "aloe", "oat", "lotus", "citrus", "shea"),
            "skin_type": ("dry skin", "oily skin", "mixed skin", "normal skin", "all skin types"),
            "volume": ("30 ml", "50 ml", "75 ml", "100 ml", "150 ml", "200 ml"),
            "shelf_life": ("12 months", "18 months", "24 months", "36 months"),
            "texture": ("gel", "light cream", "rich cream", "foam", "oil"),
            "scent": ("unscented", "floral", "fresh", "woody", "fruity"),
        },
        options=(("shade", ("clear", "ivory", "honey", "peach", "coral", "sand"), 2),),
        price_yuan=(29, 299),
        return_days=(7, 7, 7, 15),
        warranty_months=(0,),
    ),
    Category.FOOD: Schema(
        families=(
            Family(("green", "black", "jasmine", "oolong", "white", "barley"), ("tea",)),
            Family(("dried",), ("mango", "apricot", "fig", "kiwi", "peach", "persimmon", "banana")),
            Family(
                ("roasted", "salted"),
                ("almonds", "cashews", "peanuts", "walnuts", "chestnuts", "pistachios"),
                fixed=(("allergens", "nuts"),),
            ),
            Family(("red", "black", "brown", "wild"), ("rice", "beans", "lentils")),
            Family(("forest", "acacia", "clover", "linden"), ("honey",)),
            Family(("chilli", "sesame", "garlic", "mushroom"), ("sauce", "noodles", "crackers")),
            Family(("fresh",), ("cherries", "pears", "lychees", "plums", "grapes"), "", _FRUIT, returnable=False),
            Family(("fresh",), ("shrimp", "crab", "mussels"), "", _SEAFOOD, returnable=False),
        ),
        attributes={
            "net_weight": ("100 g", "200 g", "250 g", "400 g", "500 g", "800 g"),
            "origin": (),  # invented towns
            "storage": ("cool and dry", "keep refrigerated", "room temperature", "away from light"),
            "allergens": ("none", "nuts", "gluten", "soy", "milk", "shellfish"),
            "shelf_life": ("6 months", "9 months", "12 months", "18 months"),
        },
        options=(("pack", ("single", "double", "family", "party"), 2),),
        price_yuan=(15, 99),
        return_days=(7,),
        warranty_months=(0,),
    ),
    Category.HOME: Schema(
        families=(
            Family(("steel", "iron", "copper", "ceramic"), ("pan", "pot", "kettle", "wok"), "material"),
            Family(("glass", "bamboo", "ceramic", "clay"), ("bowl", "tray", "mug", "jar", "vase"), "material"),
            Family(("oak", "walnut", "bamboo", "pine"), ("shelf", "stool", "desk", "bench"), "material"),
            Family(("cotton", "wool", "linen", "velvet"), ("blanket", "rug", "cushion", "curtain"), "material"),
            Family(("desk", "floor", "wall", "night", "table"), ("lamp",)),
        ),
        attributes={
            "material": ("steel", "glass", "bamboo", "oak", "aluminium", "cotton"),
            "width": ("20 cm", "24 cm", "28 cm", "40 cm", "60 cm", "90 cm"),
            "weight": ("300 g", "600 g", "900 g", "2 kg", "3 kg", "5 kg"),
            "finish": ("matte", "polished", "brushed", "natural"),
            "care": ("hand wash", "dishwasher safe", "wipe clean", "keep dry"),
        },
        options=(("colour", COLOURS, 2),),
        price_yuan=(29, 499),
        return_days=(7, 7, 15, 30),
        warranty_months=(0, 6, 12),
    ),
    Category.ELECTRONICS: Schema(
        families=(
            Family(
                ("wireless", "mini", "smart", "foldable", "portable", "quiet", "solar", "travel", "slim"),
                (
                    "speaker",
                    "keyboard",
                    "mouse",
                    "earbuds",
                    "fan",
                    "charger",
                    "webcam",
                    "headset",
                    "clock",
                    "projector",
                    "shaver",
                    "blender",
                ),
            ),
        ),
        attributes={
            "battery": ("1200 mAh", "2000 mAh", "3000 mAh", "5000 mAh", "8000 mAh"),
            "weight": ("45 g", "120 g", "180 g", "260 g", "350 g", "520 g"),
            "ports": ("one usb-c", "two usb-c", "usb-c and audio", "micro usb"),
            "power": ("5 watts", "10 watts", "18 watts", "30 watts", "45 watts"),
            "charging_time": ("1 hour", "2 hours", "3 hours", "90 minutes"),
        },
        options=(("colour", COLOURS, 2), ("version", ("basic", "plus", "pro"), 2)),
        price_yuan=(59, 1299),
        return_days=(7, 7, 15),
        warranty_months=(12, 12, 24, 36),
    ),
}

TOPIC_WORDS: Mapping[str, Words] = {
    "material": ("fabric", "cloth", "made", "textile", "stuff"),
    "fit": ("cut", "tight", "loose", "slim", "oversized"),
    "care": ("wash", "washing", "clean", "cleaning", "laundry", "dishwasher", "iron"),
    "season": ("weather", "summer", "winter", "spring", "autumn", "warm"),
    "pattern": ("print", "design", "stripes"),
    "key_ingredient": ("ingredient", "ingredients", "contains", "extract", "formula"),
    "skin_type": ("skin", "sensitive", "oily", "dry"),
    "volume": ("ml", "amount", "bottle", "content", "capacity"),
    "shelf_life": ("expiry", "expire", "expires", "expiration", "shelf", "keep", "lasts"),
    "texture": ("feel", "greasy", "sticky"),
    "scent": ("smell", "fragrance", "perfume", "smells"),
    "net_weight": ("weight", "grams", "heavy", "amount", "weigh"),
    "origin": ("from", "where", "country", "region", "grown", "place"),
    "storage": ("store", "stored", "fridge", "refrigerate"),
    "allergens": ("allergy", "allergic", "allergen", "nuts", "gluten"),
    "width": ("dimensions", "size", "big", "large", "diameter", "wide", "length", "measure", "cm"),
    "weight": ("heavy", "light", "weigh", "grams", "kg"),
    "finish": ("surface", "coating", "shiny", "matte"),
    "battery": ("mah", "runtime", "capacity", "batteries"),
    "ports": ("port", "usb", "connector", "plug", "jack", "connection"),
    "power": ("watt", "watts", "wattage", "strong"),
    "charging_time": ("charging", "charge", "recharge"),
}
"""Attribute -> other words under which ``faq_search`` finds it."""
