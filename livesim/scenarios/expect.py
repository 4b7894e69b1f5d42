"""``Expect``: what must and must not happen in a scenario, strict enough to be a regression test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import BeforeValidator, Field, field_validator, model_validator

from livesim.config import StrictModel
from livesim.errors import unknown
from livesim.tools.builtin import LOAD_SKILL, SPECS
from rewards.recovery import Recovery
from rewards.score import HEADS

OUTCOMES = tuple(str(outcome) for outcome in Recovery if outcome is not Recovery.NONE)
"""What may become of a request that a fault hit."""

FLOORED = (*HEADS, "length")
"""Heads that may have a floor."""


def _listed(value: object) -> object:
    """A single entry where a list is meant."""
    return [value] if isinstance(value, str | Mapping) else value


class CallPattern(StrictModel):
    """A call of a canonical tool that reached it; arguments that are not named may have any value.

    Attributes:
        tool: canonical name.
        arguments: canonical names and values; compared by what they spell.
        ok: only calls that went well (true) or failed (false); None: both.
    """

    tool: str
    arguments: dict[str, int | str] = Field(default_factory=dict)
    ok: bool | None = None

    @model_validator(mode="before")
    @classmethod
    def _name_alone(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            return {"tool": value} if isinstance(value, str) else value
        spec = SPECS.get(str(value.get("tool")))
        bare = [name for name in value if spec is not None and name in spec.arguments.model_fields]
        if bare:
            inner = ", ".join(f"{name}: {value[name]}" for name in bare)
            raise ValueError(f"what a tool is called with is written arguments: {{{inner}}}")
        return value

    @model_validator(mode="after")
    def _known(self) -> CallPattern:
        if self.tool == LOAD_SKILL:
            raise ValueError(f"{LOAD_SKILL} is answered by the harness itself: use must_load")
        if self.tool not in SPECS:
            raise ValueError(unknown("tool", self.tool, SPECS))
        fields = SPECS[self.tool].arguments.model_fields
        for name in self.arguments:
            if name not in fields:
                raise ValueError(unknown(f"argument of {self.tool}", name, fields))
        return self

    def describe(self) -> str:
        """In one line: ``price_check(link=2)``."""
        inner = ", ".join(f"{name}={value}" for name, value in self.arguments.items())
        word = {None: "", True: " that went well", False: " that failed"}[self.ok]
        return f"{self.tool}({inner}){word}" if inner else f"{self.tool}{word}"


class Saying(StrictModel):
    """Words of a reply: any of some phrases, or the value of a fact in the second in which the reply was spoken.

    In a file: a phrase, a list of phrases of which one is enough, or ``{fact: link:2 final_price}``.

    Attributes:
        phrases: compared without case and as whole words.
        fact: subject and name with a blank between; its value in any fair form (``89 yuan``, ``89.00``).
    """

    phrases: tuple[str, ...] = ()
    fact: str = ""

    @model_validator(mode="before")
    @classmethod
    def _words_alone(cls, value: object) -> object:
        if isinstance(value, str | int | float):
            return {"phrases": [str(value)]}
        return {"phrases": [str(word) for word in value]} if isinstance(value, list | tuple) else value

    @model_validator(mode="after")
    def _one(self) -> Saying:
        if bool(self.phrases) == bool(self.fact):
            raise ValueError("give phrases or a fact, not both and not neither")
        if any(not phrase.strip() for phrase in self.phrases):
            raise ValueError("a phrase holds at least one word")
        if self.fact and len(self.fact.split()) != 2:
            raise ValueError(f"write a fact as 'link:2 final_price', got {self.fact!r}")
        return self

    @property
    def subject(self) -> str:
        """Of the fact: ``"link:2"``."""
        return self.fact.split()[0] if self.fact else ""

    @property
    def name(self) -> str:
        """Of the fact: ``"final_price"``."""
        return self.fact.split()[-1] if self.fact else ""

    def describe(self) -> str:
        """In one line."""
        return f"the fact {self.fact}" if self.fact else " or ".join(repr(phrase) for phrase in self.phrases)


Patterns = Annotated[tuple[CallPattern, ...], BeforeValidator(_listed)]
Sayings = Annotated[tuple[Saying, ...], BeforeValidator(_listed)]


class Checks(StrictModel):
    """What is asked of an episode, or of one request of it.

    Attributes:
        must_call: each of these was called.
        must_not_call: none of these was.
        must_say: each of these was said in a reply.
        must_not_say: none of these was.
        no_more_than: canonical tool -> most calls that reached it.
        must_load: skills (canonical ids) that were loaded.
        recover_within_s: stream seconds from the turn that met the first fault of a request to the turn that answered.
        heads: head -> least value, for every request.
        outcome: what may become of requests that a fault hit; at least one was hit.
        handed_off: a human colleague was called (true) or not (false).
    """

    must_call: Patterns = ()
    must_not_call: Patterns = ()
    must_say: Sayings = ()
    must_not_say: Sayings = ()
    no_more_than: dict[str, int] = Field(default_factory=dict)
    must_load: tuple[str, ...] = ()
    recover_within_s: float | None = Field(default=None, gt=0)
    heads: dict[str, float] = Field(default_factory=dict)
    outcome: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()
    handed_off: bool | None = None

    @field_validator("no_more_than")
    @classmethod
    def _tools(cls, most: dict[str, int]) -> dict[str, int]:
        if LOAD_SKILL in most:
            raise ValueError(f"{LOAD_SKILL} is answered by the harness itself: use must_load")
        _known("tool", most, SPECS)
        if any(number < 0 for number in most.values()):
            raise ValueError("a number of calls is at least 0")
        return most

    @field_validator("heads")
    @classmethod
    def _floors(cls, heads: dict[str, float]) -> dict[str, float]:
        _known("head", heads, FLOORED)
        if any(not -1 <= floor <= 1 for floor in heads.values()):
            raise ValueError("a floor lies in [0, 1] (length: [-1, 0])")
        return heads

    @field_validator("outcome")
    @classmethod
    def _outcomes(cls, outcome: tuple[str, ...]) -> tuple[str, ...]:
        _known("outcome", outcome, OUTCOMES)
        return outcome

    @property
    def empty(self) -> bool:
        """Nothing is asked."""
        return not self.model_dump(exclude_defaults=True)


class Expect(Checks):
    """What is asked of the whole episode.

    Attributes:
        requests: number of a request, 1 for the first -> what is asked of that one besides.
        answered: least number of requests that got a reply.
        breach_points: most points of broken platform rules.
    """

    requests: dict[int, Checks] = Field(default_factory=dict)
    answered: int | None = Field(default=None, ge=0)
    breach_points: int = Field(default=0, ge=0)

    @field_validator("requests", mode="before")
    @classmethod
    def _by_number(cls, requests: object) -> object:
        if not isinstance(requests, Mapping):
            raise ValueError("write the number of a request before what is asked of it: {1: {must_say: ...}}")
        return requests

    @field_validator("requests")
    @classmethod
    def _counted(cls, requests: dict[int, Checks]) -> dict[int, Checks]:
        if any(number < 1 for number in requests):
            raise ValueError("requests are counted from 1")
        return requests


def _known(what: str, names: Iterable[str], allowed: Iterable[str]) -> None:
    known = tuple(allowed)
    for name in names:
        if name not in known:
            raise ValueError(unknown(what, name, known))
