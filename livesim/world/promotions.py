"""Promotions and the exact price they lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from livesim.world.catalog import Catalog, Product


class PromotionKind(StrEnum):
    """How a promotion lowers the price."""

    ITEM_COUPON = "item_coupon"  # off_fen from over_fen on, one item
    SHOP_COUPON = "shop_coupon"  # off_fen from over_fen on, any item
    THRESHOLD = "threshold"  # off_fen for every over_fen
    MEMBER = "member"  # percent off for members
    FLASH = "flash"  # off_fen or percent off each piece, in a window, while the quota lasts
    GIFT = "gift"  # something on top, no money


@dataclass(frozen=True, slots=True)
class Promotion:
    """One promotion.

    Attributes:
        id: unique in the stream, short: ``"c2"``.
        kind: which rule applies.
        link: the item, or None for the whole shop.
        over_fen: the subtotal from which it counts; for THRESHOLD the amount that counts once each time it is full.
        off_fen: what is taken off.
        percent: taken off instead (MEMBER, FLASH), 0 to 99.
        starts_s: stream second from which it holds.
        ends_s: stream second from which it no longer holds; None: to the end.
        quota: pieces (FLASH) or uses (others) before it is exhausted; None: without limit.
        text: what a gift is; empty for the others.
    """

    id: str
    kind: PromotionKind
    link: int | None = None
    over_fen: int = 0
    off_fen: int = 0
    percent: int = 0
    starts_s: float = 0.0
    ends_s: float | None = None
    quota: int | None = None
    text: str = ""


STACKING: tuple[PromotionKind, ...] = (
    PromotionKind.ITEM_COUPON,
    PromotionKind.SHOP_COUPON,
    PromotionKind.THRESHOLD,
    PromotionKind.MEMBER,
)
"""Default order after the live price (domain facts, section 2.2: an assumption, hence a parameter)."""


@dataclass(frozen=True, slots=True)
class Step:
    """One discount of a quote: the promotion, what it took off and what was left, in fen."""

    promotion: str
    kind: PromotionKind
    off_fen: int
    after_fen: int


@dataclass(frozen=True, slots=True)
class Quote:
    """The price of some pieces of one item and how it came about.

    Attributes:
        quantity: pieces.
        list_fen: all pieces at list price.
        live_fen: after the flash sale, before coupons.
        steps: every discount that took something off, in order, the flash sale first.
        final_fen: to pay; at least 1.
    """

    quantity: int
    list_fen: int
    live_fen: int
    steps: tuple[Step, ...]
    final_fen: int


def quote(
    product: Product,
    quantity: int,
    promotions: Sequence[Promotion],
    *,
    clock_s: float,
    member: bool = False,
    used: Mapping[str, int] | None = None,
    order: Sequence[PromotionKind] = STACKING,
) -> Quote:
    """The exact price of ``quantity`` pieces at this second."""
    raise NotImplementedError


def generate_promotions(seed: int, catalog: Catalog, horizon_s: float) -> tuple[Promotion, ...]:
    """The promotions of a stream of ``horizon_s`` seconds; depends on its arguments alone."""
    raise NotImplementedError
