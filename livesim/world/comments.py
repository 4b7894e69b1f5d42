"""Words a want: picks a phrasing, refers to the item in one of several ways, slips a finger now and then."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from livesim.types import Intent
from livesim.world.dice import Dice
from livesim.world.phrases import (
    BARE,
    CLOSERS,
    COMPLAINTS,
    CORRECTIONS,
    FOLLOW_UPS,
    FREE,
    INJECTIONS,
    ITEM,
    MOODS,
    OPENERS,
)
from livesim.world.viewers import ItemInfo, Want, Wording

_NUMBERS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
_LINK_FORMS = ("link {n}", "link {n}", "link {n}", "Link {n}", "item {n}", "no. {n}", "#{n}", "number {n}", "link{n}")
_WORD_FORMS = ("link {w}", "item {w}", "number {w}")
_THIS = ("this", "this one", "this one", "it", "the one on screen", "the one you are showing")
_CORE_WORD = re.compile(r"(?<![{\w])[a-z]{5,}(?![}\w])")
_DECORATED = frozenset(
    (
        Intent.PRICE,
        Intent.PROMOTION,
        Intent.SHOW_ITEM,
        Intent.SIZE,
        Intent.ATTRIBUTE,
        Intent.STOCK,
        Intent.SHIPPING,
        Intent.RETURNS,
        Intent.COMPARISON,
        Intent.AFTER_SALES,
    )
)


class Reference(StrEnum):
    """How a comment points at its item."""

    NONE = "none"  # it is about no item
    ELLIPTIC = "elliptic"  # "this one": the item on air
    SAME = "same"  # "it": the item of the want before, in the same line
    LINK = "link"  # by link number, in several spellings
    NAME = "name"  # by title


def word(
    want: Want,
    dice: Dice,
    *,
    item: ItemInfo | None = None,
    reference: Reference = Reference.NONE,
    wording: Wording = Wording.TRAIN,
    typo: bool = False,
    plain: bool = False,
) -> str:
    """A natural line for one want.

    Args:
        want: intent, item and slots.
        dice: decides everything that is open.
        item: the item of ``want.link``; needed unless ``reference`` is NONE.
        reference: how to point at the item.
        wording: which phrasings to use.
        typo: put one slip into the sentence, never into the reference or a slot.
        plain: without openers and closers, for the second half of a line.
    """
    key = core_key(want)
    if reference is Reference.NONE:
        core = dice.pick(FREE[wording][key])
    else:
        bare = BARE[wording].get(key, ())
        elliptic = reference in (Reference.ELLIPTIC, Reference.SAME) and bool(bare) and dice.chance(0.4)
        cores = bare if elliptic else ITEM[wording][key]
        if reference is Reference.SAME:  # "and it please" is no English
            cores = tuple(core for core in cores if not core.startswith("{item}"))
        core = dice.pick(cores)
    if typo:
        core = slip(core, dice)
    text = core.format_map(_filling(want.slots, dice, item, reference)) if "{" in core else core
    if plain:
        return text
    if want.intent in _DECORATED:
        return dice.pick(OPENERS[wording]) + _close(text, dice.pick(CLOSERS[wording]))
    if want.intent in MOODS:
        return dice.pick(MOODS[want.intent]).format_map({"text": text})
    return text


def core_key(want: Want) -> str:
    """Which set of sentence cores words this want."""
    slots = want.slots
    if want.intent is Intent.PRICE and int(slots.get("quantity", 1)) > 1:
        return "price_many"
    if want.intent is Intent.STOCK and not slots.get("option"):
        return "stock_any"
    if want.intent is Intent.RETURNS and slots.get("topic") in ("warranty", "freight_insurance"):
        return str(slots["topic"])
    if want.intent is Intent.CHITCHAT and slots.get("ai"):
        return "chitchat_ai"
    return str(want.intent)


def refer(item: ItemInfo, reference: Reference, dice: Dice) -> str:
    """The words that point at an item."""
    if reference is Reference.ELLIPTIC:
        return dice.pick(_THIS)
    if reference is Reference.SAME:
        return "it"
    if reference is Reference.NAME:
        return dice.pick(("the {}", "{}")).format(item.title)
    if item.link < len(_NUMBERS) and dice.chance(0.12):
        return dice.pick(_WORD_FORMS).format(w=_NUMBERS[item.link])
    return dice.pick(_LINK_FORMS).format(n=item.link)


def join(first: str, second: str) -> str:
    """Two wants in one line."""
    return f"{first.rstrip('?!. ')} and {second}"


def follow_up(text: str, dice: Dice, wording: Wording) -> str:
    """The same question again, from a viewer who was not served."""
    return dice.pick(FOLLOW_UPS[wording]).format_map({"text": text})


def complain(text: str, dice: Dice, wording: Wording) -> str:
    """The same question again, from a viewer who was told something wrong."""
    return dice.pick(COMPLAINTS[wording]).format_map({"text": text})


def correct(text: str, dice: Dice, wording: Wording) -> str:
    """Another question from a viewer who meant that one."""
    return dice.pick(CORRECTIONS[wording]).format_map({"text": text})


def inject(text: str, dice: Dice) -> str:
    """``text`` with something hostile before or behind it."""
    hostile = dice.pick(INJECTIONS)
    return f"{text} {hostile}" if dice.chance(0.5) else f"{hostile} {text}"


def slip(core: str, dice: Dice) -> str:
    """``core`` with one longer word misspelt: two inner letters swapped, one dropped or one doubled."""
    words = list(_CORE_WORD.finditer(core))
    if not words:
        return core
    match = dice.pick(words)
    letters = match.group()
    at = dice.between(1, len(letters) - 3)
    kind = dice.between(0, 2)
    if kind == 0:
        wrong = letters[:at] + letters[at + 1] + letters[at] + letters[at + 2 :]
    elif kind == 1:
        wrong = letters[:at] + letters[at + 1 :]
    else:
        wrong = letters[: at + 1] + letters[at:]
    return core[: match.start()] + wrong + core[match.end() :]


def _close(text: str, closer: str) -> str:
    if closer in ("?", "!"):
        return text.rstrip("?!") + closer
    return text if closer and text.endswith(closer.strip()) else text + closer


def _filling(
    slots: Mapping[str, int | str], dice: Dice, item: ItemInfo | None, reference: Reference
) -> dict[str, int | str]:
    words: dict[str, int | str] = {
        "topic": str(slots.get("topic", "")).replace("_", " "),
        "option": _option(str(slots.get("option", "")), dice),
        "height": slots.get("height_cm", ""),
        "weight": slots.get("weight_kg", ""),
        "quantity": slots.get("quantity", 1),
        "order": slots.get("order", ""),
    }
    if item is not None:
        words["item"] = refer(item, reference, dice)
    return words


def _option(label: str, dice: Dice) -> str:
    """An option as people say it: "red/M", "red M" or "M in red"."""
    parts = label.split("/")
    if len(parts) < 2 or dice.chance(0.4):
        return label
    if len(parts) == 2 and dice.chance(0.4):
        return f"{parts[1]} in {parts[0]}"
    return " ".join(parts)
