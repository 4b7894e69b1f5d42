"""Harness-state augmentation: task-preserving variants of a harness, drawn from wide pools."""

from livesim.harness.augment.apply import Change, Variant, augment
from livesim.harness.augment.config import PRESETS, Dimension, HSAConfig, Split

__all__ = ["PRESETS", "Change", "Dimension", "HSAConfig", "Split", "Variant", "augment"]
