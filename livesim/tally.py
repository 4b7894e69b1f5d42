"""Folds the turns, calls and ending of one request into ``Signals``; declares what a token and a word cost."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import Field

from livesim.config import StrictModel
from livesim.types import JsonValue, Request, RequestEnd, RoomView, Segment, ToolCall, ToolResult, Turn
from rewards.signals import Breach, CallRecord, Fact, FactKind, Limits, Need, Signals

CHARACTERS_PER_TOKEN = 4
"""Declared rule for text that comes without a token count: one token per four characters, rounded up."""

HOST_IS_AI = Fact("host", "is_ai", FactKind.FLAG, "yes")
"""Known without a tool: every prompt says that the host is an AI."""


def approx_tokens(text: str) -> int:
    """Tokens of ``text`` by the declared rule; 0 for blank text."""
    return math.ceil(len(text.strip()) / CHARACTERS_PER_TOKEN)


class ClockConfig(StrictModel):
    """What things cost in stream seconds; tool calls take what the toolbox says.

    Attributes:
        tokens_per_s: tokens the model writes a second, reasoning included.
        words_per_s: words the avatar speaks a second.
    """

    tokens_per_s: float = Field(default=120.0, gt=0)
    words_per_s: float = Field(default=2.5, gt=0)


class Tokens(NamedTuple):
    """Tokens of one turn: all of it, and the reasoning in it."""

    turn: int
    thought: int


def count_tokens(turn: Turn, text: str, thought: str) -> Tokens:
    """Tokens of a turn, from its ``usage`` when the carrier gives one, else by the declared rule.

    Args:
        turn: text or message; ``usage`` may hold ``completion_tokens`` and ``reasoning_tokens``.
        text: the turn as it stands in the conversation, calls included.
        thought: the reasoning in it, already taken out.
    """
    usage = turn.get("usage") if isinstance(turn, Mapping) else None
    given = usage if isinstance(usage, Mapping) else {}
    whole = _count(given.get("completion_tokens"), max(approx_tokens(text), approx_tokens(thought)))
    return Tokens(whole, min(whole, _count(given.get("reasoning_tokens"), approx_tokens(thought))))


def _count(value: object, default: int) -> int:
    """A token count that makes sense, else the default; a turn never takes longer than a million tokens."""
    sane = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return min(value if sane and isinstance(value, int) else default, 1_000_000)


class Ledger:
    """The running account of one request.

    Args:
        request: the comments that opened it.
        needs: what the viewers want (hidden from the agent).
        room: the public room when the request opened.
        limits: of the harness in force.
        skill_options: per intent of the needs: the reply skills of this harness that serve it.
        strategy_options: strategy skills that fit the situation.
        known: facts that the prompt states beyond the host's being an AI.
    """

    def __init__(
        self,
        request: Request,
        needs: Sequence[Need],
        room: RoomView,
        limits: Limits,
        *,
        skill_options: Sequence[tuple[str, tuple[str, ...]]] = (),
        strategy_options: Sequence[str] = (),
        known: Sequence[Fact] = (),
    ) -> None:
        self.request = request
        self.needs = tuple(needs)
        self.room = room
        self.limits = limits
        self.skill_options = tuple(skill_options)
        self.strategy_options = tuple(strategy_options)
        self.known = (HOST_IS_AI, *known)
        self.calls: list[CallRecord] = []
        self.tool_thought_tokens = 0
        self.reply_thought_tokens = 0

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
            limits=self.limits,
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
