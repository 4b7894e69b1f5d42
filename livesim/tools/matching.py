"""Which SKUs and which attribute a few free words mean."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from livesim.world.catalog import Product, Sku
from livesim.world.goods import TOPIC_WORDS

_FILLERS = {"a", "an", "and", "any", "do", "have", "i", "in", "is", "it", "left", "much", "of", "or", "please"}
_FILLERS |= {"still", "that", "the", "this", "what", "which", "you"}
_OPTION_FILLERS = _FILLERS | {"colour", "color", "size", "option"}
_NEAR = 0.75


def match_skus(product: Product, text: str) -> tuple[Sku, ...]:
    """The SKUs that ``text`` can mean, in catalogue order; none when a word in it names no option.

    Order, case and separators don't matter (``"M, red"`` is ``"red/M"``); a misspelt word of four letters or more
    is taken for the nearest value; a value alone (``"red"``) means all SKUs that have it; ``""`` means all.
    """
    values = {value.lower() for sku in product.skus for _, value in sku.options}
    fillers = _OPTION_FILLERS | {name for sku in product.skus for name, _ in sku.options}
    meant: set[str] = set()
    for word in _words(text):
        if word in values:
            meant.add(word)
        elif word not in fillers:
            near = _nearest(word, values)
            if not near:
                return ()
            meant.add(near)
    named = {name for sku in product.skus for name, value in sku.options if value.lower() in meant}
    found = tuple(
        sku for sku in product.skus if all(value.lower() in meant for name, value in sku.options if name in named)
    )
    return found if meant <= {value.lower() for sku in found for _, value in sku.options} else ()


def match_topic(product: Product, text: str) -> str | None:
    """The attribute that ``text`` asks for, or None.

    In this order: the attribute's own name, a word of its name, a word that is used for it (``"fabric"`` for the
    material), the nearest spelling of any of these.
    """
    names = [name for name, _ in product.attributes]
    parts = {name: tuple(name.split("_")) for name in names}
    words = [word for word in _words(text) if word not in _FILLERS]
    for name in names:
        if list(parts[name]) == words:
            return name
    for known in (parts, TOPIC_WORDS):
        scores = {name: sum(word in known.get(name, ()) for word in words) for name in names}
        best = max(names, key=lambda name: scores[name])
        if scores[best]:
            return best
    index = {word: name for name in reversed(names) for word in (*parts[name], *TOPIC_WORDS.get(name, ()))}
    return next((index[near] for word in words if (near := _nearest(word, index))), None)


def _words(text: str) -> list[str]:
    return re.findall(r"[\w-]+", text.lower().replace("_", " "))


def _nearest(word: str, known: Iterable[str]) -> str:
    """The closest known word, ``""`` when none is close or the word is too short to tell."""
    near = difflib.get_close_matches(word, sorted(known), n=1, cutoff=_NEAR) if 4 <= len(word) <= 40 else []
    return near[0] if near else ""
