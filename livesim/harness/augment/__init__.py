"""Harness-state augmentation: task-preserving variants of a harness, drawn from wide pools."""

from livesim.harness.augment.apply import DIMENSIONS, GIVEN_UP, REFUSED, TOUCHES, Change, Variant, augment
from livesim.harness.augment.check import growth, problems
from livesim.harness.augment.config import PRESETS, Dimension, HSAConfig, Split
from livesim.harness.augment.strangers import strangers

__all__ = [
    "DIMENSIONS",
    "GIVEN_UP",
    "PRESETS",
    "REFUSED",
    "TOUCHES",
    "Change",
    "Dimension",
    "HSAConfig",
    "Split",
    "Variant",
    "augment",
    "growth",
    "problems",
    "strangers",
]
