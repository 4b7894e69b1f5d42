"""``ToolSpec``: a tool's canonical name, typed arguments and effect; no behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel

from livesim.types import JsonValue


class Effect(StrEnum):
    """Whether a call changes the room. Only READ calls may be retried without asking."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the world knows it.

    Attributes:
        name: canonical name; scoring happens on this one only.
        description: what it is for, one clause, without the name.
        arguments: a pydantic model; its JSON schema is what views are checked against.
        effect: READ or WRITE.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    effect: Effect = Effect.READ

    def schema(self) -> dict[str, JsonValue]:
        """JSON schema of the arguments, canonical names."""
        return self.arguments.model_json_schema()
