"""``augment``: draw a harness variant, check it, draw again where it does not hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from livesim.harness.augment.config import Dimension, HSAConfig
from livesim.harness.state import HarnessState


@dataclass(frozen=True, slots=True)
class Change:
    """One dimension that was varied: its strength and the parts of the state whose hash it changed."""

    dimension: Dimension
    strength: float
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """A harness as an episode uses it.

    Attributes:
        state: the harness, varied or not.
        changes: the dimensions that were varied, in order.
        original: the harness is the original one.
        redraws: drafts that were refused by ``problems`` on the way.
    """

    state: HarnessState
    changes: tuple[Change, ...]
    original: bool
    redraws: int = 0


def augment(state: HarnessState, config: HSAConfig, rng: np.random.Generator) -> Variant:
    """A variant of ``state``; the same generator state gives the same variant."""
    raise NotImplementedError
