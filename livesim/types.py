"""The nouns that flow through an episode: messages, calls, results, requests, room views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

from rewards.signals import CallError, Fact, FaultKind

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
"""What JSON can hold."""

Turn: TypeAlias = "str | Mapping[str, JsonValue]"
"""One assistant turn: the raw completion text, or an OpenAI-style assistant message."""

Conversation: TypeAlias = Sequence[Mapping[str, str]]
"""Messages in OpenAI form."""


class Role(StrEnum):
    """Who wrote a message. ``TOOL`` is everything the harness answers after the request: results and feedback."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Intent(StrEnum):
    """What a comment wants (docs/domain.md section 1)."""

    GREETING = "greeting"  # just arrived
    CHITCHAT = "chitchat"  # praise, the host, "are you an AI?"
    PARTICIPATION = "participation"  # digits, draw keyword, "bought"
    PRICE = "price"  # price after all discounts
    PROMOTION = "promotion"  # coupons, thresholds, gifts, stacking
    SHOW_ITEM = "show_item"  # "link 3 please"
    SIZE = "size"  # height and weight
    ATTRIBUTE = "attribute"  # material, ingredient, spec, usage
    STOCK = "stock"  # is my colour and size left
    SHIPPING = "shipping"  # when does it leave and arrive
    RETURNS = "returns"  # return, warranty, freight insurance
    COMPARISON = "comparison"  # cheaper elsewhere, versus another brand
    AFTER_SALES = "after_sales"  # my order, refund, complaint
    TROLL = "troll"  # bait, competitor plug, banned content
    OFF_TOPIC = "off_topic"  # off topic or prompt injection


class Segment(StrEnum):
    """Which part of the answer a turn belongs to; each part has its own heads and its own advantage."""

    TOOL = "tool"  # the turn loads a skill or calls a tool
    REPLY = "reply"  # the turn is, or tries to be, the final reply


class RequestEnd(StrEnum):
    """Why one request ended."""

    REPLIED = "replied"  # a reply was accepted and spoken
    ROUNDS = "rounds"  # the round limit was reached without a reply
    RETRIES = "retries"  # a hook blocked the reply once too often
    TIME = "time"  # cut short: the stream's time was up
    BUDGET = "budget"  # cut short: the assistant turns of the episode were used up


class End(StrEnum):
    """Why an episode ended (``info["end"]``); ``RUNNING`` while it has not."""

    RUNNING = "running"
    SERVED = "served"  # every request of the episode is closed (terminated)
    STREAM_OVER = "stream_over"  # the scenario's horizon was reached (terminated)
    CUT = "cut"  # the platform cut the stream for severe breaches (terminated)
    STEP_BUDGET = "step_budget"  # more assistant turns than the episode allows (truncated)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation."""

    role: Role
    content: str

    def as_dict(self) -> dict[str, str]:
        """OpenAI form."""
        return {"role": str(self.role), "content": self.content}


@dataclass(frozen=True, slots=True)
class Comment:
    """One viewer's line as the room sees it; ``at_s`` is stream time in seconds."""

    viewer: str
    text: str
    at_s: float


@dataclass(frozen=True, slots=True)
class Request:
    """The comments of one window, merged: the unit of work. Public."""

    id: str
    comments: tuple[Comment, ...]
    opened_s: float


@dataclass(frozen=True, slots=True)
class RoomItem:
    """A listed item: its link number and title."""

    link: int
    title: str


@dataclass(frozen=True, slots=True)
class RoomView:
    """What the host may see of the room without calling a tool.

    Attributes:
        clock_s: stream time, seconds since the start.
        on_air: link number of the item being shown.
        items: everything listed.
        viewers: how many are in the room.
        notices: public lines, e.g. ``"flash sale on link 3 until 00:12:00"``.
        dialogue: the last spoken replies, oldest first.
        platform: name of the rules profile in force.
    """

    clock_s: float
    on_air: int
    items: tuple[RoomItem, ...]
    viewers: int
    notices: tuple[str, ...] = ()
    dialogue: tuple[str, ...] = ()
    platform: str = "taobao"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call in canonical names; ``shown`` is the name the model used, for messages back to it."""

    tool: str
    arguments: Mapping[str, JsonValue]
    shown: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came back from a call.

    Attributes:
        ok: the tool answered (a stale or partial answer is still an answer).
        content: the text the model reads: compact JSON, or an error.
        facts: what the answer states, for the judge; never shown.
        error: the call never reached the tool.
        fault: the injected fault, for the judge; never shown as such.
        latency_s: stream seconds it took.
        mutates: the tool is a WRITE tool.
    """

    ok: bool
    content: str
    facts: tuple[Fact, ...] = ()
    error: CallError | None = None
    fault: FaultKind | None = None
    latency_s: float = 0.3
    mutates: bool = False


class Agent(Protocol):
    """Anything that answers an observation with a turn.

    ``sighted`` agents (the oracle) are handed the hidden half of the request before each turn through ``see``.
    """

    name: str
    sighted: bool

    def reset(self, seed: int) -> None:
        """Forget everything; called at the start of an episode."""

    def act(self, messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, JsonValue]]) -> Turn:
        """The next turn for this conversation."""


class Completer(Protocol):
    """Anything that continues conversations; ``agents.completers`` has some."""

    name: str

    def complete(self, conversations: Sequence[Conversation], *, seed: int | None = None) -> list[str]:
        """One completion for each conversation, in order.

        Args:
            conversations: each ends before the assistant's turn.
            seed: of the sampling; None leaves it to the engine.

        Raises:
            CompletionError: the engine gave no answer.
        """
