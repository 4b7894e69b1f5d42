"""What a behaviour returns: an ``Answer`` field by field with the facts it states, or a ``Refusal``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from livesim.jsontext import as_json
from livesim.types import JsonValue
from rewards.signals import Fact


def compact(payload: JsonValue) -> str:
    """JSON without blanks, other scripts kept readable; half a surrogate pair becomes ``?``."""
    text = as_json(payload)
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class Field:
    """One entry of the payload and the facts that it states."""

    key: str
    value: JsonValue
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A successful answer, in the order in which it is written."""

    fields: tuple[Field, ...]

    @classmethod
    def of(cls, payload: Mapping[str, JsonValue], facts: Sequence[Fact] = ()) -> Answer:
        """An answer from a plain mapping; all facts are taken to be stated by its last entry."""
        last = len(payload) - 1
        return cls(tuple(Field(k, v, tuple(facts) if i == last else ()) for i, (k, v) in enumerate(payload.items())))

    @property
    def payload(self) -> dict[str, JsonValue]:
        """What the model reads, before it is written as JSON."""
        return {field.key: field.value for field in self.fields}

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Everything the payload states, for the judge."""
        return tuple(fact for field in self.fields for fact in field.facts)

    @property
    def text(self) -> str:
        """What the model reads."""
        return compact(self.payload)


@dataclass(frozen=True, slots=True)
class Refusal:
    """The tool ran and has no answer: what it could not find, and what there is instead."""

    reason: str

    @property
    def text(self) -> str:
        """What the model reads."""
        return compact({"error": self.reason})
