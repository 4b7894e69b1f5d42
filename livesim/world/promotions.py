"""Promotions and the exact price they lead to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from livesim.seeding import stream
from livesim.world.catalog import Catalog, Product
from livesim.world.money import percent_of, yuan


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

    def __post_init__(self) -> None:
        if self.over_fen < 0 or self.off_fen < 0 or not 0 <= self.percent <= 99:
            raise ValueError(f"promotion {self.id}: amounts are at least 0 and percent is 0 to 99")
        if self.kind is PromotionKind.THRESHOLD and not self.off_fen <= self.over_fen > 0:
            raise ValueError(f"promotion {self.id}: a threshold takes off at most its own amount")

    def applies_to(self, link: int) -> bool:
        """Whether it is for this item: its own, or the whole shop's."""
        return self.link is None or self.link == link

    def left(self, used: Mapping[str, int]) -> int | None:
        """Pieces or uses left of the quota, at least 0; None without a quota."""
        return None if self.quota is None else max(0, self.quota - used.get(self.id, 0))

    def active(self, clock_s: float, used: Mapping[str, int]) -> bool:
        """Whether it holds at this second and is not exhausted."""
        if clock_s < self.starts_s or (self.ends_s is not None and clock_s >= self.ends_s):
            return False
        return self.quota is None or used.get(self.id, 0) < self.quota

    def describe(self) -> str:
        """The rule in a few words, as tools and hosts say it."""
        if self.kind is PromotionKind.GIFT:
            return f"free {self.text}"
        if self.kind is PromotionKind.THRESHOLD:
            return f"{yuan(self.off_fen)} off every {yuan(self.over_fen)}"
        off = f"{self.percent}%" if self.percent else yuan(self.off_fen)
        who = " for members" if self.kind is PromotionKind.MEMBER else ""
        return f"{off} off over {yuan(self.over_fen)}{who}" if self.over_fen else f"{off} off{who}"


STACKING: tuple[PromotionKind, ...] = (
    PromotionKind.ITEM_COUPON,
    PromotionKind.SHOP_COUPON,
    PromotionKind.THRESHOLD,
    PromotionKind.MEMBER,
)
"""Default order after the live price (docs/domain.md section 5: an assumption, hence a parameter)."""


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
    """The exact price of ``quantity`` pieces of one item at this second.

    The flash sale makes the live price, for as many pieces as its quota has left. Then come the kinds of ``order``,
    each on what the one before left; of several promotions of a kind the one that takes most off is used (of equals
    the smaller id). A coupon that would leave less than 1 fen takes that much less.

    Args:
        product: what is bought.
        quantity: pieces, at least 1.
        promotions: all of the stream; those that do not hold now or are for other items are passed over.
        clock_s: stream seconds.
        member: the buyer is a member.
        used: promotion id -> pieces or uses so far.
        order: kinds in the order in which they are taken off; kinds left out are not taken off at all.
            FLASH and GIFT may be named and change nothing.
    """
    if quantity < 1:
        raise ValueError(f"quantity must be at least 1, got {quantity}")
    seen = used or {}
    running = [p for p in promotions if p.applies_to(product.link) and p.active(clock_s, seen)]
    list_fen = product.list_price_fen * quantity
    subtotal = list_fen
    steps: list[Step] = []
    for kind in dict.fromkeys((PromotionKind.FLASH, *order)):
        if kind is PromotionKind.MEMBER and not member:
            continue
        offers = [(-_off(p, product, quantity, subtotal, seen), p.id) for p in running if p.kind is kind]
        if not offers:
            continue
        best = min(offers)
        off = min(-best[0], subtotal - 1)
        if off > 0:
            subtotal -= off
            steps.append(Step(best[1], kind, off, subtotal))
    live_fen = steps[0].after_fen if steps and steps[0].kind is PromotionKind.FLASH else list_fen
    return Quote(quantity, list_fen, live_fen, tuple(steps), subtotal)


def _off(promotion: Promotion, product: Product, quantity: int, subtotal: int, used: Mapping[str, int]) -> int:
    """What a promotion takes off a subtotal, before the floor of 1 fen."""
    if promotion.kind is PromotionKind.FLASH:
        left = promotion.left(used)
        pieces = quantity if left is None else min(quantity, left)
        each = promotion.off_fen + percent_of(product.list_price_fen, promotion.percent)
        return pieces * min(each, product.list_price_fen)
    if promotion.kind is PromotionKind.GIFT or subtotal < promotion.over_fen:
        return 0
    if promotion.kind is PromotionKind.THRESHOLD:
        return subtotal // promotion.over_fen * promotion.off_fen
    return promotion.off_fen + percent_of(subtotal, promotion.percent)


def flash_windows(promotions: Iterable[Promotion], lead_s: float, tail_s: float) -> list[tuple[float, float]]:
    """First and last second of the rush on the shop's systems that each flash sale brings.

    Args:
        promotions: of the stream, of any kind.
        lead_s: the rush starts so long before the sale.
        tail_s: and lasts at most so long into it.
    """
    sales = [(p.starts_s, p.ends_s) for p in promotions if p.kind is PromotionKind.FLASH]
    return [(s - lead_s, s + tail_s if end_s is None else min(s + tail_s, end_s)) for s, end_s in sales]


GIFTS = ("tote bag", "sample set", "gift box", "travel pouch", "sticker pack", "key ring", "tea cup", "care kit")


def generate_promotions(seed: int, catalog: Catalog, horizon_s: float) -> tuple[Promotion, ...]:
    """The promotions of a stream; depends on its arguments alone.

    About half of the items have a coupon, a quarter a flash sale in a window of the stream with a quota, a quarter a
    gift, a third a member price. The shop has a coupon and a cross-store threshold more often than not. Amounts are
    whole yuan. Shares are assumptions (no source publishes them).

    Args:
        seed: any int.
        catalog: what they are for.
        horizon_s: length of the stream in seconds; windows lie inside it.
    """
    made: list[Promotion] = []
    kind = PromotionKind
    for product in catalog.products:
        rng = stream(seed, "promotions", product.link)
        link, whole = product.link, product.list_price_fen // 100
        dice = rng.random(4)
        off = max(1, whole * int(rng.integers(5, 21)) // 100)
        reach = int(rng.choice((50, 80, 100)))  # mostly reached by one piece, sometimes only by two
        over = max(off, whole * reach // 100 if rng.random() < 0.8 else whole * 3 // 2) // 10 * 10
        cut = max(1, whole * int(rng.integers(10, 41)) // 100)
        starts = float(rng.integers(0, max(1, int(horizon_s * 0.7))))
        ends = min(horizon_s, starts + float(rng.integers(60, max(61, int(horizon_s * 0.4)))))
        quota = int(rng.integers(3, 60))
        percent = int(rng.choice((3, 5, 8, 10)))
        gift = GIFTS[int(rng.integers(len(GIFTS)))]
        if dice[0] < 0.55:
            made.append(Promotion(f"c{link}", kind.ITEM_COUPON, link, max(over, off) * 100, off * 100))
        if dice[1] < 0.25:
            made.append(
                Promotion(f"f{link}", kind.FLASH, link, off_fen=cut * 100, starts_s=starts, ends_s=ends, quota=quota)
            )
        if dice[2] < 0.25:
            made.append(Promotion(f"g{link}", kind.GIFT, link, text=gift))
        if dice[3] < 0.33:
            made.append(Promotion(f"m{link}", kind.MEMBER, link, percent=percent))
    rng = stream(seed, "promotions", "shop")
    dice = rng.random(2)
    off, over = ((5, 99), (10, 129), (10, 199), (20, 299))[int(rng.integers(4))]
    every = ((20, 200), (30, 300), (50, 300), (40, 400))[int(rng.integers(4))]
    if dice[0] < 0.55:
        made.append(Promotion("s1", kind.SHOP_COUPON, None, over * 100, off * 100))
    if dice[1] < 0.6:
        made.append(Promotion("t1", kind.THRESHOLD, None, every[1] * 100, every[0] * 100))
    return tuple(made)
