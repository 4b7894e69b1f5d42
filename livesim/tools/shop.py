"""What tools may read and do, and the behaviours of the twelve built-in tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from livesim.world.catalog import Catalog
from livesim.world.orders import Order
from livesim.world.promotions import Promotion


@dataclass(slots=True)
class ShopView:
    """The shop in the second of a call. Tools read it; the two WRITE tools append to its last two lists.

    Attributes:
        catalog: what is listed.
        stock: SKU id -> pieces left.
        promotions: all of the stream, in force or not.
        clock_s: stream seconds.
        used: promotion id -> pieces or uses so far.
        orders: known to ``order_lookup``.
        pushed: links whose card was shown, oldest first; ``push_card`` appends unless the last one is the same.
        handoffs: reasons of open hand-offs; ``hand_off`` appends unless the same reason is open.
    """

    catalog: Catalog
    stock: Mapping[str, int]
    promotions: tuple[Promotion, ...] = ()
    clock_s: float = 0.0
    used: Mapping[str, int] = field(default_factory=dict)
    orders: tuple[Order, ...] = ()
    pushed: list[int] = field(default_factory=list)
    handoffs: list[str] = field(default_factory=list)
