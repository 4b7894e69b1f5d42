"""``facts()``: everything that is true of the shop in one second, as typed statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from livesim.world.catalog import Catalog
from livesim.world.orders import Order
from livesim.world.promotions import Promotion
from rewards.signals import Fact


def facts(
    catalog: Catalog,
    stock: Mapping[str, int],
    promotions: Sequence[Promotion],
    clock_s: float,
    used: Mapping[str, int],
    *,
    orders: Sequence[Order] = (),
    quantities: Sequence[int] = (2, 3),
    bodies: Sequence[tuple[int, int]] = (),
) -> tuple[Fact, ...]:
    """The truth of this second.

    Args:
        catalog: what is listed.
        stock: SKU id -> pieces left.
        promotions: all of the stream, in force or not.
        clock_s: stream seconds.
        used: promotion id -> pieces or uses so far.
        orders: known to ``order_lookup``.
        quantities: pieces for which ``final_price:<quantity>`` is stated.
        bodies: (height cm, weight kg) for which ``size:<height>/<weight>`` is stated.
    """
    raise NotImplementedError
