"""``Check``: one registered test of a turn, a call or a reply; a hook names it, words it and sets its options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from livesim.harness.callform import ParsedCall
from livesim.harness.codec import Parsed
from livesim.harness.state import HarnessState

Option: TypeAlias = "int | str | bool"
Options: TypeAlias = Mapping[str, Option]
Finding: TypeAlias = Mapping[str, str]
"""What the message's placeholders stand for; ``None`` in its place means that nothing is wrong."""


class Stage(StrEnum):
    """When a check runs."""

    TURN = "turn"  # on every turn, before anything else
    CALL = "call"  # on every call
    REPLY = "reply"  # on a turn that would be the reply


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a check may look at.

    Attributes:
        parsed: the turn.
        state: the harness in force.
        call: the call in question, at stage CALL.
        skills_loaded: canonical ids so far.
        prompt: the system and the request message.
        results: skill bodies and tool results so far; feedback is no source.
        titles: of the listed items; their words are no claim of the host.
        earlier: every call of earlier turns as ``codec.render_call`` writes it, shown names.
        problem: what ``calls.bind`` finds wrong with the call, ``""`` for nothing; None: nobody looked so far.
        platform: whose rules are in force in the room.
    """

    parsed: Parsed
    state: HarnessState
    call: ParsedCall | None = None
    skills_loaded: tuple[str, ...] = ()
    prompt: str = ""
    results: str = ""
    titles: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()
    problem: str | None = None
    platform: str = ""

    @property
    def reply(self) -> str:
        """The speech of the turn."""
        return self.parsed.speech


@dataclass(frozen=True, slots=True)
class Check:
    """A registered check.

    Attributes:
        name: what ``hooks.yaml`` calls it.
        code: number in messages of form CODE.
        stage: when it runs.
        run: the finding, or None.
        message: default wording.
        options: every option with its default value; the type of the default is the type of the option.
        places: placeholders of the message beside those of every prompt.
        always: it runs even when no hook asks for it; a hook then only words it.
        switches: options that each turn a rule on, so that a platform can be exempt from it alone; others allow more.
    """

    name: str
    code: int
    stage: Stage
    run: Callable[[Attempt, Options], Finding | None]
    message: str
    options: Options = field(default_factory=lambda: MappingProxyType({}))
    places: tuple[str, ...] = ()
    always: bool = False
    switches: tuple[str, ...] = ()
