"""Guesses what a comment of a log wants; where no rule is sure, it counts as small talk and asks for no fact.

How it decides, in this order. Each rule is a pattern in English and Chinese:

1. Whole comments that are a greeting, a digit string, a bought-it, a question whether the host is an AI.
2. Attempts to command the host (``off_topic``), abuse (``troll``), matters of an order (``after_sales``).
3. Words of item questions: at most two intents, on at most two items named by number or title; a comment that names
   none means the item on air, but only when nothing else in it could be the name of another thing.
4. Everything else is ``chitchat``, unsure: any polite reply serves it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from livesim.types import Intent
from livesim.world.viewers import ItemInfo, Want
from livesim.world.viewing import intent_rules as rules


class Guess(NamedTuple):
    """What a comment wants, and whether a rule was sure of it."""

    wants: tuple[Want, ...]
    sure: bool


def guess(text: str, items: Mapping[int, ItemInfo], on_air: int) -> Guess:
    """What ``text`` wants in a room.

    Args:
        text: as loaded, personal data masked.
        items: what is listed, by link number.
        on_air: link number of the item being shown; 0 for none.
    """
    bare = rules.DECORATION.sub(" ", text).strip().rstrip("?!.~。！？～ ").strip()
    whole = ((rules.PARTICIPATION, Intent.PARTICIPATION), (rules.GREETING, Intent.GREETING))
    for pattern, intent in whole:
        if pattern.fullmatch(bare):
            return Guess((Want(intent),), True)
    if rules.COMMAND.search(text):
        return Guess((Want(Intent.OFF_TOPIC),), True)
    if rules.AI.search(text):
        return Guess((Want(Intent.CHITCHAT, None, {"ai": "yes"}),), True)
    if rules.ORDER.search(text):
        return Guess((Want(Intent.AFTER_SALES),), True)
    if rules.ABUSE.search(text) and "?" not in text and "？" not in text:
        return Guess((Want(Intent.TROLL),), True)
    wants = _about_items(text, bare, items, on_air)
    return Guess(wants, True) if wants else Guess((Want(Intent.CHITCHAT),), False)


def _about_items(text: str, bare: str, items: Mapping[int, ItemInfo], on_air: int) -> tuple[Want, ...]:
    """Wants of an item question; empty when any part of it is in doubt."""
    links, rest = named(rules.AFTER_COUPON.sub(" ", text), items)
    intents: list[Intent] = []
    for intent, pattern in rules.ITEM:
        if pattern.search(rest):
            intents.append(intent)
            rest = pattern.sub(" ", rest)
    if rules.FREE_SHIPPING.search(text):
        return ()
    if Intent.COMPARISON in intents:
        intents = [Intent.COMPARISON]
    if (
        not intents
        and links
        and set(rules.LETTERS.findall(rest.lower())) <= rules.COURTESY
        and not rules.CJK.search(rest)
    ):
        intents = [Intent.SHOW_ITEM]
    if Intent.SHOW_ITEM in intents and (len(intents) > 1 or not links):
        intents.remove(Intent.SHOW_ITEM)
    targets = links or ([on_air] if on_air in items else [])
    topics = _topics(rest, items.get(targets[0])) if len(targets) == 1 else []
    if topics and not intents:
        intents = [Intent.ATTRIBUTE]
    if not intents or not targets or len(intents) > 2 or len(targets) > 2 or len(intents) * len(targets) > 3:
        return ()
    if not links and _left_over(_without_details(rest, items[targets[0]])):
        return ()  # it may be about something that has another name
    wants = []
    for link in targets:
        for intent in intents:
            want = _want(intent, link, text, items.get(link), topics)
            if want is None:
                return ()
            wants.append(want)
    return tuple(wants)


def named(text: str, items: Mapping[int, ItemInfo]) -> tuple[list[int], str]:
    """Links that are named by number or title, in order, and the text without those names."""
    found: dict[int, int] = {}
    for match in rules.LINK.finditer(text):
        number = int(match["a"] or match["b"] or rules.NUMERALS[match["w"].lower()])
        found.setdefault(number, match.start())
    rest = rules.LINK.sub(" ", text)
    low = rest.lower()
    for link, item in sorted(items.items(), key=lambda pair: -len(pair[1].title)):
        title = item.title.lower()
        if title and title in low:
            found.setdefault(link, text.lower().find(title))
            low = low.replace(title, " ")
            rest = re.sub(re.escape(item.title), " ", rest, flags=re.I)
    return sorted(found, key=lambda link: found[link]), rest


def _left_over(rest: str) -> bool:
    """Words remain that could be the name of a thing."""
    words = [
        word for word in rules.LETTERS.findall(rest.lower()) if word.split("'")[0] not in rules.FILLER and len(word) > 2
    ]
    return bool(words) or len(rules.CJK.findall(rules.CJK_FILLER.sub("", rest))) > rules.CJK_LEFT


def _without_details(rest: str, item: ItemInfo) -> str:
    """``rest`` without the options and topics of the item."""
    details = {part for option in item.options for part in option.split("/")} | {
        t.replace("_", " ") for t in item.topics
    }
    for detail in sorted(details, key=len, reverse=True):
        rest = re.sub(rf"(?<!\w){re.escape(detail)}(?!\w)", " ", rest, flags=re.I)
    return rest


def _topics(rest: str, item: ItemInfo | None) -> list[str]:
    return [
        topic
        for topic in (item.topics if item else ())
        if re.search(rf"(?<!\w){re.escape(topic.replace('_', ' '))}(?!\w)", rest, re.I)
    ]


def _want(intent: Intent, link: int, text: str, item: ItemInfo | None, topics: list[str]) -> Want | None:
    """The want with its slots; None when the details leave doubt. An item that is not listed needs no details."""
    if item is None:
        return Want(intent, link)
    slots: dict[str, int | str] = {}
    if intent is Intent.SIZE:
        body = next((found for pattern in rules.BODY if (found := pattern.search(text))), None)
        if body is None or not item.height_to_cm:
            return None
        parts = body.groupdict()
        slots["height_cm"] = int(parts["h"])
        slots["weight_kg"] = int(parts["k"]) if parts.get("k") else round(int(parts["jin"]) / 2)
        if not 30 <= int(slots["weight_kg"]) <= 200:
            return None
    elif intent is Intent.ATTRIBUTE:
        if len(topics) != 1:
            return None
        slots["topic"] = topics[0]
    elif intent is Intent.STOCK:
        option = _option(text, item)
        if option is None:
            return None
        if option:
            slots["option"] = option
    elif intent is Intent.PRICE:
        found = rules.QUANTITY.search(text)
        if found:
            word = found["n"] or found["c"]
            slots["quantity"] = int(word) if word.isdigit() else rules.NUMERALS[word.lower()]
    elif intent is Intent.RETURNS:
        low = text.lower()
        if "warranty" in low or "保修" in low or "质保" in low:
            if not item.warranty:
                return None
            slots["topic"] = "warranty"
        elif ("freight" in low and "insur" in low) or "运费险" in low:
            slots["topic"] = "freight_insurance"
    return Want(intent, link, slots)


def _option(text: str, item: ItemInfo) -> str | None:
    """The option that the text names, ``""`` for none, None when it names only a part of one or several."""
    words = set(re.findall(r"[\w-]+", text.lower()))
    whole = [
        option
        for option in item.options
        if option.lower() in text.lower() or all(set(part.lower().split()) <= words for part in option.split("/"))
    ]
    if len(whole) == 1:
        return whole[0]
    if whole:
        return None
    parts = {part.lower() for option in item.options for part in option.split("/") if len(part) > 1}
    return None if any(set(part.split()) <= words for part in parts) else ""
