"""``Scenario``: catalogue, viewers, faults, rules, beats and horizon of a stream, as one frozen, hashed record."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Mapping, Sequence
from pathlib import Path

from pydantic import Field, PrivateAttr, field_validator, model_validator

from livesim.config import StrictModel
from livesim.errors import unknown
from livesim.scenarios.beats import MAX_ITEMS, Beat, EditHarness
from livesim.scenarios.edits import HarnessEdit
from livesim.scenarios.expect import Expect
from livesim.scenarios.goods import Good, Offer, OrderEntry, catalog_of, links_of
from livesim.scenarios.played_by import PlayedBy, split
from livesim.tools.faults import PRESETS, FaultConfig
from livesim.world.catalog import Category
from livesim.world.rules import PROFILES
from livesim.world.viewers import ViewerConfig, ViewerSimulator
from livesim.world.viewing.script import Script, ScriptLine, ScriptViewers

LATER = frozenset(
    {
        "after",
        "announced_s",
        "applied",
        "behaviour",
        "goods",
        "offers",
        "on_air",
        "orders",
        "outages",
        "played_by",
        "says",
    }
)
"""Fields that came after the first scenarios; while they say nothing they are no part of the hash."""


class CatalogConfig(StrictModel):
    """What is listed.

    Attributes:
        seed: of the goods; None: another catalogue for each seed of the stream.
        items: how many; one number, or the lowest and highest of a draw for each stream.
        categories: to draw from.
        promotions: publish coupons, thresholds and gifts; without them only beats bring promotions.
        goods: the items written out, instead of drawn ones.
        offers: promotions written out, instead of drawn ones.
        orders: older orders written out, instead of drawn ones.
        on_air: place in the list of the item that is shown first; None: drawn.
    """

    seed: int | None = None
    items: tuple[int, int] = (5, 5)
    categories: tuple[Category, ...] = tuple(Category)
    promotions: bool = True
    goods: tuple[Good, ...] = Field(default=(), max_length=MAX_ITEMS)
    offers: tuple[Offer, ...] = ()
    orders: tuple[OrderEntry, ...] = ()
    on_air: int | None = Field(default=None, ge=1)

    @model_validator(mode="before")
    @classmethod
    def _as_many_as_written(cls, data: object) -> object:
        if isinstance(data, dict) and isinstance(data.get("goods"), list | tuple) and data["goods"]:
            return {"items": len(data["goods"])} | data
        return data

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
        if self.goods:
            if self.items != (len(self.goods), len(self.goods)):
                raise ValueError(f"items says {list(self.items)}, but {len(self.goods)} goods are written out")
            catalog_of(self.goods)
        for number, offer in enumerate(self.offers):
            self.check_place(f"offers.{number}", offer.item)
        for number, order in enumerate(self.orders):
            self.check_place(f"orders.{number}", order.item)
        self.check_place("on_air", self.on_air)
        return self

    def places(self, listed: Sequence[int]) -> tuple[int, ...]:
        """Link numbers by place: as the goods are written, drawn ones as ``listed``, which is ascending."""
        return links_of(self.goods) or tuple(listed)

    def check_place(self, where: str, item: int | None) -> None:
        """Raise ValueError when the list holds no item of this place; says so when it is somebody's link number."""
        if item is None or item <= self.items[0]:
            return
        links = links_of(self.goods)
        hint = f"; link {item} is item {links.index(item) + 1}" if item in links else ""
        raise ValueError(f"{where}: there is no item {item} among {self.items[0]}: item is the place in the list{hint}")


class Play(StrictModel):
    """How ``livesim scenario run`` and the tests play a scenario; ``gym.make`` takes its own arguments.

    Attributes:
        seed: of the stream.
        harness: name or folder; a relative folder lies beside the scenario's file.
        augment: None, or a preset such as ``"heldout:tool_definition"``.
        harness_seed: of the variant; None: from the seed.
    """

    seed: int = Field(default=0, ge=0)
    harness: str = "default"
    augment: str | None = None
    harness_seed: int | None = Field(default=None, ge=0)


class Scenario(StrictModel):
    """A stream as data. With a seed it is a stream.

    Attributes:
        name: short, as in the library.
        summary: one clause: what it is for.
        catalog: what is listed.
        viewers: numbers of the audience; in a file also a name or a ``kind``, see ``played_by`` and docs/scenarios.md.
        faults: how flaky the tools are: a preset's name or a config.
        beats: timed events.
        horizon_s: the stream is over after so many seconds.
        platform: whose rules hold.
        merge_s: comments within so many seconds of the one that is answered make one request.
        merge_max: at most so many comments make one request.
        stale_s: a comment that waited longer is dropped; nobody can answer everything.
        says: who says what when, instead of drawn viewers.
        played_by: a log, a model or a plug-in plays the viewers; written ``viewers: {kind: ...}``.
        play: how it is played as a test.
        expect: what must and must not happen then.
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
    says: tuple[ScriptLine, ...] = ()
    played_by: PlayedBy | None = None
    play: Play = Play()
    expect: Expect | None = None
    _folder: Path = PrivateAttr(default_factory=Path)

    @model_validator(mode="before")
    @classmethod
    def _viewers_by_kind(cls, data: object) -> object:
        return split(dict(data)) if isinstance(data, Mapping) else data

    @field_validator("faults", mode="before")
    @classmethod
    def _in_full(cls, faults: object) -> object:
        if isinstance(faults, list):
            raise ValueError("write a preset's name or a config; single faults stand under script: {script: [...]}")
        return faults

    @model_validator(mode="after")
    def _sane(self) -> Scenario:
        if self.played_by is not None and self.says:
            raise ValueError(f"says and viewers of kind {self.played_by.kind!r}: only one can play the audience")
        if isinstance(self.faults, str) and self.faults not in PRESETS:
            raise ValueError(unknown("fault preset", self.faults, PRESETS))
        if self.platform not in PROFILES:
            raise ValueError(unknown("platform", self.platform, PROFILES))
        for number, line in enumerate(self.says):
            for want in (line, *line.more):
                self.catalog.check_place(f"says.{number}", want.item)
        for number, beat in enumerate(self.beats):
            self.catalog.check_place(f"beats.{number} ({beat.kind})", beat.item)
            if beat.after is None and beat.at_s >= self.horizon_s:
                raise ValueError(f"beat {beat.kind!r} at {beat.at_s} s lies beyond the horizon of {self.horizon_s} s")
        return self

    def beside(self, folder: Path) -> None:
        """Relative files and folders that are named in it start here: where the scenario's own file is."""
        self._folder = folder
        if self.played_by is not None:
            self.played_by.beside(folder)

    def harness(self, names: Container[str]) -> str:
        """The harness of ``play``: one of ``names``, those of the shelf, or else a folder."""
        own = self.play.harness
        return own if own in names else str(self._folder / own)

    def audience(self) -> ViewerSimulator | str | None:
        """Written lines, whoever ``played_by`` names, or None for what the numbers draw. Raises ViewerError."""
        if self.says:
            return ScriptViewers(Script(lines=self.says))
        return None if self.played_by is None else self.played_by.make(self.viewers)

    @property
    def written(self) -> bool:
        """Who says what when is known beforehand: no answer makes anybody say more."""
        return bool(self.says) or (self.played_by is not None and self.played_by.written)

    @property
    def fault_config(self) -> FaultConfig:
        """The faults in full."""
        return PRESETS[self.faults] if isinstance(self.faults, str) else self.faults

    @property
    def edits(self) -> tuple[HarnessEdit, ...]:
        """Every harness edit, in the order written."""
        return tuple(beat.edit for beat in self.beats if isinstance(beat, EditHarness))

    @property
    def hash(self) -> str:
        """First 12 hex digits of the SHA-256 of everything but the summary and what a test asks of it."""
        data = _said(self.model_dump(mode="json", exclude={"summary", "play", "expect"}))
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:12]


def _said(value: object) -> object:
    """Plain values without those of ``LATER`` that say nothing."""
    if isinstance(value, dict):
        return {k: _said(v) for k, v in value.items() if k not in LATER or v not in (None, [], {})}
    return [_said(item) for item in value] if isinstance(value, list) else value
