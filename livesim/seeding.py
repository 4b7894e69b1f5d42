"""Named, independent random streams from one seed."""

from __future__ import annotations

import zlib

import numpy as np


def stream(seed: int, *path: str | int) -> np.random.Generator:
    """A generator that depends on the seed and the path alone.

    The same arguments give the same numbers in every process; different paths are independent, so that drawing
    from ``stream(7, "faults")`` never moves ``stream(7, "viewers")``.

    Args:
        seed: any int; taken modulo 2**64.
        path: words or numbers that name the stream, e.g. ``("faults", "price_check", 3)``.
    """
    key = tuple(zlib.crc32(str(word).encode()) for word in path)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed % 2**64, spawn_key=key)))


def derive(seed: int, *path: str | int) -> int:
    """A 63-bit seed for a part that wants a number instead of a generator."""
    return int(stream(seed, *path, "derive").integers(0, 2**63))
