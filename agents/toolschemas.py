"""``ToolSchema``: a listed tool as a host without sight knows it, read from OpenAI's function form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from livesim.types import JsonValue


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """What an observation says about one tool.

    Attributes:
        name: as shown.
        description: as shown.
        kinds: parameters, as shown and in their order, with their JSON types.
        required: the parameters that a call must give.
    """

    name: str
    description: str
    kinds: Mapping[str, str]
    required: tuple[str, ...]

    @property
    def loads_skills(self) -> bool:
        """It looks like the tool that loads skills: its name or its one parameter says so."""
        return len(self.kinds) == 1 and "skill" in " ".join((self.name, *self.kinds)).lower()


def read_schemas(tools: Sequence[Mapping[str, JsonValue]]) -> list[ToolSchema]:
    """The tools of an observation in order; what is no function is left out.

    Args:
        tools: ``info["tools"]``, functions in OpenAI form.
    """
    functions = [tool.get("function") for tool in tools]
    return [_schema(function) for function in functions if isinstance(function, Mapping)]


def _schema(function: Mapping[str, JsonValue]) -> ToolSchema:
    parameters = _mapping(function.get("parameters"))
    required = parameters.get("required")
    return ToolSchema(
        name=str(function.get("name", "")),
        description=str(function.get("description", "")),
        kinds={
            name: str(_mapping(part).get("type", "string"))
            for name, part in _mapping(parameters.get("properties")).items()
        },
        required=tuple(str(name) for name in required) if isinstance(required, list) else (),
    )


def _mapping(value: JsonValue) -> Mapping[str, JsonValue]:
    return value if isinstance(value, Mapping) else {}
