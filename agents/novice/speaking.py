"""How the novice words a tool's answer, its small talk, its excuses and its guesses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from agents.novice.reading import overlap
from livesim.types import JsonValue

RAMBLE = (
    "Thank you so much for asking, it is really lovely to have you with us and I hope that you enjoy the show as much "
    "as I do"
)
"""What it begins with when it keeps no word limit in mind."""

WELCOME = "Welcome, it is nice to have you here, thank you for the kind words"
AI = "Yes, I am an AI host"
DECLINE = "Sorry, I can't do that because this room is about our items"
HONEST = "Sorry, I can't check that right now because the system is not answering, please look at the item page"
UNKNOWING = "I don't know that"
LATER = "Let me check that for you"

GUESSES: Mapping[str, str] = MappingProxyType(
    {
        "price": "{item} is about 99 yuan",
        "coupon": "there is a coupon of 20 yuan on {item}",
        "left": "there are 200 pieces of {item} left",
        "stock": "there are 200 pieces of {item} left",
        "dispatch": "{item} ships within 12 hours",
        "delivery": "{item} ships within 12 hours",
        "return": "{item} can be returned within 90 days",
    }
)
"""What it makes up for a tool whose description holds the word, when nothing tells it to be honest."""


def guess(purpose: str, item: str) -> str:
    """A made-up answer for a tool that gave none."""
    text = next((text for word, text in GUESSES.items() if word in purpose), "yes, {item} is very good")
    return text.format(item=item)


def _coupons(item: str, value: JsonValue, _: Mapping[str, JsonValue]) -> str:
    if isinstance(value, list):
        return f"{item} has this coupon: {value[0]}" if value else f"there is no coupon for {item}"
    return f"there is no coupon for {item}" if value == "none" else f"{item} has this coupon: {value}"


def _left(item: str, value: JsonValue, result: Mapping[str, JsonValue]) -> str:
    if isinstance(value, dict):
        label, count = next(iter(value.items()), ("", 0))
        return _pieces(f"{item} in {label}", count)
    option = result.get("option")
    return _pieces(f"{item} in {option}" if option else item, value)


def _pieces(item: str, count: JsonValue) -> str:
    return f"{item} is sold out" if count == 0 else f"{count} pieces of {item} are left"


def _returns(item: str, value: JsonValue, _: Mapping[str, JsonValue]) -> str:
    return f"{item} can be returned {value}" if "within" in str(value) else f"{item} cannot be returned"


def _answer(item: str, value: JsonValue, result: Mapping[str, JsonValue]) -> str:
    if "topic" not in result:
        return f"that is not listed for {item}, please look at the item page"
    return f"the {result['topic']} of {item} is {value}"


def _plain(text: str) -> Callable[[str, JsonValue, Mapping[str, JsonValue]], str]:
    return lambda item, value, _: text.format(item=item, value=value)


def _flag(yes: str, no: str) -> Callable[[str, JsonValue, Mapping[str, JsonValue]], str]:
    return lambda item, value, _: (yes if value == "yes" else no).format(item=item)


_WORDED: Mapping[str, Callable[[str, JsonValue, Mapping[str, JsonValue]], str]] = MappingProxyType(
    {
        "price": _plain("the list price of {item} is {value}"),
        "list_price": _plain("the list price of {item} is {value}"),
        "flash_price": _plain("{item} is {value} in the flash sale"),
        "after_coupons": _plain("{item} is {value} with everything taken off"),
        "coupons": _coupons,
        "final_price": _plain("the total is {value}"),
        "discounts": _coupons,
        "member_price": _plain("the member price of {item} is {value}"),
        "gift": _plain("{item} comes with a gift: {value}"),
        "total": _plain("{value} pieces of {item} are left"),
        "left": _left,
        "dispatch": _plain("{item} ships {value}"),
        "delivery": _plain("{item} arrives in about {value}"),
        "free_shipping": _flag("shipping of {item} is free", "shipping of {item} is not free"),
        "returns": _returns,
        "freight_insurance": _flag("{item} comes with freight insurance", "{item} has no freight insurance"),
        "warranty": lambda item, value, _: (
            f"{item} has no warranty" if value == "none" else f"{item} has a warranty of {value}"
        ),
        "answer": _answer,
        "size": _plain("take size {value} in {item}"),
        "status": _plain("your order is {value}"),
        "card": _plain("{item} is on screen now"),
        "colleague": _plain("a colleague takes over now"),
    }
)


def told(result: Mapping[str, JsonValue], wanted: Sequence[str], comment: str, item: str) -> str:
    """One or two fields of a tool's answer as a sentence.

    Args:
        result: the answer.
        wanted: the rules on what to say; the fields that they name most clearly are said.
        comment: decides between several such fields when a rule speaks of what was asked.
        item: how the item is called.
    """
    fields = [key for key in result if key in _WORDED and result[key] not in (None, "", "n/a", "unknown", "...", "-")]
    if not fields:
        return ""
    scores = {key: max((overlap(_words(key), rule) for rule in wanted), default=0) for key in fields}
    named = [key for key in fields if scores[key]]
    if any("asked" in rule for rule in wanted):
        named = [key for key in named if overlap(comment, _words(key))] or named
    else:
        named = [key for key in named if scores[key] == max(scores.values())]
    chosen = named[:2] or fields[:1]
    return ", and ".join(_WORDED[key](item, result[key], result) for key in chosen)


_ALSO = {"left": "pieces left stock", "answer": "detail answer", "returns": "return returns days"}


def _words(key: str) -> str:
    return _ALSO.get(key, key.replace("_", " "))
