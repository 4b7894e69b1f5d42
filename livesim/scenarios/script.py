"""``Scenario``: catalogue, viewers, faults, rules, beats and horizon of a stream, as one frozen, hashed record."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, field_validator, model_validator

from livesim.config import StrictModel
from livesim.errors import unknown
from livesim.tools.faults import PRESETS, FaultConfig
from livesim.world.catalog import Category
from livesim.world.rules import PROFILES
from livesim.world.viewers import ViewerConfig

MAX_ITEMS = 40


class CatalogConfig(StrictModel):
    """What is listed.

    Attributes:
        seed: of the goods; None: another catalogue for each seed of the stream.
        items: how many; one number, or the lowest and highest of a draw for each stream.
        categories: to draw from.
        promotions: publish coupons, thresholds and gifts; without them only beats bring promotions.
    """

    seed: int | None = None
    items: tuple[int, int] = (5, 5)
    categories: tuple[Category, ...] = tuple(Category)
    promotions: bool = True

    @field_validator("items", mode="before")
    @classmethod
    def _one_number(cls, value: object) -> object:
        return (value, value) if isinstance(value, int) else value

    @model_validator(mode="after")
    def _sane(self) -> CatalogConfig:
        if not 1 <= self.items[0] <= self.items[1] <= MAX_ITEMS:
            raise ValueError(f"items must be 1 to {MAX_ITEMS}, the lower one first, got {list(self.items)}")
        if not self.categories:
            raise ValueError("categories must name at least one category")
        return self


class _Beat(StrictModel):
    """A timed event; ``at_s`` is seconds since the start, ``item`` the place in the list, 1 for the first."""

    at_s: float = Field(ge=0)
    item: int = Field(default=1, ge=1, le=MAX_ITEMS)


class PriceChange(_Beat):
    """The list price is corrected to ``percent`` of what it was."""

    kind: Literal["price_change"]
    percent: int = Field(ge=10, le=300)


class FlashStart(_Beat):
    """A flash sale of one item: ``percent`` off for ``lasts_s`` seconds or ``quota`` pieces."""

    kind: Literal["flash_start"]
    percent: int = Field(ge=1, le=90)
    lasts_s: float = Field(gt=0)
    quota: int | None = Field(default=None, ge=1)


class PromotionEnd(_Beat):
    """Every promotion of the item, flash sale included, ends early; with ``shop`` also those of the whole shop."""

    kind: Literal["promotion_end"]
    shop: bool = False


class SoldOut(_Beat):
    """The item is sold out; with ``option`` (a label such as ``"red/M"``) only that variant."""

    kind: Literal["sold_out"]
    option: str = ""


class Restock(_Beat):
    """Each variant of the item has ``pieces`` again."""

    kind: Literal["restock"]
    pieces: int = Field(ge=1, le=100_000)


class ItemSwitch(_Beat):
    """The item is shown from now on."""

    kind: Literal["item_switch"]


class Delist(_Beat):
    """The item is taken off the list."""

    kind: Literal["delist"]


Beat: TypeAlias = Annotated[
    PriceChange | FlashStart | PromotionEnd | SoldOut | Restock | ItemSwitch | Delist, Field(discriminator="kind")
]


class Scenario(StrictModel):
    """A stream as data. With a seed it is a stream.

    Attributes:
        name: short, as in the library.
        summary: one clause: what it is for.
        catalog: what is listed.
        viewers: numbers of the audience.
        faults: how flaky the tools are: a preset's name or a config.
        beats: timed events.
        horizon_s: the stream is over after so many seconds.
        platform: whose rules hold.
        merge_s: comments of so many seconds after the first make one request.
        merge_max: at most so many comments make one request.
        stale_s: a comment that waited longer is dropped; nobody can answer everything.
    """

    name: str = Field(min_length=1, max_length=60)
    summary: str = ""
    catalog: CatalogConfig = CatalogConfig()
    viewers: ViewerConfig = ViewerConfig()
    faults: FaultConfig | str = "none"
    beats: tuple[Beat, ...] = ()
    horizon_s: float = Field(default=600.0, gt=0, le=86_400)
    platform: str = "taobao"
    merge_s: float = Field(default=3.0, ge=0)
    merge_max: int = Field(default=3, ge=1, le=20)
    stale_s: float = Field(default=20.0, gt=0)

    @model_validator(mode="after")
    def _sane(self) -> Scenario:
        if isinstance(self.faults, str) and self.faults not in PRESETS:
            raise ValueError(unknown("fault preset", self.faults, PRESETS))
        if self.platform not in PROFILES:
            raise ValueError(unknown("platform", self.platform, PROFILES))
        for beat in self.beats:
            if beat.item > self.catalog.items[0]:
                raise ValueError(f"beat {beat.kind!r}: item {beat.item} of {self.catalog.items[0]}")
            if beat.at_s >= self.horizon_s:
                raise ValueError(f"beat {beat.kind!r} at {beat.at_s} s lies beyond the horizon of {self.horizon_s} s")
        return self

    @property
    def fault_config(self) -> FaultConfig:
        """The faults in full."""
        return PRESETS[self.faults] if isinstance(self.faults, str) else self.faults

    @property
    def hash(self) -> str:
        """First 12 hex digits of the SHA-256 of everything but the summary."""
        data = self.model_dump(mode="json", exclude={"summary"})
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:12]
