"""Folds the turns, calls and ending of one request into ``Signals``; what the oracle may see of it is ``Sight``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from livesim.harness.state import HarnessState
from livesim.types import JsonValue, Request, RequestEnd, RoomView, Segment, ToolCall, ToolResult
from rewards.signals import Breach, CallRecord, Fact, FactKind, Limits, Need, Signals

CHARACTERS_PER_TOKEN = 4
"""Declared rule for text that comes without a token count: one token per four characters, rounded up."""

HOST_IS_AI = Fact("host", "is_ai", FactKind.FLAG, "yes")
"""Known without a tool: every prompt says that the host is an AI."""


def approx_tokens(text: str) -> int:
    """Tokens of ``text`` by the declared rule; 0 for blank text."""
    return math.ceil(len(text.strip()) / CHARACTERS_PER_TOKEN)


@dataclass(frozen=True, slots=True)
class Sight:
    """The hidden half of the open request: what only a sighted agent is handed.

    Attributes:
        request_id: changes when a new request opens.
        needs: what the viewers want.
        harness: the state in force; shown names are in its views and skills.
        skill_options: per intent: canonical ids of the reply skills that serve it.
        calls: every call of this request so far.
        skills_loaded: canonical ids in order of loading.
        truth: facts true in this second.
        known: facts that the prompt states.
        limits: in force for this request.
        comments: what the viewers wrote.
        room: the public room.
        blocked: replies sent back by a hook so far.
        rounds_left: assistant turns left for this request.
    """

    request_id: str
    needs: tuple[Need, ...]
    harness: HarnessState
    skill_options: tuple[tuple[str, tuple[str, ...]], ...]
    calls: tuple[CallRecord, ...]
    skills_loaded: tuple[str, ...]
    truth: tuple[Fact, ...]
    known: tuple[Fact, ...]
    limits: Limits
    comments: tuple[str, ...]
    room: RoomView
    blocked: int = 0
    rounds_left: int = 0


class Ledger:
    """The running account of one request.

    Args:
        request: the comments that opened it.
        needs: what the viewers want (hidden from the agent).
        harness: the state in force.
        room: the public room when the request opened.
        known: facts that the prompt states beyond the host's being an AI.
    """

    def __init__(
        self,
        request: Request,
        needs: Sequence[Need],
        harness: HarnessState,
        room: RoomView,
        known: Sequence[Fact] = (),
    ) -> None:
        self.request = request
        self.needs = tuple(needs)
        self.harness = harness
        self.room = room
        self.known = (HOST_IS_AI, *known)
        self.calls: list[CallRecord] = []
        self.tool_thought_tokens = 0
        self.reply_thought_tokens = 0

    @property
    def skill_options(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Per intent of the needs: the reply skills of this harness that serve it."""
        return tuple((need.intent, self.harness.skills_for(need.intent)) for need in self.needs)

    @property
    def strategy_options(self) -> tuple[str, ...]:
        """Strategy skills that fit one of the intents, in the harness's order."""
        fitting = {skill for need in self.needs for skill in self.harness.strategies_for(need.intent)}
        return tuple(skill.id for skill in self.harness.skills if skill.id in fitting)

    @property
    def comments(self) -> tuple[str, ...]:
        """What the viewers wrote."""
        return tuple(comment.text for comment in self.request.comments)

    def thought(self, segment: Segment, tokens: int) -> None:
        """Count free reasoning tokens of one turn in the part it belongs to."""
        if segment is Segment.TOOL:
            self.tool_thought_tokens += tokens
        else:
            self.reply_thought_tokens += tokens

    def failed(self, records: Sequence[CallRecord]) -> None:
        """Record calls that never reached a tool."""
        self.calls.extend(records)

    def result(self, call: ToolCall, result: ToolResult) -> None:
        """Record one answered call."""
        self.calls.append(
            CallRecord(
                tool=call.tool,
                arguments=_plain_arguments(call.arguments),
                ok=result.ok,
                error=result.error,
                fault=result.fault,
                facts=result.facts,
                mutates=result.mutates,
            )
        )

    def signals(
        self,
        *,
        reply: str | None,
        truth: Sequence[Fact],
        end: RequestEnd,
        skills_loaded: Sequence[str],
        breaches: Sequence[Breach] = (),
        blocked: int = 0,
        unreadable: int = 0,
    ) -> Signals:
        """The closed account.

        Args:
            reply: what was spoken; None when nothing was.
            truth: facts true in the second of speaking, or of closing.
            end: why the request ended.
            skills_loaded: canonical ids in order of loading.
            breaches: rules of the platform that the reply broke.
            blocked: replies that a hook sent back.
            unreadable: turns that could not be parsed.
        """
        return Signals(
            request_id=self.request.id,
            needs=self.needs,
            reply=reply,
            truth=tuple(truth),
            known=self.known,
            calls=tuple(self.calls),
            skills_loaded=tuple(skills_loaded),
            skill_options=self.skill_options,
            strategy_options=self.strategy_options,
            titles=tuple((f"link:{item.link}", item.title) for item in self.room.items),
            limits=self.harness.limits,
            breaches=tuple(breaches),
            blocked=blocked,
            unreadable=unreadable,
            tool_thought_tokens=self.tool_thought_tokens,
            reply_thought_tokens=self.reply_thought_tokens,
            end=str(end),
            comments=self.comments,
        )


def _plain_arguments(arguments: Mapping[str, JsonValue]) -> dict[str, int | str]:
    """Arguments as the judge compares them: ints and text; anything else as its text."""
    plain: dict[str, int | str] = {}
    for name, value in arguments.items():
        plain[name] = value if isinstance(value, (int, str)) and not isinstance(value, bool) else str(value)
    return plain
