"""Every assumed number of the viewers, halved and raised by half: the configs of a sensitivity analysis."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic.fields import FieldInfo

from livesim.config import StrictModel
from livesim.world.viewers import ViewerConfig

FACTORS = (0.5, 1.5)
"""Minus and plus 50 %."""


def variations(config: ViewerConfig, *, weights: bool = True) -> dict[str, tuple[ViewerConfig, ...]]:
    """Name of a number -> the config with it halved, and with it raised by half.

    Every number but 0 counts, fields of nested models too (``behaviour.patience_s``). A value that a field doesn't
    allow becomes the nearest allowed one; where that changes nothing the config is left out.

    Args:
        config: the base.
        weights: vary what mappings hold too (``intents.price``).
    """
    found: dict[str, tuple[ViewerConfig, ...]] = {}
    for path, value, bound in _numbers(config, weights):
        scaled = [min(value * factor, bound) for factor in FACTORS]
        whole = isinstance(value, int)
        varied = [_with(config, path, round(new) if whole else new) for new in scaled if new != value]
        if varied:
            found[".".join(path)] = tuple(varied)
    return found


def _numbers(
    model: StrictModel, weights: bool, before: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], float, float]]:
    """Path, value and greatest allowed value of every number but 0."""
    for name, info in type(model).model_fields.items():
        value = getattr(model, name)
        path = (*before, name)
        if isinstance(value, StrictModel):
            yield from _numbers(value, weights, path)
        elif isinstance(value, Mapping):
            yield from (((*path, str(key)), weight, math.inf) for key, weight in value.items() if weights and weight)
        elif _is_number(value):
            yield path, value, _bound(info)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value != 0


def _bound(info: FieldInfo) -> float:
    """The greatest value a field allows; just below an open end."""
    for mark in info.metadata:
        if getattr(mark, "le", None) is not None:
            return float(mark.le)
        if getattr(mark, "lt", None) is not None:
            return float(mark.lt) * (1 - 1e-9)
    return math.inf


def _with(config: ViewerConfig, path: tuple[str, ...], value: float) -> ViewerConfig:
    data: dict[str, Any] = config.model_dump(mode="json")
    place = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return ViewerConfig.model_validate(data)
