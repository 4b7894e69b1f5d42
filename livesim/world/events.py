"""The frozen events of a stream: the only way in which its state changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from livesim.world.promotions import Promotion
from rewards.signals import Breach


@dataclass(frozen=True, slots=True)
class ClockMoved:
    """Stream time is now ``at_s`` seconds since the start."""

    at_s: float


@dataclass(frozen=True, slots=True)
class ViewerEntered:
    """A viewer came into the room."""

    at_s: float
    viewer: str


@dataclass(frozen=True, slots=True)
class ViewerLeft:
    """A viewer left the room."""

    at_s: float
    viewer: str


@dataclass(frozen=True, slots=True)
class CrowdMoved:
    """So many viewers without a name came, left, got a name, opened item pages and filled carts since the last one."""

    at_s: float
    entered: int
    left: int
    named: int
    clicks: int
    carts: int = 0


@dataclass(frozen=True, slots=True)
class Commented:
    """A viewer wrote a line."""

    at_s: float
    viewer: str
    text: str


@dataclass(frozen=True, slots=True)
class RequestOpened:
    """Comments were merged into the request with this id."""

    at_s: float
    request: str


@dataclass(frozen=True, slots=True)
class RequestClosed:
    """A request ended; ``reason`` is a ``livesim.types.RequestEnd``."""

    at_s: float
    request: str
    reason: str


@dataclass(frozen=True, slots=True)
class ItemClicked:
    """A viewer opened an item's page (an item-page view)."""

    at_s: float
    viewer: str
    link: int


@dataclass(frozen=True, slots=True)
class CartAdded:
    """A viewer put an item into the cart."""

    at_s: float
    viewer: str
    link: int


@dataclass(frozen=True, slots=True)
class OrderPlaced:
    """A viewer ordered; the stock of ``sku`` falls by ``quantity``.

    Attributes:
        at_s: stream time, seconds.
        order: id of the order, ``"B1"``.
        viewer: who ordered.
        link: link number of the item.
        sku: id of the SKU.
        quantity: pieces, at least 1.
        list_fen: list price of all pieces, fen.
        paid_fen: price of all pieces after discounts, fen.
        promotions: ids of the promotions that counted, each used once.
    """

    at_s: float
    order: str
    viewer: str
    link: int
    sku: str
    quantity: int
    list_fen: int
    paid_fen: int
    promotions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderPaid:
    """The money of an order arrived."""

    at_s: float
    order: str


@dataclass(frozen=True, slots=True)
class OrderReturned:
    """The buyer of a paid order will send it back, days after the stream; noted when it was paid."""

    at_s: float
    order: str


@dataclass(frozen=True, slots=True)
class StockSet:
    """The warehouse corrected a SKU's stock to ``pieces`` (sold out, restocked)."""

    at_s: float
    sku: str
    pieces: int


@dataclass(frozen=True, slots=True)
class PromotionStarted:
    """A promotion was published; its own window says when it counts."""

    at_s: float
    promotion: Promotion


@dataclass(frozen=True, slots=True)
class PromotionEnded:
    """A promotion no longer counts."""

    at_s: float
    promotion: str


@dataclass(frozen=True, slots=True)
class PromotionExhausted:
    """A promotion's quota is used up; it stays published and no longer counts."""

    at_s: float
    promotion: str


@dataclass(frozen=True, slots=True)
class PriceCorrected:
    """An item's list price was corrected to ``list_price_fen``."""

    at_s: float
    link: int
    list_price_fen: int


@dataclass(frozen=True, slots=True)
class ItemSwitched:
    """The item with this link is being shown now."""

    at_s: float
    link: int


@dataclass(frozen=True, slots=True)
class ItemDelisted:
    """An item was taken off the list."""

    at_s: float
    link: int


@dataclass(frozen=True, slots=True)
class NoticePosted:
    """A public line stands in the room from now on."""

    at_s: float
    text: str


@dataclass(frozen=True, slots=True)
class NoticeTaken:
    """The public line is gone."""

    at_s: float
    text: str


@dataclass(frozen=True, slots=True)
class PlatformChanged:
    """Another rules profile is in force; no human is in control until one is called."""

    at_s: float
    platform: str


@dataclass(frozen=True, slots=True)
class HarnessEdited:
    """Operators edited the harness; ``beat`` is the place of the edit among the beats of the scenario, from 0."""

    at_s: float
    beat: int


@dataclass(frozen=True, slots=True)
class CardPushed:
    """The host put an item's card on the screen."""

    at_s: float
    link: int


@dataclass(frozen=True, slots=True)
class HandedOff:
    """The host called a human colleague."""

    at_s: float
    reason: str


@dataclass(frozen=True, slots=True)
class Spoken:
    """The host said ``text``, which takes ``lasts_s`` seconds."""

    at_s: float
    text: str
    lasts_s: float


@dataclass(frozen=True, slots=True)
class RuleBroken:
    """The platform noted a breach."""

    at_s: float
    breach: Breach


@dataclass(frozen=True, slots=True)
class StreamCut:
    """The platform cut the stream."""

    at_s: float


Event: TypeAlias = (
    ClockMoved
    | ViewerEntered
    | ViewerLeft
    | CrowdMoved
    | Commented
    | RequestOpened
    | RequestClosed
    | ItemClicked
    | CartAdded
    | OrderPlaced
    | OrderPaid
    | OrderReturned
    | StockSet
    | PromotionStarted
    | PromotionEnded
    | PromotionExhausted
    | PriceCorrected
    | ItemSwitched
    | ItemDelisted
    | NoticePosted
    | NoticeTaken
    | PlatformChanged
    | HarnessEdited
    | CardPushed
    | HandedOff
    | Spoken
    | RuleBroken
    | StreamCut
)
"""Anything that can happen in a stream; every event has ``at_s``, seconds since the start."""
