"""Checks what ``gym.make`` and ``reset`` are given, before any of it is used."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np

from livesim.errors import ConfigError, unknown
from livesim.harness.augment import PRESETS as AUGMENT_PRESETS
from livesim.harness.augment import HSAConfig, Variant, augment
from livesim.harness.state import HarnessState
from livesim.seeding import stream
from livesim.tools.faults import PRESETS as FAULT_PRESETS
from livesim.tools.faults import FaultConfig

OPTIONS = ("scenario", "harness", "augment", "harness_seed", "faults", "request")
"""What ``reset(options=...)`` may hold."""


def checked_options(options: Mapping[str, object] | None) -> dict[str, object]:
    """The options of ``reset``. Raises ConfigError for an unknown one."""
    chosen = dict(options or {})
    for name in chosen:
        if name not in OPTIONS:
            raise ConfigError(unknown("option of reset", name, OPTIONS))
    return chosen


def check_counts(counts: Mapping[str, object]) -> None:
    """Each must be None or a whole number of at least 1. Raises ConfigError naming the first that is not."""
    for name, count in counts.items():
        if count is not None and (not isinstance(count, int) or isinstance(count, bool) or count < 1):
            raise ConfigError(f"{name} must be a whole number of at least 1 or None, got {count!r}")


def augment_config(value: str | HSAConfig | None) -> HSAConfig | None:
    """A configuration of augmentation, by value or by name. Raises ConfigError for any other."""
    if value is None or isinstance(value, HSAConfig):
        return value
    if not isinstance(value, str) or value not in AUGMENT_PRESETS:
        raise ConfigError(unknown("augment", value, AUGMENT_PRESETS))
    return AUGMENT_PRESETS[value]


def fault_config(value: str | FaultConfig | None) -> FaultConfig | None:
    """A configuration of faults, by value or by name. Raises ConfigError for any other."""
    if value is None or isinstance(value, FaultConfig):
        return value
    if not isinstance(value, str) or value not in FAULT_PRESETS:
        raise ConfigError(unknown("faults", value, FAULT_PRESETS))
    return FAULT_PRESETS[value]


def whole(name: str, value: object, default: int) -> int:
    """An option that must be a whole number of at least 0. Raises ConfigError for any other."""
    if value is None:
        return default
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= 0:
        return int(value)
    raise ConfigError(f"option {name!r} must be a whole number of at least 0, got {value!r}")


def drawn_variant(state: HarnessState, config: HSAConfig | None, seed: int, max_rounds: int | None) -> Variant:
    """The harness of an episode: the state itself, or a variant of it drawn from ``seed``."""
    if max_rounds is not None:
        state = dataclasses.replace(state, hooks=dataclasses.replace(state.hooks, rounds=max_rounds))
    return Variant(state, (), True) if config is None else augment(state, config, stream(seed, "variant"))
