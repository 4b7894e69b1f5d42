"""Strict YAML: an unknown or wrong field is an error that names the file, the field and the nearest match."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from livesim.errors import ConfigError, unknown

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


class StrictModel(BaseModel):
    """Base of every configuration: frozen, no unknown fields, only finite numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


_QUOTED = re.compile(r"'([^']*)'")

MOST_SHOWN = 120
"""Characters of a wrong value that an error shows."""

M = TypeVar("M", bound=BaseModel)


def load_yaml(path: Path | str) -> object:
    """What a YAML file holds. Raises ConfigError naming the file and line when it is missing or no YAML."""
    path = Path(path)
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        near = sorted(p.name for p in path.parent.glob("*.y*ml")) if path.parent.is_dir() else []
        raise ConfigError(f"no file {path}; files there: {', '.join(near) or 'none'}") from None
    except yaml.MarkedYAMLError as error:
        line = "" if error.problem_mark is None else f", line {error.problem_mark.line + 1}"
        why = " ".join(filter(None, (error.context, error.problem)))
        raise ConfigError(f"{path}{line} is no readable YAML: {why}; put text that holds ? : # , in quotes") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is no readable YAML: {error}") from None


def parse(model: type[M], data: object, where: str) -> M:
    """``data`` as ``model``.

    Args:
        model: a StrictModel.
        data: plain values as YAML gives them.
        where: named in the error, e.g. the file.

    Raises:
        ConfigError: one line for each wrong field, with the nearest allowed name.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        lines = [line for item in error.errors() if (line := _line(model, item))]
        raise ConfigError(f"{where}:\n  " + "\n  ".join(lines)) from None


def _line(model: type[BaseModel], item: ErrorDetails) -> str:
    """One error as a sentence; empty for "no text either", where fields or the name of a preset could stand."""
    parts = [str(part) for part in item["loc"] if not str(part).startswith("function-")]
    path, kind, given = ".".join(parts), item["type"], item.get("input")
    if kind == "string_type" and parts[-1:] == ["str"] and isinstance(given, dict):
        return ""
    if kind == "extra_forbidden":
        return unknown(f"field {path!r}:", item["loc"][-1], _fields_at(model, item["loc"][:-1]))
    context = item.get("ctx", {})
    if kind in ("enum", "literal_error"):
        return f"{path}: " + unknown("value", given, _QUOTED.findall(str(context.get("expected", ""))))
    if kind == "union_tag_invalid":
        return f"{path}: " + unknown("kind", context.get("tag"), _QUOTED.findall(str(context.get("expected_tags"))))
    got = f" (got {given!r})" if len(repr(given)) <= MOST_SHOWN else ""  # nobody reads a whole file in an error
    return f"{path or 'top level'}: {item['msg'].removeprefix('Value error, ')}{got}"


def changed(data: dict[str, object], changes: tuple[str, ...]) -> dict[str, object]:
    """``data`` with ``key.sub=value`` overrides. Raises ConfigError for text without ``=``."""
    data = copy.deepcopy(data)
    for change in changes:
        key, equals, value = change.partition("=")
        if not equals:
            raise ConfigError(f"--set {change!r}: write key.sub=value")
        at = data
        *parents, last = key.strip().split(".")
        for parent in parents:
            inner = at.setdefault(parent, {})
            if not isinstance(inner, dict):
                raise ConfigError(f"--set {change!r}: {parent} holds a value, no fields")
            at = inner
        at[last] = yaml.safe_load(value)
    return data


def _fields_at(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    """Field names of the model that ``path`` leads to, as far as it can be followed."""
    choices = [model]
    for part in path:
        tagged = [choice for choice in choices if part in _tags(choice)]
        if tagged:  # which one of a union it is
            choices = tagged
            continue
        field = choices[0].model_fields.get(str(part))
        choices = (list(_models(field.annotation)) if field is not None else []) or choices
    return list(choices[0].model_fields)


def _tags(model: type[BaseModel]) -> tuple[object, ...]:
    """Values of the field ``kind`` by which a union tells its members apart."""
    kind = model.model_fields.get("kind")
    return getattr(kind.annotation, "__args__", ()) if kind is not None else ()


def _models(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [m for arg in getattr(annotation, "__args__", ()) for m in _models(arg)]
