"""Orders that viewers ask about, with private data that must never be spoken aloud."""

from __future__ import annotations

from dataclasses import dataclass

from livesim.seeding import stream
from livesim.world.catalog import Catalog
from livesim.world.invented import inventor

STATUSES = ("paid", "packed", "shipped", "delivered", "refund pending", "refunded")
"""Life of an order, earliest first."""


@dataclass(frozen=True, slots=True)
class Order:
    """One order.

    Attributes:
        id: order number, e.g. ``"A1734"``.
        link: the item bought.
        sku: id of the variant bought.
        status: one of ``STATUSES``.
        name: PRIVATE, of the buyer.
        phone: PRIVATE, eleven digits.
        address: PRIVATE.
    """

    id: str
    link: int
    sku: str
    status: str
    name: str
    phone: str
    address: str

    @property
    def subject(self) -> str:
        """Subject of its facts: ``"order:A1734"``."""
        return f"order:{self.id}"

    @property
    def private(self) -> tuple[str, ...]:
        """What must not be spoken: number, name, phone and address."""
        return (self.id, self.name, self.phone, self.address)


def generate_orders(seed: int, catalog: Catalog, count: int = 6) -> tuple[Order, ...]:
    """``count`` orders of listed items; depends on the arguments alone.

    Names, phones and addresses are invented; the numbers lie in a range in which no
    real subscriber has one (eleven digits starting with 100).
    """
    rng = stream(seed, "orders")
    fake = inventor(int(rng.integers(2**31)))
    numbers = rng.choice(9000, size=count, replace=False) + 1000
    orders = []
    for number in numbers:
        product = catalog.products[int(rng.integers(len(catalog.products)))]
        sku = product.skus[int(rng.integers(len(product.skus)))]
        letter = "ABCDEFGHJK"[int(rng.integers(10))]
        status = STATUSES[int(rng.choice(len(STATUSES), p=(0.15, 0.15, 0.35, 0.2, 0.1, 0.05)))]
        phone = f"100{int(rng.integers(10**8)):08d}"
        address = f"{fake.building_number()} {fake.street_name()}, {fake.city()}"
        orders.append(Order(f"{letter}{number}", product.link, sku.id, status, fake.name(), phone, address))
    return tuple(orders)
