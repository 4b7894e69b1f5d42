"""``spec_of``: an MCP tool's JSON schema to a ``ToolSpec``, as far as whole numbers and text can carry it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, Field, create_model

from livesim.config import StrictModel
from livesim.tools.arguments import Arguments
from livesim.tools.builtin import Text, Whole
from livesim.tools.spec import Effect, ToolSpec
from livesim.types import JsonValue

if TYPE_CHECKING:
    from mcp.types import Tool

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_SWITCH = object()
"""Marks a text parameter that the server takes as true or false."""


class UnfitSchema(ValueError):
    """A tool that can't be shown; says which parameter is why."""


def spec_of(tool: Tool) -> ToolSpec:
    """The spec of a tool.

    Whole numbers and text go through as they are, a number is asked for as a whole one, a switch as ``"true"`` or
    ``"false"``. An optional parameter of any other type is left out.

    Args:
        tool: as the server lists it. Without the hint that it only reads, it counts as WRITE.

    Raises:
        UnfitSchema: a required parameter has another type or a name that can't be shown.
    """
    schema = tool.input_schema
    required = set(schema.get("required", ()))
    fields: dict[str, Any] = {}
    for name, part in schema.get("properties", {}).items():
        kind = _kind(part)
        if kind is None or not _NAME.fullmatch(name):
            if name in required:
                raise UnfitSchema(f"parameter {name!r} is neither a whole number nor text")
            continue
        fields[name] = (kind, ... if name in required else None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a parameter may have the name of a method of pydantic's models
        arguments: type[BaseModel] = create_model("Arguments", __base__=StrictModel, **fields)
    reads = tool.annotations is not None and bool(tool.annotations.read_only_hint)
    description = " ".join((tool.description or tool.title or tool.name).split())
    return ToolSpec(tool.name, description, arguments, Effect.READ if reads else Effect.WRITE)


def wire(spec: ToolSpec, arguments: Arguments) -> dict[str, JsonValue]:
    """Validated arguments as the server takes them: switches are booleans again."""
    fields = spec.arguments.model_fields
    return {name: value == "true" if _SWITCH in fields[name].metadata else value for name, value in arguments.items()}


def _kind(part: Mapping[str, Any]) -> object | None:
    """The annotation of one parameter; None for a type that can't be shown."""
    part = {**part, **_only(part)}
    about = " ".join(str(part.get("description") or part.get("title") or "").split()) or None
    choices = part.get("enum")
    match part.get("type"):
        case "string" if choices and all(isinstance(choice, str) for choice in choices):
            words = "one of " + ", ".join(choices)
            return Annotated[Literal[tuple(choices)], Field(description=f"{about}: {words}" if about else words)]
        case "string":
            shortest, longest = part.get("minLength"), part.get("maxLength")
            return Annotated[Text, Field(description=about, min_length=shortest, max_length=longest)]
        case "integer" | "number":
            return Annotated[Whole, Field(description=about, ge=part.get("minimum"), le=part.get("maximum"))]
        case "boolean":
            return Annotated[Literal["true", "false"], _SWITCH, Field(description=about)]
    return None


def _only(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """The one alternative beside null, where the parameter may be null."""
    rest = [choice for choice in part.get("anyOf", ()) if choice.get("type") != "null"]
    return rest[0] if len(rest) == 1 else {}
