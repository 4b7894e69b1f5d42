"""``inventor``: names, towns and addresses that belong to nobody, from one Faker a thread."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from faker import Faker

_OWN = threading.local()


def inventor(seed: int) -> Faker:
    """A Faker seeded with ``seed``: what it says depends on that alone.

    It is the same one every time, since one takes longer to set up than a stream with all its goods. Be done with it
    before you ask again.
    """
    if not hasattr(_OWN, "faker"):
        from faker import Faker  # late: it costs a fifth of livesim's import budget

        _OWN.faker = Faker("en_US")
    faker: Faker = _OWN.faker
    faker.seed_instance(seed)
    return faker
