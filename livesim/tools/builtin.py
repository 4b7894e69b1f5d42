"""``SPECS``: the thirteen built-in tools, their typed arguments and effects; no behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from pydantic import BeforeValidator, Field

from livesim.config import StrictModel
from livesim.tools.spec import Effect, ToolSpec

LOAD_SKILL = "load_skill"
"""The one tool without a behaviour: the session answers it."""


def _whole(value: object) -> object:
    """Digits in quotes are taken as the number they spell; true and false are never numbers."""
    if isinstance(value, bool):
        raise ValueError("must be a whole number")
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        return int(value.strip()[:12])
    return value


def _text(value: object) -> object:
    """A bare whole number where text is wanted is taken as its digits; blanks around text are dropped."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**18:
        return str(value)
    return value.strip() if isinstance(value, str) else value


Whole = Annotated[int, BeforeValidator(_whole)]
"""An integer argument that also accepts ``"2"`` (and ``2.0``), since the meaning is beyond doubt."""

Text = Annotated[str, BeforeValidator(_text)]
"""A text argument that also accepts a bare whole number."""


class LinkArguments(StrictModel):
    """Arguments of every tool that looks at one item."""

    link: Whole = Field(description="link number of the item", ge=1, le=9999)


class FinalPriceArguments(LinkArguments):
    """Arguments of ``final_price``."""

    quantity: Whole = Field(default=1, description="number of pieces", ge=1, le=99)


class StockArguments(LinkArguments):
    """Arguments of ``stock_check``."""

    option: Text = Field(default="", description='colour and size, e.g. "red/M"; empty for all', max_length=80)


class SizeArguments(LinkArguments):
    """Arguments of ``size_advice``."""

    height_cm: Whole = Field(description="body height in cm", ge=50, le=250)
    weight_kg: Whole = Field(description="body weight in kg", ge=10, le=250)


class TopicArguments(LinkArguments):
    """Arguments of ``faq_search``."""

    topic: Text = Field(description='what is asked, e.g. "material"', min_length=1, max_length=80)


class OrderArguments(StrictModel):
    """Arguments of ``order_lookup``."""

    order: Text = Field(description="order number", min_length=1, max_length=80)


class ReasonArguments(StrictModel):
    """Arguments of ``hand_off``."""

    reason: Text = Field(description="why a human is needed", min_length=1, max_length=200)


class SkillArguments(StrictModel):
    """Arguments of ``load_skill``."""

    skill: Text = Field(description="name of the skill", min_length=1, max_length=80)


_ALL = (
    ToolSpec(LOAD_SKILL, "read the rules of a skill before replying", SkillArguments),
    ToolSpec("product_info", "title, category and attributes of an item", LinkArguments),
    ToolSpec("price_check", "current price and coupons", LinkArguments),
    ToolSpec("final_price", "total to pay for several pieces", FinalPriceArguments),
    ToolSpec("promotion_info", "coupons, flash sale, gift and member price", LinkArguments),
    ToolSpec("stock_check", "pieces left by colour and size", StockArguments),
    ToolSpec("size_advice", "size for a height and weight", SizeArguments),
    ToolSpec("shipping_eta", "dispatch and delivery time", LinkArguments),
    ToolSpec("return_policy", "returns, freight insurance and warranty", LinkArguments),
    ToolSpec("faq_search", "one attribute of an item, such as its material", TopicArguments),
    ToolSpec("order_lookup", "status of an order", OrderArguments),
    ToolSpec("push_card", "show the card of an item on screen", LinkArguments, Effect.WRITE),
    ToolSpec("hand_off", "pass the viewer on to a human colleague", ReasonArguments, Effect.WRITE),
)

SPECS: Mapping[str, ToolSpec] = MappingProxyType({spec.name: spec for spec in _ALL})
"""Canonical name -> spec, in the order in which a harness lists them by default."""
