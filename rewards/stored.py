"""Values as plain JSON and back, so that stored ``Signals`` can be scored again without a replay."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import TypeVar, cast

T = TypeVar("T")


def plain(value: object) -> object:
    """Dataclasses, mappings, tuples and enums as dicts, lists and text.

    Raises:
        TypeError: for anything that has no JSON form.
    """
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"no plain form for {type(value).__name__}")


def restore(kind: type[T], data: object) -> T:
    """What ``plain`` was given, from what it gave back.

    Args:
        kind: a dataclass whose fields are plain values, enums, tuples, mappings or further dataclasses.
        data: as ``json.loads`` gives it.

    Raises:
        TypeError: a missing or unknown field, or a value of another type.
        ValueError: a word that is none of an enum's.
    """
    return cast(T, _restore(kind, data))


def _restore(kind: object, data: object) -> object:
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        return _restore_union(typing.get_args(kind), data)
    if origin is tuple:
        inner = typing.get_args(kind)
        items = _expect(list, data)
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(_restore(inner[0], item) for item in items)
        return tuple(_restore(part, item) for part, item in zip(inner, items, strict=True))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        item_kind = typing.get_args(kind)[1]
        return {key: _restore(item_kind, item) for key, item in _expect(dict, data).items()}
    if isinstance(kind, type):
        if dataclasses.is_dataclass(kind):
            hints = _hints(kind)
            return kind(**{name: _restore(hints.get(name, object), item) for name, item in _expect(dict, data).items()})
        if issubclass(kind, StrEnum):
            return kind(_expect(str, data))
        if kind is float and isinstance(data, int):
            return float(data)
        if kind in (str, int, float, bool):
            return _expect(kind, data)
    return data


def _restore_union(options: tuple[object, ...], data: object) -> object:
    if data is None:
        return None
    rest = [option for option in options if option is not type(None)]
    return _restore(rest[0], data) if len(rest) == 1 else data


def _expect(kind: type[T], data: object) -> T:
    if not isinstance(data, kind):
        raise TypeError(f"expected {kind.__name__}, got {type(data).__name__}: {data!r:.80}")
    return data


@cache
def _hints(kind: type) -> dict[str, object]:
    return typing.get_type_hints(kind)
