"""Beats: what happens in a stream at a known second, or as soon as something else has happened."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, model_validator

from livesim.config import StrictModel
from livesim.errors import unknown
from livesim.scenarios.edits import HarnessEdit
from livesim.tools.builtin import LOAD_SKILL, SPECS
from livesim.world.rules import PROFILES

MAX_ITEMS = 40


class After(StrictModel):
    """What a conditional beat waits for; exactly one of the three.

    Attributes:
        tool: with ``call``: the end of the so-and-so-manieth call of this tool (1 is the first) that reached it.
        call: see ``tool``.
        reply: the so-and-so-manieth reply was spoken.
        request: the so-and-so-manieth request opened.
    """

    tool: str = ""
    call: int = Field(default=1, ge=1)
    reply: int | None = Field(default=None, ge=1)
    request: int | None = Field(default=None, ge=1)

    @model_validator(mode="after")
    def _one(self) -> After:
        if sum((bool(self.tool), self.reply is not None, self.request is not None)) != 1:
            raise ValueError("name exactly one of tool (with call), reply, request")
        if self.tool == LOAD_SKILL:
            raise ValueError(f"{LOAD_SKILL} is answered by the harness itself, nothing can wait for it")
        if self.tool and self.tool not in SPECS:
            raise ValueError(unknown("tool", self.tool, SPECS))
        return self

    def describe(self) -> str:
        """In words: ``"call 2 of price_check"``."""
        if self.tool:
            return f"call {self.call} of {self.tool}"
        return f"reply {self.reply}" if self.reply is not None else f"request {self.request}"


class Happening(StrictModel):
    """What all beats have.

    Attributes:
        at_s: seconds since the start; with ``after`` seconds since that.
        item: the place in the list of the item it is about, 1 for the first.
        after: what the beat waits for; without it the clock alone decides.
    """

    at_s: float = Field(default=0.0, ge=0)
    item: int = Field(default=1, ge=1, le=MAX_ITEMS)
    after: After | None = None


class PriceChange(Happening):
    """The list price is corrected to ``percent`` of what it was, in whole yuan."""

    kind: Literal["price_change"]
    percent: int = Field(ge=10, le=300)


class FlashStart(Happening):
    """A flash sale of one item: ``percent`` off for ``lasts_s`` seconds or ``quota`` pieces.

    With ``announced_s`` it starts late: a notice promised it for that second and stands until it begins, and viewers
    come for that second.
    """

    kind: Literal["flash_start"]
    percent: int = Field(ge=1, le=90)
    lasts_s: float = Field(gt=0)
    quota: int | None = Field(default=None, ge=1)
    announced_s: float | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _late(self) -> FlashStart:
        if self.announced_s is not None and (self.after is not None or self.announced_s > self.at_s):
            raise ValueError("announced_s lies before at_s, and the beat has no after")
        return self


class PromotionEnd(Happening):
    """Every promotion of the item, flash sale included, ends early; with ``shop`` also those of the whole shop."""

    kind: Literal["promotion_end"]
    shop: bool = False


class CouponExhausted(Happening):
    """The item's coupons are used up: still published, not counted; with ``shop`` also those of the whole shop."""

    kind: Literal["coupon_exhausted"]
    shop: bool = False


class GiftChange(Happening):
    """The gift that comes with the item is another one from now on; an empty ``text`` takes it away."""

    kind: Literal["gift_change"]
    text: str = ""


class SoldOut(Happening):
    """The item is sold out; with ``option`` (a label such as ``"red/M"``) only that variant."""

    kind: Literal["sold_out"]
    option: str = ""


class Restock(Happening):
    """Each variant of the item has ``pieces`` again."""

    kind: Literal["restock"]
    pieces: int = Field(ge=1, le=100_000)


class ItemSwitch(Happening):
    """The item is shown from now on."""

    kind: Literal["item_switch"]


class Delist(Happening):
    """The item is taken off the list."""

    kind: Literal["delist"]


class Notice(Happening):
    """A public line that everybody reads, right or wrong, for ``lasts_s`` seconds (without: to the end)."""

    kind: Literal["notice"]
    text: str = Field(min_length=1, max_length=200)
    lasts_s: float | None = Field(default=None, gt=0)


class PlatformChange(Happening):
    """Another set of platform rules holds for every request that opens from now on."""

    kind: Literal["platform_change"]
    platform: str

    @model_validator(mode="after")
    def _known(self) -> PlatformChange:
        if self.platform not in PROFILES:
            raise ValueError(unknown("platform", self.platform, PROFILES))
        return self


class EditHarness(Happening):
    """Operators edit the harness; the next request is the first that sees it."""

    kind: Literal["harness_edit"]
    edit: HarnessEdit


Beat: TypeAlias = Annotated[
    PriceChange
    | FlashStart
    | PromotionEnd
    | CouponExhausted
    | GiftChange
    | SoldOut
    | Restock
    | ItemSwitch
    | Delist
    | Notice
    | PlatformChange
    | EditHarness,
    Field(discriminator="kind"),
]
"""Anything that a scenario can let happen."""
