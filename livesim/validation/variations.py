"""Every assumed number of the viewers, halved and raised by half: configs and constants of a sensitivity analysis."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any, NamedTuple

from pydantic.fields import FieldInfo

from livesim.config import StrictModel
from livesim.world import cast, parametric, plan
from livesim.world.behaviour import TRAITS, Traits
from livesim.world.viewers import ViewerConfig

FACTORS = (0.5, 1.5)
"""Minus and plus 50 %."""

CONSTANTS: tuple[tuple[ModuleType, str], ...] = (
    (plan, "START_S"),
    (plan, "PUSH_S"),
    (plan, "PUSH_FACTOR"),
    (parametric, "BUYING_S"),
    (parametric, "CALM_BUYS"),
)
"""Assumed numbers that no configuration holds and on which points or orders of the validated room depend."""


class Constant(NamedTuple):
    """A module's constant and another value for it."""

    module: ModuleType
    name: str
    value: object

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Within this the module has the other value."""
        own = getattr(self.module, self.name)
        setattr(self.module, self.name, self.value)
        try:
            yield
        finally:
            setattr(self.module, self.name, own)


def constants() -> dict[str, tuple[Constant, ...]]:
    """Name of an assumed constant -> it halved, and it raised by half.

    The factors of the kinds of viewers are varied together, as powers: all of them nearer to 1, and all farther away.
    """
    found = {}
    for module, name in CONSTANTS:
        short = module.__name__.rpartition(".")[2]
        found[f"{short}.{name}"] = tuple(Constant(module, name, factor * getattr(module, name)) for factor in FACTORS)
    found["cast.TRAITS (contrast)"] = tuple(
        Constant(cast, "TRAITS", {kind: _power(traits, factor) for kind, traits in TRAITS.items()})
        for factor in FACTORS
    )
    return found


def _power(traits: Traits, exponent: float) -> Traits:
    names = ("stay", "talk", "click", "order", "back", "patience", "credit")
    factors = {name: getattr(traits, name) ** exponent for name in names}
    intents = {intent: factor**exponent for intent, factor in traits.intents.items()}
    return dataclasses.replace(traits, intents=intents, **factors)


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
