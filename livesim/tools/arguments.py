"""Validation of a call's arguments: normalised values, or one sentence that names what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from livesim.errors import unknown
from livesim.tools.spec import ToolSpec
from livesim.types import JsonValue

Arguments = Mapping[str, int | str]
"""Validated arguments under canonical names, optional ones filled in when they were given."""


def normalise(
    spec: ToolSpec, arguments: Mapping[str, JsonValue], shown: Mapping[str, str] | None = None
) -> tuple[dict[str, int | str], str]:
    """Arguments as the tool takes them, and what is wrong with them.

    Strict where the meaning could differ (unknown names, wrong types, out of range, true for 1), lenient where it
    cannot: ``"2"`` and ``2.0`` are the link 2, a bare ``17`` is the order ``"17"``. ``null`` for an optional argument
    means that it was not given.

    Args:
        spec: the tool.
        arguments: canonical names -> values as the model wrote them.
        shown: canonical name -> the name this harness shows, used in the sentence; missing ones are canonical.

    Returns:
        The given arguments, normalised, and ``""``; or ``{}`` and the sentence.
    """
    names = shown or {}
    fields = _fields(spec.arguments)
    given = {k: v for k, v in arguments.items() if v is not None or k not in fields or fields[k].is_required()}
    try:
        model = spec.arguments.model_validate(given)
    except ValidationError as error:
        return {}, "; ".join(
            _sentence(item["loc"], item["type"], item["msg"], item.get("input"), spec, names)
            for item in error.errors()[:3]
        )
    return {name: getattr(model, name) for name in given}, ""


@cache
def _fields(arguments: type[BaseModel]) -> Mapping[str, FieldInfo]:
    return MappingProxyType(arguments.model_fields)


def _sentence(
    loc: tuple[int | str, ...], kind: str, message: str, value: object, spec: ToolSpec, names: Mapping[str, str]
) -> str:
    fields = _fields(spec.arguments)
    where = str(loc[0]) if loc else ""
    name = names.get(where, where)
    if kind == "extra_forbidden":
        return unknown("parameter", name[:80], [names.get(f, f) for f in fields])
    if kind == "missing":
        return f"parameter {name!r} is missing: {fields[where].description}"
    reason = message.removeprefix("Value error, ").removeprefix("Input ")
    return f"parameter {name!r} {reason[:1].lower()}{reason[1:]}, got {_brief(value)}"


def _brief(value: object) -> str:
    """A value as the sentence names it: short, and safe for whatever a model may have written."""
    if isinstance(value, list):
        return "a list"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**18:
        return "a very large number"
    return repr(value if not isinstance(value, str) else value[:40])
